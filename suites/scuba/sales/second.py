"""Second solutions of Sales, written without a look at the checks."""

from __future__ import annotations

import json
import re
from datetime import timedelta

from pytest_cuabench import Case, Pilot

from ..toolkit.lightning import (
    DIALOG,
    HERE,
    PAGE,
    choose_far,
    enter,
    enter_date,
    enter_values,
    follow,
    look_up,
    named,
    new_related,
    open_item,
    open_list,
    open_object,
    open_record,
    open_saved,
    open_setup,
    open_tab,
    pick,
    press,
    press_first,
    related,
    row_of,
    show_part,
    tick,
)
from ..toolkit.reading import enter_day, fill_criteria, found_in, later, save, saved, told_in

_QUOTED = r'"([^"]+)"'


async def sales_001(pilot: Pilot, case: Case) -> None:
    """Enter the contact's name alone, and the rest later on the record's page by the pencils."""
    account, first, last = next(
        (account, *name.split())
        for account, name in (
            ("Old Balance", "Marcus Roth"),
            ("Next Horizon Technologies", "Jordan Lee"),
            ("GreenTrail Logistics", "Emily Zhao"),
            ("TechFlow Solutions", "Sarah Mitchell"),
            ("Global Manufacturing Corp", "Michael Chen"),
        )
        if account in case.goal
    )
    await open_item(pilot, "Accounts")
    await press(pilot, "New", PAGE)
    await enter(pilot, "Account Name", account)
    await _save_anyway(pilot)
    await new_related(pilot, "Contacts")
    await enter(pilot, "Last Name", last)
    await enter(pilot, "First Name", first)
    await _save_anyway(pilot)
    await open_saved(pilot)
    await show_part(pilot, "Details")
    values = {}
    if mobile := re.search(r"mobile phone ([\d-]+\d)", case.goal):
        values["Mobile"] = mobile[1]
    if phone := re.search(r"\(\d{3}\) [\d-]+", case.goal):
        values["Phone"] = phone[0]
    if email := re.search(r"[\w.]+@[\w.]+\w", case.goal):
        values["Email"] = email[0]
    await press(pilot, f"Edit {next(iter(values))}", PAGE)
    for field, value in values.items():
        await enter(pilot, field, value, _INLINE)
    await press(pilot, "Save", _INLINE)


async def sales_002(pilot: Pilot, case: Case) -> None:
    """Create the lower accounts from the Account Hierarchy of the upper one."""
    for part in case.goal.split(";"):
        names = re.findall(_QUOTED, part)
        if names in ([], ["below"]):  # the sentences that say what it means
            continue
        await open_list(pilot, "Accounts")
        await press(pilot, "New", PAGE)
        await enter(pilot, "Account Name", names[0])
        await save(pilot)
        for at, name in enumerate(names[1:], 2):
            if at == 2:
                await new_related(pilot, "Account Hierarchy")
            await enter(pilot, "Account Name", name)
            await save(pilot, "Save" if at == len(names) else "Save & New")
            if at < len(names):
                await look_up(pilot, "Parent Account", names[0])


async def sales_003(pilot: Pilot, case: Case) -> None:
    """Use the Global Actions in place of the tab, and go through the form from its end."""
    first, last, company, source, rating, industry = next(
        lead
        for lead in (
            ("John", "Doe", "sForce", "Web", "Warm", "Technology"),
            ("Maya", "Patel", "GenePoint", "Partner Referral", "Hot", "Biotechnology"),
            ("Kevin", "Tran", "HealthSync Solutions", "Other", "Cold", "Healthcare"),
            ("David", "Rodriguez", "Pinnacle Systems", "Other", "Warm", ""),
            ("Marcus", "Thompson", "FutureTech Dynamics", "Other", "Hot", ""),
        )
        if f"{lead[0]} {lead[1]}" in case.goal
    )
    await _global_action(pilot, "New Lead")
    if industry:
        await pick(pilot, "Industry", industry)
    await pick(pilot, "Rating", rating)
    await pick(pilot, "Lead Source", source)
    await enter(pilot, "Company", company)
    await enter(pilot, "Last Name", last)
    await enter(pilot, "First Name", first)
    await save(pilot)


async def sales_004(pilot: Pilot, case: Case) -> None:
    """Convert by the last stage of the lead's path in place of the button Convert."""
    await open_record(pilot, "Leads", case["lead"])
    block = f"{PAGE} >> .slds-page-header__detail-block:has-text('Company')"
    company = (await pilot.read(block)).strip().splitlines()[-1].strip()
    await pilot.click(f"{PAGE} >> [data-title='Converted']")
    await press(pilot, "Select Converted Status", PAGE)
    match = f"{DIALOG} >> section[aria-label=Account] >> label:has-text('{company}')"
    if await pilot.sees(match):
        await pilot.click(match)
    await enter(pilot, "Opportunity Name", case["opportunity"])
    await pick(pilot, "Converted Status", "Closed - Converted")
    await press(pilot, "Convert")


