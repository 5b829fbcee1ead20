"""Second solutions of Calc, written without a look at the checks: by the field of names, letters, and arrow keys."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot

from ..toolkit.office import choose, finish, put, settings, turn, turn_beside


async def _select(pilot: Pilot, cells: str) -> None:
    """Select cells by the field of names, which may name a sheet as well."""
    await pilot.press("ctrl+shift+t")
    await pilot.type(f"{cells}\n")


async def range_name(pilot: Pilot, case: Case) -> None:
    """Choose the scope before the name is entered, from the list's end."""
    await _select(pilot, "Orders.F2:F7")
    await choose(pilot, "Sheet", "Named Ranges and Expressions", "Define")
    await turn_beside(pilot, "Scope", 1)
    await pilot.click("dialog >> text:nth(0)")
    await pilot.press("ctrl+a")
    await pilot.type(case["name"])
    await pilot.press("alt+a")
    await pilot.press("ctrl+s")


async def validity_range(pilot: Pilot, case: Case) -> None:
    """Write the message first."""
    await _select(pilot, "Orders.D2:D7")
    await choose(pilot, "Data", "Validity")
    await pilot.click('page-tab[name="Error Alert"]')
    await put(pilot, "t", case["title"])
    await pilot.press("alt+e")
    await pilot.press("ctrl+a")
    await pilot.type(case["text"])
    await pilot.press("alt+a")
    await turn(pilot, 0)
    await pilot.click('page-tab[name="Criteria"]')
    await pilot.press("alt+a")
    await turn(pilot, 1)
    await pilot.press("alt+d")
    await turn(pilot, 6)
    await put(pilot, "x", case["high"])
    await put(pilot, "m", case["low"])
    await finish(pilot)


async def validity_list(pilot: Pilot, case: Case) -> None:
    """Paste nothing: type the entries line by line, and forbid empty cells afterwards."""
    await _select(pilot, "Stock.A2:A4")
    await choose(pilot, "Data", "Validity")
    await pilot.press("alt+a")
    await turn(pilot, 6)
    await pilot.click("dialog >> text:multi-line")
    await pilot.type(f"{case['first']}\n{case['second']}\n{case['third']}")
    await pilot.click('dialog >> check-box[name="Allow empty cells"]')
    await finish(pilot)


async def multiple_operations(pilot: Pilot, case: Case) -> None:
    """Name the cells with dollars, the input cell first."""
    await _select(pilot, "Loan.A8:B10")
    await choose(pilot, "Data", "Multiple Operations")
    await pilot.press("alt+c")
    await pilot.type("$B$2")
    await pilot.press("alt+f")
    await pilot.type("$B$4")
    await finish(pilot)


async def fill_series(pilot: Pilot, case: Case) -> None:
    """From the last field to the first."""
    await _select(pilot, "Orders.H1:H8")
    await choose(pilot, "Sheet", "Fill Cells", "Fill Series")
    await pilot.press("alt+g")
    await put(pilot, "c", case["series_step"])
    await put(pilot, "v", case["series_end"])
    await put(pilot, "s", case["series_start"])
    await finish(pilot)


async def auto_calculate(pilot: Pilot, case: Case) -> None:
    """Choose in the menu with the letter of its entry."""
    await choose(pilot, "Data", "Calculate", "AutoCalculate")
    await pilot.press("ctrl+s")


async def precision(pilot: Pilot, case: Case) -> None:
    """Choose the date first."""
    await settings(pilot, "LibreOffice Calc", 4)
    await pilot.click(f'dialog >> radio-button[name^="{case["date_shown"]}"]')
    await pilot.press("alt+p")
    await pilot.press("enter")
    await pilot.press("ctrl+s")


async def iterations(pilot: Pilot, case: Case) -> None:
    """Enter the smallest change before the steps."""
    await settings(pilot, "LibreOffice Calc", 4)
    await pilot.press("alt+i")
    await put(pilot, "m", case["least"])
    await put(pilot, "s", case["steps"])
    await pilot.press("enter")
    await pilot.press("ctrl+s")


async def zero_values(pilot: Pilot, case: Case) -> None:
    """The tabs first."""
    await settings(pilot, "LibreOffice Calc", 3)
    await pilot.click('dialog >> check-box[name="Sheet tabs"]')
    await pilot.press("alt+u")
    await pilot.press("enter")
    await pilot.press("ctrl+s")


async def enter_moves(pilot: Pilot, case: Case) -> None:
    """The references first."""
    await settings(pilot, "LibreOffice Calc", 1)
    await pilot.press("alt+r")
    await pilot.press("alt+m")
    await pilot.press("space")
    await pilot.press("tab")
    way = next(word for word in ("right", "up", "left") if word in case["way_shown"])
    await turn(pilot, ["down", "right", "up", "left"].index(way))
    await pilot.press("enter")


async def sort_list(pilot: Pilot, case: Case) -> None:
    """Separate the words by commas."""
    await settings(pilot, "LibreOffice Calc", 6)
    await pilot.press("alt+n")
    await pilot.type(f"{case['first']},{case['second']},{case['third']}")
    await pilot.press("alt+a")
    await pilot.click('dialog >> push-button[name="OK"]')


async def show_sheet(pilot: Pilot, case: Case) -> None:
    """From the context menu of the sheets' tabs, or the menu, by Enter."""
    await choose(pilot, "Sheet", "Show Sheet")
    await pilot.click('dialog >> *[name="Archive"]')
    await finish(pilot)


async def row_break(pilot: Pilot, case: Case) -> None:
    """With the whole row selected."""
    await _select(pilot, f"Orders.{case['row']}:{case['row']}")
    await choose(pilot, "Sheet", "Insert Page Break", "Row Break")
    await pilot.press("ctrl+s")


async def protect_structure(pilot: Pilot, case: Case) -> None:
    """Press Enter in the dialog."""
    await choose(pilot, "Tools", "Protect Spreadsheet Structure")
    await pilot.press("enter")
    await pilot.press("ctrl+s")


async def unprotected_cells(pilot: Pilot, case: Case) -> None:
    """Open the cells' dialog by keys."""
    await _select(pilot, "Loan.B1:B3")
    await pilot.press("ctrl+1")
    await pilot.click('page-tab[name="Cell Protection"]')
    await pilot.click('dialog >> check-box[name="Protected"]')
    await pilot.press("alt+o")
    await choose(pilot, "Tools", "Protect Sheet")
    await finish(pilot)


async def page_scale(pilot: Pilot, case: Case) -> None:
    """The scale first."""
    await choose(pilot, "Format", "Page Style")
    await pilot.click('page-tab[name="Sheet"]')
    await pilot.press("alt+m")
    await turn(pilot, 2)
    await put(pilot, "u", case["pages"])
    await pilot.press("alt+p")
    await pilot.press("tab")
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['first']}\t")
    await finish(pilot)
