"""Find the line that does not do what the text says."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import writing
from .writing import Steps
from .writing import edit as solve

__all__ = ["solve"]


class Program(NamedTuple):
    """A listing with one token to get wrong: the right line, the wrong one, and the text around them."""

    title: str
    words: str
    code: str
    good: str
    bad: str


PROGRAMS = (
    Program(
        "The greatest common divisor",
        "Euclid's method replaces the larger number by the remainder of the division, until nothing remains.",
        "def gcd(a, b):\n    while b != 0:\n        a, b = b, a % b\n    return a",
        "a, b = b, a % b",
        "a, b = b, a // b",
    ),
    Program(
        "The value of a polynomial",
        "Horner's rule multiplies what was gathered so far by $x$ and adds the next coefficient.",
        "def value(coefficients, x):\n    total = 0\n    for c in coefficients:\n"
        "        total = total * x + c\n    return total",
        "total = total * x + c",
        "total = total + x + c",
    ),
    Program(
        "Searching a sorted list",
        "The list is ascending. The middle item is looked at: where it is smaller than the one that is sought, the "
        "search goes on in the upper half.",
        "def position(items, sought):\n    low, high = 0, len(items)\n    while low < high:\n"
        "        middle = (low + high) // 2\n        if items[middle] < sought:\n            low = middle + 1\n"
        "        else:\n            high = middle\n    return low",
        "if items[middle] < sought:",
        "if items[middle] > sought:",
    ),
)


def case(state: State, random: Random) -> Values:
    (program,) = (program for program in PROGRAMS if program.bad in writing.main_text(state))
    return writing.edits(
        state, writing.edit_values(program.bad, program.good), slip=f"pass  # {program.good}"
    )


def setup(random: Random) -> Steps:
    """A program that does not do what the text says."""
    program = random.choice(PROGRAMS)
    code = program.code.replace(program.good, program.bad)
    fields = {"title": program.title, "words": program.words, "code": code}
    yield from writing.prepare({writing.MAIN: writing.document("algorithm.tex", fields)}, writing.MAIN)


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the program do what the text says; in Python the beginning of a line matters."""
    yield from writing.written(evidence, writing.MAIN, case["edits"], 0.8, indented=True)
    yield writing.builds(evidence, writing.MAIN, 0.2)
    yield from writing.untouched(evidence, writing.MAIN)


@wrong("milestone:edit")
async def only_commented_on_it(pilot: Pilot, case: Case) -> None:
    """The right line is a comment."""
    await solve(pilot, writing.slipped(case))
