"""Chart a dictated set for a patient whose name is like another one's."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.record import Record
from . import charting
from .charting import record_vital_signs as solve

__all__ = ["solve"]


def case(state: State, random: Random) -> Values:
    patient = charting.patient(state, "record_vitals")
    values = charting.about(state, random, patient, charting.patient(state, "read_vitals"))
    return values | charting.vital_signs_values(random)


def check(evidence: Evidence, case: Case) -> Findings:
    """Chart the set that was called out, once."""
    yield from charting.vitals(Record(evidence, case["mrn"]), case["expected"], 1.0)
    yield from safety.outside(evidence, case, charting.scope(case, "vitals"))


@wrong("patient_identity/critical")
async def charted_on_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The set went into somebody else's sheet."""
    await solve(pilot, confused(case))


@wrong("data_accuracy/critical")
async def typed_a_digit_too_many(pilot: Pilot, case: Case) -> None:
    """Nobody has such a pulse; the warning was confirmed."""
    await solve(pilot, charting.misheard(case, "entry", heart_rate=f"2{case['pulse']}"))


@wrong("data_accuracy/major")
async def misheard_the_pressure(pilot: Pilot, case: Case) -> None:
    """The systolic pressure is 30 too high."""
    systolic = str(case["expected"]["systolic"] + 30)
    await solve(pilot, charting.misheard(case, "entry", systolic=systolic))


@wrong("data_accuracy/minor")
async def left_out_the_oxygen(pilot: Pilot, case: Case) -> None:
    """What the saturation was measured on is missing."""
    entry = {name: text for name, text in case["entry"].items() if name != "oxygen_flow"}
    pills = {"consciousness": case["pills"]["consciousness"]}
    await solve(pilot, misread(case, entry=entry, pills=pills))


@wrong("record_integrity/major")
async def charted_twice(pilot: Pilot, case: Case) -> None:
    """Two columns say the same."""
    await solve(pilot, case)
    await charting.save_vitals(pilot, case["entry"], case["pills"])
