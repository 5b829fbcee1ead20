"""How a careful service agent does each task."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import (
    add_members,
    begin,
    choose,
    find,
    launch,
    look_up,
    move,
    press,
    save,
    select,
    set_up,
    tab,
    write,
    write_day,
)
from .cases import LABELS, RECURRENCES

MAIN = "role=main"


async def service_001(hand: Hand, case: Case) -> None:
    """Set up the queue."""
    await set_up(hand, "Queues")
    await press(hand, "New", MAIN)
    await write(hand, "Label", case["queue"], MAIN)
    await hand.press("Tab")
    await write(hand, "Queue Email", case["email"], MAIN)
    await move(hand, case["object_label"], "Objects")
    await add_members(hand, case["users"], case["roles"])
    await press(hand, "Save", MAIN)


async def service_003(hand: Hand, case: Case) -> None:
    """Open the case."""
    await begin(hand, "Cases")
    await look_up(hand, "Contact Name", case["contact"])
    await choose(hand, "Status", case["status"])
    await choose(hand, "Priority", case["priority"])
    await choose(hand, "Case Origin", case["origin"])
    await choose(hand, "Type", case["type"])
    await choose(hand, "Case Reason", case["reason"])
    await write(hand, "Subject", case["subject"])
    await save(hand)


async def service_004(hand: Hand, case: Case) -> None:
    """Change the case's fields."""
    await launch(hand, "Cases")
    await find(hand, case["subject"])
    await press(hand, "Edit", MAIN)
    await choose(hand, "Status", case["status"])
    for name, value in case["updates"].items():
        await choose(hand, LABELS[name], value)
    await save(hand)


async def service_005(hand: Hand, case: Case) -> None:
    """Enter the entitlement."""
    await begin(hand, "Entitlements")
    await write(hand, "Entitlement Name", case["entitlement"])
    await look_up(hand, "Account Name", case["account"])
    await choose(hand, "Type", case["type"])
    await write_day(hand, "Start Date", case["starts_on"])
    await write_day(hand, "End Date", case["ends_on"])
    await save(hand)


async def service_006(hand: Hand, case: Case) -> None:
    """Make the milestones."""
    for entry in case["milestones"]:
        await set_up(hand, "Milestones")
        await press(hand, "New Milestone", MAIN)
        await write(hand, "Name", entry["name"], MAIN)
        await select(hand, "Recurrence Type", RECURRENCES[entry["recurrence"]])
        await press(hand, "Save", MAIN)


async def service_010(hand: Hand, case: Case) -> None:
    """Write the article and publish it."""
    await begin(hand, "Knowledge")
    await write(hand, "Title", case["title"])
    await write(hand, "URL Name", case["url"])
    await write(hand, "Question", case["question"])
    await write(hand, "Answer", case["text"])
    await save(hand)
    if case.values.get("publish", True):
        await press(hand, "Publish", MAIN)
        await press(hand, "Publish", "role=dialog")


async def service_011(hand: Hand, case: Case) -> None:
    """Read the article and reply."""
    await launch(hand, "Knowledge")
    await hand.answer(case["answer"])


async def service_013(hand: Hand, case: Case) -> None:
    """Record the incident, then what it hits."""
    await begin(hand, "Incidents")
    await write(hand, "Subject", case["subject"])
    await choose(hand, "Urgency", case["urgency"])
    await choose(hand, "Impact", case["impact"])
    await choose(hand, "Priority", case["priority"])
    await save(hand)
    for entry in case["products"]:
        await tab(hand, "Related")
        await press(hand, "New", 'role=article[name="Incident Related Items"]')
        await look_up(hand, "Product", entry["name"])
        await choose(hand, "Impact Type", entry["impact"])
        await save(hand)


async def service_014(hand: Hand, case: Case) -> None:
    """Plan the change, link it, and move the incident on."""
    await launch(hand, "Incidents")
    await find(hand, case["incident_number"])
    await press(hand, "Edit", MAIN)
    await choose(hand, "Status", case["status"])
    await save(hand)
    await begin(hand, "Change Requests")
    await write(hand, "Subject", case["subject"])
    await write(hand, "Description", case["description"])
    await choose(hand, "Priority", case["priority"])
    await choose(hand, "Impact", case["impact"])
    await choose(hand, "Risk Level", case["risk"])
    await save(hand)
    if case.values.get("link", True):
        await tab(hand, "Related")
        await press(hand, "New", 'role=article[name="Related Issues"]')
        await look_up(hand, "Related Issue", case["incident_number"])
        await save(hand)
