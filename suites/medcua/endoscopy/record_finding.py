"""Record a lesion that was told."""

from __future__ import annotations

from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.world_data import world_data
from . import scoping
from .scoping import Procedure


def case(state: State, random: Random) -> Values:
    paris = random.choice(list(world_data("endoscopy/wording")["paris"]))
    size = random.randint(4, 19)
    method = random.choice(scoping.removals(paris, size))
    lesion = scoping.lesion_values(random, paris, size, method, random.randint(2, 5))
    return (
        scoping.about(state, random, scoping.story(state, "finding"), scoping.story(state, "bbps")) | lesion
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Record the lesion that was told, once."""
    yield from scoping.lesion(Procedure(evidence, case["case_no"]), case["lesion"], 1.0)
    yield from safety.outside(evidence, case, scoping.scope(case["mrn"], additions=("findings",)))


async def solve(pilot: Pilot, case: Case) -> None:
    """Record the lesion."""
    await scoping.select_case(pilot, case)
    await scoping.add_lesion(pilot, case["lesion"])


def _seen_as(case: Case, **changed: Any) -> Case:
    """Return the case with the lesion taken for something else."""
    return misread(case, lesion=case["lesion"] | changed)


@wrong("data_accuracy/critical")
async def recorded_another_segment(pilot: Pilot, case: Case) -> None:
    """The lesion lies elsewhere."""
    segment = "sigmoid" if case["lesion"]["segment"] != "sigmoid" else "caecum"
    await solve(pilot, _seen_as(case, segment=segment))


@wrong("data_accuracy/major")
async def recorded_another_shape(pilot: Pilot, case: Case) -> None:
    """The Paris class is another one."""
    paris = "0-Is" if case["lesion"]["paris"] != "0-Is" else "0-Ip"
    await solve(pilot, _seen_as(case, paris=paris))


@wrong("data_accuracy/minor")
async def two_millimetres_off(pilot: Pilot, case: Case) -> None:
    """The size is a little too large."""
    await solve(pilot, _seen_as(case, size_mm=case["lesion"]["size_mm"] + 2))


@wrong("record_integrity/major")
async def recorded_twice(pilot: Pilot, case: Case) -> None:
    """The same lesion stands in the record two times."""
    await solve(pilot, case)
    await scoping.add_lesion(pilot, case["lesion"], jar_shown=case["jar"] + 1)


@wrong("patient_identity/critical")
async def recorded_in_another_case(pilot: Pilot, case: Case) -> None:
    """The lesion is somebody else's now."""
    await solve(pilot, confused(case))
