"""Second solutions of Geany, written without a look at the checks."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click


async def _preferences(pilot: Pilot, *tabs: str) -> None:
    """Open the preferences by their keys, and a page of them."""
    await pilot.press("ctrl+alt+p")
    place = "dialog"
    for tab in tabs:
        place += f' >> page-tab[name="{tab}"]'
        await pilot.click(f"{place}:nth(0)")


async def _apply(pilot: Pilot) -> None:
    """Press Apply, and leave the dialog by Cancel."""
    await pilot.click('push-button[name="Apply"]')
    await pilot.click('push-button[name="Cancel"]')


async def _turn(pilot: Pilot, shown: str, wanted: str, key: str = "down", nth: int = 0) -> None:
    """Choose in a list that is closed, by arrow keys."""
    await pilot.click(f'combo-box[name="{shown}"]:nth({nth})')
    await pilot.press("escape")
    while not await pilot.sees(f'combo-box[name="{wanted}"]'):
        await pilot.press(key)


async def _follow(pilot: Pilot, *texts: str) -> None:
    """Fill the fields that follow each other, going on by Tab, which selects what is in the next one."""
    for text in texts:
        await pilot.press("tab")
        await pilot.type(text)


async def type_past_line_ends(pilot: Pilot, case: Case) -> None:
    """Move the choice by an arrow key."""
    await _preferences(pilot, "Editor", "Display")
    await pilot.click('radio-button[name="Only for rectangular selections"]')
    await pilot.press("down")
    await _apply(pilot)


async def mark_long_lines(pilot: Pilot, case: Case) -> None:
    """Switch the marker off and on again, and enter the column first."""
    await _preferences(pilot, "Editor", "Display")
    await pilot.click('check-box[name="Enabled"]', count=2)
    await pilot.fill('spin-button[description^="The long line marker"]', str(case["column"]))
    await pilot.click('radio-button[name="Line"]')
    await pilot.press("right")
    await _apply(pilot)


async def close_quotes(pilot: Pilot, case: Case) -> None:
    """Tick and untick a bracket, and go on by Tab and Space."""
    await _preferences(pilot, "Editor", "Completions")
    await pilot.click('check-box[name="Square brackets [ ]"]')
    await pilot.press("space")
    for _ in range(2):
        await pilot.press("tab")
        await pilot.press("space")
    await _apply(pilot)


async def mark_disabled_lines(pilot: Pilot, case: Case) -> None:
    """Erase the old mark by Backspace."""
    await _preferences(pilot, "Editor", "Features")
    await pilot.click('text[description^="A string which is added"]')
    await pilot.press("end")
    await pilot.press("backspace", 3)
    await pilot.type(str(case["mark"]))
    await _apply(pilot)


async def suggest_sooner(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _preferences(pilot, "Editor", "Completions")
    await pilot.fill('spin-button[description^="Maximum number of entries"]', str(case["names"]))
    await pilot.fill('spin-button[description^="The amount of characters"]', str(case["characters"]))
    await pilot.press("tab")
    await pilot.click('check-box[name="Drop rest of word on completion"]')
    await _apply(pilot)


async def indent_new_files(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, with arrow keys."""
    await _preferences(pilot, "Editor", "Indentation")
    await _turn(pilot, "Current chars", "Match braces")
    await pilot.click('check-box[name="Detect type from file"]')
    await pilot.click('radio-button[name="Tabs"]')
    await pilot.press("down")
    await pilot.fill('spin-button[description^="The width in chars"]', str(case["width"]))
    await _apply(pilot)


