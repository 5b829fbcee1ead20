"""How a careful planner does each task."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow, press
from ..hands import sign_in as prologue
from . import planner


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def view_patients(hand: Hand, case: Case) -> None:
    """Count in the list."""
    await prologue(hand, case)
    await hand.answer(str(case["planning"]))


async def open_patient(hand: Hand, case: Case) -> None:
    """Open the patient, and leave the plan on the screen."""
    await prologue(hand, case)
    await planner.open_patient(hand, case.values)


async def view_structures(hand: Hand, case: Case) -> None:
    """Count in the list of structures."""
    await open_patient(hand, case)
    await hand.answer(str(case["absent"]))


async def auto_contour(hand: Hand, case: Case) -> None:
    """Contour what is missing."""
    await open_patient(hand, case)
    await planner.contour(hand, case["model"], case["names"])


async def set_prescription(hand: Hand, case: Case) -> None:
    """Save what the directive says."""
    await open_patient(hand, case)
    await planner.prescribe(hand, case.values)


async def configure_beams(hand: Hand, case: Case) -> None:
    """Arrange the beams that the directive names."""
    await open_patient(hand, case)
    await planner.arrange(hand, case.values)


async def optimize_plan(hand: Hand, case: Case) -> None:
    """Give every organ a priority, and compute."""
    await open_patient(hand, case)
    await planner.compute(hand, case.values, case["raised"])


async def evaluate_dvh(hand: Hand, case: Case) -> None:
    """Compare the figures with the goals."""
    await open_patient(hand, case)
    await follow(hand, "Evaluate")
    await hand.answer(", ".join(case["missed"]))


async def approve_plan(hand: Hand, case: Case) -> None:
    """Approve the plan that meets all goals."""
    await open_patient(hand, case)
    if case["plan"] == "B":
        await follow(hand, "Plan B")
    await planner.approve(hand, case.values)


async def srs_plan(hand: Hand, case: Case) -> None:
    """Prescribe by the diameter, arrange, compute."""
    await open_patient(hand, case)
    await planner.prescribe(hand, case.values)
    await planner.arrange(hand, case.values)
    await planner.compute(hand, case.values)


async def full_workflow(hand: Hand, case: Case) -> None:
    """From the directive to the treatment machine."""
    await srs_plan(hand, case)
    await planner.approve(hand, case.values)
    await press(hand, "Export to treatment")
