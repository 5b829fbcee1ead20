"""Second solutions of Chromium, written without a look at the checks: by addresses."""

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Wait


async def _go(pilot: Pilot, address: str, target: str = "") -> None:
    """Go to a page of the settings, which takes long to fill itself on a busy machine."""
    await pilot.press("ctrl+l")
    await pilot.act(Wait(1))
    await pilot.type(f"{address}\n")
    for _ in range(10):
        await pilot.act(Wait(4))
        if not target or await pilot.sees(target):
            return


async def do_not_track(pilot: Pilot, case: Case) -> None:
    """Go to the page of the switch by its address."""
    await _go(pilot, "chrome://settings/cookies", switch := 'toggle-button[name*="Do Not Track"]')
    await pilot.click(switch)
    await pilot.click('push-button[name="Confirm"]')
    await pilot.act(Wait(3))


async def my_name(pilot: Pilot, case: Case) -> None:
    """Go to the page of the profile by its address."""
    await _go(pilot, "chrome://settings/manageProfile", field := 'entry[name="Name"]')
    await pilot.fill(field, "Workshop")
    await pilot.press("tab")
    await pilot.act(Wait(3))


async def pay_by_thumb(pilot: Pilot, case: Case) -> None:
    """Look for it in the settings, and give up."""
    await _go(pilot, "chrome://settings/?search=fingerprint")
    await pilot.give_up(reason="A fingerprint of another device cannot log in to every page.")
