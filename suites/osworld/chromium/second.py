"""Second solutions of Chromium, written without a look at the checks: by addresses and keys."""

from pytest_cuabench import Case, Pilot


async def _go(pilot: Pilot, address: str) -> None:
    await pilot.press("ctrl+l")
    await pilot.type(f"{address}\n")


async def do_not_track(pilot: Pilot, case: Case) -> None:
    """Go to the page of the switch by its address."""
    await _go(pilot, "chrome://settings/cookies")
    await pilot.click('*[name*="Do Not Track"]:nth(0)')
    await pilot.click('push-button[name="Confirm"]')


async def my_name(pilot: Pilot, case: Case) -> None:
    """Go to the page of the profile by its address."""
    await _go(pilot, "chrome://settings/manageProfile")
    await pilot.fill('entry[name*="name"]', "Workshop")
    await pilot.press("tab")


async def pay_by_thumb(pilot: Pilot, case: Case) -> None:
    """Look for it in the settings, and give up."""
    await _go(pilot, "chrome://settings/?search=fingerprint")
    await pilot.give_up(reason="A fingerprint of another device cannot log in to every page.")
