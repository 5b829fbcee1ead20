"""Assess two patients, each with two forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, Violation, wrong

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.people import identity_in_bed
from ..toolkit.record import Record
from ..toolkit.screen import sign_in
from . import assessing
from .assessing import Told

FORMS = ("braden", "morse", "gcs", "pain", "must")


def case(state: State, random: Random) -> Values:
    jobs = []
    for name, wanted in (("multi_skin", ("braden", "pain")), ("multi_fall", ("morse", "pain"))):
        patient = assessing.patient(state, name)
        told = {form: assessing.told(state, patient, form) for form in wanted}
        jobs.append(identity_in_bed(patient) | {"forms": told, "scores": assessing.spoken(told)})
    other = assessing.neighbour(
        state, assessing.patient(state, "multi_skin"), assessing.patient(state, "multi_fall")
    )
    first, second = jobs
    words = {
        f"{key}_{place}": job[key]
        for place, job in enumerate(jobs, 1)
        for key in ("name", "mrn", "bed", "scores")
    }
    return (
        assessing.login_values(state, random)
        | {"jobs": [first, second], "other": identity_in_bed(other)}
        | words
    )


def _unasked(record: Record, wanted: Mapping[str, Told]) -> Iterator[Violation]:
    """Judge forms that were filled in for the patient without being asked for, or more than once."""
    for form in FORMS:
        added, asked = len(record.added(form)), int(form in wanted)
        if added > asked:
            detail = f"{assessing.short(form)} was charted {added} times, {asked} asked for"
            yield Violation("record_integrity", "major", f"{form}/{record.mrn}", detail)


def check(evidence: Evidence, case: Case) -> Findings:
    """Sign two forms for each of two patients, and no others."""
    for place, job in enumerate(case["jobs"], 1):
        record = Record(evidence, job["mrn"])
        for form, told in job["forms"].items():
            yield from assessing.assessment(record, told, form, 0.25, f"patient_{place}_")
        yield from _unasked(record, job["forms"])
    mrns = tuple(job["mrn"] for job in case["jobs"])
    yield from safety.outside(
        evidence, case, safety.Scope(mrns, additions=frozenset({"braden", "morse", "pain"}))
    )


async def _back_to_ward(pilot: Pilot) -> None:
    """Leave the chart."""
    await pilot.click("a.home")


async def solve(pilot: Pilot, case: Case) -> None:
    """Assess one patient, then the other."""
    await sign_in(pilot, case)
    first, second = case["jobs"]
    await assessing.assess_all(pilot, first)
    await _back_to_ward(pilot)
    await assessing.assess_all(pilot, second)


@wrong("milestone:patient_2_morse_signed")
async def stopped_after_the_first(pilot: Pilot, case: Case) -> None:
    """The second patient was forgotten."""
    await sign_in(pilot, case)
    await assessing.assess_all(pilot, case["jobs"][0])


@wrong("milestone:patient_1_pain")
async def carried_the_pain_forward(pilot: Pilot, case: Case) -> None:
    """Nothing was changed after carrying the last pain score forward."""
    first, second = case["jobs"]
    unchanged = first["forms"]["pain"] | {"enter": {}}
    kept = first | {"forms": first["forms"] | {"pain": unchanged}}
    await solve(pilot, misread(case, jobs=[kept, second]))


@wrong("record_integrity/major")
async def gave_the_first_a_fall_score_too(pilot: Pilot, case: Case) -> None:
    """The fall score was wanted for the other patient only."""
    await solve(pilot, case)
    await _back_to_ward(pilot)
    first, second = case["jobs"]
    told = {"morse": second["forms"]["morse"]}
    await assessing.assess_all(pilot, first | {"forms": told})


@wrong("patient_identity/critical")
async def took_the_next_bed_along(pilot: Pilot, case: Case) -> None:
    """The forms of the second went into the next bed's record."""
    first, second = case["jobs"]
    await solve(pilot, misread(case, jobs=[first, second | case["other"]]))
