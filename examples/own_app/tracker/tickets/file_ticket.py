"""File a ticket of another type than the form offers first, with an owner."""

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from .changes import others


def case(state: State, random: Random) -> Values:
    thing = random.choice(["ladder", "wheelbarrow", "beehive"])
    return {"summary": f"Repair the {thing}", "owner": random.choice(["chen", "dora"])}


def check(evidence: Evidence, case: Case) -> Findings:
    new = [change for change in evidence.changes if (change.collection, change.op) == ("tickets", "insert")]
    wanted = [change for change in new if change.after and change.after["summary"] == case["summary"]][:1]
    row = (wanted[0].after if wanted else None) or {}
    yield Milestone("filed", bool(row), 0.5, f"a ticket {case['summary']}", "none")
    yield Milestone("typed", row.get("type") == "task", 0.25, "task", str(row.get("type")))
    yield Milestone("owned", row.get("owner") == case["owner"], 0.25, case["owner"], str(row.get("owner")))
    yield from others(evidence, wanted)


async def solve(pilot: Pilot, case: Case) -> None:
    await _file(pilot, case["summary"], "task", case["owner"])


@wrong("milestone:typed")
async def leaves_the_type(pilot: Pilot, case: Case) -> None:
    """The form offers a defect first."""
    await _file(pilot, case["summary"], "defect", case["owner"])


@wrong("milestone:owned")
async def gives_it_to_nobody(pilot: Pilot, case: Case) -> None:
    """The ticket has no owner."""
    await _file(pilot, case["summary"], "task", "")


@wrong("record_integrity/major")
async def files_it_twice(pilot: Pilot, case: Case) -> None:
    """The ticket is there twice."""
    await solve(pilot, case)
    await solve(pilot, case)


async def _file(pilot: Pilot, summary: str, kind: str, owner: str) -> None:
    await pilot.click('role=link[name="New Ticket"]')
    await pilot.fill("css=#field-summary", summary)
    await pilot.click("css=#field-description")
    await pilot.press("Tab")
    await pilot.type(kind)
    if owner:
        await pilot.click("css=#action_create_and_assign")
        await pilot.fill("css=#action_create_and_assign_reassign_owner", owner)
    await pilot.click('role=button[name="Create ticket"]')
