"""Second solutions of Anki, written without a look at the checks."""

from __future__ import annotations

from itertools import pairwise

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, Wait


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


async def _options(pilot: Pilot, deck: str) -> None:
    """Open a deck's options from its page, by the key, and wait until they are there."""
    await pilot.click(f'link[name="{deck}"]')
    await pilot.box('push-button[name="Custom Study"]')
    await pilot.press("o")
    for _ in range(9):
        if await pilot.sees('dialog >> label[name="Learning steps"]'):
            break
        await pilot.act(Wait(4))


async def _field(pilot: Pilot, label: str) -> None:
    """Go to the field on the right of a label."""
    left, top, _, height = await pilot.box(f'dialog >> label[name="{label}"]')
    await pilot.act(Click(round(left + 360), round(top + height / 2)))


async def _enter(pilot: Pilot, label: str, text: object) -> None:
    await _field(pilot, label)
    await pilot.press("ctrl+a")
    await pilot.type(f"{text}\t")


async def _pick(pilot: Pilot, label: str, choice: str) -> None:
    await _field(pilot, label)
    await pilot.click(f'dialog >> list-item[name^="{choice}"]')


async def _keep(pilot: Pilot) -> None:
    """Save a deck's options by the key."""
    await pilot.press("ctrl+enter")


async def learning_steps(pilot: Pilot, case: Case) -> None:
    """With all delays in seconds."""
    words = case["delays_shown"].replace(",", " ").split()
    seconds = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
    delays = [
        f"{int(number) * seconds[unit.rstrip('s')]}s" for number, unit in pairwise(words) if number.isdigit()
    ]
    await _options(pilot, case["geography"])
    await _enter(pilot, "Learning steps", " ".join(delays))
    await _keep(pilot)


async def bury_reviews(pilot: Pilot, case: Case) -> None:
    """With another one switched on and off."""
    await _options(pilot, case["geography"])
    for name in ("Bury new siblings", "Bury review siblings", "Bury new siblings"):
        await pilot.click(f'dialog >> check-box[name="{name}"]')
    await _keep(pilot)


async def leeches(pilot: Pilot, case: Case) -> None:
    """The action first."""
    await _options(pilot, case["geography"])
    await _pick(pilot, "Leech action", "Suspend")
    await _enter(pilot, "Leech threshold", case["times"])
    await _keep(pilot)


async def limit_of_one_deck(pilot: Pilot, case: Case) -> None:
    """Look at the limit of today first."""
    await _options(pilot, case["language"])
    for name in ("Today only", "This deck"):
        await pilot.click(f'dialog >> push-button[name="{name}"]:nth(0)')
    await pilot.fill("dialog >> spin-button:nth(0)", f"{case['most']}\t")
    await _keep(pilot)


async def own_preset(pilot: Pilot, case: Case) -> None:
    """Go down to the interval by the key of the page's end."""
    await _options(pilot, case["language"])
    left, top, width, height = await pilot.box('dialog >> push-button[name="Save"]')
    await pilot.act(Click(round(left + width + 11), round(top + height / 2)))
    await pilot.click('push-button[name="Clone Preset"]')
    await pilot.press("ctrl+a")
    await pilot.type(case["name"] + "\n")
    await pilot.press("end")
    await _enter(pilot, "Maximum interval", case["most"])
    await _keep(pilot)


async def auto_advance(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    answer = next(name for name in ("Again", "Hard", "Good", "Easy") if name.lower() in case["action_shown"])
    await _options(pilot, case["geography"])
    await _pick(pilot, "Answer action", f"Answer {answer}")
    await _pick(pilot, "Question action", "Show Reminder")
    await pilot.click('dialog >> check-box[name="Wait for audio"]')
    await _enter(pilot, "Seconds to show answer for", case["answer"])
    await _enter(pilot, "Seconds to show question for", case["question"])
    await _keep(pilot)


async def more_today(pilot: Pilot, case: Case) -> None:
    """By the key."""
    await pilot.click(f'link[name="{case["language"]}"]')
    await pilot.press("c")
    await pilot.fill("dialog >> spin-button", f"{case['more']}\t")
    await pilot.click('dialog >> push-button[name="OK"]')


async def _fields(pilot: Pilot) -> None:
    """Open the fields of the note type by the key."""
    await pilot.press("ctrl+shift+n")
    await pilot.click('list-item[name^="Vocabulary"]')
    await pilot.click('push-button[name="Fields"]')


async def _save_fields(pilot: Pilot) -> None:
    await pilot.click('dialog[name^="Fields"] >> push-button[name="Save"]')
    await pilot.press("escape")


async def right_to_left(pilot: Pilot, case: Case) -> None:
    """Choose the field by arrow keys, and set the direction first and the size last."""
    await _fields(pilot)
    await pilot.press("down", ["Word", "Meaning", "Example"].index(case["field_name"]))
    await pilot.click('check-box[name^="Reverse text direction"]')
    await pilot.click('radio-button[name^="Sort by this field"]')
    await pilot.fill('dialog[name^="Fields"] >> spin-button', f"{case['size']}\t")
    await _save_fields(pilot)


async def new_field(pilot: Pilot, case: Case) -> None:
    """Exclude it before its hint is written."""
    await _fields(pilot)
    await pilot.click('dialog[name^="Fields"] >> push-button[name="Add"]')
    await pilot.type(case["name"] + "\n")
    await pilot.click('check-box[name^="Exclude from unqualified"]')
    await pilot.fill('dialog >> text[description^="Text to show inside"]', case["hint"])
    await _save_fields(pilot)


async def clone(pilot: Pilot, case: Case) -> None:
    """By the key, and with Enter in place of the buttons."""
    await pilot.press("ctrl+shift+n")
    await pilot.click('dialog[name="Note Types"] >> push-button[name="Add"]')
    await pilot.click('dialog[name="Add Note Type"] >> list-item[name*="Vocabulary"]')
    await pilot.press("enter")
    await pilot.press("ctrl+a")
    await pilot.type(case["name"] + "\n")


async def find_and_replace(pilot: Pilot, case: Case) -> None:
    """By the key, with a regular expression."""
    await _search(pilot, "note:Vocabulary")
    await pilot.press("ctrl+a")
    await pilot.press("ctrl+alt+f")
    await pilot.type(f"sth\\.\t{case['text']}\tMe")
    await pilot.click('dialog >> check-box[name="Treat input as regular expression"]')
    await pilot.click('dialog >> push-button[name="OK"]')
