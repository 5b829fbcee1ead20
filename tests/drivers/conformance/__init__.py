"""What every driver must do with the canonical actions: one catalogue for all of them.

A binding gives each case to its environment, on a screen of 1280x800 that shows the probe page and nothing
else, and asks what the page saw. What a driver cannot do is an expected failure, with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from . import keys, mouse, text
from .case import INNER, LINE, PAD, SCREEN, SCROLLER, Case, Event, event, fits, missing

CASES = (*mouse.CASES, *keys.CASES, *text.CASES)

# A minute of processor time each: GTK lays a line out again for each character of it, and all programs read the whole
# keyboard again for each hundred characters that no key of it writes.
LONGEST = ("type-longest-ascii", "type-longest-signs")
_OF_GTK = {"undo": "fields of GTK 3, of which the probe window is made, have no undo"}
EXCLUDED = {
    "chromium": {},
    "window": {},
    "xvfb": _OF_GTK,
    "docker": _OF_GTK,
    "qemu": _OF_GTK,
    "osworld": {
        **_OF_GTK,
        "hold-key-repeats": "the guest of this test repeats held keys for its own `hold_key` only",
    },
}
"""What a driver cannot do, with the reason."""
_OF_CLICKS = "a line of GTK 3 sometimes counts two clicks that it is told of as one and one"
_OF_PRESSES = "each press is a program of its own there, and a double click may be over before the second"
_ON_DESKTOPS = dict.fromkeys(("edit-double-clicked", "edit-triple-clicked"), _OF_CLICKS)
UNSTEADY = {
    "chromium": {},
    "window": {},
    "xvfb": _ON_DESKTOPS,
    "docker": _ON_DESKTOPS,
    "qemu": _ON_DESKTOPS,
    "osworld": {
        **_ON_DESKTOPS,
        **dict.fromkeys(("presses-of-a-double-click", "presses-of-a-triple-click"), _OF_PRESSES),
    },
}
"""What a driver does only where the computer is fast, with the reason."""


def parameters(driver: str, *, slow: Iterable[str] = (), nightly: Iterable[str] = ()) -> list[Any]:
    """Return all cases as parameters of a driver's test, with the marks of these names."""
    found = []
    for case in CASES:
        marks = [pytest.mark.nightly] if case.name in nightly else []
        if case.name in slow and not marks:
            marks.append(pytest.mark.slow)
        if why := EXCLUDED[driver].get(case.name):
            marks.append(pytest.mark.xfail(reason=why, strict=True))
        elif why := UNSTEADY[driver].get(case.name):
            marks.append(pytest.mark.xfail(reason=why, strict=False))
        found.append(pytest.param(case, id=case.name, marks=marks))
    return found


def alike(most: int) -> set[str]:
    """Return the names of heavy cases, and of those beyond the first few of their kind."""
    seen = Counter[str]()
    found = set()
    for case in CASES:
        kind = case.name.partition("-")[0]
        seen[kind] += 1
        if case.heavy or seen[kind] > most:
            found.add(case.name)
    return found


__all__ = [
    "CASES", "EXCLUDED", "INNER", "LINE", "LONGEST", "PAD", "SCREEN", "SCROLLER", "Case", "Event", "alike", "event",
    "fits", "missing", "parameters",
]  # fmt: skip
