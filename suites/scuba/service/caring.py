"""How somebody who knows Salesforce does the tasks of cases, entitlements and knowledge."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import (
    PAGE,
    enter,
    enter_date,
    follow,
    look_up,
    open_app,
    open_list,
    open_record,
    open_tab,
    pick,
    press,
    save,
    start,
)
from .cases import LABELS


async def service_003(hand: Hand, case: Case) -> None:
    """Enter the case in the console's list of cases."""
    await open_app(hand, "Service")
    await open_tab(hand, "Cases")
    await press(hand, "New", PAGE)
    await look_up(hand, "Contact Name", case["contact"])
    await pick(hand, "Status", case["status"])
    await pick(hand, "Priority", case["priority"])
    await pick(hand, "Case Origin", case["origin"])
    await pick(hand, "Type", case["type"])
    await pick(hand, "Case Reason", case["reason"])
    await enter(hand, "Subject", case["subject"])
    await save(hand)


async def service_004(hand: Hand, case: Case) -> None:
    """Find the case by its subject, and edit it."""
    await open_record(hand, "Cases", case["subject"])
    await start(hand, "Edit")
    await pick(hand, "Status", case["status"])
    for field, value in case["updates"].items():
        await pick(hand, LABELS[field], value)
    await save(hand)


async def service_005(hand: Hand, case: Case) -> None:
    """Enter the entitlement with its account and dates."""
    await open_app(hand, "Service")
    await open_tab(hand, "Entitlements")
    await press(hand, "New", PAGE)
    await enter(hand, "Entitlement Name", case["entitlement"])
    await look_up(hand, "Account Name", case["account"])
    await pick(hand, "Type", case["type"])
    await enter_date(hand, "Start Date", case["starts_on"])
    await enter_date(hand, "End Date", case["ends_on"])
    await save(hand)


async def service_010(hand: Hand, case: Case) -> None:
    """Write the article, which is a draft then, and publish it."""
    await open_app(hand, "Service")
    await open_tab(hand, "Knowledge")
    await press(hand, "New", PAGE)
    await enter(hand, "Title", case["title"])
    await enter(hand, "Question", case["question"])  # leaving the title has filled the URL name
    await enter(hand, "Answer", case["text"])
    await save(hand)
    if case.values.get("publish", True):
        await start(hand, "Publish")
        await save(hand, "Publish")


async def service_011(hand: Hand, case: Case) -> None:
    """Read the article among those that are published, and answer with what it says."""
    await open_app(hand, "Service")
    await open_list(hand, "Knowledge", "Published Articles")
    await follow(hand, case["article"])
    await hand.read(f"{PAGE} >> .slds-rich-text-editor__output >> nth=1")
    await hand.answer(case["answer"])
