"""Finish two reports, one of which lacks the withdrawal time."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.screen import back_to_list, follow, open_record, press, sign_in
from . import scoping
from .scoping import Procedure


def case(state: State, random: Random) -> Values:
    jobs = []
    for story in ("multi_1", "multi_2"):
        case = scoping.story(state, story)
        truth = scoping.truth_of(state, case)
        missing = case["withdrawal_min"] is None
        minutes = {"minutes": int(truth["withdrawal_min"])} if missing else {}
        jobs.append(
            scoping.case_values(state, case) | minutes | scoping.recommendation(truth["recommendation"])
        )
    random.shuffle(jobs)
    (late,) = (job for job in jobs if "minutes" in job)
    return scoping.login_values(state, random) | {
        "jobs": jobs,
        "names": " and ".join(f"{job['name']} (MRN {job['mrn']})" for job in jobs),
        "late": late["name"],
        "late_minutes": late["minutes"],
        "advice": "; ".join(f"{job['name']}: “{job['recommendation_words']}”" for job in jobs),
        "other": scoping.case_values(state, scoping.story(state, "report")),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Finish two reports, one of them after its withdrawal time was entered."""
    for place, job in enumerate(case["jobs"], 1):
        procedure = Procedure(evidence, job["case_no"])
        told = {"withdrawal_min": job["minutes"]} if "minutes" in job else {}
        yield from scoping.course(procedure, told, 0.2)
        yield from scoping.report(procedure, job, 0.4, f"report_{place}_")
    fields = scoping.SIGN | {"withdrawal_min"}
    yield from safety.outside(
        evidence, case, scoping.scope(*(job["mrn"] for job in case["jobs"]), procedures=fields)
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Complete what is missing, and sign, one after the other."""
    await sign_in(pilot, case)
    for job in case["jobs"]:
        await open_record(pilot, job)
        if "minutes" in job:
            await follow(pilot, "Procedure")
            await scoping.fill_course(pilot, {"withdrawal_min": job["minutes"]})
            await press(pilot, "Save course")
            await follow(pilot, "Report")
        await scoping.sign(pilot, job, case["password"])
        await back_to_list(pilot)


@wrong("milestone:report_2_signed")
async def stopped_after_one(pilot: Pilot, case: Case) -> None:
    """Nobody signed the second."""
    await solve(pilot, misread(case, jobs=case["jobs"][:1]))


@wrong("data_accuracy/major")
async def counted_the_minutes_wrong(pilot: Pilot, case: Case) -> None:
    """The withdrawal time does not agree with the log."""
    jobs = [job | {"minutes": job["minutes"] + 3} if "minutes" in job else job for job in case["jobs"]]
    await solve(pilot, misread(case, jobs=jobs))


@wrong("workflow_safety/critical")
async def sent_everybody_home(pilot: Pilot, case: Case) -> None:
    """Both reports say that no further endoscopy is needed."""
    jobs = [job | {"recommendation": "none"} for job in case["jobs"]]
    await solve(pilot, misread(case, jobs=jobs))


@wrong("patient_identity/critical")
async def signed_a_third(pilot: Pilot, case: Case) -> None:
    """The next report on the list was signed along."""
    await scoping.select_case(pilot, confused(case))
    await scoping.sign(pilot, case["jobs"][0], case["password"])
