"""How a careful seller does each task."""

from __future__ import annotations

import json

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import (
    begin,
    choose,
    element,
    figure,
    find,
    follow,
    launch,
    look_up,
    press,
    save,
    set_up,
    tab,
    write,
    write_day,
)

MAIN = "role=main"
_PHONES = {"Phone": "Phone", "MobilePhone": "Mobile"}


async def sales_001(hand: Hand, case: Case) -> None:
    """Enter the account, then the contact on it."""
    await begin(hand, "Accounts")
    await write(hand, "Account Name", case["company"])
    await save(hand)
    if case.values.get("on_account", True):
        await press(hand, "New", 'role=article[name="Contacts"]')
    else:
        await begin(hand, "Contacts")
    await write(hand, "First Name", case["first_name"])
    await write(hand, "Last Name", case["last_name"])
    await write(hand, "Email", case["email"])
    if case["phone"]:
        await write(hand, _PHONES[case["phone_field"]], case["phone"])
    await save(hand)


async def sales_002(hand: Hand, case: Case) -> None:
    """Enter the upper accounts, and the lower ones with their parents."""
    for branch in case["tree"]:
        await begin(hand, "Accounts")
        await write(hand, "Account Name", branch["parent"])
        await save(hand)
        for name in branch["children"]:
            await begin(hand, "Accounts")
            await write(hand, "Account Name", name)
            await look_up(hand, "Parent Account", branch["parent"])
            await save(hand)


async def sales_003(hand: Hand, case: Case) -> None:
    """Enter the lead."""
    await begin(hand, "Leads")
    await write(hand, "First Name", case["first_name"])
    await write(hand, "Last Name", case["last_name"])
    await write(hand, "Company", case["company"])
    await choose(hand, "Lead Source", case["source"])
    await choose(hand, "Rating", case["rating"])
    await choose(hand, "Industry", case["industry"])
    await save(hand)


async def sales_004(hand: Hand, case: Case) -> None:
    """Convert the lead into the account that its company has, or a new one."""
    await find(hand, case["lead"])
    await press(hand, "Convert")
    label = f"label:has-text({json.dumps(case['company'])})"
    match = f'role=dialog >> role=region[name="Account"] >> {label} >> visible=true >> nth=0'
    if case["account_ids"] and await hand.sees(match):
        await hand.click(match)
    if case["opportunity"]:
        await write(hand, "Opportunity Name", case["opportunity"])
    await choose(hand, "Converted Status", "Closed - Converted")
    await press(hand, "Convert", "role=dialog")


async def sales_005(hand: Hand, case: Case) -> None:
    """Add the activity, then set the stage."""
    await find(hand, case["opportunity"])
    await _ACTIVITIES[case["activity"]](hand, case)
    await press(hand, "Edit", MAIN)
    await choose(hand, "Stage", case["stage"])
    await save(hand)


async def _task(hand: Hand, case: Case) -> None:
    form = 'role=form[name="New Task"]'
    await tab(hand, "New Task")
    await hand.fill(element("combobox", "Subject", form), case["text"])
    await press(hand, "Save", form)


async def _event(hand: Hand, case: Case) -> None:
    form = 'role=form[name="New Event"]'
    await tab(hand, "New Event")
    await hand.fill(element("combobox", "Subject", form), case["text"])
    await press(hand, "Save", form)


async def _call(hand: Hand, case: Case) -> None:
    form = 'role=form[name="Log a Call"]'
    await tab(hand, "Log a Call")
    if case["field"] == "Subject":
        await hand.fill(element("combobox", "Subject", form), case["text"])
    else:
        await write(hand, "Comments", case["text"], form)
    await press(hand, "Save", form)


async def _email(hand: Hand, case: Case) -> None:
    form = 'role=form[name="Email"]'
    await tab(hand, "Email")
    await write(hand, "To", case["recipient"], form)
    await write(hand, "Subject", case["text"], form)
    await write(hand, "Email Body", "Please see the proposal.", form)
    await press(hand, "Send", form)


_ACTIVITIES = {"Task": _task, "Event": _event, "Call": _call, "Email": _email}


