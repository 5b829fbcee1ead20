"""Look at one slide after another, and tell the colour of the pen on the second."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Choice

from ..toolkit.misreading import misread
from . import microscope


def case(state: State, random: Random) -> Values:
    values = microscope.patient(state, random)
    known = {values["study_uid"], values["other"]["study_uid"]}
    rest = [row for row in microscope.whole_slides(state) if row["study_uid"] not in known]
    second = microscope.job(state, random.choice(rest))
    return values | {"second": second, "second_name": second["name"], "colour": second["pen"]}


def check(evidence: Evidence, case: Case) -> Findings:
    """The first was seen, the second is on the screen, and its pen was told."""
    second = case["second"]
    first = microscope.opened(evidence, case)
    yield Milestone("first_case", first, 0.3, case["name"], "seen" if first else "never opened")
    there = microscope.shown(evidence, second)
    yield Milestone("second_case", there, 0.3, second["name"], "on the screen" if there else "not there")
    spec = Choice(second["pen"], microscope.PENS, words=("ring", "pen", "colour", "color"))
    looked = microscope.opened(evidence, second)
    yield from microscope.answered(evidence, spec, "colour", 0.4, looked=looked)
    yield from microscope.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open one, then the other."""
    await microscope.open_slide(pilot, case)
    await microscope.back(pilot)
    await microscope.open_slide(pilot, case["second"])
    await pilot.answer(case["colour"])


@wrong("milestone:first_case")
async def skipped_the_first(pilot: Pilot, case: Case) -> None:
    """The first slide was never looked at."""
    await microscope.open_slide(pilot, case["second"])
    await pilot.answer(case["colour"])


@wrong("information_fidelity/major")
async def told_another_colour(pilot: Pilot, case: Case) -> None:
    """The ring is another one."""
    other = next(pen for pen in microscope.PENS if pen != case["colour"])
    await solve(pilot, misread(case, colour=other))


@wrong("milestone:second_case")
async def stayed_with_the_first(pilot: Pilot, case: Case) -> None:
    """The second slide was left to be opened by somebody else."""
    await microscope.open_slide(pilot, case)
    await pilot.answer(case["colour"])
