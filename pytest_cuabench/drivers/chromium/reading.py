"""Reads a page of the world as a document: its text, HTML and pictures."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pytest_cuabench.task.phases import MOST_PICTURES, FoundDocument

if TYPE_CHECKING:
    from playwright import async_api as playwright

_OPEN = 20_000  # milliseconds for a page to load
_SHOWN = 3_000  # milliseconds for a picture of it
_TALLEST = 12_000  # pixels of the whole page's picture
_SMALLEST = 64  # pixels a side of a picture that is worth looking at
_TEXT = "(document.querySelector('main, [role=main], article') ?? document.body).innerText"


async def read_document(page: playwright.Page, url: str) -> FoundDocument | None:
    """Open a page and return it as a document; None if the server has none there.

    Raises:
        playwright.Error: The page did not open.
    """
    response = await page.goto(url, wait_until="load", timeout=_OPEN)
    if response is None or response.status >= 400:
        return None
    height = min(await page.evaluate("document.documentElement.scrollHeight"), _TALLEST)
    width = await page.evaluate("document.documentElement.clientWidth")
    clip = {"x": 0, "y": 0, "width": width, "height": max(1, height)}
    return FoundDocument(
        url,
        await page.title(),
        await page.evaluate(_TEXT),
        await page.content(),
        await _pictures(page),
        await page.screenshot(full_page=True, clip=clip),  # type: ignore[arg-type]
    )


async def _pictures(page: playwright.Page) -> tuple[bytes, ...]:
    """Return the page's pictures that are large enough to show something, from the top."""
    from playwright.async_api import Error

    found: list[bytes] = []
    for image in await page.query_selector_all("img"):
        box = await image.bounding_box()
        if box and min(box["width"], box["height"]) >= _SMALLEST and len(found) < MOST_PICTURES:
            with suppress(Error):  # it is covered, or hidden meanwhile
                found.append(await image.screenshot(timeout=_SHOWN))
    return tuple(found)
