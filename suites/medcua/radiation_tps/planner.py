"""What a planner does at the screen, in parts that solutions are put together from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand

from ..hands import choose, enter, follow, mark, press, tick

Job = Mapping[str, Any]

CHECKLIST = (
    "Patient and plan identity checked",
    "Prescription and beams agree with the directive",
    "Dose and protocol goals reviewed",
)


async def open_patient(hand: Hand, job: Job) -> None:
    """Open a patient from the list."""
    await follow(hand, job["link"])


async def contour(hand: Hand, model: str, names: Iterable[str]) -> None:
    """Run a model for some structures."""
    await follow(hand, "Contours")
    await choose(hand, "Model", model)
    await press(hand, "Load model")
    for name in names:
        await tick(hand, name)
    await press(hand, "Run auto-contouring")


async def prescribe(hand: Hand, job: Job) -> None:
    """Save a prescription."""
    await follow(hand, "Prescription")
    await enter(hand, "Total dose", f"{job['dose']:g}")
    await enter(hand, "Fractions", str(job["fractions"]))
    await mark(hand, job["norm_words"])
    await press(hand, "Save prescription")


async def arrange(hand: Hand, job: Job) -> None:
    """Arrange equally spaced beams; angles of zero are there already."""
    await follow(hand, "Beams")
    await enter(hand, "Number of beams", str(job["fields"]))
    if job["gantry"]:
        await enter(hand, "First gantry", f"{job['gantry']:g}")
    if job["collimator"]:
        await enter(hand, "Collimator", f"{job['collimator']:g}")
    await mark(hand, job["energy"])
    await mark(hand, {"3DCRT": "3D conformal"}.get(job["technique"], job["technique"]))
    await press(hand, "Arrange beams")


async def compute(hand: Hand, job: Job, raised: Iterable[str] = (), priority: str = "Normal") -> None:
    """Compute the dose, with the priority of some organs changed."""
    await follow(hand, "Optimise")
    for name in raised:
        await hand.click(f'role=radiogroup[name="Priority {name}"] >> role=radio[name="{priority}"]')
    await press(hand, "Optimise and compute dose" if job["technique"] == "IMRT" else "Compute dose")


async def approve(hand: Hand, job: Job) -> None:
    """Go through the check list, sign, and let the second person sign."""
    await follow(hand, "Approval")
    for item in CHECKLIST:
        await tick(hand, item)
    await enter(hand, "Second user ID", job["second_id"])
    await hand.fill("#field-second_password", job["second_password"])
    await press(hand, "Approve plan")
