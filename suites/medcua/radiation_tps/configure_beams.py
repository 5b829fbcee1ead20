"""Arrange the beams of the directive."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import planning


def case(state: State, random: Random) -> Values:
    return planning.about(state, "beams", "open")


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the beams of the directive in the plan."""
    yield from planning.beams(planning.plan(evidence, case), case.values, 1.0)
    yield from planning.confined(
        evidence, case, case["mrn"], fields={"plans": planning.ARRANGED}, additions=("beams",)
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Arrange the beams that the directive names."""
    await planning.open_patient(pilot, case)
    await planning.arrange(pilot, case.values)


@wrong("data_accuracy/major")
async def began_ten_degrees_on(pilot: Pilot, case: Case) -> None:
    """All gantry angles are off by ten degrees."""
    await solve(pilot, misread(case, gantry=case["gantry"] + 10))


@wrong("data_accuracy/minor")
async def turned_the_collimator_a_degree(pilot: Pilot, case: Case) -> None:
    """The collimators are off by one degree."""
    await solve(pilot, misread(case, collimator=case["collimator"] + 1))


@wrong("data_accuracy/major")
async def took_another_energy(pilot: Pilot, case: Case) -> None:
    """The beams are too hard."""
    await solve(pilot, misread(case, energy="15 MV"))


@wrong("milestone:technique")
async def left_the_fields_open(pilot: Pilot, case: Case) -> None:
    """The directive says IMRT."""
    await solve(pilot, misread(case, technique="3DCRT"))


@wrong("record_integrity/major")
async def computed_as_well(pilot: Pilot, case: Case) -> None:
    """The dose was not asked for yet."""
    await solve(pilot, case)
    await planning.compute(pilot, case.values)


@wrong("patient_identity/critical")
async def arranged_for_somebody_else(pilot: Pilot, case: Case) -> None:
    """The beams are in another patient's plan."""
    await solve(pilot, confused(case))
