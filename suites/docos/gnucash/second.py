"""Second solutions of GnuCash, written without a look at the checks: by context menus, Tab, and letters of labels."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot

from ..toolkit.gtk import choose


async def _follow(pilot: Pilot, *texts: object) -> None:
    """Fill fields that follow each other, going on by Tab, which selects what is in the next one."""
    for text in texts:
        await pilot.press("tab")
        await pilot.type(str(text))


async def _context(pilot: Pilot, account: str, item: str) -> None:
    """Choose from an account's context menu."""
    await pilot.click(f'table-cell[name="{account}"]', button="right")
    await pilot.click(f'menu-item[name^="{item}"]')


async def _save(pilot: Pilot) -> None:
    """Press OK, and save by keys."""
    await pilot.click('push-button[name="OK"]')
    await pilot.press("ctrl+s")


async def _preferences(pilot: Pilot, page: str) -> None:
    """Open a page of the preferences, after a look at another one."""
    await choose(pilot, "Edit", "Preferences")
    await pilot.click('dialog >> page-tab[name="Windows"]')
    await pilot.click(f'dialog >> page-tab[name="{page}"]')


async def _close(pilot: Pilot) -> None:
    """Close the preferences, which are kept as they are set."""
    await pilot.press("alt+c")


async def renumber(pilot: Pilot, case: Case) -> None:
    """Go from field to field by Tab."""
    await pilot.click('table-cell[name="Materials"]')
    await choose(pilot, "Edit", "Renumber Subaccounts...")
    await pilot.fill("dialog >> text", case["prefix"])
    await _follow(pilot, case["row_step"], case["row_digits"])
    await pilot.press("tab")
    await pilot.click('push-button[name="Renumber"]')
    await pilot.press("ctrl+s")


async def cascade(pilot: Pilot, case: Case) -> None:
    """From the account's context menu, what is hidden first."""
    await _context(pilot, "Investments", "Cascade")
    for name in ("Hidden", "Placeholder"):
        await pilot.click(f'check-box[name="Enable Cascading Account {name}"]')
        await pilot.click(f'check-box[name="{name}"]')
    await _save(pilot)


async def opening_balance(pilot: Pilot, case: Case) -> None:
    """From the parent's context menu, the balance first."""
    await _context(pilot, "Savings", "New Account")
    await pilot.press("alt+n")
    await pilot.type(case["name"])
    await _follow(pilot, case["code"])
    await pilot.click('page-tab[name="Opening Balance"]')
    await pilot.press("alt+d")
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['day']}\t")
    await pilot.press("alt+b")
    await pilot.type(f"{str(case['amount']).replace('$', '')}\t")
    await _save(pilot)


async def read_only(pilot: Pilot, case: Case) -> None:
    """Apply, and close the dialog afterwards."""
    await choose(pilot, "File", "Properties")
    await pilot.fill('spin-button[description^="Choose the number of days"]', str(case["days"]))
    await pilot.press("tab")
    await pilot.click('push-button[name="Apply"]')
    await pilot.click('push-button[name="Close"][description^="Close dialog"]')
    await pilot.press("ctrl+s")


async def numbers(pilot: Pilot, case: Case) -> None:
    """Tick, untick and tick."""
    await choose(pilot, "File", "Properties")
    await pilot.click('check-box[name="Use Split Action Field for Number"]')
    await pilot.press("space", 2)
    await _save(pilot)


async def company(pilot: Pilot, case: Case) -> None:
    """From the last field to the first."""
    await choose(pilot, "File", "Properties")
    await pilot.click('page-tab[name="Business"]:nth(0)')
    await pilot.fill('text[description^="The ID for your company"]', case["number"])
    await pilot.fill('text[description^="The email address"]', case["mail"])
    await pilot.fill('text[description^="The phone number"]', case["phone"])
    await pilot.fill('text[description^="The contact person"]', case["person"])
    await pilot.press("tab")
    await _save(pilot)


async def counters(pilot: Pilot, case: Case) -> None:
    """Go from the number to its format by Tab."""
    await choose(pilot, "File", "Properties")
    await pilot.click('page-tab[name="Counters"]')
    shown, letters, digits = case["number_shown"], case["number_letters"], int(case["number_digits"])
    number = int("".join(sign for sign in shown.removeprefix(letters) if sign.isdigit()))
    await pilot.fill('spin-button[description^="The previous customer number"]', str(number - 1))
    between = shown.removeprefix(letters)[:-digits]
    await _follow(pilot, f"{letters}{between}%0{digits}li")
    await pilot.press("tab")
    await _save(pilot)


async def decimal_point(pilot: Pilot, case: Case) -> None:
    """Set the months first."""
    await _preferences(pilot, "Numbers, Date, Time")
    await pilot.click('dialog >> radio-button[name^="In a sliding"]')
    await _follow(pilot, f"{case['months']}\t")
    await pilot.press("alt+a")
    await pilot.press("alt+d")
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['places']}\t")
    await _close(pilot)


async def reconcile_today(pilot: Pilot, case: Case) -> None:
    """By the letters of the labels."""
    await _preferences(pilot, "Register")
    await pilot.press("alt+o")
    await pilot.press("alt+t")
    await _close(pilot)


