"""Reads a page of the world as a document: its text, HTML and pictures."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.chromium.observing.locating import find_all
from pytest_cuabench.task.phases import MOST_PICTURES, FoundDocument

if TYPE_CHECKING:
    from playwright import async_api as playwright

    from pytest_cuabench.drivers.chromium.session.tab import Tab

_OPEN = 20_000  # milliseconds for a page to load
_SHOWN = 3_000  # milliseconds for a picture of it
_TALLEST = 12_000  # pixels of the whole page's picture
_SMALLEST = 64  # pixels a side of a picture that is worth looking at


async def read_document(tab: Tab, url: str) -> FoundDocument | None:
    """Open a page in a tab and return it as a document; None if the server has none there.

    Raises:
        playwright.Error: The page did not open.
    """
    page = tab.page
    response = await page.goto(url, wait_until="load", timeout=_OPEN)
    if response is None or response.status >= 400:
        return None
    read = await tab.run("document.js")
    clip = {"x": 0, "y": 0, "width": read["width"], "height": max(1, min(read["height"], _TALLEST))}
    pictures = await _pictures(page)
    whole = await page.screenshot(full_page=True, clip=clip)  # type: ignore[arg-type]
    return FoundDocument(url, read["title"], read["text"], read["html"], pictures, whole)


async def _pictures(page: playwright.Page) -> tuple[bytes, ...]:
    """Return the page's pictures that are large enough to show something, from the top."""
    from playwright.async_api import Error

    found: list[bytes] = []
    for image in await find_all(page, "img"):
        box = await image.bounding_box()
        if box and min(box["width"], box["height"]) >= _SMALLEST and len(found) < MOST_PICTURES:
            with suppress(Error):  # it is covered, or hidden meanwhile
                found.append(await image.screenshot(timeout=_SHOWN))
    return tuple(found)
