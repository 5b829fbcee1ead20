"""Sites whose pages are written here: blogs, forums and other products.

The pages of `www.site.example` are in the Markdown files of the fixtures' folder of that name. Each heading of the
first level starts a page; `guides.md` with the heading `# First steps` makes `/guides/first-steps`. The line below the
heading may say who wrote it and when, and is shown as such: `> Ann, 3 May 2019`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import markdown
from lxml import html

from docs_web.folders import version
from docs_web.rendering import render
from docs_web.site import File, Page, readable

_PAGE = re.compile(r"^# (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Text:
    """A page as it is written."""

    group: str
    title: str
    byline: str
    body: str


class Written:
    """A site of Markdown files."""

    def __init__(self, host: str, name: str, folder: Path, style: str) -> None:
        self.host, self.name, self.start = host, name, "/"
        self._folder, self._style = folder, style

    def pages(self) -> Iterator[Page]:
        """See `Site.pages`."""
        for path, text in self._texts.items():
            yield Page(path, text.title, readable(html.fromstring(f"<div>{text.body}</div>")))

    def answer(self, path: str) -> File | None:
        """See `Site.answer`."""
        if path == "/":
            return self._file(text=None)
        text = self._texts.get(path)
        return self._file(text=text) if text else None

    def version(self) -> str:
        """See `Site.version`."""
        return version(sorted(self._folder.glob("*.md")))

    def _file(self, text: Text | None) -> File:
        near = {path: one for path, one in self._texts.items() if text is None or one.group == text.group}
        page = render("written.html", name=self.name, style=self._style, text=text, near=near)
        return File(page.encode(), "text/html; charset=utf-8")

    @cached_property
    def _texts(self) -> dict[str, Text]:
        return {
            f"/{file.stem}/{slug}": text
            for file in sorted(self._folder.glob("*.md"))
            for slug, text in read_texts(file, file.stem)
        }


def read_texts(file: Path, group: str) -> Iterator[tuple[str, Text]]:
    """Yield the pages of a file by the last parts of their addresses."""
    _, *parts = _PAGE.split(file.read_text(encoding="utf-8"))
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        byline, rest = re.match(r"\s*(?:> (.+)\n)?([\s\S]*)", body).groups()  # type: ignore[union-attr]
        shown = markdown.markdown(rest, extensions=["tables", "fenced_code"])
        yield _slug(title), Text(group, title, byline or "", shown)


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
