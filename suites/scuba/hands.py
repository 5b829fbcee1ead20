"""What hands do in every org: go somewhere, fill forms, save, work with lists, and find their way in Setup.

Elements are named as people and screen readers name them. What is named is looked for in `within`: the dialog on top
(`DIALOG`), the page below the tabs (`PAGE`), or a part of these.
"""

from __future__ import annotations

import json
from datetime import date

from pytest_cuabench.adapters.oracle import Hand, Lost

DIALOG = "#modals > :last-child"
PAGE = "#main"
_ALIKE = 5  # options that begin with the same words
_TOAST = "#toasts [data-toast]"
_SNAG = f"{DIALOG} >> .org-snag"


def named(role: str, name: str, within: str = "") -> str:
    """Return what selects the element of a role that is called exactly so."""
    selected = f"role={role}[name={json.dumps(name, ensure_ascii=False)}]"
    return f"{within} >> {selected}" if within else selected


def reading(tag: str, text: str, within: str = "") -> str:
    """Return what selects the element of a tag with exactly this text."""
    selected = f"{tag}:text-is({json.dumps(text, ensure_ascii=False)})"
    return f"{within} >> {selected}" if within else selected


async def press(hand: Hand, name: str, within: str = DIALOG) -> None:
    """Press a button."""
    await hand.click(named("button", name, within))


async def follow(hand: Hand, name: str, within: str = PAGE) -> None:
    """Follow a link."""
    await hand.click(named("link", name, within))


async def choose_in_menu(hand: Hand, menu: str, entry: str, within: str = PAGE) -> None:
    """Open the menu behind a button and choose from it."""
    await press(hand, menu, within)
    await hand.click(named("menuitem", entry, named("menu", menu, within)))


# Ways to a page


async def open_app(hand: Hand, name: str) -> None:
    """Open an app with the App Launcher."""
    await press(hand, "App Launcher", "")
    await hand.fill("#launcher-search", name)
    await hand.click(f'ul[aria-label="Apps"] > [data-launcher-entry={json.dumps(name)}]')


async def open_item(hand: Hand, name: str) -> None:
    """Open what the App Launcher lists below the apps, such as `Price Books`."""
    await press(hand, "App Launcher", "")
    await hand.fill("#launcher-search", name)
    await hand.click(f'ul[aria-label="Items"] > [data-launcher-entry={json.dumps(name)}]')


async def open_tab(hand: Hand, name: str) -> None:
    """Go to a tab of the app, or where the app does not have it, to the item of that name."""
    tab = f"[data-navigation-tabs] > [data-tab={json.dumps(name)}] > a"
    if await hand.sees(tab):
        await hand.click(tab)
    else:
        await open_item(hand, name)


async def open_list(hand: Hand, tab: str, view: str = "") -> None:
    """Go to the list of an object, and to one of its list views."""
    await open_tab(hand, tab)
    if view and not await hand.sees(reading("h1 > .slds-page-header__title", view)):
        await press(hand, f"Select a List View: {tab}", PAGE)
        await hand.click(named("menuitemradio", view))


async def search(hand: Hand, words: str) -> None:
    """Search the whole org."""
    await hand.fill("#global-search", words)
    await hand.press("Enter")


async def open_record(hand: Hand, plural: str, name: str, beside: str = "", words: str = "") -> None:
    """Find a record of an object by global search and open it.

    Args:
        plural: What the object's records are called together, such as `Opportunities`.
        beside: What stands in the same row, where several are called so.
        words: What to search for, where it is not the name.
    """
    await search(hand, words or name)
    await follow(hand, name, row_of(name, named("table", plural), beside))


async def show_part(hand: Hand, tab: str) -> None:
    """Show a part of a record's page: `Related`, `Details`, or another tab."""
    link = named("tab", tab, PAGE)
    if not await hand.sees(f"{PAGE} >> role=tab[selected][name={json.dumps(tab)}]"):
        await hand.click(link)


async def start(hand: Hand, action: str) -> None:
    """Press a button of a record's page, which may be in the menu beside the buttons."""
    head = f"{PAGE} >> .slds-page-header"
    if await hand.sees(named("button", action, head)):
        await press(hand, action, head)
    else:
        await choose_in_menu(hand, "Show more actions", action, head)


# Forms


async def enter(hand: Hand, field: str, text: str, within: str = DIALOG) -> None:
    """Replace what a text field holds."""
    await hand.fill(named("textbox", field, within), text)


async def enter_date(hand: Hand, field: str, day: str, within: str = DIALOG) -> None:
    """Enter a day, given as `2026-11-22`, as the org's users write it."""
    await enter(hand, field, american(day), within)


def american(day: str) -> str:
    """Return a day, given as `2026-11-22`, as people in the United States write it."""
    found = date.fromisoformat(day)
    return f"{found.month}/{found.day}/{found.year}"


async def pick(hand: Hand, field: str, option: str, within: str = DIALOG) -> None:
    """Choose a value of a picklist by typing it, as it may be far down in a list that scrolls."""
    await hand.click(named("combobox", field, within))
    await hand.type(option)
    pointed_at = f"{named('listbox', field, within)} >> [role=option].slds-has-focus"
    for _ in range(_ALIKE):
        if (await hand.read(pointed_at)).strip() == option:
            break
        await hand.press("Down")
    await hand.press("Enter")


