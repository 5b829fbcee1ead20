"""What hands do in every org: go somewhere, fill forms, save, work with lists, and find their way in Setup.

Elements are named as people and screen readers name them. What is named is looked for in `within`: the dialog on top
(`DIALOG`), the page below the tabs (`PAGE`), or a part of these.
"""

from __future__ import annotations

import json
from datetime import date

from pytest_cuabench.agents.builtin.oracle import Lost, Pilot

DIALOG = "#modals > :last-child"
PAGE = "#main"
HERE = ".org-setup__page"  # beside the tree, whose links are called like what stands in lists
_SETUP = 'nav[aria-label="Setup"]'
_ALIKE = 5  # options that begin with the same words
_TRIES = 4
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


async def press(pilot: Pilot, name: str, within: str = DIALOG) -> None:
    """Press a button."""
    await pilot.click(named("button", name, within))


async def press_first(pilot: Pilot, button: str) -> None:
    """Press a button that a form has above and below."""
    await pilot.click(f"{named('button', button, HERE)} >> nth=0")


async def follow(pilot: Pilot, name: str, within: str = PAGE) -> None:
    """Follow a link."""
    await pilot.click(named("link", name, within))


async def choose_in_menu(pilot: Pilot, menu: str, entry: str, within: str = PAGE) -> None:
    """Open the menu behind a button and choose from it."""
    await press(pilot, menu, within)
    await pilot.click(named("menuitem", entry, named("menu", menu, within)))


# Ways to a page


async def open_app(pilot: Pilot, name: str) -> None:
    """Open an app with the App Launcher."""
    await press(pilot, "App Launcher", "")
    await pilot.fill("#launcher-search", name)
    await pilot.click(f'ul[aria-label="Apps"] > [data-launcher-entry={json.dumps(name)}]')


async def open_item(pilot: Pilot, name: str) -> None:
    """Open what the App Launcher lists below the apps, such as `Price Books`."""
    await press(pilot, "App Launcher", "")
    await pilot.fill("#launcher-search", name)
    await pilot.click(f'ul[aria-label="Items"] > [data-launcher-entry={json.dumps(name)}]')


async def open_tab(pilot: Pilot, name: str) -> None:
    """Go to a tab of the app, or where the app does not have it, to the item of that name."""
    tab = f"[data-navigation-tabs] > [data-tab={json.dumps(name)}] > a"
    if await pilot.sees(tab):
        await pilot.click(tab)
    else:
        await open_item(pilot, name)


async def open_list(pilot: Pilot, tab: str, view: str = "") -> None:
    """Go to the list of an object, and to one of its list views."""
    await open_tab(pilot, tab)
    if view and not await pilot.sees(reading("h1 > .slds-page-header__title", view)):
        await press(pilot, f"Select a List View: {tab}", PAGE)
        await pilot.click(named("menuitemradio", view))


async def search(pilot: Pilot, words: str) -> None:
    """Search the whole org."""
    await pilot.fill("#global-search", words)
    await pilot.press("Enter")


async def open_record(pilot: Pilot, plural: str, name: str, beside: str = "", words: str = "") -> None:
    """Find a record of an object by global search and open it.

    Args:
        plural: What the object's records are called together, such as `Opportunities`.
        beside: What stands in the same row, where several are called so.
        words: What to search for, where it is not the name.
    """
    await search(pilot, words or name)
    await follow(pilot, name, row_of(name, named("table", plural), beside))


async def show_part(pilot: Pilot, tab: str) -> None:
    """Show a part of a record's page: `Related`, `Details`, or another tab."""
    link = named("tab", tab, PAGE)
    if not await pilot.sees(f"{PAGE} >> role=tab[selected][name={json.dumps(tab)}]"):
        await pilot.click(link)


async def start(pilot: Pilot, action: str) -> None:
    """Press a button of a record's page, which may be in the menu beside the buttons."""
    head = f"{PAGE} >> .slds-page-header"
    if await pilot.sees(named("button", action, head)):
        await press(pilot, action, head)
    else:
        await choose_in_menu(pilot, "Show more actions", action, head)


# Forms


async def enter(pilot: Pilot, field: str, text: str, within: str = DIALOG) -> None:
    """Replace what a text field holds."""
    await pilot.fill(named("textbox", field, within), text)


async def enter_date(pilot: Pilot, field: str, day: str, within: str = DIALOG) -> None:
    """Enter a day, given as `2026-11-22`, as the org's users write it."""
    await enter(pilot, field, american(day), within)


def american(day: str) -> str:
    """Return a day, given as `2026-11-22`, as people in the United States write it."""
    found = date.fromisoformat(day)
    return f"{found.month}/{found.day}/{found.year}"


async def pick(pilot: Pilot, field: str, option: str, within: str = DIALOG) -> None:
    """Choose a value of a picklist by typing it, as it may be far down in a list that scrolls."""
    await pilot.click(named("combobox", field, within))
    await point_at(pilot, option, f"{named('listbox', field, within)} >> [role=option].slds-has-focus")
    await pilot.press("Enter")


async def point_at(pilot: Pilot, option: str, pointed_at: str) -> None:
    """Type an option of the long list that has the focus; typing too slowly begins another word, so try again then."""
    for _ in range(_TRIES):
        await pilot.type(option)
        for _ in range(_ALIKE):
            if await pilot.sees(pointed_at) and (await pilot.read(pointed_at)).strip() == option:
                return
            await pilot.press("Down")
        await pilot.press("Home")


