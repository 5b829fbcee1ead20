"""Second solutions of KeePassXC, written without a look at the checks."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click


async def _unlock(pilot: Pilot, title: str = "") -> None:
    """Unlock the database by the keyboard, and select an entry by what its title begins with."""
    await pilot.type("maple-7\n")
    if title:
        await pilot.click(f'table-cell[name="{title}"]')


async def _edit(pilot: Pilot, title: str, page: str = "") -> None:
    """Open an entry by its key, and a page of it."""
    await _unlock(pilot, title)
    await pilot.press("ctrl+e")
    if page:
        await pilot.click(f'list-item[name="{page}"]')


async def _done(pilot: Pilot) -> None:
    """Press Apply, and leave by Escape."""
    await pilot.click('push-button[name="Apply"]')
    await pilot.click('push-button[name="Cancel"]')


async def _ok(pilot: Pilot) -> None:
    await pilot.click('push-button[name="OK"]')


async def _beside(pilot: Pilot, label: str) -> None:
    """Click what is at the right of a label."""
    left, top, width, height = await pilot.box(f'label[name="{label}"]')
    await pilot.act(Click(round(left + width + 200), round(top + height / 2)))


async def tag_entry(pilot: Pilot, case: Case) -> None:
    """The second tag first, with commas."""
    await _edit(pilot, case["title"])
    await _beside(pilot, "Tags:")
    await pilot.type(f"{case['second']},{case['first']},")
    await _done(pilot)


async def type_name_first(pilot: Pilot, case: Case) -> None:
    """With codes in small letters, which are the same."""
    await _edit(pilot, case["title"], "Auto-Type")
    await pilot.click('radio-button[name^="Use custom"]')
    await pilot.fill(
        'text[name="Custom Auto-Type sequence"]',
        f"{{username}}{{enter}}{{delay {case['delay']}}}{{password}}{{enter}}",
    )
    await _done(pilot)


async def never_type(pilot: Pilot, case: Case) -> None:
    """Open the entry by Enter, and untick by Space."""
    await _unlock(pilot, case["title"])
    await pilot.press("enter")
    await pilot.click('list-item[name="Auto-Type"]')
    await pilot.click('check-box[name="Enable Auto-Type for this entry"]', count=2)
    await pilot.press("space")
    await _done(pilot)


async def point_to_field(pilot: Pilot, case: Case) -> None:
    """With the placeholder in small letters, which KeePassXC takes as well."""
    await _edit(pilot, case["title"])
    await pilot.click('text[name="Url field"]', count=3)
    await pilot.type(f"https://{case['host']}.example/{{username}}")
    await _done(pilot)


async def _database(pilot: Pilot) -> None:
    """Open the settings of the database by the keyboard."""
    await _unlock(pilot)
    await pilot.press("alt+d")
    for _ in range(30):
        if await pilot.sees('menu-item[name="Database Settings…"]:focused'):
            break
        await pilot.press("down")
    await pilot.press("enter")


async def delete_for_good(pilot: Pilot, case: Case) -> None:
    """By the keyboard."""
    await _database(pilot)
    await pilot.click('check-box[name="Use recycle bin"]')
    await _ok(pilot)


async def fill_in_user(pilot: Pilot, case: Case) -> None:
    """The number first, by arrow keys."""
    await _database(pilot)
    await pilot.fill('spin-button[name^="Maximum number of history"]', str(case["items"]))
    await pilot.press("tab")
    await pilot.click('text[name="Default username field"]')
    await pilot.type(case["user"])
    await _ok(pilot)


async def describe_database(pilot: Pilot, case: Case) -> None:
    """Go on by Tab from the name."""
    await _database(pilot)
    await pilot.click('text[name="Database name field"]')
    await pilot.press("tab")
    await pilot.type(case["text"])
    await _ok(pilot)


async def save_by_hand(pilot: Pilot, case: Case) -> None:
    """Without unlocking, from the menu Tools, the backup first."""
    await pilot.click('menu-item[name="Tools"]')
    await pilot.click('menu-item[name="Settings"]')
    await pilot.click('check-box[name="Backup database file before saving"]')
    await pilot.click('check-box[name="Automatically save after every change"]')
    await _ok(pilot)


async def lock_when_idle(pilot: Pilot, case: Case) -> None:
    """From the toolbar, and go from the last to the first."""
    await pilot.click('check-box[name="Settings"]')
    await pilot.click('list-item[name="Security"]')
    await pilot.click('check-box[name^="Lock databases after minimizing"]')
    await pilot.click('check-box[name^="Lock databases after inactivity"]')
    await pilot.fill('spin-button[name="Database lock timeout seconds"]', str(case["idle"]))
    await pilot.fill('spin-button[name="Clipboard clear seconds"]', str(case["clip"]))
    await pilot.press("tab")
    await _ok(pilot)


async def type_slowly(pilot: Pilot, case: Case) -> None:
    """From the toolbar, the second delay first."""
    await pilot.click('check-box[name="Settings"]')
    await pilot.click('page-tab[name="Auto-Type"]')
    await pilot.fill('spin-button[name^="Auto-type character typing"]', str(case["each"]))
    await pilot.fill('spin-button[name^="Auto-type start delay"]', str(case["start"]))
    await pilot.press("tab")
    await _ok(pilot)


async def clone_entry(pilot: Pilot, case: Case) -> None:
    """By the key, the reference first."""
    await _unlock(pilot, case["title"])
    await pilot.press("ctrl+k")
    await pilot.click('check-box[name^="Replace username"]')
    await pilot.click('check-box[name^="Append"]')
    await _ok(pilot)


async def set_up_codes(pilot: Pilot, case: Case) -> None:
    """By the keyboard, the key in small letters and groups."""
    await _unlock(pilot, case["title"])
    await pilot.click('menu-item[name="Entries"]')
    await pilot.click('menu-item[name="TOTP"]')
    await pilot.click('menu-item[name^="Set up TOTP"]')
    key = case["key"].lower()
    await pilot.type(" ".join(key[place : place + 4] for place in range(0, len(key), 4)))
    await pilot.click('radio-button[name="Custom settings:"]')
    for text in ("", case["step"], case["digits"], ""):
        await pilot.press("tab")
        if text:
            await pilot.type(str(text))
    await _ok(pilot)


async def associate_window(pilot: Pilot, case: Case) -> None:
    """The sequence first, with codes in small letters."""
    await _edit(pilot, case["title"], "Auto-Type")
    await pilot.click('push-button[name="Add new window association"]')
    await pilot.click('check-box[name^="Use a specific sequence"]')
    await pilot.fill('text[name^="Custom Auto-Type sequence for"]', "{Password}{Enter}")
    await pilot.fill('combo-box[name="Set the window association title"] >> text', case["window"])
    await _done(pilot)


async def protect_attribute(pilot: Pilot, case: Case) -> None:
    """By the key Ctrl+E, protected last, and left by Apply."""
    await _edit(pilot, case["title"], "Advanced")
    await pilot.click('push-button[name="Add a new attribute"]')
    await pilot.type(case["name"] + "\n")
    await pilot.click('text[name="Attribute value"]')
    await pilot.type(case["value"])
    await pilot.click('check-box[name="Toggle attribute protection"]')
    await _done(pilot)
