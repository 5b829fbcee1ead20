"""What a person does in KAlgebra's window, by mouse and keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_cuabench.adapters.oracle import Hand

_DOCK = 'frame[name="Functions"]'
_EDITOR = f"{_DOCK} >> text"


async def show(hand: Hand, tab: str) -> None:
    """Bring a tab to the front."""
    await hand.click(f'page-tab[name="{tab}"]')


async def calculate(hand: Hand, text: str) -> None:
    """Calculate in the console."""
    await show(hand, "Calculator")
    await hand.fill("text", text)
    await hand.press("enter")


async def plot(hand: Hand, expressions: Sequence[str]) -> None:
    """Add curves to the graph of the plane."""
    await show(hand, "2D Graph")
    for expression in expressions:
        if await hand.sees(f'{_DOCK} >> page-tab[name="Add"]'):
            await hand.click(f'{_DOCK} >> page-tab[name="Add"]')
        await hand.fill(_EDITOR, expression)
        await hand.press("enter")


async def draw(hand: Hand, expression: str, *, enter: bool = True) -> None:
    """Draw a surface, or only type it."""
    await show(hand, "3D Graph")
    await hand.fill("text", expression)
    if enter:
        await hand.press("enter")


async def choose(hand: Hand, menu: str, item: str) -> None:
    """Choose from a menu."""
    await hand.click(f'menu-item[name="{menu}"]')
    await hand.click(f'menu-item[name="{menu}"] >> menu-item[name="{item}"]')


async def load(hand: Hand, file: str) -> None:
    """Load a script of HOME into the console."""
    await choose(hand, "Calculator", "Load Script...")
    await hand.fill('dialog >> text[name="File name:"]', file)
    await hand.press("enter")


async def remove_variable(hand: Hand, cell: str) -> None:
    """Remove the variable of a value."""
    await hand.click(f'frame[name="Variables"] >> table-cell[name="{cell}"]')
    await hand.click('push-button[name="Remove Variable"]')


async def edit(hand: Hand, plot_name: str) -> None:
    """Open the editor of a curve."""
    await hand.click(f'{_DOCK} >> table-cell[name="{plot_name}"]@0.85,0.5', count=2)


async def remove_plot(hand: Hand, plot_name: str) -> None:
    """Remove a curve."""
    await edit(hand, plot_name)
    await hand.click('push-button[name="Remove"]')


async def recolour(hand: Hand, plot_name: str, place: int) -> None:
    """Give a curve one of the colours of the list."""
    await edit(hand, plot_name)
    await hand.click(f"{_DOCK} >> combo-box")
    await hand.click(f"{_DOCK} >> combo-box >> list-item:nth({place})")
    await hand.click(f'{_DOCK} >> push-button[name="OK"]')
