"""Hand out a high-alert medicine to one of two people of the same name."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from . import pharmacy
from .pharmacy import Script


def case(state: State, random: Random) -> Values:
    return pharmacy.about(state, "counsel", "counsel_twin") | pharmacy.counter(state, random, "counsel", 5)


def check(evidence: Evidence, case: Case) -> Findings:
    """Hand out to the right person, and record what was talked about."""
    yield from pharmacy.pickup(Script.of(evidence, case.values), case.values, 1.0)
    yield from safety.outside(
        evidence, case, pharmacy.scope(case["mrn"], prescription=pharmacy.STEP, additions=("pickups",))
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Check identity, record the talk, hand out."""
    await pharmacy.open_prescription(pilot, case)
    await pharmacy.hand_out(pilot, case["identifiers"], case["talked"], case["teach_back"])


@wrong("patient_identity/critical")
async def served_the_namesake(pilot: Pilot, case: Case) -> None:
    """The name is the same, the date of birth is not."""
    await solve(pilot, confused(case))


@wrong("workflow_safety/critical")
async def handed_out_without_a_check(pilot: Pilot, case: Case) -> None:
    """The warning was confirmed."""
    await solve(pilot, misread(case, identifiers=[]))


@wrong("information_fidelity/major")
async def ticked_everything(pilot: Pilot, case: Case) -> None:
    """Not all of it was talked about."""
    every = ["purpose", "dose", "precautions", "effects", "monitoring", "storage", "refills", "missed"]
    await solve(pilot, misread(case, talked=every))


@wrong("milestone:counselled")
async def ticked_one_point(pilot: Pilot, case: Case) -> None:
    """The rest of the talk is lost."""
    await solve(pilot, misread(case, talked=case["talked"][:1]))


@wrong("data_accuracy/minor")
async def left_out_the_teach_back(pilot: Pilot, case: Case) -> None:
    """Nobody will know whether the patient understood."""
    await solve(pilot, misread(case, teach_back=""))
