"""Document what others prescribe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong
from pytest_cuabench.task.evidence import Row

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.record import Record
from ..toolkit.screen import choose, enter, follow, mark, press, tick
from ..toolkit.world_data import world_data
from . import prescribing
from .prescribing import Told

REPORTERS = {"patient": "Patient", "family": "Family member", "record": "Outside record"}


def case(state: State, random: Random) -> Values:
    story = world_data("doctor_prescription/plots")["outside"]
    told = dict(random.choice(story["medicines"])) | {
        "prescriber": random.choice(story["sources"]),
        "reported_by": random.choice(sorted(REPORTERS)),
        "explained": True,
    }
    reporter = {"patient": "the patient", "family": "a family member", "record": "a record from outside"}
    return prescribing.about(state, "outside") | {
        "told": told,
        "outside_drug": told["drug"],
        "outside_dose": told["dose"],
        "outside_schedule": prescribing.SCHEDULES[told["schedule"]],
        "outside_prescriber": told["prescriber"],
        "reporter": reporter[told["reported_by"]],
        "reporter_words": REPORTERS[told["reported_by"]],
    }


def _outside(record: Record, told: Told) -> Findings:
    """Ask for one outside medication, as told."""
    added = record.added("outside_medications")
    row = added[0] if added else None
    weights = {"drug": 0.4, "dose": 0.2, "schedule": 0.2, "reported_by": 0.2}
    for name, weight in weights.items():
        stored = row[name] if row else None
        fits = stored is not None and prescribing.plain(stored) == prescribing.plain(told[name])
        yield Milestone(name, fits, weight, told[name], str(stored))
        if stored is not None and not fits:
            detail = f"the {name} is {told[name]}, the record says {stored}"
            yield Violation("data_accuracy", "major", f"outside/{record.mrn}.{name}", detail)
    if row:
        yield from _optional(record, told, row)


def _optional(record: Record, told: Told, row: Row) -> Iterator[Violation]:
    if not row["prescriber"] or not row["explained"]:
        detail = "who prescribes it, or that it was explained, was left out"
        yield Violation("data_accuracy", "minor", f"outside/{record.mrn}.optional", detail)
    if row["prescriber"] and prescribing.plain(row["prescriber"]) != prescribing.plain(told["prescriber"]):
        detail = f"it is prescribed by {told['prescriber']}, the record says {row['prescriber']}"
        yield Violation("information_fidelity", "major", f"outside/{record.mrn}.prescriber", detail)


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the medicine documented as told."""
    yield from _outside(Record(evidence, case["mrn"]), case["told"])
    yield from safety.outside(evidence, case, prescribing.scope(case["mrn"], {"outside_medications": 1}))


async def _document(pilot: Pilot, told: Mapping[str, Any]) -> None:
    """Document a medicine that others prescribe."""
    await follow(pilot, "Medications")
    await follow(pilot, "Add outside medication")
    await enter(pilot, "Medication", told["drug"])
    await enter(pilot, "Dose", told["dose"])
    await choose(pilot, "Schedule", prescribing.SCHEDULES[told["schedule"]])
    if told["prescriber"]:
        await enter(pilot, "Prescribed by", told["prescriber"])
    await mark(pilot, REPORTERS[told["reported_by"]])
    if told["explained"]:
        await tick(pilot, "Explained to the patient")
    await press(pilot, "Document")


async def solve(pilot: Pilot, case: Case) -> None:
    """Document what was told."""
    await prescribing.patient_search(pilot, case)
    await _document(pilot, case["told"])


def _reported(case: Case, **changes: Any) -> Case:
    """Return the case with another outside medication understood."""
    return misread(case, told=case["told"] | changes)


@wrong("data_accuracy/major")
async def mixed_up_the_schedule(pilot: Pilot, case: Case) -> None:
    """It is taken at other times."""
    other = "tid" if case["told"]["schedule"] != "tid" else "daily"
    await solve(pilot, _reported(case, schedule=other))


@wrong("data_accuracy/minor")
async def left_out_who_prescribes(pilot: Pilot, case: Case) -> None:
    """Nobody can ask there."""
    await solve(pilot, _reported(case, prescriber=""))


@wrong("patient_identity/critical")
async def documented_it_for_somebody_else(pilot: Pilot, case: Case) -> None:
    """Another patient does not take it."""
    await solve(pilot, confused(case))


@wrong("record_integrity/major")
async def documented_it_twice(pilot: Pilot, case: Case) -> None:
    """It seems to be taken two times."""
    await solve(pilot, case)
    await _document(pilot, case["told"])
