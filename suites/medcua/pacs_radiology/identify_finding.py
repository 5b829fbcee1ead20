"""Find a lymph node, and tell its side and its size."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Choice, Fields

from ..toolkit.misreading import confused, misread
from ..toolkit.reading import answered
from . import reading_room


def case(state: State, random: Random) -> Values:
    values = reading_room.pair(state, random, "neck")
    return values | {"diameter": values["mm"]}


def check(evidence: Evidence, case: Case) -> Findings:
    """A line lies across the node, and side and diameter are told."""
    yield from reading_room.measured(evidence, case, 0.5)
    spec = Fields(
        {
            "side": (Choice(case["side"], ("left", "right")), ()),
            "diameter": (reading_room.diameter(case), ("size",)),
        }
    )
    yield from answered(evidence, spec, "finding", 0.5, looked=reading_room.seen(evidence, case))
    yield from reading_room.untouched(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Find it, draw a line across, and tell side and length."""
    await reading_room.open_study(pilot, case)
    await reading_room.turn_to(pilot, case["image"])
    await reading_room.measure(pilot, case)
    await pilot.answer(f"side {case['side']}, diameter {case['diameter']} mm")


@wrong("information_fidelity/major")
async def took_the_side_of_the_screen(pilot: Pilot, case: Case) -> None:
    """The patient's right is on the left of the screen."""
    await solve(pilot, misread(case, side="left" if case["side"] == "right" else "right"))


@wrong("data_accuracy/major")
async def measured_it_near_its_end(pilot: Pilot, case: Case) -> None:
    """Two images away it is no longer as large."""
    await solve(pilot, misread(case, image=case["image"] + 2))


@wrong("patient_identity/critical")
async def measured_the_other_patient(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, misread(confused(case), diameter=case["other"]["mm"]))
