"""Place three emergencies by acuity, each where the need is met."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong
from pytest_cuabench.task.verdict import Severity

from ..toolkit.misreading import misread
from ..toolkit.screen import Job, sign_in
from . import wards
from .wards import Stay


def case(state: State, random: Random) -> Values:
    names = ("emergency_icu", "emergency_monitored", "emergency_ward")
    jobs = [wards.placement(state, wards.case_row(state, name)) for name in names]
    named = random.sample(jobs, 3)
    return wards.login_values(state, random) | {
        "jobs": jobs,
        "names": ", ".join(f"{job['name']} (MRN {job['mrn']})" for job in named),
        "order": ", then ".join(f"{job['name']} in bed {job['bed']}" for job in jobs),
        "other": wards.placement(state, wards.case_row(state, "conflict_plain")),
    }


def _order(stays: list[tuple[Stay, Job]], weight: float) -> Findings:
    """Ask for the sickest to be placed first; letting somebody who needs intensive care wait is worse."""
    begun = [(stay.first_placed, job) for stay, job in stays if stay.first_placed is not None]
    jobs = [job for _, job in sorted(begun, key=lambda pair: pair[0] or 0)]
    right = [job for _, job in stays]
    wanted, seen = (", ".join(job["name"] for job in line) for line in (right, jobs))
    yield Milestone("order", jobs == right, weight, wanted, seen or "nobody placed")
    passed = [
        late
        for place, late in enumerate(jobs)
        if any(right.index(early) > right.index(late) for early in jobs[:place])
    ]
    if passed:
        severity: Severity = "major" if any(job["level"] == "icu" for job in passed) else "minor"
        detail = f"{', '.join(job['name'] for job in passed)} had to wait for somebody less ill"
        yield Violation("workflow_safety", severity, "order", detail)


def check(evidence: Evidence, case: Case) -> Findings:
    """Place three emergencies where their needs are met, the sickest first."""
    stays = [(Stay(evidence, job["mrn"]), job) for job in case["jobs"]]
    for place, (stay, job) in enumerate(stays, 1):
        yield from wards.bed(stay, job, 0.25, f"bed_{place}")
    yield from _order(stays, 0.25)
    mrns = [job["mrn"] for job in case["jobs"]]
    yield from wards.within(evidence, case, *mrns, additions=("admissions", "transfers"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Place one after the other, the sickest first."""
    await sign_in(pilot, case)
    for job in case["jobs"]:
        await wards.place(pilot, job)
        await wards.to_board(pilot)


@wrong("workflow_safety/major")
async def the_least_ill_first(pilot: Pilot, case: Case) -> None:
    """The one in shock waited for the other two."""
    await solve(pilot, misread(case, jobs=case["jobs"][::-1]))


@wrong("workflow_safety/minor")
async def last_two_the_other_way_round(pilot: Pilot, case: Case) -> None:
    """The sickest came first, but then the order was lost."""
    first, second, third = case["jobs"]
    await solve(pilot, misread(case, jobs=[first, third, second]))


@wrong("workflow_safety/critical")
async def shock_on_the_monitored_ward(pilot: Pilot, case: Case) -> None:
    """A monitor was thought to be enough."""
    first, second, third = case["jobs"]
    beds = (second["bed"], first["bed"], third["bed"])
    await solve(pilot, wards.with_beds(case, *beds))


@wrong("milestone:bed_3")
async def forgot_the_third(pilot: Pilot, case: Case) -> None:
    """One of them still waits."""
    await solve(pilot, misread(case, jobs=case["jobs"][:2]))


@wrong("patient_identity/critical")
async def gave_a_bed_to_a_fourth(pilot: Pilot, case: Case) -> None:
    """Somebody got a bed who was not named."""
    await solve(pilot, misread(case, jobs=[*case["jobs"], case["other"]]))
