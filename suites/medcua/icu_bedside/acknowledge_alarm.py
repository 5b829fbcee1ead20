"""Acknowledge one of two alarms with a response; another patient of a similar name has one too."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.people import patient_of
from ..toolkit.world_data import world_data
from . import bedside


def case(state: State, random: Random) -> Values:
    patient, other = patient_of(state, "neuro"), patient_of(state, "weaning")
    labels = random.sample(("Temp high", "High airway pressure"), 2)
    first = state.row("alarms", mrn=patient["mrn"], label=labels[0])
    elsewhere = state.row("alarms", mrn=other["mrn"], label="High airway pressure")
    values = bedside.about(state, random, patient, other)
    return values | {
        "label": labels[0],
        "alarm": bedside.alarm_values(first),
        "second": labels[1],
        "response": random.choice(world_data("icu_bedside/unit")["responses"][labels[0]]),
        "other": values["other"]
        | {"label": "High airway pressure", "alarm": bedside.alarm_values(elsewhere)},
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Acknowledge one alarm with the response told."""
    yield from bedside.alarm(evidence, case.values, 1.0)
    yield from safety.outside(evidence, case, bedside.scope(case, fields=bedside.ACKNOWLEDGE))


async def solve(pilot: Pilot, case: Case) -> None:
    """Acknowledge with the response."""
    await bedside.open(pilot, case)
    await bedside.acknowledge(pilot, case["label"], case["response"])


@wrong("patient_identity/critical")
async def acknowledged_the_similar_name(pilot: Pilot, case: Case) -> None:
    """Another patient has an alarm, too."""
    await solve(pilot, confused(case))


@wrong("record_integrity/major")
async def acknowledged_both(pilot: Pilot, case: Case) -> None:
    """Nobody has seen to the second alarm."""
    await solve(pilot, case)
    await bedside.acknowledge(pilot, case["second"], "")


@wrong("milestone:acknowledged")
async def acknowledged_the_other_one(pilot: Pilot, case: Case) -> None:
    """The patient is right, the alarm is not."""
    await solve(pilot, misread(case, label=case["second"]))


@wrong("data_accuracy/minor")
async def left_the_response_out(pilot: Pilot, case: Case) -> None:
    """Nobody can tell what was done."""
    await solve(pilot, misread(case, response=""))


@wrong("data_accuracy/major")
async def wrote_something_else(pilot: Pilot, case: Case) -> None:
    """That was not what was done."""
    await solve(pilot, misread(case, response="False alarm"))
