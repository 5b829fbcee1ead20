"""What a person's hands do in GRASS's window: menus, dialogs of layers, tables and the map."""

from __future__ import annotations

from pytest_cuabench.action import Wait
from pytest_cuabench.adapters.oracle import Hand, Lost

from .maps import full

TABLE = 'frame[name$="Attribute Table Manager"]'
_PAUSES = (0.1, 0.2, 0.4, 0.5, 1, 1, 2, 2, 4)  # seconds between two looks at what takes GRASS a while


async def await_sight(hand: Hand, target: str) -> None:
    """Wait until something is on the screen.

    Raises:
        Lost: It does not come.
    """
    for pause in _PAUSES:
        if await hand.sees(target):
            return
        await hand.act(Wait(pause), thought=f"Wait for {target}")
    raise Lost(f"{target} does not appear")


async def await_gone(hand: Hand, target: str) -> None:
    """Wait until something is no longer on the screen.

    Raises:
        Lost: It stays.
    """
    for pause in _PAUSES:
        if not await hand.sees(target):
            return
        await hand.act(Wait(pause), thought=f"Wait until {target} is gone")
    raise Lost(f"{target} stays")


async def press(hand: Hand, target: str, count: int = 1) -> None:
    """Click what may take a while to appear."""
    await await_sight(hand, target)
    await hand.click(target, count)


async def context(hand: Hand, target: str, item: str) -> None:
    """Choose from the context menu of something."""
    await await_sight(hand, target)
    await hand.click(target, button="right")
    await press(hand, f'menu-item[name="{item}"]')


async def layer_menu(hand: Hand, layer: str, item: str) -> None:
    """Choose from the context menu of a layer."""
    await context(hand, f"place:layer/{layer}", item)


async def remove_layer(hand: Hand, layer: str) -> None:
    """Take a layer off the list, and say that this is meant."""
    await layer_menu(hand, layer, "Remove")
    await press(hand, 'alert >> push-button[name="Yes"]')
    await await_gone(hand, f"place:layer/{layer}")


async def show_map(hand: Hand, location: str, name: str) -> None:
    """Double-click a map in the data catalogue; its mapset is open when it is the current one."""
    await press(hand, f"place:catalog/{location}/PERMANENT/{name}", count=2)
    await await_sight(hand, f"place:layer/{full(name)}")


async def unfold(hand: Hand, location: str) -> None:
    """Open a location of the catalogue and its mapset."""
    mapset = f"place:catalog/{location}/PERMANENT"
    if not await hand.sees(mapset):
        await hand.click(f"place:catalog/{location}", count=2)
    await press(hand, mapset, count=2)


async def properties(hand: Hand, layer: str, page: str) -> str:
    """Open a page of a layer's properties; return the selector of the dialog."""
    dialog = 'frame[name^="d."]'
    await layer_menu(hand, layer, "Properties")  # a double click may leave the dialog behind the main window
    await press(hand, f'{dialog} >> page-tab[name="{page}"]')
    return dialog


async def confirm(hand: Hand, dialog: str, button: str = "OK") -> None:
    """Press a dialog's button and see the dialog go."""
    await press(hand, f'{dialog} >> push-button[name="{button}"]')
    await await_gone(hand, dialog)


async def choose_color(hand: Hand, button: str, rgb: list[int]) -> None:
    """Press a button that shows a colour, and type another one."""
    await press(hand, button)
    name = 'text[description*="hexadecimal"]'
    await await_sight(hand, name)
    await hand.fill(name, "#{:02X}{:02X}{:02X}".format(*rgb))
    await hand.press("tab")
    for light, amount in zip(("red", "green", "blue"), rgb, strict=True):
        await await_sight(hand, f'spin-button[description^="Amount of {light}"][value="{amount}"]')
    await confirm(hand, 'color-chooser[name="Choose colour"]', "Select")


async def pick(hand: Hand, combo: str, item: str) -> None:
    """Choose an item of a combo box."""
    await press(hand, combo)
    await press(hand, f'window >> menu-item[name="{item}"]')


async def open_table(hand: Hand, layer: str) -> None:
    """Open the attribute table of a layer."""
    await layer_menu(hand, layer, "Show attribute data")
    await await_sight(hand, TABLE)


async def manage_table(hand: Hand, layer: str) -> None:
    """Open what manages the columns of a layer's table."""
    await open_table(hand, layer)
    await hand.click(f"{TABLE} >> panel:nth(3)@0.24,0.5")
    await await_sight(hand, f'{TABLE} >> push-button[name="Add"]')


async def find_record(hand: Hand, cat: int) -> str:
    """Have the table show one record; return where it is."""
    await hand.fill(f"{TABLE} >> text:nth(1)", str(cat))
    await hand.click(f'{TABLE} >> push-button[name="Apply"]')
    return f"{TABLE} >> scroll-pane >> panel:nth(1)@0.2,0.05"
