"""Results of another program on the same desktop, KAlgebra or CoqIDE, written into a LaTeX document.

`beside` is the program; `formula` is what KAlgebra calculates, `source` the file that CoqIDE has open. `result` is what
goes into the place of the ????, and `slip` what a careless reader puts there.
"""

from __future__ import annotations

import itertools
from math import comb, lcm
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import workbook
from . import writing
from .writing import Step

_NUMBERS = (range(3, 8), range(11, 17))
_SOURCE = "proofs/exercise.v"


def _words(name: str, a: int, b: int) -> dict[str, Any]:
    """Return what may stand in the texts of a task, results of KAlgebra among them."""
    return {
        **workbook.words(name, a, b),
        "power": a**5 + b**2,
        "power_slip": a**5 + b,
        "choices": comb(b, a),
        "choices_slip": comb(b - 1, a),
        "multiple": lcm(a * 12, b * 18),
        "multiple_slip": a * 12 * b * 18,
        "at_seven": 343 - 7 * a + b,
        "at_seven_slip": 343 + 7 * a + b,
        "twelve_a": a * 12,
        "eighteen_b": b * 18,
    }


def _document(values: Values) -> str:
    return (
        "\\documentclass{article}\n\\begin{document}\n\n\\section*{Notes}\n\n"
        f"{values['sentence']}\n\n\\end{{document}}\n"
    )


def setup(random: Random, values: Values) -> list[Step]:
    """A document with a gap, and beside it the program that knows what belongs there."""
    known = _words(random.choice(workbook.NAMES), *(random.choice(numbers) for numbers in _NUMBERS))
    values = workbook.filled(dict(values), known)
    steps = list(writing.prepare({writing.MAIN: _document(values)}, writing.MAIN))
    own: list[Step] = []
    if values["beside"] == "coq":
        own = [
            {"do": "write", "path": _SOURCE, "text": values["source"]},
            {"do": "open", "path": _SOURCE},
        ]
    return [*steps, writing.start(values["beside"], *own)]


def case(state: State, random: Random, values: Values) -> Values:
    for name, a, b in itertools.product(workbook.NAMES, *_NUMBERS):
        known = _words(name, a, b)
        found = workbook.filled(dict(values), known)
        same = writing.main_text(state) == _document(found)
        if same and writing.text_of(state.collections, _SOURCE) == found.get("source", ""):
            edit = writing.edit_values(writing.GAP, str(found["result"]))
            return writing.edits(
                state, edit, **{key: found[key] for key in ("beside", "slip")}, **_asked(found)
            )
    raise LookupError("the document was not written by this task")


def _asked(found: Values) -> Values:
    return {"formula": found.get("formula", "")}


def check(evidence: Evidence, case: Case) -> Findings:
    """The gap is filled, the document compiles, and nothing else was changed."""
    yield from writing.edited(evidence, case)
    if case["beside"] == "coq":
        yield from workbook.untouched(evidence, *evidence.before.collections["files"], *_products(evidence))


def _products(evidence: Evidence) -> list[str]:
    """Return new files, which `edited` has judged."""
    return [change.key for change in evidence.changes if change.collection == "files"]


async def solve(pilot: Pilot, case: Case) -> None:
    """Have the value calculated or read it, then go to TeXstudio and write it down."""
    if case["beside"] == "kalgebra":
        await writing.work_out(pilot, case["formula"])
    await writing.leave(pilot)
    await writing.edit(pilot, case)


@wrong("milestone:edit")
async def wrote_something_else(pilot: Pilot, case: Case) -> None:
    """The result is that of a careless reader."""
    await solve(pilot, writing.slipped(case, str(case["slip"])))


@wrong("record_integrity/major")
async def changed_the_heading(pilot: Pilot, case: Case) -> None:
    """The result is right, but the heading is not what it was."""
    await writing.leave(pilot)
    await writing.put(pilot, case, "Notes", "NOTES")
    await writing.edit(pilot, case)
