"""Settings in dialogs of KiCad's PCB editor, in the form of `toolkit/dialogs.py`.

`menu` with its entry opens the dialog of this name, which is the window, and OK applies it; `{ page = NUMBER }` is one
of the tree of pages, counted from 0. With `board`, what was done is in the board's file, which has to be saved besides.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from pytest_cuabench import State, Values

from ..toolkit import dialogs
from ..toolkit.dialogs import changed_the_neighbour, check, left_unsaved, slipped, solve
from ..toolkit.steps import Steps

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]

_WORDS = ("Sensor", "Relay", "Clock", "Filter", "Meter", "Driver")
_FILES = tuple(
    {"place": f"files/board/board.kicad_{kind}", "why": why}
    for kind, why in (
        ("pcb", "told by the collections board and libraries"),
        ("pro", "told by the collection project"),
        ("prl", "it keeps how the board was looked at last"),
        ("dru", "told by the collection rules"),
    )
)


def setup(random: Random) -> Steps:
    """Open a small board of one of several names."""
    name = random.choice(_WORDS)
    for kind in ("pcb", "pro"):
        text = Path(__file__).with_name(f"board.kicad_{kind}").read_text(encoding="utf-8")
        yield {"do": "write", "path": f"board/board.kicad_{kind}", "text": text.replace("Sensor", name)}
    yield {"do": "open", "path": "board/board.kicad_pcb"}


def case(state: State, random: Random, values: Values) -> Values:
    """Choose the values that differ by seed, and say how the dialog is opened and closed."""
    menu = list(values.get("menu", ()))
    window = f'frame[name="{values.get("window") or menu[1].rstrip(".…")}"]'
    ok, cancel = ({"click": f'{window} >> push-button[name="{name}"]'} for name in ("OK", "Cancel"))
    names = zip(menu, ("menu", "menu-item"), strict=False)
    filled = dialogs.case(state, random, values)
    return filled | {
        "opening": [{"click": f'{role}[name="{name}"]:nth(0)'} for name, role in names]
        + filled.get("opening", []),
        "window": window,
        "settings": _on_pages(filled["settings"]),
        "closing": [ok, {"press": "ctrl+s"}] if values.get("board") else [ok],
        "unsaved": [ok if values.get("board") else cancel],
        "along": [*filled.get("along", ()), *_FILES],
    }


def _on_pages(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the actions with clicks on the tree of pages, whose rows have no names."""
    return [
        {"click": f"scroll-pane:nth(0)@0.5,{(12 + 21 * one['page']) / 480:.4f}"} if "page" in one else one
        for one in actions
    ]
