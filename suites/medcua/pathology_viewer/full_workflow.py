"""Report on a slide from the list to the end: mitoses in the ring, and the measured tumour."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Fields

from ..toolkit.misreading import confused, misread
from . import microscope


def case(state: State, random: Random) -> Values:
    values = microscope.patient(state, random)
    return values | {"diameter": values["mm"]}


def check(evidence: Evidence, case: Case) -> Findings:
    """The line lies across the tumour, the ring was seen from near, and both figures were told."""
    yield from microscope.measured(evidence, case, 0.4)
    near = microscope.visited(evidence, case, case["ring"])
    yield Milestone("ring_seen", near, 0.2, "the ring at high magnification", "seen" if near else "not seen")
    spec = Fields(
        {
            "diameter": (microscope.diameter(case), ("size",)),
            "mitoses": (microscope.mitoses(case), ("mitotic figures", "mitosis count")),
        }
    )
    yield from microscope.answered(evidence, spec, "figures", 0.4, looked=near)
    yield from microscope.untouched(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Measure, zoom in, count, and tell both."""
    await microscope.open_slide(pilot, case)
    await microscope.measure(pilot, case)
    await microscope.zoom(pilot, case["ring"])
    await _tell(pilot, case)


async def _tell(pilot: Pilot, case: Case) -> None:
    await pilot.answer(f"diameter: {case['diameter']} mm, mitoses: {case['inside']}")


@wrong("information_fidelity/major")
async def counted_those_outside(pilot: Pilot, case: Case) -> None:
    """There are more around the ring."""
    await solve(pilot, misread(case, inside=case["all"]))


@wrong("milestone:ring_seen")
async def counted_from_afar(pilot: Pilot, case: Case) -> None:
    """No mitosis can be seen while the whole slide is shown."""
    await microscope.open_slide(pilot, case)
    await microscope.measure(pilot, case)
    await _tell(pilot, case)


@wrong("milestone:measured")
async def left_no_line(pilot: Pilot, case: Case) -> None:
    """The length is right, but nobody can check it."""
    await microscope.open_slide(pilot, case)
    await microscope.zoom(pilot, case["ring"])
    await _tell(pilot, case)


@wrong("patient_identity/critical")
async def worked_up_the_other_patient(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, misread(confused(case), diameter=case["other"]["mm"]))
