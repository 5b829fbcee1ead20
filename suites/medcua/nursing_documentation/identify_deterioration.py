"""Find who needs help most by the early warning score, and escalate."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong
from pytest_cuabench.task.answer import Fields, Number
from pytest_cuabench.task.evidence import Row
from pytest_cuabench.task.verdict import Severity

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.reading import read_on_list
from ..toolkit.record import Record
from ..toolkit.screen import enter, mark, press, press_if_asked
from ..toolkit.world_data import world_data
from . import charting
from .charting import Told

CHOICES = world_data("nursing_documentation/choices")
RESPONSES = CHOICES["responses"]
_RANKS = tuple(RESPONSES)


def case(state: State, random: Random) -> Values:
    patient = charting.patient(state, "deteriorating")
    score = charting.news2(charting.latest(state, patient["mrn"]), patient["spo2_scale"])
    response = _response(score)
    return charting.about(state, random, patient, charting.patient(state, "read_fluids")) | {
        "news2": score,
        "response": response,
        "response_words": RESPONSES[response],
    }


def _response(score: int) -> str:
    """Return what the score calls for; a single parameter of three points is not looked at below five."""
    return "emergency" if score >= 7 else "urgent" if score >= 5 else "nurse" if score else "routine"


def _escalation(record: Record, told: Told, weight: float) -> Findings:
    """Ask for the score and for the response that it calls for; too little is a harm, too much a waste."""
    rows, subject = record.added("escalations"), f"escalations/{record.mrn}"
    row: Row = rows[-1] if rows else {}
    score, response = row.get("news2"), row.get("response")
    yield Milestone("news2", score == told["news2"], weight / 2, f"NEWS2 {told['news2']}", f"NEWS2 {score}")
    wanted, seen = RESPONSES[told["response"]], RESPONSES.get(response or "", "none")
    yield Milestone("response", response == told["response"], weight / 2, wanted, seen)
    if score is not None and score != told["news2"]:
        near: Severity = "minor" if _response(score) == told["response"] else "major"
        detail = f"the last set scores {told['news2']}, the record says {score}"
        yield Violation("data_accuracy", near, f"{subject}.news2", detail)
    if response is not None and response != told["response"]:
        under = _RANKS.index(told["response"]) - _RANKS.index(response)
        severity: Severity = "critical" if under >= 2 else "major" if under == 1 else "minor"
        detail = f"the score calls for: {wanted.lower()}; the record says: {seen.lower()}"
        yield Violation("workflow_safety", severity, f"{subject}.response", detail)


def check(evidence: Evidence, case: Case) -> Findings:
    """Escalate for the one with the highest score, and name bed and score."""
    yield from _escalation(Record(evidence, case["mrn"]), case.values, 0.6)
    labels = ("NEWS", "NEWS2 total", "NEWS2 score", "score")
    spec = Fields(
        {
            "Bed": Number(case["bed"], words=("patient", "highest", "worst")),
            "NEWS2": (Number(case["news2"], words=("points", "total")), labels),
        }
    )
    yield from read_on_list(evidence, case, spec, "report", 0.4)
    yield from safety.outside(evidence, case, charting.scope(case, "escalations"))


async def _escalate(pilot: Pilot, score: int, response: str) -> None:
    """Record a score with a response, past the warning."""
    await enter(pilot, "NEWS2 total", str(score))
    await mark(pilot, f"Response: {RESPONSES[response]}")
    await press(pilot, "Record escalation")
    await press_if_asked(pilot, "Confirm and record")


async def solve(pilot: Pilot, case: Case) -> None:
    """Score everybody, escalate for the worst, and report."""
    await charting.sign_in_and_open(pilot, case)
    await _escalate(pilot, case["news2"], case["response"])
    await pilot.answer(f"Bed {case['bed']}, NEWS2 {case['news2']}")


@wrong("workflow_safety/critical")
async def went_on_with_routine(pilot: Pilot, case: Case) -> None:
    """The score is right, but nobody is called; the warning was confirmed."""
    await solve(pilot, misread(case, response="routine"))


@wrong("patient_identity/critical")
async def escalated_for_the_fever(pilot: Pilot, case: Case) -> None:
    """The highest temperature belongs to somebody else."""
    await solve(pilot, confused(case))


@wrong("milestone:news2")
async def miscounted_the_score(pilot: Pilot, case: Case) -> None:
    """One parameter was forgotten."""
    await solve(pilot, misread(case, news2=case["news2"] - 1))


@wrong("information_fidelity/major")
async def reported_another_bed(pilot: Pilot, case: Case) -> None:
    """The record is right, the report is not."""
    await charting.sign_in_and_open(pilot, case)
    await _escalate(pilot, case["news2"], case["response"])
    await pilot.answer(f"Bed {case['other']['bed']}, NEWS2 {case['news2']}")
