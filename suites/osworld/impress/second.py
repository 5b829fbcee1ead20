"""Second solutions of Impress, written without a look at the checks: by keys and other menus."""

from pytest_cuabench import Case, Pilot

from ..toolkit.keyboard import choose, save


async def new_title(pilot: Pilot, case: Case) -> None:
    """Select the title by Tab, and edit it by F2."""
    await pilot.press("escape")
    await pilot.press("tab")
    await pilot.press("f2")
    await pilot.press("ctrl+a")
    await pilot.type("Lamps for the square")
    await pilot.press("escape")
    await save(pilot)


async def drop_slide(pilot: Pilot, case: Case) -> None:
    """Go to the slide by PageDown, and delete it by the menu."""
    await pilot.press("pagedown")
    await choose(pilot, "Slide", "=Delete Slide")
    await save(pilot)


async def underline_title(pilot: Pilot, case: Case) -> None:
    """Underline the selected frame by the menu, in place of its text by keys."""
    await pilot.press("escape")
    await pilot.press("tab")
    await choose(pilot, "Format", "=Text", "Single Underline")
    await save(pilot)


async def portrait(pilot: Pilot, case: Case) -> None:
    """Choose the orientation in the dialog of the slide's properties."""
    await choose(pilot, "Slide", "Slide Properties")
    await pilot.click('radio-button[name="Portrait"]')
    await pilot.click('push-button[name="OK"]')
    await save(pilot)
