"""Second solutions of Chromium, written without a look at the checks: by addresses."""

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Wait


async def _go(pilot: Pilot, address: str) -> None:
    """Go to a page of the settings, which takes long to fill itself on a busy machine."""
    await pilot.press("ctrl+l")
    await pilot.act(Wait(1))
    await pilot.type(f"{address}\n")
    await pilot.act(Wait(12))


async def do_not_track(pilot: Pilot, case: Case) -> None:
    """Go to the page of the switch by its address."""
    await _go(pilot, "chrome://settings/cookies")
    await pilot.click('toggle-button[name*="Do Not Track"]')
    await pilot.click('push-button[name="Confirm"]')
    await pilot.act(Wait(3))


async def my_name(pilot: Pilot, case: Case) -> None:
    """Go to the page of the profile by its address."""
    await _go(pilot, "chrome://settings/manageProfile")
    await pilot.fill('entry[name="Name"]', "Workshop")
    await pilot.press("tab")
    await pilot.act(Wait(3))


async def pay_by_thumb(pilot: Pilot, case: Case) -> None:
    """Look for it in the settings, and give up."""
    await _go(pilot, "chrome://settings/?search=fingerprint")
    await pilot.give_up(reason="A fingerprint of another device cannot log in to every page.")