async def schedules(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, by letters."""
    await _preferences(pilot, "Scheduled Transactions")
    for letter, days in (("e", case["remind"]), ("t", case["create"])):
        await pilot.press(f"alt+{letter}")
        await pilot.press("ctrl+a")
        await pilot.type(f"{days}\t")
    await pilot.press("alt+a")
    await pilot.press("alt+n")
    await _close(pilot)


async def this_year(pilot: Pilot, case: Case) -> None:
    """By an arrow key, from the other choice."""
    await _preferences(pilot, "Numbers, Date, Time")
    await pilot.click('dialog >> radio-button[name^="In a sliding"]')
    await pilot.press("up")
    await pilot.click('dialog >> radio-button[name^="In the current"]')
    await _close(pilot)


async def signs(pilot: Pilot, case: Case) -> None:
    """Choose by the letter of the label, after another choice."""
    await _preferences(pilot, "Accounts")
    await pilot.press("alt+n")
    await pilot.press("alt+i")
    await _close(pilot)


async def backups(pilot: Pilot, case: Case) -> None:
    """Try the other choice first."""
    await _preferences(pilot, "General")
    await pilot.click('dialog >> radio-button[name="Forever"]')
    await pilot.click('dialog >> radio-button[name="For"]')
    await pilot.fill('dialog >> spin-button[description^="How many days to keep"]', str(case["days"]))
    await pilot.press("tab")
    await _close(pilot)


async def terms(pilot: Pilot, case: Case) -> None:
    """Choose the kind first, and go from field to field by Tab."""
    await choose(pilot, "Business", "Billing Terms Editor")
    await pilot.press("alt+n")
    await pilot.press("alt+n")
    await pilot.type(case["name"])
    await _follow(pilot, case["text"])
    await pilot.press("alt+t")
    await pilot.press("down")
    await pilot.click('dialog >> spin-button[description^="The day of the month bills are due"]')
    await pilot.press("ctrl+a")
    await pilot.type(str(case["due"]))
    await _follow(pilot, case["early"], case["discount"], case["cutoff"])
    await pilot.click('push-button[name="OK"]')
    await pilot.press("alt+c")
    await pilot.click('frame[name$="GnuCash"] >> push-button[name="Save"]')


async def tax_table(pilot: Pilot, case: Case) -> None:
    """By letters of labels, the account first, which is found by arrow keys."""
    await choose(pilot, "Business", "Sales Tax Table")
    await pilot.click('frame[name="Tax Tables"] >> push-button[name="New"]:nth(0)')
    await pilot.press("alt+a")
    await pilot.press("end")
    await pilot.press("shift+right")
    await pilot.press("down", ["Card", "Sales Tax", "Suppliers"].index("Sales Tax") + 1)
    await pilot.press("alt+v")
    await pilot.type(f"{case['rate']}\t")
    await pilot.press("alt+n")
    await pilot.type(f"{case['name']}\t")
    await pilot.press("alt+o")
    await pilot.click('frame[name="Tax Tables"] >> push-button[name="Close"]')
    await pilot.press("ctrl+s")


async def price(pilot: Pilot, case: Case) -> None:
    """By letters of labels, the price first."""
    await choose(pilot, "Tools", "Price Database")
    await pilot.press("alt+a")
    for letter, text in (("p", case["price"]), ("d", case["day"])):
        await pilot.press(f"alt+{letter}")
        await pilot.press("ctrl+a")
        await pilot.type(f"{text}\t")
    await pilot.press("alt+t")
    await pilot.press("up")
    await pilot.press("alt+o")
    await pilot.click('frame[name="Price Database"] >> push-button[name="Close"]')
    await pilot.press("ctrl+s")


async def _payment(pilot: Pilot, name: str) -> None:
    """Open the account from its context menu, and go up from its empty row."""
    await _context(pilot, "Checking", "Open Account")
    names = ("Electricity", "Rent for March", "Evening course", "Kiln insurance", "Rent for February")
    await pilot.press("up", (*names, "Market stall", "Clay in bags", "Rent for January").index(name) + 1)


async def duplicate(pilot: Pilot, case: Case) -> None:
    """Enter the number first, and go back to the date by Tab."""
    await _payment(pilot, case["what_name"])
    await choose(pilot, "Transaction", "Duplicate Transaction")
    await pilot.fill("dialog >> text", case["number"])
    await pilot.press("shift+tab", 2)
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['day']}\t")
    await _save(pilot)


async def schedule(pilot: Pilot, case: Case) -> None:
    """By the toolbar, and from the last setting to the first."""
    await _payment(pilot, "Kiln insurance")
    await pilot.click('push-button[name="Schedule"]')
    await pilot.click('dialog >> radio-button[name="Number of Occurrences"]')
    await pilot.fill('dialog >> text[value="1"]', f"{case['times']}\t")
    await pilot.click('dialog >> combo-box[name="Daily"]')
    await pilot.press("escape")
    often = ("day", "week", "two weeks", "month", "three months", "year")
    await pilot.press("down", often.index(case["frequency_words"].removeprefix("every ")))
    await pilot.fill('dialog >> text[value="Kiln insurance"]', f"{case['name']}\t")
    await _save(pilot)


async def budget(pilot: Pilot, case: Case) -> None:
    """By the menu, and from the last setting to the first."""
    await choose(pilot, "Actions", "Budget", "New Budget")
    await choose(pilot, "Edit", "Budget Options...")
    await pilot.fill('dialog >> spin-button[value="12"]', f"{case['count']}\t")
    await pilot.fill('dialog >> spin-button[description^="Number of calendar units"]', f"{case['every']}\t")
    await pilot.fill('dialog >> text[value^="Created"]', case["text"])
    await pilot.fill('dialog >> text[value="Unnamed Budget"]', f"{case['name']}\t")
    await _save(pilot)
