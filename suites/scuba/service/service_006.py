"""Milestones."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.groups import save_form
from ..toolkit.judging import Findings, judged
from ..toolkit.lightning import PAGE, choose, enter, open_setup, press
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

RECURRENCES = {
    "none": "No Recurrence",
    "recursIndependently": "Independent",
    "recursChained": "Sequential",
}
_COUNTS = ("no", "one milestone", "two milestones", "three milestones", "four milestones")


def case(state: State, random: Random, values: Given) -> Values:
    """Say what the milestones are."""
    entries = values["milestones"]
    words = [f'"{entry["name"]}" (recurrence type: {RECURRENCES[entry["recurrence"]]})' for entry in entries]
    return {"count_words": _COUNTS[len(entries)], "milestones_words": ", ".join(words)}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have each milestone with its recurrence."""
    share = 1 / len(case["milestones"])
    work.free("MilestoneType", Description="the task leaves it open")
    for number, entry in enumerate(case["milestones"], 1):
        wanted = {"Name": entry["name"], "RecurrenceType": entry["recurrence"]}
        row = work.closest("MilestoneType", wanted)
        found = next((made for made in work.made("MilestoneType", Name=entry["name"])), {})
        seen = str(found.get("RecurrenceType") or "none of the name") if found else "none of the name"
        yield Milestone(
            f"milestone_{number}", row is not None, share, f"'{entry['name']}', {entry['recurrence']}", seen
        )


def upstream(evidence: Evidence, case: Case) -> Findings:
    """Each milestone with its recurrence, if there are as many as were asked for."""
    rows = Records(evidence.after).all("MilestoneType")
    known = {(row["Name"], row.get("RecurrenceType")) for row in rows}
    entries = case["milestones"]
    for number, entry in enumerate(entries, 1):
        there = (entry["name"], entry["recurrence"]) in known and len(rows) >= len(entries)
        yield fact(f"milestone_{number}", 1 / len(entries), there)


async def solve(pilot: Pilot, case: Case) -> None:
    """Make milestones, one after the other."""
    await open_setup(pilot, "Milestones")
    await press(pilot, "New Milestone", PAGE)
    last = case["milestones"][-1]
    for entry in case["milestones"]:
        await enter(pilot, "Name", entry["name"], PAGE)
        await choose(pilot, "Recurrence Type", RECURRENCES[entry["recurrence"]])
        await save_form(pilot, "Save" if entry is last else "Save & New")


@slip("milestone:milestone_1")
def confused_the_recurrence(case: Case) -> Case:
    """The first milestone recurs in another way."""
    first, *rest = case["milestones"]
    other = "recursIndependently" if first["recurrence"] != "recursIndependently" else "none"
    return misread(case, milestones=[{**first, "recurrence": other}, *rest])


@slip("record_integrity/major", 1.0)
def made_one_milestone_more(case: Case) -> Case:
    """All are there, and one that nobody wanted."""
    return misread(case, milestones=[*case["milestones"], {"name": "follow up", "recurrence": "none"}])
