"""Kinds of values in workbooks of Calc."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench.task.kinds import Formula, Text


@dataclass(frozen=True)
class Bound(Formula):
    """When a cell gets a style: its value compared with a number, or a formula on the cell that says the same.

    Attributes:
        cell: The cell that such a formula is on.
    """

    cell: str = ""

    def meaning(self, value: Any) -> tuple[str, ...]:
        tokens = Formula.meaning(self, re.sub(r"^\s*formula-is\((.*)\)\s*$", r"\1", str(value)))
        if len(tokens) == 3 and tokens[2] == self.cell:  # the number stands first
            tokens = (self.cell, tokens[1].translate(_TURNED), tokens[0])
        return tokens[1:] if tokens[:1] == (self.cell,) else tokens

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        sign, number = value[:1], value[1:]
        yield "as a formula", f"formula-is([.{self.cell}]{value})"
        yield "as a formula that is fixed to the column", f"formula-is([.$F2]{value})"
        yield "the other way round", f"formula-is({number}{sign.translate(_TURNED)}{self.cell})"
        yield "with zeros", f"{value}.0"


_TURNED = str.maketrans("<>", "><")

NAME = Text(ignore_case=True, called="name")
FIXED = Formula(fixed=True)
OF_LOAN = Formula(sheet="Loan")
AMOUNT = Bound(cell="F2")
