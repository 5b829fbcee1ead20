"""Second solutions of Qt Creator, written without a look at the checks."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot


async def _preferences(pilot: Pilot, search: str, category: str, tab: str) -> None:
    """Open the preferences by the keyboard, and look for a page by the filter."""
    await pilot.press("alt+e")
    await pilot.press("up")
    await pilot.press("enter")
    await pilot.fill('dialog >> text[description="Filter"]', search)
    await pilot.click(f'dialog >> list-item[name="{category}"]:nth(0)')
    await pilot.click(f'dialog >> page-tab[name="{tab}"]')


async def _tick(pilot: Pilot, name: str) -> None:
    """Tick or untick by Space, after two clicks that undo each other."""
    await pilot.click(f'dialog >> check-box[name^="{name}"]')
    await pilot.press("space")
    await pilot.press("space")


async def _number(pilot: Pilot, name: str, number: object) -> None:
    """Enter a number, and leave the field by Tab."""
    await pilot.fill(f"dialog >> spin-button{name}", str(number))
    await pilot.press("tab")


async def _turn(pilot: Pilot, shown: str, wanted: str) -> None:
    """Choose in a list that is closed, by arrow keys."""
    await pilot.click(f'dialog >> combo-box[name="{shown}"]:nth(0)')
    await pilot.press("escape")
    for key in ("down",) * 10 + ("up",) * 12:
        if await pilot.sees(f'dialog >> combo-box[name="{wanted}"]'):
            return
        await pilot.press(key)


async def _apply(pilot: Pilot) -> None:
    """Press Apply, and leave the dialog by Cancel."""
    await pilot.click('dialog >> push-button[name="Apply"]')
    await pilot.click('dialog >> push-button[name="Cancel"]')


async def check_leaks(pilot: Pilot, case: Case) -> None:
    """The number first, the list by arrow keys."""
    await _preferences(pilot, "backtrace", "Analyzer", "Valgrind")
    await _number(pilot, '[name="Backtrace frame count:"]', case["frames"])
    await _turn(pilot, "Summary Only", "Full")
    await _tick(pilot, "Show reachable")
    await _apply(pilot)


async def tune_clangd(pilot: Pilot, case: Case) -> None:
    """From the last setting to the first."""
    await _preferences(pilot, "clangd", "C++", "Clangd")
    await _number(pilot, '[description^="The maximum number of completion"]', case["results"])
    await _tick(pilot, "Insert header files on completion")
    await _number(pilot, '[description^="Number of worker threads"]', case["threads"])
    await _turn(pilot, "Low Priority", f"{case['priority_words'].capitalize()} Priority")
    await _apply(pilot)


async def keep_files_in_memory(pilot: Pilot, case: Case) -> None:
    """By the filter."""
    await _preferences(pilot, "suspend", "Environment", "System")
    await _number(pilot, '[value="10"]', case["files"])
    await _apply(pilot)


async def shuffle_tests(pilot: Pilot, case: Case) -> None:
    """Shuffle first."""
    await _preferences(pilot, "shuffle", "Testing", "Google Test")
    await _tick(pilot, "Shuffle tests")
    await _tick(pilot, "Repeat tests")
    await _number(pilot, '[name="Iterations:"]', case["times"])
    await _tick(pilot, "Run disabled tests")
    await _apply(pilot)


async def indent_by_keys(pilot: Pilot, case: Case) -> None:
    """The second setting first."""
    await _preferences(pilot, "backspace", "Text Editor", "Behavior")
    await _turn(pilot, "Never", "In Leading White Space")
    await _turn(pilot, "None", "Follows Previous Indents")
    await _apply(pilot)


async def annotate_between_lines(pilot: Pilot, case: Case) -> None:
    """By arrow keys."""
    await _preferences(pilot, "annotations", "Text Editor", "Display")
    await pilot.click('radio-button[name="Aligned at right side"]')
    await pilot.press("down")
    await _apply(pilot)


async def rebase_when_pulling(pilot: Pilot, case: Case) -> None:
    """By the filter."""
    await _preferences(pilot, "rebase", "Version Control", "Git")
    await _tick(pilot, "Pull with rebase")
    await _apply(pilot)


async def show_help_elsewhere(pilot: Pilot, case: Case) -> None:
    """By the filter and arrow keys."""
    await _preferences(pilot, "context help", "Help", "General")
    await _turn(pilot, "Show Side-by-Side if Possible", "Always Show in External Window")
    await _apply(pilot)


async def wrap_submit_messages(pilot: Pilot, case: Case) -> None:
    """By the filter."""
    await _preferences(pilot, "wrap submit", "Version Control", "General")
    await _number(pilot, ":nth(0)", case["columns"])
    await _apply(pilot)


async def spell_types_out(pilot: Pilot, case: Case) -> None:
    """By the filter."""
    await _preferences(pilot, "setters", "C++", "Quick Fixes")
    await _tick(pilot, "Use type")
    await _apply(pilot)


async def format_qml(pilot: Pilot, case: Case) -> None:
    """By the filter."""
    await _preferences(pilot, "auto format", "Qt Quick", "QML/JS Editing")
    await _tick(pilot, "Enable auto format on file save")
    await _apply(pilot)
