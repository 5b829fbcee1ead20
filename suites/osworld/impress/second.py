"""Second solutions of Impress, written without a look at the checks: by keys and other menus."""

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Wait

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


async def speaker_note(pilot: Pilot, case: Case) -> None:
    """Select the notes by Tab in the view of notes, and go back to the usual view."""
    await pilot.click('page-tab[name="Notes"]')
    await pilot.press("tab", 2)
    await pilot.press("f2")
    await pilot.type("Thank the council")
    await pilot.press("escape", 2)
    await pilot.click('page-tab[name="Normal"]')
    await save(pilot)


async def _options(pilot: Pilot, group: str) -> None:
    """Open the general options of a group by keys."""
    await pilot.press("alt+f12")
    await pilot.click(f'table-cell[name="{group}"]')
    await pilot.press("right")
    await pilot.press("down")


async def save_minutes(pilot: Pilot, case: Case) -> None:
    """Go through the options by keys, and type the number."""
    await _options(pilot, "Load/Save")
    await pilot.click('check-box[name^="Save AutoRecovery"]')
    await pilot.fill('dialog >> spin-button[value="10"]', "3")
    await pilot.press("tab")
    await pilot.click('push-button[name="OK"]')
    await pilot.act(Wait(2))  # LibreOffice writes its options a moment later


async def no_console(pilot: Pilot, case: Case) -> None:
    """Go through the options by keys."""
    await _options(pilot, "LibreOffice Impress")
    await pilot.click('check-box[name="Enable Presenter Console"]')
    await pilot.click('push-button[name="OK"]')
    await pilot.act(Wait(2))
