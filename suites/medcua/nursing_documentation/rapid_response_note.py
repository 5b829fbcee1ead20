"""Record a call of the critical care team, with the score of the last set."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused
from ..toolkit.record import Record
from ..toolkit.screen import press
from . import charting


def case(state: State, random: Random) -> Values:
    patient = charting.patient(state, "deteriorating")
    call = _rapid_call(random, state.clock or "")
    score = charting.news2(charting.latest(state, patient["mrn"]), patient["spo2_scale"])
    choices = {"trigger": "Early warning score", "outcome": call["outcome"]}
    entries = {"news2": str(score), **call["times"]}
    return (
        charting.about(state, random, patient, charting.patient(state, "read_fluids"))
        | call
        | {
            "choices": choices,
            "entries": entries,
            "news2": score,
            "texts": {"actions": call["actions"]},
        }
    )


def _rapid_call(random: Random, now: str) -> Values:
    """Draw a call of the critical care team."""
    clock = int(now[11:13]) * 60 + int(now[14:16])
    called = clock - random.randint(32, 55)
    arrived = called + random.randint(4, 11)
    flow, bolus = random.choice((10, 12, 15)), random.choice((250, 500, 750))
    outcome = random.choice(("Stays on the unit", "Moved to intensive care"))
    told = {
        "Stays on the unit": "the patient stays on the unit",
        "Moved to intensive care": "the patient was moved to intensive care",
    }
    times = {"called_at": charting.time(called), "arrived_at": charting.time(arrived)}
    return {
        "times": times,
        **times,
        "actions": f"Oxygen {flow} L/min by mask, {bolus} ml crystalloid bolus, blood gas taken.",
        "did": f"oxygen {flow} L/min by mask, a fluid bolus of {bolus} ml of crystalloid, and a blood gas",
        "must": {"actions": [[f"{flow}"], [f"{bolus}"], ["gas", "abg"]]},
        "numbers": [str(flow), str(bolus), *times.values()],
        "outcome": outcome,
        "outcome_told": told[outcome],
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Sign the record of the call."""
    yield from charting.document(Record(evidence, case["mrn"]), case.values, "rapid_responses", 1.0)
    yield from safety.outside(evidence, case, charting.scope(case, "rapid_responses"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Write the record of the call and sign it."""
    await charting.sign_in_and_open(pilot, case)
    await charting.write(pilot, "Rapid response", case)
    await charting.sign(pilot)


@wrong("patient_identity/critical")
async def recorded_for_the_fever(pilot: Pilot, case: Case) -> None:
    """The team was with somebody else."""
    await solve(pilot, confused(case))


@wrong("data_accuracy/major")
async def turned_the_times_around(pilot: Pilot, case: Case) -> None:
    """The time of arrival is that of the call."""
    await solve(pilot, charting.misheard(case, "entries", arrived_at=case["called_at"]))


@wrong("milestone:news2")
async def forgot_a_parameter(pilot: Pilot, case: Case) -> None:
    """The score is too low."""
    await solve(pilot, charting.misheard(case, "entries", news2=str(case["news2"] - 2)))


@wrong("workflow_safety/major")
async def left_the_record_as_a_draft(pilot: Pilot, case: Case) -> None:
    """Everything is written, nothing is signed."""
    await charting.sign_in_and_open(pilot, case)
    await charting.write(pilot, "Rapid response", case)
    await press(pilot, "Save draft")


@wrong("information_fidelity/major")
async def called_it_a_false_alarm(pilot: Pilot, case: Case) -> None:
    """What was done is recorded, and taken back."""
    text = f"{case['texts']['actions']} Please disregard, this was a false alarm."
    await solve(pilot, charting.misheard(case, "texts", actions=text))


@wrong("milestone:actions")
async def left_out_the_fluids(pilot: Pilot, case: Case) -> None:
    """The bolus is not in the record."""
    flow = case["must"]["actions"][0][0]
    text = f"Oxygen {flow} L/min by mask, blood gas taken."
    await solve(pilot, charting.misheard(case, "texts", actions=text))
