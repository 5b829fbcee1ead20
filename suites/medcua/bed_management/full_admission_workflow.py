"""Admit somebody who is ventilated and infectious, and show the result on the map."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from ..toolkit.screen import follow
from . import wards
from .wards import Stay


def case(state: State, random: Random) -> Values:
    patient = wards.case_row(state, "direct_icu")
    facts = random.choice(wards.facts_of("direct_icu")["variants"])
    values = wards.direct_values(state, random, patient, facts, "critical_care")
    plain = wards.empty(state, "ICU", kind="single")[0]["label"]
    ward = wards.empty(state, wards.ward_of(state, "medicine"), kind="single")[0]["label"]
    return (
        wards.login_values(state, random)
        | values
        | {
            "picture": facts["picture"],
            "plain_icu_bed": plain,
            "ward_bed": ward,
            "other": wards.identity(wards.case_row(state, "bystander")),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Admit to intensive care behind negative pressure, and show it on the map."""
    stay = Stay(evidence, case["mrn"])
    yield from wards.bed(stay, case.values, 0.45)
    yield from wards.registration(stay, case.values, 0.45)
    shown = evidence.after.row("workstation")["screen"]
    on_map = shown == f"ward {case['ward']}" and stay.bed is not None
    yield Milestone("on_map", on_map, 0.1, f"the map of {case['ward']} with the patient on it", shown)
    yield from wards.direct(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Admit, then open the map of the ward."""
    await wards.admit_patient(pilot, case)
    await follow(pilot, case["ward"])


@wrong("information_fidelity/critical")
async def forgot_the_infection(pilot: Pilot, case: Case) -> None:
    """The record says that no precautions are needed."""
    await solve(pilot, wards.misheard(case, precautions="none"))


@wrong("workflow_safety/critical")
async def ordinary_icu_room(pilot: Pilot, case: Case) -> None:
    """The air of the room goes to the corridor; the warning was confirmed."""
    await solve(pilot, misread(case, bed=case["plain_icu_bed"]))


@wrong("milestone:on_map")
async def did_not_show_the_map(pilot: Pilot, case: Case) -> None:
    """The admission is right, but the ward's map was not opened."""
    await wards.admit_patient(pilot, case)


@wrong("patient_identity/critical")
async def admitted_a_stranger(pilot: Pilot, case: Case) -> None:
    """Somebody else of the index was admitted."""
    await solve(pilot, confused(case))
