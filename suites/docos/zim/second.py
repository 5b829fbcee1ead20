"""Second solutions of Zim, written without a look at the checks."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click


async def _preferences(pilot: Pilot, page: str) -> None:
    """Open the preferences by the keyboard, and a page of them."""
    await pilot.press("alt+e")
    await pilot.press("up")
    await pilot.press("enter")
    await pilot.click(f'dialog >> page-tab[name="{page}"]')


async def _configure(pilot: Pilot, plugin: str) -> None:
    """Look for a plugin by typing its name, switch it on, and configure it."""
    await _preferences(pilot, "Plugins")
    await pilot.click('table-cell[name="Arithmetic"]')
    while not await pilot.sees(f'dialog >> table-cell[name="{plugin}"]:selected'):
        await pilot.press("down")
    left, top, _, height = await pilot.box(f'dialog >> table-cell[name="{plugin}"]')
    await pilot.act(Click(round(left - 38), round(top + height / 2)))
    await pilot.click('push-button[name="Configure"]')


async def _ok(pilot: Pilot, dialog: str = "Preferences") -> None:
    await pilot.click(f'dialog[name="{dialog}"] >> push-button[name="OK"]')


async def _configured(pilot: Pilot) -> None:
    await _ok(pilot, "Configure Plugin")
    await _ok(pilot)


async def _turn(pilot: Pilot, wanted: str) -> None:
    """Choose in the only list of a dialog, by arrow keys while it is closed."""
    await pilot.click('dialog[name="Configure Plugin"] >> combo-box')
    await pilot.press("escape")
    await _arrow(pilot, 'dialog[name="Configure Plugin"] >> ', wanted)


async def _arrow(pilot: Pilot, place: str, wanted: str) -> None:
    for key in ("down",) * 8 + ("up",) * 12:
        if await pilot.sees(f'{place}combo-box[name^="{wanted}"]'):
            return
        await pilot.press(key)


async def keep_a_journal(pilot: Pilot, case: Case) -> None:
    """The tick before the place."""
    await _configure(pilot, "Journal")
    await pilot.click('check-box[name="Hide Journal pane if empty"]')
    await _turn(pilot, "Right Side Pane")
    await _configured(pilot)


async def list_headings(pilot: Pilot, case: Case) -> None:
    """The ticks before the place."""
    await _configure(pilot, "Table of Contents")
    await pilot.click('check-box[name*="page title"]')
    await pilot.click('check-box[name*="floating"]')
    await _turn(pilot, "Right Side Pane")
    await _configured(pilot)


async def write_undisturbed(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _configure(pilot, "Distraction Free Editing")
    await pilot.fill("dialog >> spin-button:nth(1)", str(case["width"]))
    await pilot.fill("dialog >> spin-button:nth(0)", str(case["border"]))
    await pilot.press("tab")
    await pilot.click('check-box[name="Hide menubar in fullscreen mode"]')
    await _configured(pilot)


async def keep_bookmarks(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _configure(pilot, "BookmarksBar")
    await pilot.click('check-box[name^="Add new bookmarks to the beginning"]')
    await pilot.click('check-box[name="Save bookmarks"]')
    await pilot.fill("dialog >> spin-button", str(case["number"]))
    await pilot.press("tab")
    await _configured(pilot)


async def see_links_from_elsewhere(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _configure(pilot, "BackLinks Pane")
    await pilot.click('check-box[name="Show full Page Names"]')
    await pilot.click('check-box[name="Show BackLink count in title"]')
    await _turn(pilot, "Left Side Pane")
    await _configured(pilot)


async def tick_whole_lists(pilot: Pilot, case: Case) -> None:
    """The second setting first, by Space."""
    await _preferences(pilot, "Editing")
    await pilot.click('check-box[name^="Checking a checkbox"]', count=2)
    await pilot.press("space")
    await pilot.click('check-box[name*="CamelCase"]')
    await _ok(pilot)


async def copy_as_markup(pilot: Pilot, case: Case) -> None:
    """By arrow keys."""
    await _preferences(pilot, "Editing")
    await pilot.click("dialog >> combo-box")
    await pilot.press("escape")
    await _arrow(pilot, "dialog >> ", case["kind"])
    await _ok(pilot)


async def let_enter_break_lines(pilot: Pilot, case: Case) -> None:
    """Untick by Space."""
    await _preferences(pilot, "Interface")
    await pilot.click('check-box[name^="Use the <Enter> key"]', count=2)
    await pilot.press("space")
    await _ok(pilot)


async def _properties(pilot: Pilot) -> None:
    """Open the notebook's properties by the keyboard."""
    await pilot.press("alt+f")
    await pilot.press("up", 3)
    await pilot.press("enter")


