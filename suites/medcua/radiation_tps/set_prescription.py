"""Prescribe what the directive in force says."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import planning
from .planning import set_prescription as solve

__all__ = ["solve"]


def case(state: State, random: Random) -> Values:
    return planning.about(state, "prescribe", "open")


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the prescription of the directive in the plan."""
    yield from planning.prescription(planning.plan(evidence, case), case.values, 1.0)
    yield from planning.confined(evidence, case, case["mrn"], fields={"plans": planning.PRESCRIPTION})


@wrong("information_fidelity/critical")
async def took_the_superseded_directive(pilot: Pilot, case: Case) -> None:
    """The physician replaced it."""
    await solve(pilot, misread(case, **case["superseded"]))


@wrong("information_fidelity/critical")
async def swapped_a_digit_of_the_fractions(pilot: Pilot, case: Case) -> None:
    """The dose is right, each fraction is too large."""
    await solve(pilot, misread(case, fractions=case["fractions"] - 10))


@wrong("data_accuracy/minor")
async def half_a_gray_too_much(pilot: Pilot, case: Case) -> None:
    """The total dose is off by half a gray."""
    await solve(pilot, misread(case, dose=case["dose"] + 0.5))


@wrong("information_fidelity/major")
async def normalised_to_something_else(pilot: Pilot, case: Case) -> None:
    """Dose and fractions are right."""
    await solve(pilot, misread(case, norm_words="80 % isodose"))


@wrong("patient_identity/critical")
async def prescribed_for_the_namesake(pilot: Pilot, case: Case) -> None:
    """The family name is the same."""
    await solve(pilot, confused(case))
