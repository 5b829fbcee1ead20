"""Settings of VLC, in the form of `toolkit/dialogs.py`.

`view` is the page of the simple preferences that is opened, or `All` for all settings, where `{ page = NAME }` looks
for a page of the tree. Without one, `opening`, `closing` and `unsaved` are those of the task. `pick` chooses from the
list that belongs to an element.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from pytest_cuabench import State, Values

from ..toolkit import dialogs
from ..toolkit.dialogs import changed_the_neighbour, check, left_unsaved, slipped, solve
from ..toolkit.steps import Step, Steps

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]

_WORDS = ("Lark", "Heron", "Finch", "Plover", "Wren", "Osprey")


def setup(random: Random) -> Steps:
    """A playlist of two stations, which differ by seed."""
    first, second = random.sample(_WORDS, 2)
    lines = "".join(
        f"#EXTINF:-1,{name}\nhttp://{name.lower()}.radio.example/live.ogg\n" for name in (first, second)
    )
    yield {"do": "write", "path": "Music/stations.m3u", "text": f"#EXTM3U\n{lines}"}


def case(state: State, random: Random, values: Values) -> Values:
    """Choose the values that differ by seed, and say how the preferences are opened and saved."""
    filled = dialogs.case(state, random, {"file": "settings/vlcrc"} | values)
    if view := filled.get("view"):
        window = f'dialog[name="{"Advanced" if view == "All" else "Simple"} Preferences"]'
        kind = "radio-button" if view == "All" else "check-box"
        filled |= {
            "opening": [
                {"press": "ctrl+p"},
                {"click": f'dialog[name="Simple Preferences"] >> {kind}[name="{view}"]'},
            ],
            "window": window,
            "closing": [{"click": f'{window} >> push-button[name="Save"]'}],
            "unsaved": [{"click": f'{window} >> push-button[name="Cancel"]'}],
        }
    if "pick" in filled["settings"][-1]:
        filled["slip"] = [{"press": "escape"}, *filled["slip"]]  # the list is open then
    return filled | {name: list(_plain(filled[name])) for name in ("settings", "slip", "beside")}


def _plain(actions: list[Step]) -> Iterator[dict[str, Any]]:
    """Yield the actions, with clicks for pages and lists."""
    for one in actions:
        match one:
            case {"page": name}:
                yield {"fill": 'split-pane >> text[name=""]:nth(0)', "to": name}
                yield {"click": f'tree >> table-cell[name="{name}"]:nth(0)'}
            case {"pick": target, "item": item, **rest}:
                yield {"click": target}
                yield {
                    "click": f'{target} >> list-item[name="{item}"]@0.1,0.5',
                    **rest,
                }  # wider than the list
            case _:
                yield one
