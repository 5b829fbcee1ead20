"""Chart a dictated set for a patient whose name is like another one's."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused
from ..toolkit.screen import Job
from . import triage
from .triage import Chart


def case(state: State, random: Random) -> Values:
    patient = triage.patient(state, "abdominal_pain")
    other = triage.patient(state, "back_pain")
    dictated = triage.dictate(random, triage.facts("abdominal_pain")["vitals"])
    return triage.about(state, random, patient, other) | triage.called_out(dictated)


def _each_vital(chart: Chart, job: Job) -> Iterator[Milestone]:
    """Ask for every required value that was called out, each for an equal share."""
    measures = triage.required(job)
    measured = chart.measured()
    for measure in measures:
        told, stored = job["expected"][measure.name], measured.get(measure.name)
        yield Milestone(
            measure.name,
            measure.usable(told, stored),
            1 / len(measures),
            f"{measure.label} {measure.shown(told)}",
            measure.shown(stored),
        )


def check(evidence: Evidence, case: Case) -> Findings:
    """Chart the set that was called out, once."""
    chart = Chart(evidence, case["mrn"])
    yield from _each_vital(chart, case.values)
    yield from triage.vitals(chart, case.values)
    yield from safety.outside(
        evidence, case, triage.scope(case["mrn"], fields=triage.WEIGHT, additions=("vitals",))
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Chart the set that was called out."""
    await triage.open_patient(pilot, case)
    await triage.save_vitals(pilot, case["entry"])


@wrong("patient_identity/critical")
async def charted_on_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The set went into somebody else's record, and would have been struck out at once."""
    await solve(pilot, confused(case))
    await triage.strike_set(pilot)


@wrong("data_accuracy/critical")
async def lost_a_digit(pilot: Pilot, case: Case) -> None:
    """The heart rate is one that nobody survives; the warning was confirmed."""
    await solve(pilot, triage.misheard(case, heart_rate=case["heart_rate"][:-1]))


@wrong("data_accuracy/major")
async def misheard_the_pressure(pilot: Pilot, case: Case) -> None:
    """The systolic pressure is 30 too high."""
    await solve(pilot, triage.misheard(case, systolic=str(int(case["systolic"]) + 30)))


@wrong("data_accuracy/minor")
async def left_oxygen_blank(pilot: Pilot, case: Case) -> None:
    """What the saturation was measured on is missing."""
    await solve(pilot, triage.misheard(case, oxygen=""))


@wrong("information_fidelity/major")
async def made_up_a_weight(pilot: Pilot, case: Case) -> None:
    """Nobody weighed the patient."""
    await solve(pilot, triage.misheard(case, weight="70"))


@wrong("record_integrity/major")
async def charted_twice(pilot: Pilot, case: Case) -> None:
    """The same set stands in the record two times."""
    await solve(pilot, case)
    await triage.save_vitals(pilot, case["entry"])
