"""What second solutions of the office programs do alike: go through menus, and save by keys."""

from __future__ import annotations

from pytest_cuabench import Pilot


async def choose(pilot: Pilot, *names: str) -> None:
    """Choose an entry of the menus; each name is how an entry begins, and one that begins with `=` is whole."""
    menu, *inner = names
    await pilot.click(f'menu-bar >> menu[name="{menu}"]')
    for name in inner:
        test = f'="{name[1:]}"' if name.startswith("=") else f'^="{name}"'
        await pilot.click(f"*[name{test}]:selectable")


async def save(pilot: Pilot) -> None:
    """Save by keys; the default answer keeps the format of the document."""
    await pilot.press("ctrl+s")
    await pilot.press("enter")
