"""Settings of a dialog as plain data, for templates whose tasks differ in what is set.

`settings` lists the elements of a dialog in the order of the steps: `click`, `fill` or `pick` (with the `item` of a
list) names one, `type` goes where the focus is; `option` and `to` are what is saved (alone: what goes with another).
`slip` is the last setting as somebody careless makes it, `beside` a change of what has to stay as it is. The values of
`choices` differ by seed, and may stand in texts as `{name}`.
"""

from __future__ import annotations

from random import Random
from typing import Any

from pytest_cuabench import Pilot, Values

_ELEMENTS = ("click", "fill", "pick")  # selectors, in which braces are theirs


def with_choices(values: Values, random: Random) -> Values:
    """Return the values with one of the `choices` each, put into their texts."""
    chosen = {name: random.choice(texts) for name, texts in values.get("choices", {}).items()}
    return {**chosen, **{name: _filled(value, chosen) for name, value in values.items()}}


def _filled(value: Any, chosen: dict[str, str]) -> Any:
    match value:
        case str():
            return value.format(**chosen)
        case list():
            return [_filled(one, chosen) for one in value]
        case dict():
            return {name: one if name in _ELEMENTS else _filled(one, chosen) for name, one in value.items()}
    return value


def saved(settings: list[dict[str, str]], file: str) -> dict[str, tuple[str, str]]:
    """Return the places and values that settings save below `file`, by milestone; the last one is `last`.

    An option `:NAME` is a field of the row itself.
    """
    *before, last = [one for one in settings if "option" in one]
    named = {f"setting_{number}": one for number, one in enumerate(before, 1)} | {"last": last}
    return {name: (f"{file}/{one['option']}".replace("/:", ":"), one["to"]) for name, one in named.items()}


async def set_all(pilot: Pilot, settings: list[dict[str, str]], dialog: str = "dialog") -> None:
    """Set each element of the dialog; without one, of the window."""
    within = f"{dialog} >> " if dialog else ""
    for one in settings:
        if "fill" in one:
            await pilot.fill(f"{within}{one['fill']}", one["to"])
        elif "pick" in one:
            await pilot.click(f"{within}{one['pick']}")
            await pilot.click(f'menu-item[name="{one["item"]}"]:nth(0)')
        elif "type" in one:
            await pilot.type(one["type"])
        elif "click" in one:
            await pilot.click(f"{within}{one['click']}")
