"""Second solutions of Calc, written without a look at the checks: by the field of names, letters, and arrow keys."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click

from ..toolkit.office import apply, choose, finish, open_options, pick_beside, put_beside, turn, turn_beside

_HEADINGS = ["Order", "Customer", "Goods", "Quantity", "Price", "Amount"]


async def _select(pilot: Pilot, cells: str) -> None:
    """Select cells by the field of names, which may name a sheet as well."""
    await pilot.fill('tool-bar[name="Formula Tool Bar"] >> text:nth(0)', f"{cells}\n")


async def _close(pilot: Pilot) -> None:
    """Apply and leave the options, and save."""
    await apply(pilot)
    await pilot.press("ctrl+s")


async def auto_filter(pilot: Pilot, case: Case) -> None:
    """Select whole columns, and press keys."""
    places = [place for place, name in enumerate(_HEADINGS) if name in case["which_shown"]]
    await _select(pilot, f"{'ABCDEF'[places[0]]}:{'ABCDEF'[places[-1]]}")
    await pilot.press("ctrl+shift+l")
    await pilot.press("ctrl+s")


async def range_name(pilot: Pilot, case: Case) -> None:
    """Go by the list of all names, and choose the sheet before the name."""
    await _select(pilot, "Orders.F2:F7")
    await pilot.press("ctrl+f3")
    await pilot.click('dialog >> push-button[name="Add"]')
    await pilot.click('dialog[name="Define Name"] >> toggle-button:nth(0)')
    await pilot.press("escape")
    await turn(pilot, 1)
    await pilot.fill('dialog >> text[description^="Enter the name of the area"]', case["name"])
    await pilot.click('dialog[name="Define Name"] >> push-button[name="Add"]')
    await finish(pilot)


async def validity_range(pilot: Pilot, case: Case) -> None:
    """Write the message first, and enter the highest number before the lowest."""
    await _select(pilot, "Orders.D7:D2")
    await choose(pilot, "Data", "Validity")
    await pilot.click('dialog >> page-tab[name="Error Alert"]')
    await put_beside(pilot, "Title:", case["title"])
    await pilot.type(case["text"])
    await pilot.click('dialog >> page-tab[name="Criteria"]')
    await pilot.press("alt+a")
    await turn(pilot, 1)
    await turn_beside(pilot, "Data:", 6)
    await put_beside(pilot, "Maximum:", case["high"])
    await put_beside(pilot, "Minimum", case["low"])
    await finish(pilot)


async def validity_list(pilot: Pilot, case: Case) -> None:
    """Type the entries line by line, and forbid empty cells afterwards."""
    await _select(pilot, "Stock.A2:A4")
    await choose(pilot, "Data", "Validity")
    await pilot.press("alt+a")
    await turn(pilot, 6)
    await pilot.click("dialog >> text:multi-line")
    await pilot.type(f"{case['first']}\n{case['second']}\n{case['third']}")
    await pilot.click('dialog >> check-box[name="Allow empty cells"]')
    await finish(pilot)


async def multiple_operations(pilot: Pilot, case: Case) -> None:
    """Enter the cell of the rate first."""
    await _select(pilot, "Loan.A8:B10")
    await choose(pilot, "Data", "Multiple Operations")
    await put_beside(pilot, "Column input cell:", "$B$2")
    await put_beside(pilot, "Formulas:", "$B$4")
    await finish(pilot)


async def fill_series(pilot: Pilot, case: Case) -> None:
    """From the last field to the first."""
    await _select(pilot, "Orders.H1:H8")
    await choose(pilot, "Sheet", "Fill Cells", "Fill Series")
    await pilot.click('dialog >> radio-button[name="Linear"]')
    await pilot.press("down")
    await put_beside(pilot, "Increment:", case["series_step"])
    await put_beside(pilot, "End value:", case["series_end"])
    await put_beside(pilot, "Start value:", case["series_start"])
    await finish(pilot)


async def auto_calculate(pilot: Pilot, case: Case) -> None:
    """Switch it off, on, and off."""
    for _ in range(3):
        await choose(pilot, "Data", "Calculate", "AutoCalculate")
    await pilot.press("ctrl+s")


async def precision(pilot: Pilot, case: Case) -> None:
    """Choose the date by arrow keys before the precision, and apply."""
    await open_options(pilot, 4)
    await pilot.click('dialog >> radio-button[name^="12/30/1899"]')
    await pilot.press("down", 2 if "1904" in case["date_shown"] else 1)
    await pilot.click('dialog >> check-box[name="Precision as shown"]')
    await _close(pilot)


async def iterations(pilot: Pilot, case: Case) -> None:
    """Enter the change before the steps, and apply."""
    await open_options(pilot, 4)
    await pilot.click('dialog >> check-box[name="Iterations"]')
    await put_beside(pilot, "Minimum change:", case["least"])
    await put_beside(pilot, "Steps:", case["steps"])
    await _close(pilot)


async def zero_values(pilot: Pilot, case: Case) -> None:
    """Take the tabs away first, and apply."""
    await open_options(pilot, 3)
    await pilot.click('dialog >> check-box[name="Sheet tabs"]')
    await pilot.click('dialog >> check-box[name="Zero values"]')
    await _close(pilot)


async def enter_moves(pilot: Pilot, case: Case) -> None:
    """Let references grow first, and choose the direction by arrow keys."""
    await open_options(pilot, 1)
    await pilot.click('dialog >> check-box[name^="Expand references"]')
    await pilot.click('dialog >> panel[name="Input Settings"] >> toggle-button')
    await pilot.press("escape")
    await turn(pilot, ["down", "right", "up", "left"].index(case["way_shown"]))
    await apply(pilot)


async def sort_list(pilot: Pilot, case: Case) -> None:
    """By keys to the page, and by Apply."""
    await open_options(pilot, 6)
    await pilot.click('dialog >> push-button[name="New"]')
    await pilot.type(f"{case['first']}\n{case['second']}\n{case['third']}")
    await pilot.click('dialog >> push-button[name="Add"]')
    await apply(pilot)


async def show_sheet(pilot: Pilot, case: Case) -> None:
    """Start from another sheet, and press Enter."""
    await pilot.press("ctrl+pagedown")
    await choose(pilot, "Sheet", "Show Sheet")
    await pilot.press("enter")
    await pilot.press("ctrl+s")


async def row_break(pilot: Pilot, case: Case) -> None:
    """Select all entries of the row."""
    await _select(pilot, f"Orders.A{case['row']}:G{case['row']}")
    await choose(pilot, "Sheet", "Insert Page Break", "Row Break")
    await pilot.press("ctrl+s")


async def protect_structure(pilot: Pilot, case: Case) -> None:
    """Look at another sheet first, and come back."""
    await pilot.press("ctrl+pagedown")
    await choose(pilot, "Tools", "Protect Spreadsheet Structure")
    await pilot.press("enter")
    await pilot.press("ctrl+pageup")
    await pilot.press("ctrl+s")


async def unprotected_cells(pilot: Pilot, case: Case) -> None:
    """Select from below, and open the cells by keys."""
    await _select(pilot, "Loan.B3:B1")
    await pilot.press("ctrl+1")
    await pilot.click('dialog >> page-tab[name="Cell Protection"]')
    await pilot.click('dialog >> check-box[name="Protected"]')
    await pilot.click('dialog >> push-button[name="OK"]')
    await choose(pilot, "Tools", "Protect Sheet")
    await finish(pilot)


async def print_range(pilot: Pilot, case: Case) -> None:
    """Define the range as what is selected, and add the row in the dialog."""
    await _select(pilot, "Orders." + case["range_words"].replace(" to ", ":"))
    await choose(pilot, "Format", "Print Ranges", "Define")
    await choose(pilot, "Format", "Print Ranges", "Edit...")
    await pilot.fill('dialog >> panel[name="Rows to Repeat"] >> text', "$1")
    await finish(pilot)


async def page_scale(pilot: Pilot, case: Case) -> None:
    """Scale before numbering."""
    await choose(pilot, "Format", "Page Style")
    await pilot.click('dialog >> page-tab[name="Sheet"]')
    await turn_beside(pilot, "Scaling mode:", 2)
    await put_beside(pilot, "Number of pages:", case["pages"])
    await pilot.fill(
        'dialog >> spin-button[description^="Enter the number of the first"]', f"{case['first']}\t"
    )
    await finish(pilot)


async def condition(pilot: Pilot, case: Case) -> None:
    """Add it from the list of all conditions, and choose the style first."""
    await _select(pilot, "Orders.F2:F7")
    await choose(pilot, "Format", "=Conditional", "Manage")
    await pilot.click('dialog[name="Manage Conditional Formatting"] >> push-button[name="Add"]')
    await pick_beside(pilot, 'label[name="Apply Style:"]', case["style"])
    left, top, width, height = await pilot.box('dialog >> label[name="Apply Style:"]')
    await pilot.act(
        Click(round(left + width + 40), round(top + height / 2 - 40))
    )  # the comparison is above it
    await pilot.click('*[name="is greater than"]:selectable:nth(0)')
    await pilot.fill(
        'dialog[name^="Conditional Formatting"] >> scroll-pane >> text:nth(0)', str(case["limit"])
    )
    await pilot.click('dialog[name^="Conditional Formatting"] >> push-button[name="OK"]')
    await finish(pilot)
