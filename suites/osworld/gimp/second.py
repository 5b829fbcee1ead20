"""Second solutions of GIMP, written without a look at the checks: by search for actions and the export dialog."""

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Key, Wait


async def _search(pilot: Pilot, name: str) -> None:
    """Carry out an entry of the menus that the search for actions finds."""
    await pilot.press("/")
    await pilot.act(Wait(2))
    await pilot.type(name)
    await pilot.act(Wait(3), Key(("enter",)), Wait(2))


async def _export(pilot: Pilot) -> None:
    """Export by the dialog, and confirm that the file is replaced."""
    await pilot.press("ctrl+shift+e")
    await pilot.click('push-button[name="Export"]')
    await pilot.click('push-button[name="Replace"]')
    await pilot.click('dialog[name="Export Image as PNG"] >> push-button[name="Export"]')
    await pilot.act(Wait(3))


async def halve(pilot: Pilot, case: Case) -> None:
    """Type half of the width as it is shown; the height follows."""
    await _search(pilot, "Scale Image")
    await pilot.fill('dialog >> spin-button[value^="320"]', "160")
    await pilot.press("tab")
    await pilot.click('push-button[name="Scale"]')
    await _export(pilot)


async def mirror(pilot: Pilot, case: Case) -> None:
    """Find the entry by its description: another one of that name mirrors the view only."""
    await _search(pilot, "flip image horizontally")
    await _export(pilot)


async def indexed(pilot: Pilot, case: Case) -> None:
    """Find the entry by search, and take fewer colours than the dialog suggests."""
    await _search(pilot, "Indexed...")
    await pilot.fill('dialog >> spin-button[value="256"]', "32")
    await pilot.press("tab")
    await pilot.click('push-button[name="Convert"]')
    await _export(pilot)


async def darker(pilot: Pilot, case: Case) -> None:
    """Lower the exposure, in place of the brightness."""
    await _search(pilot, "Exposure...")
    await pilot.fill('dialog >> spin-button[value^="0"]:nth(1)@0.93,0.5', "-0.6")
    await pilot.press("tab")
    await pilot.click('push-button[name="OK"]')
    await _export(pilot)


async def undo_levels(pilot: Pilot, case: Case) -> None:
    """Find the preferences by search, and type the number."""
    await _search(pilot, "Preferences")
    await pilot.fill('dialog >> spin-button[value="5"]', "80")
    await pilot.press("tab")
    await pilot.click('push-button[name="OK"]')


async def take_photograph(pilot: Pilot, case: Case) -> None:
    """Look into the menu where a camera would be, and give up."""
    await pilot.click('menu-bar >> menu[name="File"]')
    await pilot.press("escape", 2)
    await pilot.give_up(reason="There is no camera, and no entry that takes photographs.")
