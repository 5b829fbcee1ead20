"""Kinds of values in GnuCash's books."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench.task.kinds import Kind, Text


@dataclass(frozen=True)
class Remark(Text):
    """A remark, before which the day may be left that GnuCash fills in."""

    def meaning(self, value: Any) -> str:
        return re.sub(r"^(?:Created:?\s*\d[\d/.-]*\s*)+", "", Text.meaning(self, value))

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield from Text.spellings(self, value, random)
        yield "after what was filled in", f"Created: 11/28/2026 {value}"
        yield "on the line after what was filled in", f"Created: 11/28/2026\n{value}"


@dataclass(frozen=True)
class Counter(Kind):
    """The form of a number that is counted, as `printf` has it: `l` and `i` or `d` mean the same."""

    def meaning(self, value: Any) -> str:
        text = str(value).strip()
        if len(re.findall(r"%0\d+(?:l|ll|I64)?[id]", text)) != 1:
            raise ValueError(f"{value!r:.40} counts nothing")
        return re.sub(r"(%0\d+)(?:l|ll|I64)?[id]", r"\1d", text)

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield "another letter", value.replace("i", "d")
        yield "space behind", f"{value} "

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield value.replace("%0", "%1")
        yield f"x{value}"
        yield value.replace("%0", "%")


REMARK = Remark()
COUNTER = Counter()
