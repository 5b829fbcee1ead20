"""Add a further secret to an entry, hidden like its password."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.agents.builtin.solution_steps import do
from pytest_cuabench.task.kinds import Items

from ..toolkit.changes import Wanted, misread, placed
from ..toolkit.kinds import TEXT
from .vault import SAVE, SAVED, editing, entry, press_button, setup, titles

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    title, other = random.sample(titles(state), 2)
    name = random.choice(["PIN", "Recovery", "PUK"])
    return {
        "title": title,
        "other": other,
        "name": name,
        "value": str(random.randint(1000, 9999)),
        "hidden": True,
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """The attribute is there, and protected."""
    row = entry(case["title"])
    protected = ", ".join(sorted(["Password", case["name"]]))
    wanted: dict[str, Wanted] = {
        "attribute": (f"{row}:{case['name']}", case["value"], TEXT),
        "protected": (f"{row}:[Protected]", protected, Items()),
    }
    yield from placed(evidence, wanted, SAVED)


async def solve(pilot: Pilot, case: Case) -> None:
    """Add the attribute, and protect it."""
    await do(pilot, editing(case["title"], "Advanced"))
    await press_button(pilot, "Add a new attribute")
    await pilot.type(case["name"])
    await pilot.press("enter")
    await pilot.click('text[name="Attribute value"]')
    await pilot.type(case["value"])
    if case["hidden"]:
        await pilot.click('check-box[name="Toggle attribute protection"]')
    await do(pilot, SAVE)


@wrong("milestone:protected")
async def left_it_readable(pilot: Pilot, case: Case) -> None:
    """Everybody who opens the entry can read it."""
    await solve(pilot, misread(case, hidden=False))


@wrong("milestone:attribute")
async def took_the_other_entry(pilot: Pilot, case: Case) -> None:
    """Another entry has the attribute."""
    await solve(pilot, misread(case, title=case["other"]))