async def start_at_another_page(pilot: Pilot, case: Case) -> None:
    """Without the leading colon."""
    await _properties(pilot)
    await pilot.fill("dialog >> text:nth(2)", case["page"])
    await pilot.press("tab")
    await _ok(pilot, "Properties")


async def be_linked_from_elsewhere(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _properties(pilot)
    await pilot.click('check-box[name="Prefer short names for page links"]')
    await pilot.fill("dialog >> text:nth(0)", case["folder"])
    await pilot.fill("dialog >> text:nth(3)", case["name"])
    await pilot.press("tab")
    await _ok(pilot, "Properties")


async def rename_page(pilot: Pilot, case: Case) -> None:
    """By the key, from the page itself."""
    await pilot.press("ctrl+j")
    await pilot.type(case["old"] + "\n")
    await pilot.press("f2")
    await pilot.press("ctrl+a")
    await pilot.type(case["new"])
    await _ok(pilot, "Rename or Move Page")


async def export_page(pilot: Pilot, case: Case) -> None:
    """From the home page, and the page is written into the dialog; its subpages are none."""
    await pilot.press("alt+f")
    await pilot.press("x")
    await pilot.click('radio-button[name="Single page"]')
    await pilot.fill("dialog >> text", case["page"])
    await pilot.press("tab")
    await pilot.click('dialog >> push-button[name="Forward"]')
    await pilot.click('dialog >> combo-box[name="HTML"]')
    await pilot.press("escape")
    await _arrow(pilot, "dialog >> ", case["kind"])
    await pilot.click('dialog >> push-button[name="Forward"]')
    await pilot.fill("dialog >> text", f"~/{case['file']}")
    await pilot.press("tab")
    await _ok(pilot, "Export")


async def tick_boxes(pilot: Pilot, case: Case) -> None:
    """Click the boxes, which take the signs in turn."""
    lines = [line.strip() for line in (await pilot.read("text")).splitlines()]
    left, top, *_ = await pilot.box("text")
    for clicks, name in enumerate(("done", "dropped", "later"), 1):
        row = lines.index(case[name])
        for _ in range(clicks):
            await pilot.act(Click(round(left + 20), round(top + 18 + 23 * row)))
    await pilot.press("ctrl+s")


async def write_formula(pilot: Pilot, case: Case) -> None:
    """Write plainly, and format the digits afterwards."""
    formula, unit = case["formula"], case["unit"]
    digit = next(place for place, sign in enumerate(formula) if sign.isdigit())
    await pilot.press("ctrl+end")
    await pilot.type(f"{formula} per {unit}2")
    await pilot.press("shift+left")
    await pilot.click('toggle-button[name="Superscript"]')
    await pilot.press("home")
    await pilot.press("right", digit)
    await pilot.press("shift+right")
    await pilot.click('toggle-button[name="Subscript"]')
    await pilot.press("ctrl+s")


async def link_with_words(pilot: Pilot, case: Case) -> None:
    """Write the words, select them, and make them a link."""
    await pilot.press("ctrl+end")
    await pilot.type(case["words"])
    await pilot.press("shift+home")
    await pilot.press("ctrl+l")
    await pilot.fill("dialog >> text:nth(1)", case["target"])
    await pilot.press("tab")
    await pilot.click('dialog >> push-button[name="Link"]')
    await pilot.press("ctrl+s")


async def add_tool(pilot: Pilot, case: Case) -> None:
    """By the keyboard, the tick first, then from the last field to the first."""
    await pilot.press("alt+t")
    await pilot.press("up")
    await pilot.press("enter")
    await pilot.click('dialog[name="Custom Tools"] >> push-button[name=""]:nth(0)')
    tool = 'dialog[name="Edit Custom Tool"]'
    await pilot.click(f'{tool} >> check-box[name="Command does not modify data"]')
    for nth, text in enumerate((f"{case['program']} %s", case["about"], case["name"])):
        await pilot.fill(f"{tool} >> text:nth({nth})", text)
    await pilot.click(f'{tool} >> push-button[name="OK"]')
    await pilot.press("escape")
