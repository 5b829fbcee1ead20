"""Find who is at high risk without measures, and start those of the protocol."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.reading import read_in_chart
from ..toolkit.record import Record
from ..toolkit.screen import open_record, sign_in
from . import assessing


def case(state: State, random: Random) -> Values:
    patient = assessing.patient(state, "unplanned")
    values = assessing.about(state, random, patient, assessing.patient(state, "planned"))
    return values | assessing.measures_values(
        state, patient, assessing.latest(state, "braden", patient["mrn"])["band"]
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the measures of the protocol running for the one who lacked them, and name the bed."""
    record = Record(evidence, case["mrn"])
    yield from assessing.measures(record, case["wanted"], case["start"], 0.8)
    spec = Number(case["bed"], words=("bed", "patient", *case["name"].split()))
    yield from read_in_chart(evidence, case, spec, "bed", 0.2)
    yield from safety.outside(evidence, case, assessing.scope(case["mrn"], (), plan=True))


async def solve(pilot: Pilot, case: Case) -> None:
    """Start the measures of the protocol and name the bed."""
    await sign_in(pilot, case)
    await open_record(pilot, case)
    await assessing.start_measures(pilot, case["start"])
    await pilot.answer(f"Bed {case['bed']}")


@wrong("workflow_safety/critical")
async def got_the_patient_out_of_bed(pilot: Pilot, case: Case) -> None:
    """The order is strict bed rest; the warning was confirmed."""
    await solve(pilot, misread(case, start=[*case["start"], "chair"]))


@wrong("milestone:measure_turn_2")
async def took_the_class_below(pilot: Pilot, case: Case) -> None:
    """The measures are those of moderate risk."""
    lower = assessing.protocol("skin", "moderate")
    await solve(pilot, misread(case, start=lower))


@wrong("record_integrity/major")
async def called_the_wound_nurse(pilot: Pilot, case: Case) -> None:
    """Nobody has a wound, and the protocol of this class does not ask for it."""
    await solve(pilot, misread(case, start=[*case["start"], "wound_nurse"]))


@wrong("patient_identity/critical")
async def planned_for_the_other_one(pilot: Pilot, case: Case) -> None:
    """The other patient at high risk has all measures already."""
    await solve(pilot, misread(confused(case), start=["dietitian"]))


@wrong("information_fidelity/major")
async def named_the_other_bed(pilot: Pilot, case: Case) -> None:
    """The measures are right, the bed in the answer is not."""
    await sign_in(pilot, case)
    await open_record(pilot, case)
    await assessing.start_measures(pilot, case["start"])
    await pilot.answer(f"Bed {case['other']['bed']}")
