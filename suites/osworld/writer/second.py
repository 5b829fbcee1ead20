"""Second solutions of Writer, written without a look at the checks: by search and other menus."""

from pytest_cuabench import Case, Pilot

from ..toolkit.keyboard import choose, save


async def _find(pilot: Pilot, text: str) -> None:
    """Select a text by the search bar."""
    await pilot.press("ctrl+home")
    await pilot.press("ctrl+f")
    await pilot.press("ctrl+a")
    await pilot.type(f"{text}\n")
    await pilot.press("escape")


async def replace_name(pilot: Pilot, case: Case) -> None:
    """Type the right name at each place, found by the search bar."""
    for _ in range(2):
        await _find(pilot, "Brookfield")
        await pilot.type("Ashcombe")
    await save(pilot)


async def centre_title(pilot: Pilot, case: Case) -> None:
    """Use the menu, with the cursor within the line."""
    await pilot.press("ctrl+home")
    await pilot.press("right", 5)
    await choose(pilot, "Format", "Align Text", "Centered")
    await save(pilot)


async def page_break(pilot: Pilot, case: Case) -> None:
    """Break by the menu's dialog."""
    await _find(pilot, "Costs")
    await pilot.press("left")
    await choose(pilot, "Insert", "More Breaks", "Manual Break")
    await pilot.press("enter")
    await save(pilot)


async def page_numbers(pilot: Pilot, case: Case) -> None:
    """Write a word before the number."""
    await choose(pilot, "Insert", "Header and Footer", "Footer", "Default Page Style")
    await pilot.type("Page ")
    await choose(pilot, "Insert", "Page Number")
    await save(pilot)


async def double_spacing(pilot: Pilot, case: Case) -> None:
    """Use the menu, in place of keys."""
    await pilot.press("ctrl+a")
    await choose(pilot, "Format", "=Spacing", "=Line Spacing: 2")
    await save(pilot)


async def one_font(pilot: Pilot, case: Case) -> None:
    """Use the dialog for characters."""
    await pilot.press("ctrl+a")
    await choose(pilot, "Format", "Character...")
    await pilot.fill('dialog >> text[value="Cambria"]', "DejaVu Serif")
    await pilot.press("enter")
    await save(pilot)


async def strike_last(pilot: Pilot, case: Case) -> None:
    """Select from the end to the paragraph's start, and use the menu."""
    await pilot.press("ctrl+end")
    await pilot.press("ctrl+shift+up")
    await choose(pilot, "Format", "=Text", "=Strikethrough")
    await save(pilot)


async def subscript_two(pilot: Pilot, case: Case) -> None:
    """Find the only 2 by search, and use the menu."""
    await _find(pilot, "2")
    await choose(pilot, "Format", "=Text", "=Subscript")
    await save(pilot)


async def table_entry(pilot: Pilot, case: Case) -> None:
    """Go down to the cell from the one above it."""
    await _find(pilot, "180")
    await pilot.press("home")
    await pilot.press("down")
    await pilot.type("240")
    await save(pilot)


async def read_scan(pilot: Pilot, case: Case) -> None:
    """Look into the menu of what can be inserted, and give up."""
    await pilot.click('menu-bar >> menu[name="Insert"]')
    await pilot.press("escape", 2)
    await pilot.give_up(reason="No camera can be reached from here, and Writer reads no writing in pictures.")
