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


async def _apply(pilot: Pilot) -> None:
    """Press Apply, and leave the dialog by Cancel."""
    await pilot.click('dialog >> push-button[name="Apply"]')
    await pilot.click('dialog >> push-button[name="Cancel"]')


async def keep_files_in_memory(pilot: Pilot, case: Case) -> None:
    """By the filter."""
    await _preferences(pilot, "suspend", "Environment", "System")
    await _number(pilot, '[value="10"]', case["files"])
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


async def _choose(pilot: Pilot, shown: str, wanted: str) -> None:
    """Choose in a list by typing what the item begins with."""
    await pilot.click(f"dialog >> combo-box{shown}")
    await pilot.type(f"{wanted}\n")


async def indent_by_keys(pilot: Pilot, case: Case) -> None:
    """By the filter, with type-ahead, the last setting first."""
    await _preferences(pilot, "backspace", "Text Editor", "Behavior")
    await _choose(pilot, '[name="Never"]', "In Leading")
    await _choose(pilot, '[name="None"]', "Follows")
    await _apply(pilot)


async def format_qml(pilot: Pilot, case: Case) -> None:
    """By the filter."""
    await _preferences(pilot, "auto format", "Qt Quick", "QML/JS Editing")
    await _tick(pilot, "Enable auto format on file save")
    await _apply(pilot)