async def save_for_windows(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, with arrow keys."""
    await _preferences(pilot, "Files")
    await pilot.click('check-box[name="Replace tabs with space"]')
    await pilot.press("shift+tab")
    await pilot.press("space")
    await _turn(pilot, "Unix (LF)", "Windows (CRLF)", "up")
    await _apply(pilot)


async def arrange_tabs(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first, with arrow keys."""
    await _preferences(pilot, "Interface", "Notebook tabs")
    await _turn(pilot, "Top", "Bottom", nth=1)
    await pilot.click('check-box[name^="Switch to last used document"]')
    await pilot.click('check-box[name="Next to current"]')
    await _apply(pilot)


async def shrink_toolbar(pilot: Pilot, case: Case) -> None:
    """From the toolbar's context menu."""
    await pilot.click('push-button[name="Open"]', button="right")
    await pilot.click('menu-item[name="Toolbar Preferences"]')
    await pilot.click('radio-button[name="Very small icons"]')
    await pilot.click('radio-button[name="Images only"]')
    await pilot.click('check-box[name="Append toolbar to the menu"]')
    await _apply(pilot)


async def sign_new_files(pilot: Pilot, case: Case) -> None:
    """From field to field by Tab."""
    await _preferences(pilot, "Templates")
    await pilot.fill('text[description="The name of the developer"]', case["name"])
    await _follow(pilot, case["initials"], case["mail"], case["company"], str(case["version"]))
    await _apply(pilot)


async def look_words_up(pilot: Pilot, case: Case) -> None:
    """Quote the word, which changes nothing for a word."""
    await _preferences(pilot, "Tools")
    await pilot.fill('text[description^="Context action command"]', f'{case["program"]} "%s"')
    await _apply(pilot)


async def _various(pilot: Pilot, name: str, value: str) -> None:
    """Look for a hidden setting by its name, and edit it in its row."""
    await _preferences(pilot, "Various")
    await pilot.click('table-cell[name="build.number_exec_menu_items"]')
    await pilot.press("ctrl+f")
    await pilot.type(name)
    await pilot.press("enter")
    left, top, width, height = await pilot.box(f'table-cell[name="{name}"]')
    await pilot.act(Click(round(left + width * 1.5), round(top + height / 2), count=2))
    await pilot.press("ctrl+a")
    await pilot.type(value)
    await pilot.press("enter")
    await _apply(pilot)


async def shorten_status_bar(pilot: Pilot, case: Case) -> None:
    """By the keyboard alone."""
    await _various(pilot, "interface.statusbar_template", case["to"])


async def find_again_elsewhere(pilot: Pilot, case: Case) -> None:
    """By the keyboard alone."""
    await _various(pilot, "search.find_selection_type", "2")


async def bind_key(pilot: Pilot, case: Case) -> None:
    """Find the command by typing its name."""
    await _preferences(pilot, "Keybindings")
    await pilot.click('table-cell[name="File"]')
    await pilot.press("ctrl+f")
    await pilot.type(case["command"])
    await pilot.press("enter")
    await pilot.click('dialog >> push-button[name="Change"]')
    await pilot.press(case["keys"])
    await pilot.click('dialog[name="Grab Key"] >> push-button[name="OK"]')
    await _apply(pilot)


async def back_up_saves(pilot: Pilot, case: Case) -> None:
    """Switch the plugin on, and open its preferences from the menu Edit."""
    await pilot.press("alt+t")
    await pilot.press("up")
    await pilot.press("enter")
    left, top, _, height = await pilot.box('table-cell[name^="Save Actions"]')
    await pilot.act(Click(round(left - 22), round(top + height / 2)))
    await pilot.click('dialog >> push-button[name="Close"]')
    await pilot.click('menu[name="Edit"]')
    await pilot.click('menu-item[name="Plugin Preferences"]')
    await pilot.click('page-tab[name="Backup Copy"]')
    await pilot.click('check-box[name="Enable"]')
    await pilot.fill("dialog >> spin-button", str(case["levels"]))
    await pilot.fill('dialog >> text[value="/tmp"]', case["folder"])
    await pilot.click('dialog >> push-button[name="OK"]')


async def _to_line(pilot: Pilot, number: int) -> None:
    await pilot.press("ctrl+l")
    await pilot.type(f"{number}\n")


async def add_snippet(pilot: Pilot, case: Case) -> None:
    """Write a section of its own to the end of the file, with a comment."""
    await pilot.press("alt+t")
    await pilot.press("down")
    await pilot.press("right")
    await pilot.press("down", 4)
    await pilot.press("enter")
    await pilot.press("ctrl+end")
    await pilot.type(f"\n# ours\n[Python]\n{case['word']}={case['call']}(%cursor%)")
    await pilot.click('push-button[name="Save"]')


async def know_extension(pilot: Pilot, case: Case) -> None:
    """Take the comment signs from both lines in their places, and begin the line with the new pattern."""
    await pilot.press("alt+t")
    await pilot.press("down")
    await pilot.press("right")
    await pilot.press("enter")
    lines = (await pilot.read("text:focused")).splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith(("#~[Extensions]", "#~Python=")):
            await _to_line(pilot, number)
            await pilot.press("home")
            await pilot.press("delete", 2)
    await pilot.press("right", len("Python="))
    await pilot.type(f"*.{case['ending']};")
    await pilot.click('push-button[name="Save"]')


async def add_build_command(pilot: Pilot, case: Case) -> None:
    """By the keyboard, from the last field of the row to the first."""
    await pilot.press("alt+b")
    await pilot.press("up")
    await pilot.press("enter")
    left, top, _, height = await pilot.box('label[name="2."]:nth(2)')  # below those of other kinds of files
    for column, text in ((440, "%d"), (270, f'{case["program"]} "%f"'), (100, case["label"])):
        await pilot.act(Click(round(left + column), round(top + height / 2)))
        await pilot.type(text)
    await pilot.press("enter")
    await pilot.click('dialog[name="Set Build Commands"] >> push-button[name="OK"]')
