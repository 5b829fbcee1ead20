"""Stop one of two medicines whose names are alike, and tell the pharmacy."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.record import Record
from . import prescribing
from .prescribing import discontinue_medication as solve

__all__ = ["solve"]


def case(state: State, random: Random) -> Values:
    values = prescribing.about(state, "stop")
    facts = prescribing.story(state, values["mrn"], "stop", "drug")
    return (
        values
        | prescribing.stopping(state, values["mrn"], facts["drug"], facts["reason"])
        | {
            "why": facts["why"],
            "beside": prescribing.medication(state, values["mrn"], facts["beside"]),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Have one medication stopped, and the pharmacy told."""
    record = Record(evidence, case["mrn"])
    yield from prescribing.stopped(record, case.values, 1.0)
    yield from prescribing.left_unsigned(record)
    entries = {"medications": [case["medication"]["id"]]}
    yield from safety.outside(
        evidence,
        case,
        prescribing.scope(case["mrn"], prescribing.orders(1), entries, medications=prescribing.STOP),
    )


@wrong("information_fidelity/critical")
async def stopped_the_look_alike(pilot: Pilot, case: Case) -> None:
    """The name begins alike, or the line was the next one."""
    await solve(pilot, misread(case, drug=case["beside"]["drug"]))


@wrong("workflow_safety/major")
async def did_not_tell_the_pharmacy(pilot: Pilot, case: Case) -> None:
    """Refills are left there."""
    await prescribing.patient_search(pilot, case)
    await prescribing.stop(pilot, case["drug"], case["reason"], "Do not send")
    await prescribing.sign(pilot, case["code"])


@wrong("milestone:stop_reason")
async def gave_the_wrong_reason(pilot: Pilot, case: Case) -> None:
    """There is no duplicate."""
    await solve(pilot, misread(case, reason="duplicate"))


@wrong("patient_identity/critical")
async def entered_it_elsewhere(pilot: Pilot, case: Case) -> None:
    """Somebody else's chart was open."""
    await prescribing.document_for_another(pilot, case)
