"""How somebody who knows Salesforce does the tasks of incidents."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import (
    PAGE,
    enter,
    look_up,
    new_related,
    open_app,
    open_list,
    open_tab,
    pick,
    press,
    row_of,
    save,
    start,
)


async def service_013(hand: Hand, case: Case) -> None:
    """Record the incident, then relate each product to it."""
    await open_app(hand, "Service")
    await open_tab(hand, "Incidents")
    await press(hand, "New", PAGE)
    await enter(hand, "Subject", case["subject"])
    await pick(hand, "Urgency", case["urgency"])
    await pick(hand, "Impact", case["impact"])
    await pick(hand, "Priority", case["priority"])
    await save(hand)
    for entry in case["products"]:
        await new_related(hand, "Incident Related Items")
        await look_up(hand, "Product", entry["name"])
        await pick(hand, "Impact Type", entry["impact"])
        await save(hand)


async def service_014(hand: Hand, case: Case) -> None:
    """Enter the change request, then link it from the incident, and set that one's status."""
    await open_app(hand, "Service")
    await open_tab(hand, "Change Requests")
    await press(hand, "New", PAGE)
    await enter(hand, "Subject", case["subject"])
    await pick(hand, "Priority", case["priority"])
    await pick(hand, "Impact", case["impact"])
    await pick(hand, "Risk Level", case["risk"])
    await enter(hand, "Description", case["description"])
    await save(hand)
    number = await hand.read(f"{PAGE} >> h1 >> .slds-page-header__title")
    await _open_incident(hand, case)
    if case.values.get("link", True):
        await new_related(hand, "Change Request Related Issues")
        await look_up(hand, "Change Request", number.strip())
        await save(hand)
    await start(hand, "Edit")
    await pick(hand, "Status", case["status"])
    await save(hand)


async def _open_incident(hand: Hand, case: Case) -> None:
    await open_list(hand, "Incidents", "All Incidents")
    row = row_of(case["incident"], PAGE)
    await hand.click(f"{row} >> th[scope=row] >> a")
