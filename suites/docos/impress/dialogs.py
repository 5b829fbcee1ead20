"""Dialogs of LibreOffice Impress, in the form of `toolkit/dialogs.py`.

`object` is what is selected on the first slide, `slide` which slide is clicked on; the last of `menu` opens the dialog
of this name, or of the name `window`; without a menu there is none. `apply` is its button instead of OK. What was done
is in the presentation, which has to be saved besides; places are within it unless they begin with `settings/`. `page`
is one of the pages of Impress among the options instead, which are saved without a presentation. Lists hold cells.
`before` is what changes something beside it before the dialog is opened. `{slide1}` to `{slide6}` are the names of the
slides.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from pytest_cuabench import Case, Pilot, State, Values, wrong
from pytest_cuabench.agents.builtin.solution_steps import do

from ..toolkit import dialogs
from ..toolkit.dialogs import check, left_unsaved, slipped, solve
from ..toolkit.steps import Steps

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]

_FILE = "talk.fodp"
_WORDS = {
    "Spring fair": ("Spring fair", "Harvest feast", "Boat race", "Open day"),
    "Stalls": ("Stalls", "Tickets", "Workshops"),
    "Music": ("Music", "Dances", "Lectures"),
    "Sponsors": ("Sponsors", "Helpers", "Donors"),
}  # of slides.fodp
_SAVING = [{"press": "ctrl+s"}, {"wait": 1}]
_WRITING = [{"wait": 2}]  # options are written a second later


def setup(random: Random) -> Steps:
    """Open a short presentation of one of several events."""
    text = Path(__file__).with_name("slides.fodp").read_text(encoding="utf-8")
    for word, words in _WORDS.items():
        text = text.replace(word, random.choice(words))
    yield {"do": "write", "path": f"work/{_FILE}", "text": text}
    yield {"do": "open", "path": f"work/{_FILE}"}


def case(state: State, random: Random, values: Values) -> Values:
    """Choose the values that differ by seed, and say how the dialog is opened and closed."""
    slides = {f"slide{number}": [name] for name, number in _slides(state)}
    filled = dialogs.case(state, random, {**values, "choices": values.get("choices", {}) | slides})
    page = filled.get("page")
    menu = ["Tools", "Options..."] if page else filled.get("menu", [])
    window = filled.get("window") or (menu[-1].rstrip(".") if menu else "")
    window = f'dialog[name^="{window}"]' if window else ""
    apply, cancel = (
        [{"click": f'{window} >> push-button[name="{name}"]'}] if menu else []
        for name in (filled.get("apply", "OK"), "Cancel")
    )
    opening = [
        {"click": f'{where} >> panel[name="{filled[what]}"]'}
        for what, where in (
            ("slide", 'document-frame[name="Slides View"]'),
            ("object", "document-presentation"),
        )
        if what in filled
    ]
    opening += [{"menu": menu}] * bool(menu)
    if page:
        number = 0 if page == "Grid" else 1  # the first one is a page of LibreOffice
        opening += [
            {"click": f'{window} >> table-cell[name="LibreOffice Impress"]'},
            {"press": "right"},
            {"click": f'{window} >> table-cell[name="{page}"]:nth({number})'},
        ]
    actions = {
        name: [_action(one) for one in filled.get(name, [])] for name in ("settings", "slip", "beside")
    }
    return (
        filled
        | actions
        | {
            "opening": opening + [_action(one) for one in filled.get("opening", [])],
            "window": window,
            "closing": [*apply, *filled.get("closing", []), *(_WRITING if page else _SAVING)],
            "unsaved": [*apply, *filled.get("closing", [])] if not page else cancel,
            "along": [
                *map(_action, filled.get("along", ())),
                {"place": f"files/work/{_FILE}", "why": "it is judged by its content"},
            ],
        }
    )


def _slides(state: State) -> list[tuple[str, int]]:
    """Return the names and numbers of the slides."""
    rows = state.collections["document"].items()
    return [
        (key.removeprefix(f"{_FILE}/page ").removesuffix("/notes"), int(row["page-thumbnail@page-number"]))
        for key, row in rows
        if key.endswith("/notes")
    ]


def _action(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return an action with its places in full, and with lists as Impress has them."""
    action: dict[str, Any] = {"role": "table-cell", **one} if "pick" in one else dict(one)
    if "place" in action:
        action["place"] = _place(action["place"])
    if "like" in action:
        action["like"] = f"{_FILE}/{action['like']}"
    for name in ("saves", "otherwise"):
        if name in action:
            action[name] = {_place(place): value for place, value in action[name].items()}
    return action


def _place(place: str) -> str:
    return place if place.startswith("settings/") else f"document/{_FILE}/{place}"


@wrong("record_integrity/major")
async def changed_the_neighbour(pilot: Pilot, case: Case) -> None:
    """Something that lies beside it is changed along, in the dialog or before."""
    await do(pilot, case.values.get("before", ()))
    await dialogs.changed_the_neighbour(pilot, case)
