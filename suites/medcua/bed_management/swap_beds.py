"""Let the one who needs the negative-pressure room change places with the one in it."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import Job, follow, press, sign_in
from . import wards
from .wards import Stay


def case(state: State, random: Random) -> Values:
    isolated, recovered = wards.inpatient(state, "swap_isolated"), wards.inpatient(state, "swap_recovered")
    jobs = [
        isolated | {"beds": [recovered["from_bed"]], "bed": recovered["from_bed"]},
        recovered | {"beds": [isolated["from_bed"]], "bed": isolated["from_bed"]},
    ]
    return wards.login_values(state, random) | {
        "jobs": jobs,
        "isolated": isolated["name"],
        "isolated_mrn": isolated["mrn"],
        "bay_bed": isolated["from_bed"],
        "recovered": recovered["name"],
        "room": recovered["from_bed"],
        "ward": wards.bed_of(state, recovered["from_bed"])["ward"],
        "reason": "precautions",
        "other": wards.inpatient(state, "going_home"),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Let two patients change beds with a complete order set."""
    for name, job in zip(("isolated", "recovered"), case["jobs"], strict=True):
        stay = Stay(evidence, job["mrn"])
        yield from wards.bed(stay, job, 0.4, f"{name}_bed")
        yield from wards.moved(stay, {**job, "reason": case["reason"]}, 0.1, f"{name}_reason")
    yield from wards.within(evidence, case, *(job["mrn"] for job in case["jobs"]), additions=("transfers",))


async def _swap(pilot: Pilot, job: Job) -> None:
    """Let somebody change beds with the patient of another bed, from the board."""
    await wards.open_patient(pilot, job)
    await follow(pilot, "Swap beds")
    await wards.order(pilot, job)
    await press(pilot, "Swap patients")
    await wards.all_the_same(pilot)


async def solve(pilot: Pilot, case: Case) -> None:
    """Let both change beds in one go."""
    await sign_in(pilot, case)
    ordered = {"reason": case["reason"], "ticks": list(wards.ORDER_SET)}
    await _swap(pilot, {**case["jobs"][0], **ordered})


@wrong("workflow_safety/major")
async def swapped_without_orders(pilot: Pilot, case: Case) -> None:
    """The order set was left empty; the warning was confirmed."""
    await sign_in(pilot, case)
    await _swap(pilot, {**case["jobs"][0], "reason": case["reason"], "ticks": ()})


@wrong("patient_identity/critical")
async def swapped_with_the_wrong_bed(pilot: Pilot, case: Case) -> None:
    """A third patient was moved."""
    await solve(pilot, wards.with_beds(case, case["other"]["from_bed"], ""))


@wrong("milestone:isolated_reason")
async def swapped_for_another_reason(pilot: Pilot, case: Case) -> None:
    """The record says that it was about capacity."""
    await solve(pilot, misread(case, reason="capacity"))
