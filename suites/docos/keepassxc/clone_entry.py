"""Make a second entry that follows the first one's user name and password."""

from __future__ import annotations

from base64 import b64decode
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.agents.builtin.solution_steps import do
from pytest_cuabench.task.kinds import free

from ..toolkit.changes import milestone, misread, nothing_else, parts, unlike, value_at
from .vault import REFERENCE, SAVED, UNLOCK, entry, setup, titles

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    title, other = random.sample(titles(state), 2)
    return {"title": title, "other": other, "copy": title, "references": True, "append": False}


def check(evidence: Evidence, case: Case) -> Findings:
    """There is another entry of the same title whose name and password refer to the first."""
    first = entry(case["title"])
    clone = f"{first} (2)"
    row = evidence.after.collections["entries"].get(clone.partition("/")[2], {})
    titles = ", ".join(evidence.after.collections["entries"])
    yield Milestone("copy", bool(row), 0.4, f"two entries {case['title']}", titles)
    number = value_at(evidence.before, f"{first}:[UUID]")
    for field, sign in (("UserName", "U"), ("Password", "P")):
        wanted = f"{{REF:{sign}@I:{b64decode(number).hex()}}}"
        yield milestone(evidence, field.lower(), f"{clone}:{field}", wanted, REFERENCE, 0.3)
    judged = {f"{clone}:{field}" for field in ("UserName", "Password", "[UUID]")}
    if row:
        free(parts(f"{clone}:[UUID]"), "each entry has its own")
        yield from unlike(evidence, clone, first.partition("/")[2], judged)
    yield from nothing_else(evidence, judged, SAVED)


async def solve(pilot: Pilot, case: Case) -> None:
    """Clone the entry, with the options that make it follow."""
    await do(pilot, UNLOCK)
    await pilot.click(f'table-cell[name="{case["copy"]}"]')
    await pilot.press("ctrl+k")
    if not case["append"]:
        await pilot.click('dialog >> check-box[name^="Append"]')
    if case["references"]:
        await pilot.click('dialog >> check-box[name^="Replace username"]')
    await pilot.click('dialog >> push-button[name="OK"]')
    await pilot.press("ctrl+s")


@wrong("milestone:username")
async def copied_the_values(pilot: Pilot, case: Case) -> None:
    """The copy has the name and the password of today."""
    await solve(pilot, misread(case, references=False))


@wrong("milestone:copy")
async def copied_the_other_entry(pilot: Pilot, case: Case) -> None:
    """It is a copy of another entry."""
    await solve(pilot, misread(case, copy=case["other"]))


@wrong("milestone:copy")
async def left_the_title_longer(pilot: Pilot, case: Case) -> None:
    """The copy says that it is one."""
    await solve(pilot, misread(case, append=True))
