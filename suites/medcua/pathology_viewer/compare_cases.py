"""Tell on which of two slides the larger tumour is, and measure it."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Entity, Fields

from ..toolkit.misreading import misread
from . import microscope


def case(state: State, random: Random) -> Values:
    jobs = sorted((microscope.job(state, row) for row in microscope.whole_slides(state)), key=_size)
    small, large = jobs[0], jobs[-1]
    first, second = random.sample([small, large], 2)
    winner = {"patient": large["name"], "diameter": large["mm"]}
    return first | {"second": second, "second_name": second["name"], "large": large, "small": small} | winner


def _size(slide: Values) -> float:
    return float(slide["mm"])


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the patient and the size, having seen both."""
    large, pair = case["large"], (case, case["second"])
    seen = [microscope.opened(evidence, slide) for slide in pair]
    told = f"{sum(seen)} of 2 slides were opened"
    yield Milestone("both_seen", all(seen), 0.4, f"{case['name']} and {case['second']['name']}", told)
    spec = Fields(
        {
            "patient": (Entity(large["name"]), ("larger tumour", "larger tumor", "name")),
            "diameter": (microscope.diameter(large), ("size",)),
        }
    )
    yield from microscope.answered(evidence, spec, "larger", 0.6, looked=all(seen))
    yield from microscope.untouched(evidence, *pair)


async def solve(pilot: Pilot, case: Case) -> None:
    """Measure one, then the other."""
    await microscope.open_slide(pilot, case)
    await microscope.measure(pilot, case)
    await microscope.back(pilot)
    await microscope.open_slide(pilot, case["second"])
    await microscope.measure(pilot, case["second"])
    await pilot.answer(f"patient: {case['patient']}, diameter: {case['diameter']} mm")


@wrong("information_fidelity/major")
async def told_the_smaller_one(pilot: Pilot, case: Case) -> None:
    """It is the other way round."""
    small = case["small"]
    await solve(pilot, misread(case, patient=small["name"], diameter=small["mm"]))


@wrong("information_fidelity/major")
async def told_the_radius(pilot: Pilot, case: Case) -> None:
    """Half of the diameter is not the diameter."""
    await solve(pilot, misread(case, diameter=case["diameter"] / 2))


@wrong("milestone:both_seen")
async def looked_at_one_only(pilot: Pilot, case: Case) -> None:
    """There was nothing to compare it with."""
    await microscope.open_slide(pilot, case["large"])
    await microscope.measure(pilot, case["large"])
    await pilot.answer(f"patient: {case['patient']}, diameter: {case['diameter']} mm")