async def sales_005(pilot: Pilot, case: Case) -> None:
    """Move the stage on the path first; make tasks and events by the Global Actions."""
    await open_record(pilot, "Opportunities", case["opportunity"])
    await pilot.click(f"{PAGE} >> [data-title='{case['stage']}']")
    await press(pilot, "Mark as Current Stage", PAGE)
    await saved(pilot)
    words, composer = case.goal.lower(), "#activity"
    if "email" in words.partition("subject")[0]:
        await pilot.click(named("tab", "Email", composer))
        await enter(pilot, "Email Body", "Dear customer,\nplease have a look at our proposal.", composer)
        await enter(pilot, "Subject", case["text"], composer)
        await enter(pilot, "To", case["recipient"], composer)
        await press(pilot, "Send", composer)
    elif "call" in words:
        await pilot.click(named("tab", "Log a Call", composer))
        await enter(pilot, "Comments", case["text"], composer)
        await press(pilot, "Save", composer)
    else:
        await _global_action(pilot, "New Event" if "event" in words else "New Task")
        await pilot.fill(named("combobox", "Subject", DIALOG), case["text"])
        await pilot.press("Tab")
        await choose_far(pilot, "Object of Related To", "Opportunities", DIALOG)
        await look_up(pilot, "Related To", case["opportunity"])
        for end, hour in (("Start", "10:00 AM"), ("End", "11:00 AM")) if "event" in words else ():
            group = f"{DIALOG} >> role=group[name='{end}']"
            await pilot.fill(named("textbox", "Date", group), "6/1/2026")
            await pilot.fill(named("combobox", "Time", group), hour)
            await pilot.press("Tab")
        await save(pilot)


async def sales_006(pilot: Pilot, case: Case) -> None:
    """Reach the picklist by Object Manager's quick find, and create the products by Save & New, the last first."""
    await open_object(pilot, "Product", "Fields & Relationships")
    await follow(pilot, "Product Family")
    await press(pilot, "New", named("region", "Product Family Picklist Values"))
    await enter_values(pilot, "Product Family", [case["family"]])
    products = re.findall(
        r"([A-Z0-9][\w ]*?) \((?:product code ([\w-]+), )?product description " + _QUOTED, case.goal
    )
    await open_item(pilot, "Products")
    await press(pilot, "New", PAGE)
    for at, (name, code, description) in enumerate(reversed(products), 1):
        await enter(pilot, "Product Description", description)
        await pick(pilot, "Product Family", case["family"])
        if code:
            await enter(pilot, "Product Code", code)
        await enter(pilot, "Product Name", name)
        await save(pilot, "Save" if at == len(products) else "Save & New")


async def sales_007(pilot: Pilot, case: Case) -> None:
    """Create both price books, then add the product to them from its own page."""
    await open_item(pilot, "Price Books")
    await press(pilot, "New", PAGE)
    for name, button in ((case["second_book"], "Save & New"), (case["first_book"], "Save")):
        await tick(pilot, "Active")
        await enter(pilot, "Price Book Name", name)
        await save(pilot, button)
    await _shows(pilot, case["first_book"])
    await open_tab(pilot, "Products")  # where no message lies over the search
    await open_record(pilot, "Products", case["product"])
    for which in ("second", "first"):
        await new_related(pilot, "Price Books", "Add to Price Book")
        await pick(pilot, "Price Book", case[f"{which}_book"])
        await press(pilot, "Next")
        await _cell(pilot, "List Price", str(case[f"{which}_price"]))
        await save(pilot)


async def sales_008(pilot: Pilot, case: Case) -> None:
    """Create the quote from the tab Quotes in place of the opportunity."""
    await open_item(pilot, "Quotes")
    await press(pilot, "New", PAGE)
    await look_up(pilot, "Opportunity Name", case["opportunity"])
    await enter_day(pilot, "Expiration Date", told_in(r"(\d+ (?:day|week|month)s?) from today", case.goal))
    await enter(pilot, "Quote Name", case["quote"])
    await save(pilot)
    await new_related(pilot, "Quote Line Items", "Add Products")
    if await pilot.sees(named("combobox", "Price Book", DIALOG)):
        await pick(pilot, "Price Book", "Standard Price Book")
        await press(pilot, "Save")
        await new_related(pilot, "Quote Line Items", "Add Products")
    await pilot.fill("#product-words", case["product"])
    await pilot.click(f"{row_of(case['product'], DIALOG)} >> .slds-checkbox__label")
    await press(pilot, "Next")
    await _cell(pilot, "Discount", str(case["discount"]))
    await _cell(pilot, "Quantity", str(case["quantity"]))
    await save(pilot)


