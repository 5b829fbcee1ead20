"""What several tasks with Geany do: its menus, and its files of settings."""

from __future__ import annotations

from pytest_cuabench import Pilot


async def choose(pilot: Pilot, *names: str) -> None:
    """Choose an item of the menus; the names before it are those of the menus that lead to it."""
    *menus, item = names
    for menu in menus:
        await pilot.click(f'menu[name="{menu}"]')
    await pilot.click(f'menu-item[name="{item}"]')


async def press_button(pilot: Pilot, name: str, dialog: str = "") -> None:
    """Press a button of the dialog, or of the one with this title."""
    await pilot.click(f'dialog{dialog and f"""[name="{dialog}"]"""} >> push-button[name="{name}"]')


async def add_to_settings(pilot: Pilot, file: str, *lines: str) -> None:
    """Open a file of settings from the menus, add lines at its end, and save it."""
    await choose(pilot, "Tools", "Configuration Files", file)
    await pilot.press("ctrl+end")
    for line in lines:
        await pilot.type(line)
        await pilot.press("enter")
    await pilot.press("ctrl+s")
