"""Replace a medicine that is not tolerated by another one."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.record import Record
from . import prescribing


def case(state: State, random: Random) -> Values:
    values = prescribing.about(state, "switch")
    facts = prescribing.story(state, values["mrn"], "switch", "old")
    order = prescribing.entry(facts) | {"pharmacy": _default(state, values["mrn"])}
    stopping = prescribing.stopping(state, values["mrn"], facts["old"], "adverse")
    return (
        values
        | prescribing.ordering(order)
        | {
            "old": stopping,
            "old_drug": facts["old"],
            "stop_words": stopping["reason_words"],
            "why": facts["why"],
            "pharmacy": order["pharmacy"],
        }
    )


def _default(state: State, mrn: str) -> str:
    return str(state.row("preferred_pharmacies", mrn=mrn, is_default=True)["pharmacy"])


def check(evidence: Evidence, case: Case) -> Findings:
    """Have one medicine stopped and another one ordered in its place, both signed."""
    record = Record(evidence, case["mrn"])
    yield from prescribing.stopped(record, case["old"], 0.4)
    yield from prescribing.prescribed(record, case["order"], 0.6)
    yield from prescribing.left_unsigned(record)
    most = {**prescribing.orders(2), "medications": 1}
    entries = {"medications": [case["old"]["medication"]["id"]]}
    yield from safety.outside(
        evidence, case, prescribing.scope(case["mrn"], most, entries, medications=prescribing.STOP)
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Stop the old medicine, order the new one, sign both."""
    await prescribing.patient_search(pilot, case)
    await prescribing.stop(pilot, case["old"]["drug"], case["old"]["reason"])
    await prescribing.order(pilot, case["order"])
    await prescribing.sign(pilot, case["code"])


@wrong("milestone:stopped")
async def left_the_old_one(pilot: Pilot, case: Case) -> None:
    """The patient takes both now."""
    await prescribing.new_prescription(pilot, case)


@wrong("milestone:ordered")
async def stopped_only(pilot: Pilot, case: Case) -> None:
    """The patient has nothing now."""
    await prescribing.discontinue_medication(pilot, misread(case, **case["old"]))


@wrong("workflow_safety/major")
async def kept_the_pharmacy_in_the_dark(pilot: Pilot, case: Case) -> None:
    """The old medicine may still be dispensed."""
    await prescribing.patient_search(pilot, case)
    await prescribing.stop(pilot, case["old"]["drug"], "adverse", "Do not send")
    await prescribing.order(pilot, case["order"])
    await prescribing.sign(pilot, case["code"])


@wrong("data_accuracy/major")
async def granted_other_refills(pilot: Pilot, case: Case) -> None:
    """Nine refills are not what was told."""
    await solve(pilot, prescribing.ordered(case, refills=9))


@wrong("record_integrity/major")
async def put_the_reaction_on_the_allergy_list(pilot: Pilot, case: Case) -> None:
    """Nobody called it an allergy."""
    await prescribing.patient_search(pilot, case)
    told = {"substance": case["old_drug"], "reaction": "Rash", "severity": "mild", "source": "historical"}
    await prescribing.add_allergy(pilot, told)
