"""What several tasks with Zim share: a notebook, menus, how pages are read, and the kinds of values that Zim reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from configparser import Error as Malformed
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench import Pilot, State, Values
from pytest_cuabench.task.kinds import Choice, Fields, Items, Kind, Parts, Path, Text

from ..toolkit.kinds import TEXT
from ..toolkit.steps import Steps

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
PLUGIN_LIST = Items(around=("[", "]"))
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


SETTINGS = "settings/preferences.conf"
PLUGINS = (
    "pageindex",
    "pathbar",
    "toolbar",
    "insertsymbol",
    "printtobrowser",
    "versioncontrol",
)  # that are on
_HEAD = "Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\nCreation-Date: 2031-01-01T00:00:00+00:00\n\n"
_NOTEBOOK = "[Notebook]\nversion=0.4\nname=Notes\nhome=Home\nshared=True\nendofline=unix\n"
_PLANTS = ("thyme", "sorrel", "lovage", "tansy", "borage", "chervil", "fennel", "hyssop")


def notebook(pages: Mapping[str, str], start: str = "Home") -> Steps:
    """Write a notebook with pages, by their names, and open one of them."""
    yield {
        "do": "write",
        "path": "Notes/notebook.zim",
        "text": _NOTEBOOK.replace("home=Home", f"home={start}"),
    }
    for name, text in pages.items():
        yield {"do": "write", "path": _path(name), "text": f"{_HEAD}====== {name} ======\n{text}"}
    yield {"do": "open", "path": "Notes"}


def setup(random: Random) -> Steps:
    """A notebook about a garden, with other plants on every seed."""
    first, second = (name.title() for name in random.sample(_PLANTS, 2))
    pages = {
        "Home": f"See [[{first}]] and [[{second}]].\n",
        first: "Sown in March.\n",
        second: "Dug in May.\n",
    }
    yield from notebook(pages)


def text_of(state: State, page: str) -> str:
    """Return the text of a page below its heading, as it is stored; nothing if there is no such page."""
    return below_heading(str(state.collections["files"].get(_path(page), {}).get("text") or ""))


def below_heading(text: str) -> str:
    """Return the text of a page's file below its heading."""
    return text.replace("\r\n", "\n").partition("======\n")[2].lstrip("\n")


def pages_of(state: State) -> list[str]:
    """Return the names of the pages beside the first one, in alphabetical order."""
    files = state.collections["files"]
    return sorted(path[6:-4] for path in files if path.endswith(".txt") and path != "Notes/Home.txt")


def page(name: str) -> str:
    """Return the row of a page's file."""
    return f"files/{_path(name)}"


def _path(name: str) -> str:
    return f"Notes/{name.replace(':', '/').replace(' ', '_')}.txt"


def preferences(tab: str) -> Values:
    """Return how a page of the preferences is opened, and closed."""
    window = 'dialog[name="Preferences"]'
    return {
        "opening": [
            {"click": 'menu[name="Edit"]'},
            {"click": 'menu-item[name="Preferences"]'},
            {"click": f'dialog >> page-tab[name="{tab}"]'},
        ],
        "window": "dialog",
        "closing": [{"click": f'{window} >> push-button[name="OK"]'}],
    }


def plugins_with(*names: str) -> str:
    """Return how the list of plugins is stored when these are on as well."""
    return "[" + ",".join(f'"{name}"' for name in (*PLUGINS, *names)) + "]"


def plugin(name: str) -> list[dict[str, str]]:
    """Return how a plugin in the list is selected, and switched on."""
    return [
        {"click": 'dialog >> table-cell[name="Arithmetic"]'},
        {"press": "ctrl+f"},
        {"type": name},
        {"press": "escape"},
        {"click": f'dialog >> table-cell[name="{name}"]'},
        {"click": "dialog >> table-cell:selected:nth(0)"},
    ]


async def open_page(pilot: Pilot, name: str) -> None:
    """Open a page by its name."""
    await pilot.press("ctrl+j")
    await pilot.type(name)
    await pilot.press("enter")
