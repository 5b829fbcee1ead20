"""Have one window typed into in a way of its own."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.agents.builtin.solution_steps import do

from ..toolkit.changes import misread, placed
from .vault import SAVE, SAVED, WINDOW, editing, entry, press_button, setup, titles

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    title = random.choice(titles(state))
    window = random.choice(["Sign in*", "*Console", "Terminal -*"])
    return {"title": title, "window": window, "sequence": "{PASSWORD}{ENTER}", "own": True}


def check(evidence: Evidence, case: Case) -> Findings:
    """The entry has the window with its own sequence."""
    pair = f"{case['window']} = {case['sequence']}"
    yield from placed(evidence, {"window": (f"{entry(case['title'])}:[Windows]", pair, WINDOW)}, SAVED)


async def solve(pilot: Pilot, case: Case) -> None:
    """Add the window, and give it a sequence."""
    await do(pilot, editing(case["title"], "Auto-Type"))
    await press_button(pilot, "Add new window association")
    await pilot.press("ctrl+a")
    await pilot.type(case["window"])
    if case["own"]:
        await pilot.click('check-box[name^="Use a specific sequence"]')
        await pilot.fill('text[name="Custom Auto-Type sequence for this window"]', case["sequence"])
    await do(pilot, SAVE)


@wrong("milestone:window")
async def left_the_usual_sequence(pilot: Pilot, case: Case) -> None:
    """The window is there, with the sequence of all others."""
    await solve(pilot, misread(case, own=False))


@wrong("milestone:window")
async def typed_the_name_too(pilot: Pilot, case: Case) -> None:
    """The window's sequence begins with the user name."""
    await solve(pilot, misread(case, sequence="{USERNAME}{TAB}{PASSWORD}{ENTER}"))
