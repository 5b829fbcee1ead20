"""Sites that are manuals of one long page each: every section is a page of its own, with links up, back and on.

A section is what docutils and Asciidoctor make of a heading: a `div` of the class `section` or `sect1`, `sect2` ...,
whose id, or whose heading's, names the page. Sections deeper than asked for stay within the page around them.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from lxml import html

from docs_web.folders import version
from docs_web.rendering import render
from docs_web.site import File, Page, readable

_SECTION = re.compile(r"\b(section|sect[1-9])\b")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(eq=False)
class Section:
    """One section; its element no longer has those that are pages of their own.

    Attributes:
        place: Its path without the ending.
    """

    place: str
    title: str
    element: html.HtmlElement
    above: Section | None
    below: list[Section] = field(default_factory=list)

    @property
    def path(self) -> str:
        """Its path on the host."""
        return f"{self.place}.html"


class Manual:
    """A manual in a few long HTML files.

    Args:
        files: The folder of each file below `at`, and the file. A file's images are in its own folder.
        depth: How many levels of headings are pages.
    """

    def __init__(
        self, host: str, name: str, files: Mapping[str, Path], at: str, start: str, depth: int
    ) -> None:
        self.host, self.name, self.start = host, name, start
        self._files, self._at, self._depth = files, at, depth

    def pages(self) -> Iterator[Page]:
        """See `Site.pages`."""
        for path, section in self._sections.items():
            yield Page(path, section.title, readable(deepcopy(section.element)))

    def answer(self, path: str) -> File | None:
        """See `Site.answer`."""
        if path in self._sections:
            return File(self._rendered(path).encode(), "text/html; charset=utf-8")
        for folder, file in self._files.items():
            base = f"{self._at}{folder}"
            picture = (file.parent / path.removeprefix(base)).resolve()
            if path.startswith(base) and picture.is_relative_to(file.parent) and picture.is_file():
                return File(picture.read_bytes(), mimetypes.guess_type(picture.name)[0] or "image/png")
        return None

    def version(self) -> str:
        """See `Site.version`."""
        return version(tuple(self._files.values()))

    @cached_property
    def _sections(self) -> dict[str, Section]:
        return {
            section.path: section
            for folder, file in self._files.items()
            for section in split(file, self._depth, f"{self._at}{folder}")
        }

    def _rendered(self, path: str) -> str:
        section, paths = self._sections[path], list(self._sections)
        at = paths.index(path)
        return render(
            "manual.html",
            name=self.name,
            home=self.start,
            section=section,
            body=html.tostring(section.element, encoding="unicode"),
            above=_ancestors(section),
            back=paths[at - 1] if at else None,
            on=paths[at + 1] if at + 1 < len(paths) else None,
        )


def split(file: Path, depth: int, base: str) -> list[Section]:
    """Return the sections of a page in their order, the whole page's own beginning first.

    Args:
        base: The path below which they are, with a slash at its end.
    """
    tree = html.document_fromstring(file.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))
    body = tree if tree.body is None else tree.body
    title = " ".join((tree.findtext(".//title") or file.stem).split())
    for part in list(body.iter("script", "style")):
        part.drop_tree()
    for contents in body.xpath("//*[@id='toc' or contains(concat(' ', @class, ' '), ' contents ')]"):
        contents.drop_tree()
    for picture in body.xpath(".//img[not(contains(@src, ':'))]"):
        picture.set("src", base + picture.get("src"))
    first = Section(f"{base}index", title, body, None)
    found = [first, *_below(body, first, depth, base)]
    homes = {name: one for one in found for name in one.element.xpath(".//@id | .//a/@name")}
    for one in found:
        for link in one.element.xpath(".//a[starts-with(@href, '#')]"):
            home = homes.get(link.get("href")[1:], one)
            if home is not one:
                link.set("href", f"{home.path}{link.get('href')}")
    return found


def _below(element: html.HtmlElement, above: Section, depth: int, base: str) -> Iterator[Section]:
    """Take the sections out of an element, and yield them with those below them."""
    for part in _sections_of(element):
        heading = next(iter(part.iter(*_HEADINGS)), None)
        name = part.get("id") or (heading.get("id") if heading is not None else None)
        if heading is None or name is None:
            continue
        part.drop_tree()
        part.set("id", name)
        one = Section(base + name.strip("_"), " ".join(heading.text_content().split()), part, above)
        above.below.append(one)
        yield one
        if depth > 1:
            yield from _below(part, one, depth - 1, f"{one.place}/")


def _sections_of(element: html.HtmlElement) -> Sequence[html.HtmlElement]:
    """Return the sections that are in an element, and in no other section of it."""
    found: list[html.HtmlElement] = []
    for part in element.iterdescendants("div", "section"):
        inner = any(other in found for other in part.iterancestors())
        if _SECTION.search(part.get("class") or "") and not inner:
            found.append(part)
    return found


def _ancestors(section: Section) -> list[Section]:
    above = section.above
    return [*_ancestors(above), above] if above else []