async def sales_009(pilot: Pilot, case: Case) -> None:
    """Create contract and order from their own tabs, in place of the account's and the contract's page."""
    account, months, starts, order = next(
        one
        for one in (
            ("Knight LLC", 12, "", "Friday"),
            ("Lee Services", 24, "1 week", "3 weeks"),
            ("Green Solutions", 18, "1 month", "1 month"),
            ("Tech Giants", 12, "3 weeks", "1 day"),
            ("Black Enterprises", 6, "4 weeks", "2 weeks"),
        )
        if one[0] in case.goal
    )
    await open_item(pilot, "Contracts")
    await press(pilot, "New", PAGE)
    await enter(pilot, "Contract Term (months)", str(months))
    start = await enter_day(pilot, "Contract Start Date", starts)
    await look_up(pilot, "Account Name", account)
    await save(pilot)
    number = (await pilot.read(f"{PAGE} >> h1 >> .slds-page-header__title")).strip()
    await open_item(pilot, "Orders")
    await press(pilot, "New", PAGE)
    await look_up(pilot, "Contract Number", number)
    await look_up(pilot, "Account Name", account)
    begins = (
        start + timedelta(days=(3 - start.weekday()) % 7 + 1) if order == "Friday" else later(start, order)
    )
    await enter_date(pilot, "Order Start Date", begins.isoformat())
    await save(pilot)


async def sales_010(pilot: Pilot, case: Case) -> None:
    """Take the stages out that are not wanted one by one, the last first."""
    await open_setup(pilot, "Sales Processes", "sales proc")
    await press(pilot, "New", HERE)
    await enter(pilot, "Sales Process Name", case["process"], PAGE)
    await press_first(pilot, "Save")
    wanted = told_in(r"(?:has for them|selected stages are):? (.+?)[;.]", case.goal).split(", ")
    chosen = named("listbox", "Selected Values", PAGE)
    shown: list[str] = []
    while await pilot.sees(option := f"{chosen} >> option >> nth={len(shown)}"):
        shown.append((await pilot.read(option)).strip())
    for stage in (stage for stage in reversed(shown) if stage not in wanted):
        await pilot.click(f"{chosen} >> option:text-is('{stage}')")
        await press(pilot, "Remove from Selected Values", PAGE)
    await press_first(pilot, "Save")


async def sales_011(pilot: Pilot, case: Case) -> None:
    """Enter the criteria from the last to the first, and give the rule its name in the end."""
    await open_setup(pilot, "Territory Settings", "Territor")
    if await pilot.sees(named("button", "Enable Sales Territories", HERE)):
        await press(pilot, "Enable Sales Territories", HERE)
    await open_setup(pilot, "Territory Models", "Models")
    await press(pilot, "New Territory Model", HERE)
    await enter(pilot, "Label", case["model"], PAGE)
    await pilot.press("Tab")
    await press_first(pilot, "Save")
    if not await pilot.sees(named("region", "Assignment Rules", HERE)):
        await follow(pilot, case["model"], HERE)
    await press(pilot, "New Rule", HERE)
    await fill_criteria(pilot, re.findall(r'(Account: [A-Z][\w ]*?) ([a-z][a-z ]+) "([^"]*)"', case.goal))
    await enter(pilot, "Rule Name", case["rule"], PAGE)
    await pilot.press("Tab")
    await press_first(pilot, "Save")


async def sales_012(pilot: Pilot, case: Case) -> None:
    """Add each lead from its own page, in place of the campaign's."""
    budget = int(case["budget"])
    times = found_in(r"^(\d+) times the budgeted cost(?: plus ([\d,]+))?", case["revenue_words"])
    revenue = int(times[1]) * budget + int((times[2] or "0").replace(",", ""))
    await open_item(pilot, "Campaigns")
    await press(pilot, "New", PAGE)
    await enter(pilot, "Budgeted Cost in Campaign", f"{budget:,}")
    await enter(pilot, "Expected Revenue in Campaign", f"${revenue:,}.00")
    await enter_day(pilot, "Start Date", told_in(r"(\d+ weeks?) from today", case.goal))
    await pick(pilot, "Type", case["type"])
    await enter(pilot, "Campaign Name", case["campaign"])
    await save(pilot)
    await _shows(pilot, case["campaign"])
    leads = told_in(r"(?:as its members: |the leads )(.+?)(?:, nobody|\.)", case.goal)
    for lead in reversed(re.split(r", | and ", leads)):
        await open_list(pilot, "Leads")
        await open_record(pilot, "Leads", lead)
        await new_related(pilot, "Campaign History", "Add to Campaign")
        await look_up(pilot, "Campaign", case["campaign"])
        await press(pilot, "Next")
        await press(pilot, "Submit")


