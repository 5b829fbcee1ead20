"""Close one of several tickets; two of them have nearly the same name."""

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from .changes import others


def case(state: State, random: Random) -> Values:
    ticket = random.choice([row for row in state.rows("tickets") if row["status"] != "closed"])
    twin = random.choice([row for row in state.rows("tickets") if row["id"] != ticket["id"]])
    return {
        "id": str(ticket["id"]),
        "summary": ticket["summary"],
        "twin": twin["summary"],
        "resolution": random.choice(["invalid", "wontfix", "worksforme"]),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    closed = {"status": "closed", "resolution": case["resolution"]}
    wanted = [
        change
        for change in evidence.changes
        if (change.collection, change.key) == ("tickets", case["id"]) and set(change.fields) <= set(closed)
    ]
    ticket = evidence.after.collections["tickets"].get(case["id"], {})
    done = all(ticket.get(name) == value for name, value in closed.items())
    yield Milestone("closed", done, 1.0, f"closed as {case['resolution']}", str(ticket.get("resolution")))
    yield from others(evidence, wanted)


async def solve(pilot: Pilot, case: Case) -> None:
    await _close(pilot, case["summary"], case["resolution"])


@wrong("record_integrity/major")
async def closes_the_other(pilot: Pilot, case: Case) -> None:
    """Another ticket is closed."""
    await _close(pilot, case["twin"], case["resolution"])


@wrong("milestone:closed")
async def closes_as_fixed(pilot: Pilot, case: Case) -> None:
    """The resolution that the form offers first is left."""
    await _close(pilot, case["summary"], "fixed")


@wrong("milestone:closed")
async def only_previews(pilot: Pilot, case: Case) -> None:
    """A preview keeps nothing."""
    await _close(pilot, case["summary"], case["resolution"], button="Preview")


async def _close(pilot: Pilot, summary: str, resolution: str, button: str = "Submit changes") -> None:
    await pilot.click('role=link[name="View Tickets"]')
    await pilot.click('css=a[title="View report"][href="/report/1"]')
    await pilot.click(f'role=link[name="{summary}"]')
    await pilot.click('role=link[name="Modify Ticket"]')
    await pilot.click("css=#action_resolve")
    await pilot.press("Tab")
    await pilot.type(resolution)
    await pilot.click(f'role=button[name="{button}"]')
