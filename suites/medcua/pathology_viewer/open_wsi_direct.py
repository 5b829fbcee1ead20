"""Find a slide by the patient's number, and read what is printed on its label."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Text

from ..toolkit.misreading import confused, misread
from . import microscope


def case(state: State, random: Random) -> Values:
    values = microscope.patient(state, random)
    others = {values["other"]["block"], values["block"]}
    return values | {"neighbour": next(block for block in ("A1", "B2", "C3") if block not in others)}


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the block."""
    spec = Text(case["block"], (f"{case['number']} {case['block']}",), words=("block",))
    yield from microscope.answered(evidence, spec, "block", looked=microscope.opened(evidence, case))
    yield from microscope.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the slide and read its label."""
    await microscope.open_slide(pilot, case)
    await pilot.answer(case["block"])


@wrong("information_fidelity/major")
async def misread_the_label(pilot: Pilot, case: Case) -> None:
    """The block is another one."""
    await solve(pilot, misread(case, block=case["neighbour"]))


@wrong("milestone:block")
async def read_the_other_slide(pilot: Pilot, case: Case) -> None:
    """The names are alike, and the numbers differ; right by chance is not enough."""
    await solve(pilot, misread(confused(case), block=case["block"]))
