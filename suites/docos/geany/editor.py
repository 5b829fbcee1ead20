"""What several tasks with Geany share: its files of settings, and the kinds of values that it reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench import Pilot
from pytest_cuabench.task.kinds import Items, Raw, Text

from ..toolkit.gtk import choose

_CURSOR = "%cursor%"


@dataclass(frozen=True)
class Label(Text):
    """A label of a menu: a low line marks the letter that chooses it."""

    def meaning(self, value: Any) -> str:
        return re.sub("_(.)", r"\1", Text.meaning(self, value))

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield from Text.spellings(self, value, random)
        yield "a letter that chooses it", f"_{value}"
        yield "a letter in it that chooses it", f"{value[:-1]}_{value[-1]}"


@dataclass(frozen=True)
class Snippet(Text):
    """An abbreviation's text: the cursor goes to the first mark, and further ones only say where it goes next."""

    def meaning(self, value: Any) -> str:
        before, mark, behind = Text.meaning(self, value).partition(_CURSOR)
        return before + mark + behind.replace(_CURSOR, "")

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield from Text.spellings(self, value, random)
        yield "a second mark of the cursor", f"{value}{_CURSOR}"

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield from Text.others(self, value, random)
        yield _CURSOR + value.replace(_CURSOR, "")


LABEL = Label()
ENTRIES = Items(separators=";", item=Raw("Geany takes spaces of an entry for part of it"))
SNIPPET = Snippet()


async def add_to_settings(pilot: Pilot, file: str, *lines: str) -> None:
    """Open a file of settings from the menus, add lines at its end, and save it."""
    await choose(pilot, "Tools", "Configuration Files", file)
    await pilot.press("ctrl+end")
    for line in lines:
        await pilot.type(line)
        await pilot.press("enter")
    await pilot.press("ctrl+s")
