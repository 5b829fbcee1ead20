"""What hands do in Setup."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_cuabench.adapters.oracle import Hand

_PAGE = "css=.org-setup__page >> "  # beside the tree, whose links are called like what stands in lists


async def open_setup(hand: Hand) -> None:
    """Go from the app to Setup, by the gear."""
    await hand.click('role=button[name="Setup"]')
    await hand.click('role=menuitem[name="Setup"]')


async def find_page(hand: Hand, words: str, page: str) -> None:
    """Go to a page of Setup by Quick Find."""
    await hand.fill('role=searchbox[name="Quick Find"]', words)
    await hand.click(f'role=tree >> role=link[name="{page}"]')


async def follow(hand: Hand, name: str) -> None:
    """Follow a link of the page."""
    await hand.click(f'{_PAGE}role=link[name="{name}"]')


async def press(hand: Hand, name: str) -> None:
    """Press a button of the page; forms have theirs above and below."""
    await hand.click(f'{_PAGE}role=button[name="{name}"] >> nth=0')


async def tick(hand: Hand, names: Iterable[str]) -> None:
    """Tick rows of a table, each after looking for it."""
    for name in names:
        await hand.fill(f'{_PAGE}role=searchbox[name="Search this list..."]', name)
        await hand.click(f'{_PAGE}role=checkbox[name="Select {name}"]')


def listed(person: str) -> str:
    """Return how Setup lists a person: the last name first, if there is a first one."""
    first, _, last = person.partition(" ")
    return f"{last}, {first}" if last else first