async def sales_013(pilot: Pilot, case: Case) -> None:
    """Find the newest call in the lead's related list, and judge it by what is said to be missing."""
    await open_record(pilot, "Leads", case["lead"])
    await show_part(pilot, "Related")
    await pilot.click(f"{related('VoiceCallTranscripts')} >> tbody >> tr >> nth=0 >> role=link >> nth=0")
    text = await _transcript(pilot)
    lacks = (
        ("Authority", "decided by the board of the holding, and I have no seat there"),
        ("Budget", "not a dollar more this year"),
        ("Timeline", "the letter cannot be moved"),
        ("Need", "I have no use for one"),
    )
    await pilot.answer(next((word for word, said in lacks if said in text), "Qualified"))


async def sales_014(pilot: Pilot, case: Case) -> None:
    """Unfold the tasks on the opportunity's page one by one, and judge by what the newest say."""
    await open_record(pilot, "Opportunities", case["opportunity"])
    text, at = "", 0
    button = "[aria-label=Timeline] >> button[data-fold] >> nth={}"
    while await pilot.sees(button.format(at)):
        await pilot.click(button.format(at))
        at += 1
    text = " ".join((await pilot.read("[aria-label=Timeline]")).split())
    path = " ".join((await pilot.read(f"{PAGE} >> .slds-path__item.slds-is-current")).split())
    shown = (
        ("Closed Won", "Both signatures are on the contract"),
        ("Negotiation/Review", "Second round of talks on both points"),
        ("Proposal/Price Quote", "The written offer with all prices went to the CFO today"),
        ("Needs Analysis", "What they need is still unclear"),
        ("Id. Decision Makers", "Nobody could say yet who has the last word"),
    )
    stage = next(stage for stage, said in shown if said in text)
    await pilot.answer("Correct" if stage in path else stage)


async def sales_015(pilot: Pilot, case: Case) -> None:
    """Open the list view of all calls in place of a search."""
    call, pattern, said = next(
        rest
        for word, *rest in (
            ("warranty", "Carlos Nunez and Hiro Tanaka", "warranty of two years is included", "2 years"),
            (
                "AutoLayout",
                "Carlos Fernandez and Rajesh Kumar",
                "hundred and thirty dollars for one",
                "$530.00",
            ),
            ("Okonkwo", "Emmanuel Okonkwo and Rajesh Kumar", "I need it done within three days", "3 days"),
            ("Xia Li", "Fatima Al-Masri and Xia Li", "one hundred and fifty-five dollars", "$2,155.00"),
            ("Sokolova", "Monique Dubois and Olga Sokolova", "I propose UnitySim", "UnitySim"),
        )
        if word in case.goal
    )
    await open_list(pilot, "VoiceCallTranscripts", "All")
    await follow(pilot, call)
    await pilot.answer(said if pattern in await _transcript(pilot) else "I do not know")


_INLINE = f"{PAGE} >> form.org-inline"


async def _save_anyway(pilot: Pilot) -> None:
    """Save, also where the form warns of a record that is called alike."""
    await press(pilot, "Save")
    if await pilot.sees(f"{DIALOG} >> [role=alert]:has-text('View Duplicates')"):
        await press(pilot, "Save")
    await saved(pilot)


async def _shows(pilot: Pilot, name: str) -> None:
    """Wait for the page of the new record, since what is typed before it comes is lost."""
    await pilot.read(f"{PAGE} >> h1 >> .slds-page-header__title:text-is({json.dumps(name)})")


async def _transcript(pilot: Pilot) -> str:
    return " ".join((await pilot.read(f"{PAGE} >> .org-detail:has(> #detail-Body__c)")).split())


async def _global_action(pilot: Pilot, name: str) -> None:
    await press(pilot, "Global Actions", "")
    await pilot.click(named("menuitem", name))


async def _cell(pilot: Pilot, column: str, text: str) -> None:
    """Enter a figure of the first line, by its pencil."""
    await press(pilot, f"Edit {column}: Item 1")
    await pilot.fill(named("textbox", f"{column}: Item 1", DIALOG), text)
    await pilot.press("Enter")
