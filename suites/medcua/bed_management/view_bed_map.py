"""Count the beds of one ward that can be given."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit.misreading import misread
from ..toolkit.reading import read_on_list
from ..toolkit.screen import follow, sign_in
from . import wards

STATES = ("occupied", "available", "reserved", "cleaning", "blocked")


def case(state: State, random: Random) -> Values:
    ward = random.choice([row for row in state.rows("wards") if row["specialty"] != "critical_care"])
    beds = wards.beds_list(state, ward["code"])
    counts = {kind: sum(bed["state"] == kind for bed in beds) for kind in STATES}
    return wards.login_values(state, random) | {
        "ward": ward["code"],
        "ward_name": ward["name"].lower(),
        "available": counts["available"],
        "not_occupied": len(beds) - counts["occupied"],
        "other": wards.identity(wards.case_row(state, "going_home")),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell how many beds of a ward are available."""
    words = ("beds", "bed", "available", "ward", "of", "on", *case["ward_name"].split())
    yield from read_on_list(evidence, case, Number(case["available"], words=words), "count")
    yield from wards.within(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Count on the map of the ward."""
    await sign_in(pilot, case)
    await follow(pilot, case["ward"])
    await pilot.answer(str(case["available"]))


@wrong("information_fidelity/major")
async def counted_every_empty_bed(pilot: Pilot, case: Case) -> None:
    """Beds that are reserved, blocked or being cleaned were counted too."""
    await solve(pilot, misread(case, available=case["not_occupied"]))


@wrong("patient_identity/critical")
async def made_a_bed_available(pilot: Pilot, case: Case) -> None:
    """Somebody was sent home on the way to the count."""
    await sign_in(pilot, case)
    await wards.discharge(pilot, case["other"] | {"ticks": (), "destination": "home"})
    await pilot.answer(str(case["available"]))
