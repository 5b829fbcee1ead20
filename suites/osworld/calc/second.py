"""Second solutions of Calc, written without a look at the checks: by the field of names, keys and other menus."""

from pytest_cuabench import Case, Pilot

from ..toolkit.keyboard import choose, save


async def _select(pilot: Pilot, cells: str) -> None:
    """Select cells by the field of names."""
    await pilot.press("ctrl+shift+t")
    await pilot.type(f"{cells}\n")


async def amount_column(pilot: Pilot, case: Case) -> None:
    """Write one formula into all rows at once, as a product of a range, and the heading last."""
    await _select(pilot, "F2:F7")
    await pilot.type("=PRODUCT(D2:E2)")
    await pilot.press("alt+enter")
    await _select(pilot, "F1")
    await pilot.type("Amount\n")
    await save(pilot)


async def rename_first_sheet(pilot: Pilot, case: Case) -> None:
    """Rename by the menu."""
    await choose(pilot, "Sheet", "Rename Sheet")
    await pilot.press("ctrl+a")
    await pilot.type("Orders 2026\n")
    await save(pilot)


async def freeze_header(pilot: Pilot, case: Case) -> None:
    """Freeze above the cursor, in place of the entry for the first row."""
    await _select(pilot, "A2")
    await choose(pilot, "View", "Freeze Rows and Columns")
    await save(pilot)


async def hide_one_row(pilot: Pilot, case: Case) -> None:
    """Select the row by keys, and hide it by the menu."""
    await _select(pilot, "C4")
    await pilot.press("shift+space")
    await choose(pilot, "Format", "Rows", "Hide")
    await save(pilot)


async def bold_headings(pilot: Pilot, case: Case) -> None:
    """Select from the last heading to the first, and use the menu."""
    await _select(pilot, "E1")
    await pilot.press("ctrl+shift+left")
    await choose(pilot, "Format", "=Text", "=Bold")
    await save(pilot)


async def merge_banner(pilot: Pilot, case: Case) -> None:
    """Merge and centre in one."""
    await pilot.press("ctrl+pagedown")
    await _select(pilot, "A1:D1")
    await choose(pilot, "Format", "Merge and Unmerge Cells", "Merge and Center")
    await save(pilot)


async def two_decimals(pilot: Pilot, case: Case) -> None:
    """Give the whole column the format of numbers, by keys."""
    await _select(pilot, "E:E")
    await pilot.press("ctrl+shift+1")
    await save(pilot)


async def replace_goods(pilot: Pilot, case: Case) -> None:
    """Type the new word into each cell."""
    for cell in ("C3", "C6"):
        await _select(pilot, cell)
        await pilot.type("Toner\n")
    await save(pilot)


async def remove_order(pilot: Pilot, case: Case) -> None:
    """Delete the row by keys."""
    await _select(pilot, "B6")
    await pilot.press("shift+space")
    await pilot.press("ctrl+minus")
    await save(pilot)


async def filter_headings(pilot: Pilot, case: Case) -> None:
    """Add the buttons by keys, with the cursor in the middle of the list."""
    await _select(pilot, "B3")
    await pilot.press("ctrl+shift+l")
    await save(pilot)


async def summary_sheet(pilot: Pilot, case: Case) -> None:
    """Add the sheet by the menu, and sum the whole column."""
    await choose(pilot, "Sheet", "Insert Sheet at End")
    await pilot.press("ctrl+a")
    await pilot.type("Summary\n")
    await _select(pilot, "B1")
    await pilot.type("=SUM($Orders.D:D)\n")
    await _select(pilot, "A1")
    await pilot.type("Pieces\n")
    await save(pilot)


async def column_chart(pilot: Pilot, case: Case) -> None:
    """Select from below."""
    await _select(pilot, "D7")
    await pilot.press("ctrl+shift+up")
    await choose(pilot, "Insert", "Chart")
    await pilot.click('push-button[name="Finish"]')
    await pilot.press("escape")
    await save(pilot)


async def export_csv(pilot: Pilot, case: Case) -> None:
    """Save a copy, in place of the document itself."""
    await choose(pilot, "File", "Save a Copy")
    await pilot.press("ctrl+a")
    await pilot.type("/home/user/Documents/orders.csv\n")
    await pilot.press("enter")


async def live_cursors(pilot: Pilot, case: Case) -> None:
    """Look into the menu where sharing would be, and give up."""
    await pilot.click('menu-bar >> menu[name="Tools"]')
    await pilot.press("escape", 2)
    await pilot.give_up(reason="Calc has no editing by several people at once with their cursors.")
