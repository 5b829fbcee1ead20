"""Second solutions of VLC, written without a look at the checks: in all preferences."""

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click


async def _qt_preferences(pilot: Pilot) -> None:
    """Show all preferences, look for those of the interface Qt, and open them."""
    await pilot.press("ctrl+p")
    await pilot.click('radio-button[name="All"]')
    await pilot.act(Click(400, 47))
    await pilot.type("Qt")
    await pilot.click('table-cell[name="Qt"]')


async def record_folder(pilot: Pilot, case: Case) -> None:
    """Type the folder in the simple preferences of inputs."""
    await pilot.press("ctrl+p")
    await pilot.click('check-box[name="Input / Codecs"]')
    await pilot.fill('text[name^="Record directory"]', "/home/user/Videos")
    await pilot.click('push-button[name="Save"]')


async def louder(pilot: Pilot, case: Case) -> None:
    """Look for the options by search."""
    await _qt_preferences(pilot)
    await pilot.fill('spin-button[name^="Maximum Volume"]', "200")
    await pilot.press("tab")
    await pilot.click('push-button[name="Save"]')


async def no_cone(pilot: Pilot, case: Case) -> None:
    """Look for the options by search."""
    await _qt_preferences(pilot)
    await pilot.click('check-box[name^="Display background cone"]')
    await pilot.click('push-button[name="Save"]')


async def several_windows(pilot: Pilot, case: Case) -> None:
    """Open the preferences by keys."""
    await pilot.press("ctrl+p")
    await pilot.click('check-box[name*="started from file manager"]')
    await pilot.click('push-button[name="Save"]')


async def small_window(pilot: Pilot, case: Case) -> None:
    """Choose it among all preferences."""
    await _qt_preferences(pilot)
    await pilot.click('check-box[name^="Start in minimal view"]')
    await pilot.click('push-button[name="Save"]')


async def tune_aerial(pilot: Pilot, case: Case) -> None:
    """Look at the dialog of devices, and give up."""
    await pilot.press("ctrl+c")
    await pilot.press("escape")
    await pilot.give_up(reason="No aerial is plugged into this computer.")
