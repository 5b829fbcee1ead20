"""Second solutions of Anki, written without a look at the checks."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click


async def _preferences(pilot: Pilot, page: str) -> None:
    """Open the preferences by their keys, and a page of them."""
    await pilot.press("ctrl+p")
    await pilot.click(f'page-tab[name="{page}"]')


async def _close(pilot: Pilot) -> None:
    """Close the dialog by Escape, which keeps what was set."""
    await pilot.press("tab")
    await pilot.press("escape")


async def default_deck(pilot: Pilot, case: Case) -> None:
    """By an arrow key, in the list that is closed."""
    await _preferences(pilot, "Editing")
    await pilot.click('combo-box[name^="When adding"]')
    await pilot.press("escape")
    await pilot.press("down")
    await _close(pilot)


async def day(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _preferences(pilot, "Review")
    await pilot.fill('spin-button[name="Timebox time limit"]', str(case["box_shown"]))
    await pilot.fill('spin-button[name="Learn ahead limit"]', str(case["ahead_shown"]))
    await pilot.fill('spin-button[name="Next day starts at"]', str(case["hour"]))
    await _close(pilot)


async def answer_keys(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _preferences(pilot, "Review")
    await pilot.fill('text[name="Good"]', case["good"])
    await pilot.fill('text[name="Again"]', case["again"])
    await pilot.click('check-box[name^="Spacebar"]')
    await _close(pilot)


async def backups(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _preferences(pilot, "Backups")
    await pilot.fill('spin-button[name^="Weekly"]', str(case["weekly"]))
    await pilot.fill('spin-button[name^="Daily"]', str(case["daily"]))
    await pilot.fill('spin-button[name^="Minutes"]', str(case["minutes"]))
    await _close(pilot)


async def _search(pilot: Pilot, text: str) -> None:
    """Open the browser by its key, search, and go to the list."""
    await pilot.press("b")
    await pilot.press("ctrl+a")
    await pilot.type(text + "\n")
    await pilot.act(Click(1000, 900))


async def flag(pilot: Pilot, case: Case) -> None:
    """By the keys of flags."""
    await _search(pilot, f"tag:{case['tag_name']}")
    await pilot.press("ctrl+a")
    names = ["red", "orange", "green", "blue", "pink", "turquoise", "purple"]
    await pilot.press(f"ctrl+{names.index(case['flag_name'].lower()) + 1}")


async def due_date(pilot: Pilot, case: Case) -> None:
    """By the key, as a range of one day."""
    await _search(pilot, "tag:america")
    await pilot.press("ctrl+a")
    await pilot.press("ctrl+shift+d")
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['days']}-{case['days']}!\n")


async def saved_search(pilot: Pilot, case: Case) -> None:
    """The state before the deck, which means the same."""
    await _search(pilot, f'is:{case["kind_shown"]} deck:"{case["language"]}"')
    await pilot.click('table-cell[name="Saved Searches"]', button="right")
    await pilot.press("down")
    await pilot.press("enter")
    await pilot.type(case["name"] + "\n")


async def filtered(pilot: Pilot, case: Case) -> None:
    """By the key, from the last setting to the first; the tag is quoted."""
    await pilot.press("f")
    await pilot.click('check-box[name^="Reschedule cards"]')
    await pilot.click('combo-box[name="Random"]')
    await pilot.press("escape")
    while not await pilot.sees('combo-box[name*="ecreasing intervals"]'):
        await pilot.press("down")
    await pilot.fill('spin-button[name="Filter"]', str(case["limit"]))
    await pilot.fill('text[name="Filter"]', '"tag:america"')
    await pilot.fill('text[name="Deck"]', case["name"])
    await pilot.click('push-button[name="Build"]')


async def type_the_answer(pilot: Pilot, case: Case) -> None:
    """With a break before the box, so that it stands on its own line wherever it is shown."""
    await pilot.press("ctrl+shift+n")
    await pilot.click('list-item[name^="Vocabulary"]')
    await pilot.click('push-button[name="Cards"]')
    if not await pilot.sees(f'combo-box[name*=": {case["card_name"]}:"]'):
        await pilot.click('dialog[name^="Card Types"] >> combo-box')
        await pilot.press("down")
        await pilot.press("enter")
    await pilot.click('text[name="Template"]:nth(1)')
    await pilot.press("ctrl+end")
    field = case["card_what"].split()[-1].capitalize()
    await pilot.type(f"\n<br>{{{{type:{field}}}}}")
    await pilot.click('dialog[name^="Card Types"] >> push-button[name="Save"]')
    await pilot.press("escape")


async def description(pilot: Pilot, case: Case) -> None:
    """Go to the field by Tab."""
    await pilot.click(f'link[name="{case["geography"]}"]')
    await pilot.click('push-button[name="Description"]')
    await pilot.press("tab")
    await pilot.type(case["text"])
    await pilot.click('dialog >> push-button[name="OK"]')
