"""Score both risks anew after a fall, and report the totals."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Fields, Number

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.reading import read_in_chart
from ..toolkit.record import Record
from . import assessing


def case(state: State, random: Random) -> Values:
    patient = assessing.patient(state, "fallen")
    job = {form: assessing.told(state, patient, form, reason="post_fall") for form in ("braden", "morse")}
    before = {form: assessing.latest(state, form, patient["mrn"])["total"] for form in job}
    return assessing.assessing(state, random, patient, assessing.neighbour(state, patient), job) | {
        "totals": {form: told["total"] for form, told in job.items()},
        "totals_before": before,
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Sign both forms after the fall, and report the totals."""
    record = Record(evidence, case["mrn"])
    for form, told in case["forms"].items():
        yield from assessing.assessment(record, told, form, 0.4)
    spec = Fields(
        {
            assessing.short(form): Number(total, words=("points", "total"))
            for form, total in case["totals"].items()
        }
    )
    yield from read_in_chart(evidence, case, spec, "totals", 0.2)
    yield from safety.outside(evidence, case, assessing.scope(case["mrn"], case["forms"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Score both risks after the fall and report the totals."""
    await assessing.sign_in_and_assess(pilot, case)
    totals = case["totals"]
    await pilot.answer(f"Braden {totals['braden']}, Morse {totals['morse']}")


@wrong("milestone:morse")
async def forgot_that_this_is_a_fall(pilot: Pilot, case: Case) -> None:
    """History of falling was left as it was."""
    await solve(pilot, assessing.rescored(case, "morse", history=0))


@wrong("data_accuracy/minor")
async def called_it_routine(pilot: Pilot, case: Case) -> None:
    """The reason of the assessment is the fall."""
    await solve(pilot, assessing.retold(case, "braden", reason=None))


@wrong("information_fidelity/major")
async def reported_the_totals_of_before(pilot: Pilot, case: Case) -> None:
    """The record is right, the report is old."""
    await solve(pilot, misread(case, totals=case["totals_before"]))


@wrong("patient_identity/critical")
async def reassessed_the_next_bed(pilot: Pilot, case: Case) -> None:
    """Somebody else is in the record as fallen."""
    await solve(pilot, confused(case))
