"""Rich texts: what people format in an editor is stored as HTML, and shown as such only after it was cleaned."""

from __future__ import annotations

import html
import re

import nh3
from markupsafe import Markup

_TEXT = {
    "p",
    "br",
    "div",
    "span",
    "b",
    "strong",
    "i",
    "em",
    "u",
    "s",
    "strike",
    "blockquote",
    "pre",
    "code",
    "a",
}
_TAGS = _TEXT | {"ul", "ol", "li", "h1", "h2", "h3", "h4", "table", "thead", "tbody", "tr", "th", "td"}
_BLOCK = re.compile(r"<(?:p|div|ul|ol|h\d|blockquote|pre|table)\b")
_TAG = re.compile(r"<[^>]*>")
_ENDS = re.compile(r"<(?:br|/p|/div|/li|/h\d|/tr)\b[^>]*>")


def clean(text: str) -> Markup:
    """Return a rich text with nothing in it but harmless formatting."""
    cleaned = nh3.clean(text, tags=_TAGS, attributes={"a": {"href"}})
    return Markup(cleaned)  # noqa: S704 - nothing but the tags above is left


def plain(text: str) -> str:
    """Return what is to be read of a rich text, in one line."""
    return " ".join(html.unescape(_TAG.sub("", _ENDS.sub(" ", text))).split())


def entered(text: str) -> str | None:
    """Return what an editor sends as it is stored: cleaned, in a paragraph at least; None where nothing is in it."""
    cleaned = str(clean(text)).strip()
    if not plain(cleaned):
        return None
    return cleaned if _BLOCK.search(cleaned) else f"<p>{cleaned}</p>"
