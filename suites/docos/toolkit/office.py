"""What second solutions of LibreOffice do alike: they go by menus, by the letters of labels, and by arrow keys."""

from __future__ import annotations

from pytest_cuabench import Pilot
from pytest_cuabench.task.action import Click


async def choose(pilot: Pilot, *names: str) -> None:
    """Choose an entry of the menus; each name is how an entry begins, and one that begins with `=` is whole."""
    menu, *inner = names
    await pilot.click(f'menu-bar >> menu[name="{menu}"]')
    for name in inner:
        test = f'="{name[1:]}"' if name.startswith("=") else f'^="{name}"'
        await pilot.click(f"menu-bar >> *[name{test}]:selectable")


async def put(pilot: Pilot, letter: str, text: object) -> None:
    """Replace what is in the field with that letter, and leave it by Tab."""
    await pilot.press(f"alt+{letter}")
    await pilot.press("ctrl+a")
    await pilot.type(f"{text}\t")


async def turn(pilot: Pilot, place: int) -> None:
    """Choose in the list that has the focus, from its first entry on."""
    await pilot.press("home")
    if place:
        await pilot.press("down", place)


async def turn_beside(pilot: Pilot, label: str, place: int) -> None:
    """Choose in the list on the right of a label."""
    left, top, width, height = await pilot.box(f'dialog >> label[name^="{label}"]')
    await pilot.act(Click(round(left + width + 40), round(top + height / 2)))
    await pilot.press("escape")
    await turn(pilot, place)


async def finish(pilot: Pilot) -> None:
    """Press OK, and save by keys."""
    await pilot.click('dialog >> push-button[name="OK"]')
    await pilot.press("ctrl+s")
