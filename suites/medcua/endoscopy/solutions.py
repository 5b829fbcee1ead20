"""How a careful endoscopist does each task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow, press
from ..hands import sign_in as prologue
from . import endoscopist


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def view_schedule(hand: Hand, case: Case) -> None:
    """Count the rows of the room."""
    await prologue(hand, case)
    await hand.answer(str(case["booked"]))


async def select_case(hand: Hand, case: Case) -> None:
    """Open the case and leave it open."""
    await prologue(hand, case)
    await endoscopist.open_case(hand, case)


async def view_patient_info(hand: Hand, case: Case) -> None:
    """Read today's assessment."""
    await select_case(hand, case)
    await hand.answer(reading(case["now"]))


def reading(told: Mapping[str, Any]) -> str:
    """Return what was read in the form that the goal asks for."""
    stopped = "yes" if told["stopped"] else "no"
    return f"ASA {told['asa']}, blood thinner {told['medication']}, stopped {stopped}"


async def complete_preassess(hand: Hand, case: Case) -> None:
    """Fill in the assessment."""
    await select_case(hand, case)
    await endoscopist.assess(hand, case["entry"])


async def mark_landmarks(hand: Hand, case: Case) -> None:
    """Label the three pictures."""
    await select_case(hand, case)
    await follow(hand, "Images")
    for name, picture in case["pictures"].items():
        await endoscopist.label(hand, picture, name)


async def score_bbps(hand: Hand, case: Case) -> None:
    """Score the three segments."""
    await select_case(hand, case)
    await endoscopist.fill_course(hand, case["course"])
    await press(hand, "Save course")


async def record_finding(hand: Hand, case: Case) -> None:
    """Record the lesion."""
    await select_case(hand, case)
    await endoscopist.add_lesion(hand, case["lesion"])


async def complete_procedure(hand: Hand, case: Case) -> None:
    """Assess, time-out, start, record, end."""
    await complete_preassess(hand, case)
    await endoscopist.start(hand, case)
    await perform(hand, case)


async def perform(hand: Hand, case: Case) -> None:
    """Record the lesion and the course, and end."""
    await endoscopist.add_lesion(hand, case["lesion"])
    await endoscopist.fill_course(hand, case["course"])
    await endoscopist.end(hand)


async def submit_report(hand: Hand, case: Case) -> None:
    """Correct the lesion, then sign."""
    await select_case(hand, case)
    await endoscopist.correct_lesion(hand, case["lesion_no"], case["field"], case["right"])
    await follow(hand, "Report")
    await endoscopist.sign(hand, case, case["password"])


async def full_colonoscopy_workflow(hand: Hand, case: Case) -> None:
    """Do everything, and sign."""
    await complete_procedure(hand, case)
    await endoscopist.sign(hand, case, case["password"])


async def multi_case_workflow(hand: Hand, case: Case) -> None:
    """Complete what is missing, and sign, one after the other."""
    await prologue(hand, case)
    for job in case["jobs"]:
        await endoscopist.open_case(hand, job)
        if "minutes" in job:
            await follow(hand, "Procedure")
            await endoscopist.fill_course(hand, {"withdrawal_min": job["minutes"]})
            await press(hand, "Save course")
            await follow(hand, "Report")
        await endoscopist.sign(hand, job, case["password"])
        await endoscopist.back_to_schedule(hand)