async def look_up(hand: Hand, field: str, name: str, beside: str = "", within: str = DIALOG) -> None:
    """Choose a record in a lookup; what it held before is cleared.

    Args:
        beside: What stands below the name, where several records are called so.
    """
    clear = named("button", f"Clear {field} Selection", within)
    if await hand.sees(clear):
        await hand.click(clear)
    await hand.fill(named("combobox", field, within), name)
    option = f"[role=option][data-text={json.dumps(name, ensure_ascii=False)}]"
    option += f":has-text({json.dumps(beside, ensure_ascii=False)})" if beside else ""
    await hand.click(f"{named('listbox', field, within)} >> {option}")


async def tick(hand: Hand, field: str, within: str = DIALOG) -> None:
    """Tick a box, or take its tick away."""
    box = named("checkbox", field, within)
    drawn = f"{box} >> xpath=following-sibling::label"  # Lightning draws its boxes itself
    await hand.click(drawn if await hand.sees(drawn) else box)


async def save(hand: Hand, button: str = "Save", within: str = DIALOG) -> None:
    """Press Save.

    Raises:
        Lost: The page says that it could not be saved.
    """
    await press(hand, button, within)
    await told(hand)


async def told(hand: Hand) -> None:
    """See that the page says that something was done.

    Raises:
        Lost: It says that something is wrong, or nothing.
    """
    if await hand.sees(_SNAG):
        raise Lost(f"the form was not saved: {' '.join((await hand.read(_SNAG)).split())}")
    if not await hand.sees(f"{_TOAST}:not([data-toast=error])"):
        raise Lost("no message says that it was saved")


async def open_saved(hand: Hand) -> None:
    """Open the record that the last message is about."""
    await hand.click(f"{_TOAST}:last-child >> role=link")


# Lists and tables


def row_of(text: str, within: str = PAGE, beside: str = "") -> str:
    """Return what selects the row of a table that has a cell with exactly this text."""
    cell = f":text-is({json.dumps(text, ensure_ascii=False)})"
    more = f":has-text({json.dumps(beside, ensure_ascii=False)})" if beside else ""
    return f"{within} >> tr:has({cell}){more}"


async def choose_for_row(hand: Hand, text: str, action: str, within: str = PAGE) -> None:
    """Choose from the menu at the end of a row."""
    row = row_of(text, within)
    await choose_in_menu(hand, "Show Actions", action, row)


async def select_row(hand: Hand, text: str, within: str = PAGE) -> None:
    """Tick the box at the beginning of a row."""
    await hand.click(f"{row_of(text, within)} >> .slds-checkbox__label")


def related(title: str) -> str:
    """Return what selects a related list on a record's page."""
    return f"{PAGE} >> article.org-related[aria-label={json.dumps(title)}]"


async def new_related(hand: Hand, title: str, action: str = "New") -> None:
    """Press a button of a related list."""
    await show_part(hand, "Related")
    await press(hand, action, related(title))


async def move_over(hand: Hand, options: list[str], side: str, within: str = DIALOG) -> None:
    """Move options from the other list of two to the one that is called so."""
    for option in options:
        await hand.click(f"{within} >> [data-dual] >> {named('option', option)}")
        await press(hand, f"Move selection to {side}", within)


# Setup


async def open_setup(hand: Hand, page: str, words: str = "") -> None:
    """Open Setup by the gear, and a page of it by Quick Find."""
    await choose_in_menu(hand, "Setup", "Setup", "")
    await hand.fill("#quick-find", words or page)
    await follow(hand, page, "[data-setup-tree]")


async def open_object(hand: Hand, object: str, part: str) -> None:
    """Open an object in Object Manager, and a part of it such as `Fields & Relationships`."""
    await choose_in_menu(hand, "Setup", "Setup", "")
    await follow(hand, "Object Manager", 'nav[aria-label="Setup"]')
    await hand.fill("#object-find", object)
    await follow(hand, object)
    await follow(hand, part)


async def choose(hand: Hand, field: str, option: str, within: str = PAGE) -> None:
    """Choose from a plain drop-down list, as pages of Setup have them."""
    await hand.click(named("combobox", field, within))
    await hand.click(named("option", option))


async def add_to_list(hand: Hand, options: list[str], left: str, right: str, kind: str = "") -> None:
    """Move options of a Setup page's left list to the right one, searched for by name where the page can.

    Args:
        left: What the list is called in which they are.
        right: What the other one is called.
        kind: What kind of members they are, where there are several.
    """
    if kind:
        await choose(hand, "Search:", kind)
    for option in options:
        if kind:
            await enter(hand, "for:", option.partition(": ")[2] or option, PAGE)
            await press(hand, "Find", PAGE)
        await hand.click(f"{named('listbox', left, PAGE)} >> {reading('option', option)}")
        await press(hand, f"Add to {right}", PAGE)


async def enter_values(hand: Hand, field: str, values: list[str]) -> None:
    """Enter new values of a picklist on Setup's page for them, one on each line, and save."""
    await enter(hand, field, "\n".join(values), PAGE)
    await hand.click(f"{named('button', 'Save', PAGE)} >> nth=0")
