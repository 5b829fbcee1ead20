"""What several tasks with Zim share: a notebook of a few pages, menus, and how pages are read."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from pytest_cuabench import Pilot, State, Values

from ..toolkit.steps import Steps

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
