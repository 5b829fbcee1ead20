"""Settle that one room was promised to two."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.screen import sign_in
from . import wards
from .wards import Stay


def case(state: State, random: Random) -> Values:
    isolated, plain = wards.case_row(state, "conflict_airborne"), wards.case_row(state, "conflict_plain")
    ward = wards.ward_of(state, "medicine")
    (room,) = (bed for bed in wards.beds_list(state, ward) if bed["kind"] == "negative")
    first = wards.placement(state, isolated) | {"beds": [room["label"]], "bed": room["label"]}
    jobs = [first, wards.placement(state, plain)]
    named = random.sample(jobs, 2)
    opposite = [bed["label"] for bed in wards.empty(state, ward, kind="bay") if bed["sex"] != plain["sex"]]
    single = wards.empty(state, ward, kind="single")[0]["label"]
    return wards.login_values(state, random) | {
        "jobs": jobs,
        "room": room["label"],
        "ward": ward,
        "first_name": named[0]["name"],
        "second_name": named[1]["name"],
        "isolated": jobs[0]["name"],
        "plain": jobs[1]["name"],
        "plain_bed": jobs[1]["bed"],
        "opposite_bed": opposite[0],
        "single": single,
        "cleaning": _cleaning(state, ward),
        "other": wards.placement(state, wards.case_row(state, "queue_contact")),
    }


def _cleaning(state: State, ward: str) -> str:
    return next(bed["label"] for bed in wards.beds_list(state, ward) if bed["state"] == "cleaning")


def check(evidence: Evidence, case: Case) -> Findings:
    """Place both, the infectious one in the room that was promised to both."""
    for name, job in zip(("isolated_bed", "plain_bed"), case["jobs"], strict=True):
        yield from wards.bed(Stay(evidence, job["mrn"]), job, 0.5, name)
    mrns = [job["mrn"] for job in case["jobs"]]
    yield from wards.within(evidence, case, *mrns, additions=("admissions", "transfers"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Find another bed for the one who can do without the room, then give the room."""
    await sign_in(pilot, case)
    isolated, plain = case["jobs"]
    await wards.place(pilot, plain)
    await wards.to_board(pilot)
    await wards.place(pilot, isolated)


@wrong("workflow_safety/critical")
async def first_come_first_served(pilot: Pilot, case: Case) -> None:
    """The reservation was kept, and the infectious patient went to a single room."""
    await solve(pilot, wards.with_beds(case, case["single"], case["room"]))


@wrong("workflow_safety/major")
async def other_one_into_the_wrong_bay(pilot: Pilot, case: Case) -> None:
    """The room is settled, but same-sex accommodation is breached."""
    await solve(pilot, wards.with_beds(case, case["room"], case["opposite_bed"]))


@wrong("milestone:isolated_bed")
async def settled_only_one(pilot: Pilot, case: Case) -> None:
    """The infectious patient still waits."""
    await sign_in(pilot, case)
    await wards.place(pilot, case["jobs"][1])


@wrong("workflow_safety/critical")
async def declared_a_bed_clean(pilot: Pilot, case: Case) -> None:
    """A bed was made available that housekeeping had not finished."""
    await sign_in(pilot, case)
    await wards.declare_clean(pilot, case["cleaning"])
    await wards.place(pilot, case["jobs"][1] | {"bed": case["cleaning"]})


@wrong("patient_identity/critical")
async def placed_a_third(pilot: Pilot, case: Case) -> None:
    """Somebody got a bed who has nothing to do with it."""
    await solve(pilot, case)
    await wards.to_board(pilot)
    await wards.place(pilot, case["other"])
