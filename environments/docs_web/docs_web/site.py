"""What every site is: a host whose pages can be listed for the index, and asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from lxml import html

_UNREAD = ("script", "style", "noscript", "nav", "header", "footer", "aside")
_AROUND = re.compile(
    r"navi|\b(navheader|navfooter|footer)\b", re.IGNORECASE
)  # classes of what is around each page
_BLOCKS = ("p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "div", "tr", "dt", "dd", "pre", "br")
_CELLS = ("td", "th")


@dataclass(frozen=True, slots=True)
class Page:
    """A page as the search engine knows it.

    Attributes:
        path: Its path on the site's host, from the slash on.
        text: What is read on it.
    """

    path: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class File:
    """What a site answers."""

    body: bytes
    media_type: str


class Site(Protocol):
    """One host.

    Attributes:
        name: The words by which people call the site.
        start: The path that `/` leads to.
    """

    host: str
    name: str
    start: str

    def pages(self) -> Iterator[Page]:
        """Yield all pages."""

    def answer(self, path: str) -> File | None:
        """Return what is at a path; None if nothing is."""

    def version(self) -> str:
        """Return a text that is another one when the pages are."""


def readable(tree: html.HtmlElement) -> str:
    """Take the text out of a part of a page, without what is around it on every page; blocks are lines."""
    around = (part for part in tree.iterdescendants("*") if _AROUND.search(part.get("class", "")))
    for part in [*tree.iter(*_UNREAD), *around]:
        part.drop_tree()
    for part in tree.iter(*_CELLS):
        part.tail = f" {part.tail or ''}"
    for part in tree.iter(*_BLOCKS):
        part.tail = f"\n{part.tail or ''}"
    lines = (" ".join(line.split()) for line in tree.text_content().splitlines())
    return "\n".join(line for line in lines if line)
