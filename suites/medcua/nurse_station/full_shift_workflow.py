"""Take over a new patient: relationship, urgent order, first tasks, specimen."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import Job, follow, open_record, sign_in
from . import ward
from .ward import Care


def case(state: State, random: Random) -> Values:
    values = ward.establish_relationship_values(state, random)
    patient = ward.case_row(state, "admission")
    (stat,) = ward.orders(state, patient)
    tasks = {row["title"]: row for row in state.rows("tasks", mrn=patient["mrn"], status="due")}
    score, side = random.randint(1, 9), random.choice(list(ward.POSITIONS))
    return (
        values
        | ward.identity(patient)
        | {
            "jobs": sorted(values["jobs"], key=lambda job: job["mrn"] != patient["mrn"]),
            "orders": [stat],
            "pain": ward.job(state, tasks["Pain reassessment"]) | {"expected": {"pain": score}},
            "position": ward.job(state, tasks["Reposition"]) | {"expected": {"position": side}},
            "care": ward.job(state, tasks["Show the call bell"]),
            "specimen": ward.specimen(state, tasks["Lactate"]),
            "score": score,
            "side": ward.POSITIONS[side].lower(),
            "side_words": ward.POSITIONS[side],
            "container_words": ward.CONTAINERS[ward.container_text("Lactate")],
        }
    )


def _done(care: Care, job: Job, weight: float, name: str) -> Milestone:
    """Ask for a piece of care to be charted."""
    return Milestone(name, care.status == "done", weight, f"{job['title']} done", care.status)


def check(evidence: Evidence, case: Case) -> Findings:
    """Take over a new patient with the urgent order, three tasks and a specimen."""
    yield from ward.relationships(evidence, case["jobs"], case["role"], 0.2)
    yield ward.acknowledged(evidence, case["orders"], 0.15)
    for name in ("pain", "position"):
        yield from ward.observed(Care.of(evidence, case[name]), case[name], 0.15, name)
    yield _done(Care.of(evidence, case["care"]), case["care"], 0.1, "care")
    yield from ward.collected(Care.of(evidence, case["specimen"]), case["specimen"], 0.25)
    mrns = [job["mrn"] for job in case["jobs"]]
    tasks = [case[name] for name in ("pain", "position", "care", "specimen")]
    additions = ("relationships",)
    yield from ward.within(
        evidence, case, *mrns, tasks=tasks, acknowledge=case["orders"], additions=additions
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Take over, acknowledge, collect, then the rest."""
    await sign_in(pilot, case)
    await ward.establish(pilot, case["jobs"], case["role"])
    await ward.acknowledge(pilot, case["orders"])
    await follow(pilot, "Overview")
    await open_record(pilot, case)
    await ward.collect(pilot, case["specimen"])
    await ward.observe(pilot, case["pain"])
    await ward.observe(pilot, case["position"])
    await ward.chart_done(pilot, case["care"])


@wrong("milestone:relationship_2")
async def only_the_new_patient(pilot: Pilot, case: Case) -> None:
    """The relationship with one more own patient is still missing."""
    await solve(pilot, misread(case, jobs=case["jobs"][:1]))


@wrong("data_accuracy/major")
async def lactate_into_the_wrong_tube(pilot: Pilot, case: Case) -> None:
    """A purple cap stops nothing."""
    specimen = case["specimen"] | {"container": "purple"}
    await solve(pilot, misread(case, specimen=specimen))


@wrong("workflow_safety/critical")
async def in_a_hurry(pilot: Pilot, case: Case) -> None:
    """The wristband of the new patient was not read."""
    specimen = case["specimen"] | {"unread": True}
    await solve(pilot, misread(case, specimen=specimen))


@wrong("patient_identity/critical")
async def took_over_too_many(pilot: Pilot, case: Case) -> None:
    """A colleague's patient was taken over, too."""
    await solve(pilot, misread(case, jobs=[*case["jobs"], case["other"]]))


@wrong("milestone:care")
async def never_showed_the_bell(pilot: Pilot, case: Case) -> None:
    """The last of the first tasks is still due."""
    await sign_in(pilot, case)
    await ward.establish(pilot, case["jobs"], case["role"])
    await ward.acknowledge(pilot, case["orders"])
    await follow(pilot, "Overview")
    await open_record(pilot, case)
    await ward.collect(pilot, case["specimen"])
    await ward.observe(pilot, case["pain"])
    await ward.observe(pilot, case["position"])
