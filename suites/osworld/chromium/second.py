"""Second solutions of Chromium, written without a look at the checks: by addresses."""

from pytest_cuabench import Case, Pilot


async def pay_by_thumb(pilot: Pilot, case: Case) -> None:
    """Look for it in the settings, and give up."""
    await pilot.press("ctrl+l")
    await pilot.type("chrome://settings/?search=fingerprint\n")
    await pilot.give_up(reason="A fingerprint of another device cannot log in to every page.")
