"""What hands do in TeXstudio: find a place with the search panel, type over it, save."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_cuabench.action import Action, Key, Type
from pytest_cuabench.adapters.oracle import Hand

# The first one closes the list of earlier searches where it is open, the last one what is open then: only panels.
_TO_EDITOR = (Key(("escape",)), Key(("escape",)))


async def show(hand: Hand, file: str) -> None:
    """Bring an open file to the front."""
    await hand.click(f'page-tab[name="{file}"]')


async def find(hand: Hand, text: str, *then: Action) -> None:
    """Select the first place in the file in front at which a text stands."""
    search = (Key(("ctrl", "home")), Key(("ctrl", "f")), Key(("ctrl", "a")), Type(text), *_TO_EDITOR)
    await hand.act(*search, *then, thought=f"Find {text}")


async def replace(hand: Hand, old: str, new: str) -> None:
    """Type over a text; where the new one only adds lines above the old, type these."""
    added, _, last = new.rpartition("\n")
    if not added:
        await find(hand, old, Type(new))
    else:
        assert last == old, f"{new!r} does not end with {old!r}"
        await find(hand, old, Key(("home",)), Key(("enter",)), Key(("up",)), Type(added))


async def add_below(hand: Hand, anchor: str, text: str) -> None:
    """Add a line below the one that holds a text."""
    await find(hand, anchor, Key(("end",)), Key(("enter",)), Type(text))


async def save(hand: Hand) -> None:
    """Save the file in front."""
    await hand.press("ctrl+s")


async def change(hand: Hand, edits: Iterable[Mapping[str, Any]]) -> None:
    """Make edits in the file in front."""
    for edit in edits:
        await replace(hand, edit["old"], edit["new"])


async def copy(hand: Hand, text: str) -> None:
    """Copy whole lines of the file in front."""
    first, *others = text.splitlines()
    select = (Key(("home",)), Key(("shift", "down"), len(others)), Key(("shift", "end")))
    await find(hand, first, *select, Key(("ctrl", "c")))
