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
    """Choose in the list that has the focus, from its first entry on, which Home does not choose in a closed list."""
    await pilot.press("up", 12)  # more than any of these lists has
    if place:
        await pilot.press("down", place)


async def turn_beside(pilot: Pilot, label: str, place: int) -> None:
    """Choose in the list on the right of a label."""
    await _click_beside(pilot, f'label[name^="{label}"]')
    await pilot.press("escape")
    await turn(pilot, place)


async def pick_beside(pilot: Pilot, place: str, name: str) -> None:
    """Choose in the opened list on the right of a label or box."""
    await _click_beside(pilot, place)
    await pilot.click(f'*[name="{name}"]:selectable:nth(0)')


async def put_beside(pilot: Pilot, label: str, text: object) -> None:
    """Replace what is in the field on the right of a label, and leave it by Tab."""
    await _click_beside(pilot, f'label[name^="{label}"]')
    await pilot.press("ctrl+a")
    await pilot.type(f"{text}\t")


async def open_options(pilot: Pilot, place: int) -> None:
    """Open a page of the program's own options by keys; the first one below its name has the place 1."""
    await pilot.press("alt+f12")
    await pilot.press("left", 2)
    await pilot.press("down", 3)
    await pilot.press("right")
    await pilot.press("down", place)


async def apply(pilot: Pilot) -> None:
    """Press Apply, and leave the dialog by Escape."""
    await pilot.click('dialog >> push-button[name="Apply"]')
    await pilot.press("escape")


async def finish(pilot: Pilot) -> None:
    """Press OK, and save by keys."""
    await pilot.click('dialog >> push-button[name="OK"]')
    await pilot.press("ctrl+s")


async def _click_beside(pilot: Pilot, place: str) -> None:
    left, top, width, height = await pilot.box(f"dialog >> {place}")
    await pilot.act(Click(round(left + width + 40), round(top + height / 2)))
