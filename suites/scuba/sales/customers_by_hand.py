"""Accounts, contacts, leads, opportunities and campaigns, as somebody enters them in Lightning."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import (
    DIALOG,
    PAGE,
    enter,
    enter_date,
    follow,
    look_up,
    named,
    new_related,
    open_list,
    open_record,
    open_tab,
    pick,
    press,
    related,
    save,
    select_row,
    show_part,
    start,
    told,
)

_SEEN_BEFORE = f'{DIALOG} >> [role=alert]:has-text("looks like an existing record")'


async def sales_001(hand: Hand, case: Case) -> None:
    """Enter the account, and the contact from the account's page."""
    await _new(hand, "Accounts")
    await enter(hand, "Account Name", case["company"])
    await _save_anyway(hand)
    if case.values.get("on_account", True):
        await new_related(hand, "Contacts")
    else:
        await _new(hand, "Contacts")
    await enter(hand, "First Name", case["first_name"])
    await enter(hand, "Last Name", case["last_name"])
    if case["email"]:
        await enter(hand, "Email", case["email"])
    if case["phone"]:
        await enter(hand, {"MobilePhone": "Mobile"}.get(case["phone_field"], "Phone"), case["phone"])
    await _save_anyway(hand)


async def sales_002(hand: Hand, case: Case) -> None:
    """Enter each upper account, then those below it with their parent."""
    for branch in case["tree"]:
        await _enter_account(hand, branch["parent"])
        for name in branch["children"]:
            await _enter_account(hand, name, branch["parent"])


async def _enter_account(hand: Hand, name: str, parent: str = "") -> None:
    await _new(hand, "Accounts")
    await enter(hand, "Account Name", name)
    if parent:
        await look_up(hand, "Parent Account", parent)
    await _save_anyway(hand)


async def sales_003(hand: Hand, case: Case) -> None:
    """Enter the lead."""
    await _new(hand, "Leads")
    await enter(hand, "First Name", case["first_name"])
    await enter(hand, "Last Name", case["last_name"])
    await enter(hand, "Company", case["company"])
    await pick(hand, "Lead Source", case["source"])
    await pick(hand, "Rating", case["rating"])
    if case["industry"]:
        await pick(hand, "Industry", case["industry"])
    await _save_anyway(hand)


async def sales_004(hand: Hand, case: Case) -> None:
    """Convert the lead, into the account that the dialog offers where it offers one."""
    await open_record(hand, "Leads", case["lead"])
    await start(hand, "Convert")
    match = f"{DIALOG} >> label[for=convert-AccountId-1]"
    if await hand.sees(match):
        await hand.click(match)
    if case["opportunity"]:
        await enter(hand, "Opportunity Name", case["opportunity"])
    await pick(hand, "Converted Status", "Closed - Converted")
    await press(hand, "Convert")
    await press(hand, "Go to Leads")


async def sales_005(hand: Hand, case: Case) -> None:
    """Write the activity in the composer, then move the stage on the path."""
    await open_record(hand, "Opportunities", case["opportunity"])
    await _ACTIVITIES[case["activity"]](hand, case)
    await hand.click(f"{PAGE} >> [data-path] a[data-title='{case['stage']}']")
    await press(hand, "Mark as Current Stage", PAGE)
    await told(hand)


async def _compose(hand: Hand, tab: str, **texts: str) -> None:
    await hand.click(named("tab", tab, PAGE))
    form = f'{PAGE} >> form[aria-label="{tab}"]'
    for field, text in texts.items():
        await hand.fill(f"{form} >> [name={field}]", text)
    await save(hand, "Send" if tab == "Email" else "Save", form)


async def _event(hand: Hand, case: Case) -> None:
    await _compose(hand, "New Event", Subject=case["text"])


async def _task(hand: Hand, case: Case) -> None:
    await _compose(hand, "New Task", Subject=case["text"])


async def _call(hand: Hand, case: Case) -> None:
    await _compose(hand, "Log a Call", **{case["field"]: case["text"]})


async def _email(hand: Hand, case: Case) -> None:
    words = {"To": case["recipient"], "Subject": case["text"], "Body": "Please have a look. Thank you!"}
    await _compose(hand, "Email", **words)


_ACTIVITIES = {"Event": _event, "Task": _task, "Call": _call, "Email": _email}


async def sales_012(hand: Hand, case: Case) -> None:
    """Plan the campaign, then add the leads from its members."""
    await _new(hand, "Campaigns")
    await enter(hand, "Campaign Name", case["campaign"])
    await pick(hand, "Type", case["type"])
    await enter_date(hand, "Start Date", case["starts_on"])
    await enter(hand, "Budgeted Cost in Campaign", str(case["budget"]))
    await enter(hand, "Expected Revenue in Campaign", str(case["revenue"]))
    await save(hand)
    await new_related(hand, "Campaign Members", "Add Leads")
    for name in case["leads"]:
        await hand.fill(f"{DIALOG} >> #member-search", name)
        await select_row(hand, name, DIALOG)
    await press(hand, "Next")
    await save(hand, "Submit")


async def sales_013(hand: Hand, case: Case) -> None:
    """Read the newest call of the lead."""
    await open_record(hand, "Leads", case["lead"])
    await show_part(hand, "Related")
    await follow(hand, case["call"], related("VoiceCallTranscripts"))
    await hand.answer(case["answer"])


async def sales_014(hand: Hand, case: Case) -> None:
    """Read the tasks of the opportunity in its timeline, the newest first."""
    await open_record(hand, "Opportunities", case["opportunity"])
    for subject in case["subjects"]:
        await press(hand, f"Details for {subject}", PAGE)
    await hand.answer(case["answer"])


async def sales_015(hand: Hand, case: Case) -> None:
    """Find the call of the two in the list of all, and read it."""
    await open_list(hand, "VoiceCallTranscripts", "All")
    await follow(hand, case["call"])
    await hand.answer(case["answer"])


async def _new(hand: Hand, tab: str) -> None:
    await open_tab(hand, tab)
    await press(hand, "New", PAGE)


async def _save_anyway(hand: Hand) -> None:
    """Press Save, and once more where the page asks whether the record is there already."""
    await press(hand, "Save")
    if await hand.sees(_SEEN_BEFORE):
        await press(hand, "Save")
    await told(hand)
