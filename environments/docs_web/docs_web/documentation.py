"""Documentation that is written here, for applications whose packages have none: chapters of pages, in versions.

`fixtures/docs_web/<host>/<version>/10-playing-files.md` is the chapter "Playing files"; each heading of the first level
starts a page, so that `# Open a disc` is `<at><version>/playing-files/open-a-disc`. Chapters are in the order of their
numbers. A version also has its contents (`<at><version>/`) and an index of titles and bold words (`general-index`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lxml import html

from docs_web.folders import version
from docs_web.rendering import render
from docs_web.site import File, Page, readable
from docs_web.written import Text, read_texts

_INDEX = "general-index"


@dataclass(frozen=True, slots=True)
class Release:
    """One version of the documentation: its pages by the end of their paths, chapter by chapter."""

    version: str
    texts: Mapping[str, Text]

    @property
    def chapters(self) -> dict[str, dict[str, Text]]:
        """The pages of each chapter, in their order."""
        found: dict[str, dict[str, Text]] = {}
        for place, text in self.texts.items():
            found.setdefault(text.group, {})[place] = text
        return found

    @property
    def terms(self) -> list[tuple[str, dict[str, Text]]]:
        """The titles and bold words in alphabetical order, each with its pages."""
        found: dict[str, dict[str, Text]] = {}
        for place, text in self.texts.items():
            bold = html.fromstring(f"<div>{text.body}</div>").iter("strong")
            for term in (text.title, *(" ".join(one.text_content().split()) for one in bold)):
                found.setdefault(term, {})[place] = text
        return sorted(found.items(), key=lambda pair: pair[0].lower())


class Documentation:
    """The documentation of one product.

    Args:
        at: The path on the host that leads to it, with a slash at both ends.
        versions: The folders of its versions, the current one first.
    """

    def __init__(self, host: str, name: str, folder: Path, at: str, versions: Sequence[str]) -> None:
        self.host, self.name, self.start = host, name, f"{at}{versions[0]}/"
        self._folder, self._at, self._versions = folder, at, versions

    def pages(self) -> Iterator[Page]:
        """See `Site.pages`."""
        for release in self._releases.values():
            for place, text in release.texts.items():
                title = f"{text.title} – {self.name} {release.version}"
                yield Page(
                    f"{self._at}{release.version}/{place}",
                    title,
                    readable(html.fromstring(f"<div>{text.body}</div>")),
                )

    def answer(self, path: str) -> File | None:
        """See `Site.answer`."""
        number, _, place = path.removeprefix(self._at).partition("/")
        release = self._releases.get(number) if path.startswith(self._at) else None
        if release is None or place not in ("", _INDEX, *release.texts):
            return None
        return File(self._rendered(release, place).encode(), "text/html; charset=utf-8")

    def version(self) -> str:
        """See `Site.version`."""
        return version([file for number in self._versions for file in self._files(number)])

    @cached_property
    def _releases(self) -> dict[str, Release]:
        return {number: Release(number, dict(self._texts(number))) for number in self._versions}

    def _texts(self, number: str) -> Iterator[tuple[str, Text]]:
        for file in self._files(number):
            chapter = file.stem.partition("-")[2]
            for slug, text in read_texts(file, chapter.replace("-", " ").capitalize()):
                yield f"{chapter}/{slug}", text

    def _files(self, number: str) -> list[Path]:
        return sorted((self._folder / number).glob("*.md"))

    def _rendered(self, release: Release, place: str) -> str:
        places = list(release.texts)
        at = places.index(place) if place in release.texts else -1
        return render(
            "documentation.html",
            name=self.name,
            base=f"{self._at}{release.version}/",
            release=release,
            place=place,
            index=_INDEX,
            text=release.texts.get(place),
            back=places[at - 1] if at > 0 else None,
            on=places[at + 1] if 0 <= at < len(places) - 1 else None,
            switch={number: self._same(number, place) for number in self._versions},
            current=self._versions[0],
        )

    def _same(self, number: str, place: str) -> str:
        """Return the path of a page in another version; its contents, if it has no such page."""
        known = place in (_INDEX, *self._releases[number].texts)
        return f"{self._at}{number}/{place if known else ''}"
