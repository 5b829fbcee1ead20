"""Kinds of values that Zim reads: links, pages, and the properties of a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from configparser import Error as Malformed
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench.task.kinds import Choice, Fields, Items, Kind, Parts, Path, Text

from ..toolkit.kinds import TEXT

# What Zim adds to the file when it writes it, with the values that stand for what was there.
_WRITTEN = {
    "interwiki": "",
    "icon": "",
    "document_root": "",
    "short_links": "False",
    "disable_trash": "False",
    "default_file_format": "zim-wiki",
    "default_file_extension": ".txt",
    "notebook_layout": "files",
    "profile": "",
}


@dataclass(frozen=True)
class PageName(Kind):
    """A page at the top of the notebook, told from there: with or without a colon, and `_` for a space.

    Attributes:
        in_link: Whether it is in a link, in which case means nothing either.
    """

    in_link: bool = False

    def meaning(self, value: Any) -> str:
        name = str(value).strip().removeprefix(":").replace("_", " ")
        if not name or ":" in name:
            raise ValueError(f"{value!r:.40} is no page at the top")
        return name.casefold() if self.in_link else name

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield "colon before", f":{value.removeprefix(':')}"
        yield "no colon before", value.removeprefix(":")
        if " " in value:
            yield "low lines", value.replace(" ", "_")
        if self.in_link:
            yield "small letters", value.lower()

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield f"{value}s"
        yield f"+{value}"
        yield f"{value}:Page"


def read_properties(text: str) -> Mapping[str, str]:
    """Return the properties in a notebook's file.

    Raises:
        ValueError: It is no such file.
    """
    parser = ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
        return dict(parser["Notebook"])
    except (Malformed, KeyError) as error:
        raise ValueError(f"no notebook: {error}") from None


def write_properties(given: Mapping[str, Any]) -> str:
    """Return a notebook's file with these properties."""
    return "[Notebook]\n" + "".join(f"{name}={value}\n" for name, value in given.items())


@dataclass(frozen=True)
class Linked(Text):
    """Text with links, which may be written in several ways."""

    def meaning(self, value: Any) -> str:
        return re.sub(r"\[\[:?([^]|:]+)", lambda found: f"[[{found[1].casefold()}", Text.meaning(self, value))

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield from Text.spellings(self, value, random)
        yield "colon before a page", value.replace("[[", "[[:", 1)

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield from (one for one in Text.others(self, value, random) if one != value.swapcase())
        yield value.replace("[[", "[[+", 1)
        yield value.replace("[[", "", 1).replace("]]", "", 1)


LINKED = Linked()
PLUGINS = Items(around=("[", "]"))
PROPERTIES = Fields(
    read_properties,
    write_properties,
    kinds={
        "home": PageName(),
        "interwiki": TEXT,
        "document_root": Path(tilde=True, base="/home/user/Notes"),
        "short_links": Choice(),
    },
    defaults=_WRITTEN,
    called="properties",
)


def last_line(before: str, line: str, **kinds: Kind) -> Parts:
    """Return the kind of a page's text with a line added at its end."""
    return Parts(before.rstrip("\n") + "\n{start}" + line + "{end}", start=TEXT, end=TEXT, **kinds)
