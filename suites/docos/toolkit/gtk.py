"""Menus, buttons and lists of applications made with GTK."""

from __future__ import annotations

from pytest_cuabench import Pilot


async def choose(pilot: Pilot, *names: str) -> None:
    """Choose an item of the menus; the names before it are those of the menus that lead to it."""
    *menus, item = names
    for menu in menus:
        await pilot.click(f'menu[name="{menu}"]')
    await pilot.click(f'menu-item[name="{item}"]')


async def press_button(pilot: Pilot, name: str, dialog: str) -> None:
    """Press a button of a dialog."""
    await pilot.click(f'dialog[name="{dialog}"] >> push-button[name="{name}"]')


async def find_in_list(pilot: Pilot, name: str) -> None:
    """Look for a row of the list that has the focus, by typing what it begins with."""
    await pilot.press("ctrl+f")
    await pilot.type(name)
    await pilot.press("escape")
