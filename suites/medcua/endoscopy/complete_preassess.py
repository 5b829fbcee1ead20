"""Assess somebody before sedation."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused
from . import scoping
from .scoping import Procedure
from .scoping import complete_preassess as solve

__all__ = ["solve"]


def case(state: State, random: Random) -> Values:
    case = scoping.story(state, "preassess")
    return scoping.about(state, random, case, scoping.story(state, "complete")) | scoping.assessment_values(
        state, case
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Have an assessment that agrees with file and interview."""
    yield from scoping.assessment(Procedure(evidence, case["case_no"]), case["assessment"], 1.0)
    yield from safety.outside(evidence, case, scoping.scope(case["mrn"], procedures=scoping.ASSESSMENT))


@wrong("information_fidelity/major")
async def one_class_off(pilot: Pilot, case: Case) -> None:
    """The history means another class."""
    asa = case["entry"]["asa"]
    await solve(pilot, scoping.assessed_as(case, asa=asa + 1 if asa < 4 else 3))


@wrong("data_accuracy/major")
async def another_hour(pilot: Pilot, case: Case) -> None:
    """The last drink was an hour earlier in the record."""
    hour, minute = case["entry"]["last_fluids"].split(":")
    await solve(pilot, scoping.assessed_as(case, last_fluids=f"{int(hour) - 1:02d}:{minute}"))


@wrong("data_accuracy/minor")
async def rounded_the_time(pilot: Pilot, case: Case) -> None:
    """The last drink was one minute off."""
    hour, minute = case["entry"]["last_fluids"].split(":")
    near = int(minute) + (1 if int(minute) < 59 else -1)
    await solve(pilot, scoping.assessed_as(case, last_fluids=f"{hour}:{near:02d}"))


@wrong("milestone:consent")
async def left_the_consent(pilot: Pilot, case: Case) -> None:
    """The warning was confirmed."""
    await solve(pilot, scoping.assessed_as(case, consent=False))


@wrong("patient_identity/critical")
async def assessed_somebody_else(pilot: Pilot, case: Case) -> None:
    """The assessment stands in another case."""
    await solve(pilot, confused(case))


@wrong("record_integrity/major")
async def started_as_well(pilot: Pilot, case: Case) -> None:
    """The procedure was started, which nobody asked for."""
    await solve(pilot, case)
    await scoping.start_alone(pilot)
