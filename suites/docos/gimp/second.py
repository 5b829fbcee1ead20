"""Second solutions of GIMP, written without a look at the checks: by its search of actions and by keys."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Wait


async def _run(pilot: Pilot, action: str) -> None:
    """Look for an action by its name, and run it."""
    await pilot.press("slash")
    await pilot.type(action)
    await pilot.act(Wait(1))
    await pilot.press("enter")
    await pilot.act(Wait(1))


async def _preferences(pilot: Pilot, page: str) -> None:
    """Open the preferences by the search, and a page of them."""
    await _run(pilot, "Preferences")
    await pilot.click(f'dialog >> table-cell[name="{page}"]')


async def _confirm(pilot: Pilot) -> None:
    """Press OK by its mnemonic."""
    await pilot.press("alt+o")


async def undo(pilot: Pilot, case: Case) -> None:
    """Enter the number, and confirm by the mnemonic."""
    await _preferences(pilot, "System Resources")
    await pilot.fill('dialog >> spin-button[description^="Sets the minimal number"]', str(case["levels"]))
    await pilot.press("tab")
    await _confirm(pilot)


async def snapping(pilot: Pilot, case: Case) -> None:
    """The distance first, and another box is ticked and unticked."""
    await _preferences(pilot, "Snapping")
    await pilot.fill("dialog >> spin-button", str(case["distance"]))
    await pilot.click('dialog >> check-box[name="Snap to Grid"]:nth(0)')
    await pilot.press("space")
    await pilot.click('dialog >> check-box[name="Snap to Canvas Edges"]:nth(0)')
    await _confirm(pilot)


async def print_size(pilot: Pilot, case: Case) -> None:
    """The vertical resolution first; the other one by hand as well, if it does not follow."""
    await _run(pilot, "Print Size")
    for nth in (1, 0):
        await pilot.fill(f'dialog >> spin-button[value="72.000"]:nth({nth})', str(case["resolution"]))
        await pilot.press("tab")
        if not await pilot.sees('dialog >> spin-button[value="72.000"]'):
            break
    await _finish(pilot)


async def _finish(pilot: Pilot) -> None:
    """Press OK by its mnemonic, and save the picture by its key."""
    await _confirm(pilot)
    await pilot.act(Wait(1))
    await pilot.press("ctrl+s")


async def guides(pilot: Pilot, case: Case) -> None:
    """The vertical guide first."""
    for way, percent in (("Vertical", case["down_percent"]), ("Horizontal", case["across_percent"])):
        await _run(pilot, "New Guide (by Percent)")
        if not await pilot.sees(f'dialog >> combo-box[name="{way}"]'):
            await pilot.click("dialog >> combo-box")
            await pilot.press("down")
            await pilot.press("enter")
        await pilot.fill("dialog >> spin-button", str(percent))
        await pilot.press("tab")
        await _confirm(pilot)
        await pilot.act(Wait(1))
    await pilot.press("ctrl+s")


async def comment(pilot: Pilot, case: Case) -> None:
    """By the key of the properties."""
    await pilot.press("alt+enter")
    await pilot.click('dialog >> page-tab[name="Comment"]')
    await pilot.click("dialog >> text")
    await pilot.press("ctrl+a")
    await pilot.type(case["comment"])
    await pilot.press("escape")
    await pilot.act(Wait(1))
    await pilot.press("ctrl+s")
