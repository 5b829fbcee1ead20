"""A show of some of the slides, in an order of its own."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot, wrong
from pytest_cuabench.agents.builtin.solution_steps import do

from .dialogs import case, check, left_unsaved, setup, slipped, solve

__all__ = ["case", "check", "hid_the_others", "left_unsaved", "setup", "slipped", "solve"]


@wrong("record_integrity/major")
async def hid_the_others(pilot: Pilot, case: Case) -> None:
    """The slides that are not to be shown are hidden."""
    for number in (1, 3, 5):
        slide = f'document-frame[name="Slides View"] >> panel[name="{case[f"slide{number}"]}"]'
        await do(pilot, [{"click": slide}, {"menu": ["Slide", "Hide Slide"]}])
    await do(pilot, [{"press": "ctrl+s"}, {"wait": 1}])