async def sales_006(hand: Hand, case: Case) -> None:
    """Add the family to the picklist, then the products."""
    await set_up(hand, "Object Manager")
    await follow(hand, "Product", MAIN)
    await follow(hand, "Fields & Relationships", MAIN)
    await follow(hand, "Product Family", MAIN)
    await press(hand, "New", 'role=region[name="Product Family Picklist Values"]')
    await hand.fill(element("textbox", "Product Family", MAIN), case["family"])
    await press(hand, "Save", MAIN)
    for product in case["products"]:
        await begin(hand, "Products")
        await write(hand, "Product Name", product["name"])
        await write(hand, "Product Code", product["code"])
        await write(hand, "Product Description", product["description"])
        await choose(hand, "Product Family", case["family"])
        await save(hand)


async def sales_007(hand: Hand, case: Case) -> None:
    """Make each price book and add the product to it."""
    for book in case["books"]:
        await begin(hand, "Price Books")
        await write(hand, "Price Book Name", book["name"])
        await save(hand)
        await tab(hand, "Related")
        await press(hand, "Add Products")
        await hand.fill(element("searchbox", "Search Products...", "role=dialog"), case["product"])
        await hand.click(element("checkbox", f"Select {case['product']}", "role=dialog"))
        await press(hand, "Next", "role=dialog")
        await write(hand, f"List Price {case['product']}", figure(book["price"]))
        await save(hand)


async def sales_008(hand: Hand, case: Case) -> None:
    """Make the quote of the opportunity and its line."""
    await find(hand, case["opportunity"])
    await press(hand, "New", 'role=article[name="Quotes"]')
    await write(hand, "Quote Name", case["quote"])
    await write_day(hand, "Expiration Date", case["expires_on"])
    await save(hand)
    await follow(hand, case["quote"], MAIN)
    await press(hand, "Add Products")
    await hand.click(element("checkbox", f"Select {case['product']}", "role=dialog"))
    await press(hand, "Next", "role=dialog")
    await write(hand, f"Quantity {case['product']}", figure(case["quantity"]))
    await write(hand, f"Discount {case['product']}", figure(case["discount"]))
    await save(hand)


async def sales_009(hand: Hand, case: Case) -> None:
    """Draw up the contract, then the order of it."""
    await begin(hand, "Contracts")
    await look_up(hand, "Account Name", case["account"])
    await write_day(hand, "Contract Start Date", case["starts_on"])
    await write(hand, "Contract Term (months)", str(case["term"]))
    await save(hand)
    await press(hand, "New", 'role=article[name="Orders"]')
    await write_day(hand, "Order Start Date", case["order_starts_on"])
    await save(hand)


async def sales_012(hand: Hand, case: Case) -> None:
    """Plan the campaign, then add its members."""
    await begin(hand, "Campaigns")
    await write(hand, "Campaign Name", case["campaign"])
    await choose(hand, "Type", case["type"])
    await write_day(hand, "Start Date", case["starts_on"])
    await write(hand, "Budgeted Cost in Campaign", str(case["budget"]))
    await write(hand, "Expected Revenue in Campaign", str(case["revenue"]))
    await save(hand)
    await tab(hand, "Related")
    await press(hand, "Add Leads")
    for name in case["leads"]:
        await hand.fill(element("searchbox", "Search Leads...", "role=dialog"), name)
        await hand.click(element("checkbox", f"Select {name}", "role=dialog"))
    await press(hand, "Next", "role=dialog")
    await press(hand, "Submit", "role=dialog")


async def sales_013(hand: Hand, case: Case) -> None:
    """Read the latest call and judge."""
    await launch(hand, "VoiceCallTranscripts")
    await hand.answer(case["answer"])


async def sales_014(hand: Hand, case: Case) -> None:
    """Read the activities and compare."""
    await find(hand, case.values["opportunity"])
    await hand.answer(case["answer"])


async def sales_015(hand: Hand, case: Case) -> None:
    """Read the call."""
    await launch(hand, "VoiceCallTranscripts")
    await hand.answer(case["answer"])