async def look_up(pilot: Pilot, field: str, name: str, beside: str = "", within: str = DIALOG) -> None:
    """Choose a record in a lookup; what it held before is cleared.

    Args:
        beside: What stands below the name, where several records are called so.
    """
    clear = named("button", f"Clear {field} Selection", within)
    if await pilot.sees(clear):
        await pilot.click(clear)
    await pilot.fill(named("combobox", field, within), name)
    option = f"[role=option][data-text={json.dumps(name, ensure_ascii=False)}]"
    option += f":has-text({json.dumps(beside, ensure_ascii=False)})" if beside else ""
    await pilot.click(f"{named('listbox', field, within)} >> {option}")


async def tick(pilot: Pilot, field: str, within: str = DIALOG) -> None:
    """Tick a box, or take its tick away."""
    box = named("checkbox", field, within)
    drawn = f"{box} >> xpath=following-sibling::label"  # Lightning draws its boxes itself
    await pilot.click(drawn if await pilot.sees(drawn) else box)


async def save(pilot: Pilot, button: str = "Save", within: str = DIALOG) -> None:
    """Press Save.

    Raises:
        Lost: The page says that it could not be saved.
    """
    await press(pilot, button, within)
    await told(pilot)


async def told(pilot: Pilot) -> None:
    """See that the page says that something was done.

    Raises:
        Lost: It says that something is wrong, or nothing.
    """
    if await pilot.sees(_SNAG):
        raise Lost(f"the form was not saved: {' '.join((await pilot.read(_SNAG)).split())}")
    if not await pilot.sees(f"{_TOAST}:not([data-toast=error])"):
        raise Lost("no message says that it was saved")


async def open_saved(pilot: Pilot) -> None:
    """Open the record that the last message is about."""
    await pilot.click(f"{_TOAST}:last-child >> role=link")


# Lists and tables


def row_of(text: str, within: str = PAGE, beside: str = "") -> str:
    """Return what selects the row of a table that has a cell with exactly this text."""
    cell = f":text-is({json.dumps(text, ensure_ascii=False)})"
    more = f":has-text({json.dumps(beside, ensure_ascii=False)})" if beside else ""
    return f"{within} >> tr:has({cell}){more}"


async def select_row(pilot: Pilot, text: str, within: str = PAGE) -> None:
    """Tick the box at the beginning of a row."""
    await pilot.click(f"{row_of(text, within)} >> .slds-checkbox__label")


def related(title: str) -> str:
    """Return what selects a related list on a record's page."""
    return f"{PAGE} >> article.org-related[aria-label={json.dumps(title)}]"


async def new_related(pilot: Pilot, title: str, action: str = "New") -> None:
    """Press a button of a related list."""
    await show_part(pilot, "Related")
    await press(pilot, action, related(title))


async def move_over(pilot: Pilot, options: list[str], side: str, within: str = DIALOG) -> None:
    """Move options from the other list of two to the one that is called so."""
    for option in options:
        await pilot.click(f"{within} >> [data-dual] >> {named('option', option)}")
        await press(pilot, f"Move selection to {side}", within)


# Setup


async def open_setup(pilot: Pilot, page: str, words: str = "") -> None:
    """Open a page of Setup by Quick Find; the gear opens Setup in a new tab, where it is not open yet."""
    if not await pilot.sees("#quick-find"):
        await choose_in_menu(pilot, "Setup", "Setup", "")
    await pilot.fill("#quick-find", words or page)
    await follow(pilot, page, "[data-setup-tree]")


async def open_object(pilot: Pilot, object: str, part: str) -> None:
    """Open an object in Object Manager, and a part of it such as `Fields & Relationships`."""
    await open_object_manager(pilot)
    await pilot.fill("#object-find", object)
    await follow(pilot, object)
    await follow(pilot, part)


async def open_object_manager(pilot: Pilot) -> None:
    """Open Object Manager beside Setup's home, in Setup's own tab."""
    if not await pilot.sees(named("link", "Object Manager", _SETUP)):
        await choose_in_menu(pilot, "Setup", "Setup", "")
    await follow(pilot, "Object Manager", _SETUP)


async def choose(pilot: Pilot, field: str, option: str, within: str = PAGE) -> None:
    """Choose from a plain drop-down list, as pages of Setup have them."""
    await pilot.click(named("combobox", field, within))
    await pilot.click(named("option", option))


async def choose_far(pilot: Pilot, field: str, option: str, within: str = PAGE) -> None:
    """Choose from a plain drop-down list that is too long to be seen at once: its options are found by typing.

    Typing too slowly begins another word, so it is tried again where something else is pointed at.
    """
    for _ in range(_TRIES):
        await pilot.click(named("combobox", field, within))
        await pilot.type(option)
        if await pilot.sees(f"{named('option', option)}[selected]"):
            break
        await pilot.press("Escape")
    await pilot.press("Enter")


async def add_to_list(pilot: Pilot, options: list[str], left: str, right: str, kind: str = "") -> None:
    """Move options of a Setup page's left list to the right one, searched for by name where the page can.

    Args:
        left: What the list is called in which they are.
        right: What the other one is called.
        kind: What kind of members they are, where there are several.
    """
    if kind:
        await choose(pilot, "Search:", kind)
    for option in options:
        if kind:
            await enter(pilot, "for:", option.partition(": ")[2] or option, PAGE)
            await press(pilot, "Find", PAGE)
        await pilot.click(f"{named('listbox', left, PAGE)} >> {reading('option', option)}")
        await press(pilot, f"Add to {right}", PAGE)


async def enter_values(pilot: Pilot, field: str, values: list[str]) -> None:
    """Enter new values of a picklist on Setup's page for them, one on each line, and save."""
    await enter(pilot, field, "\n".join(values), PAGE)
    await pilot.click(f"{named('button', 'Save', PAGE)} >> nth=0")
