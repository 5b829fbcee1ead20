"""What several tasks with KeePassXC share: a database of a few entries, and how it is opened and edited."""

from __future__ import annotations

import base64
from random import Random
from xml.sax.saxutils import escape

from pytest_cuabench import Pilot, State

from ..toolkit.steps import Steps

FILE = "Vault.kdbx"
PASSWORD = "maple-7"  # noqa: S105 - of a database that is made for each episode, and told in the goal
_SERVICES = ("Archive", "Billing", "Calendar", "Depot", "Forum", "Gallery", "Intranet", "Library")
_USERS = ("ann", "boris", "chloe", "dmitri", "edda")
_TIME = "2031-01-01T08:00:00Z"
_TIMES = (
    f"<Times><CreationTime>{_TIME}</CreationTime><LastModificationTime>{_TIME}</LastModificationTime></Times>"
)


def setup(random: Random) -> Steps:
    """A database with a few entries in two groups, other ones on every seed."""
    names = random.sample(_SERVICES, 4)
    entries = [_entry(number, name, random) for number, name in enumerate(names, 2)]
    work = f"<Group><UUID>{_id(9)}</UUID><Name>Work</Name>{entries[3]}</Group>"
    root = f"<Group><UUID>{_id(1)}</UUID><Name>Root</Name>{''.join(entries[:3])}{work}</Group>"
    meta = "<Meta><Generator>desk</Generator><DatabaseName>Vault</DatabaseName></Meta>"
    xml = f"<?xml version='1.0' encoding='UTF-8'?><KeePassFile>{meta}<Root>{root}</Root></KeePassFile>"
    yield {"do": "vault", "path": FILE, "password": PASSWORD, "xml": xml}


def _entry(number: int, name: str, random: Random) -> str:
    values = {
        "Title": name,
        "UserName": random.choice(_USERS),
        "Password": f"{random.choice(_SERVICES).lower()}-{random.randint(100, 999)}",
        "URL": f"https://{name.lower()}.example",
    }
    strings = "".join(
        f"<String><Key>{key}</Key><Value{_PROTECTED if key == 'Password' else ''}>{escape(value)}</Value></String>"
        for key, value in values.items()
    )
    return f"<Entry><UUID>{_id(number)}</UUID>{_TIMES}{strings}</Entry>"


_PROTECTED = ' ProtectInMemory="True"'


def _id(number: int) -> str:
    return base64.b64encode(number.to_bytes(16, "big")).decode()


def titles(state: State) -> list[str]:
    """Return the titles of the entries at the top, in alphabetical order."""
    return sorted(key.partition("/")[2] for key in state.collections["entries"] if key.count("/") == 1)


def entry(title: str) -> str:
    """Return the row of an entry at the top."""
    return f"entries/Root/{title}"


SAVED = {f"files/{FILE}": "it is encrypted, and told by entries, groups and database"}


# The steps by which the database is opened, and what was changed in it is accepted and saved (toolkit/dialogs.py).
UNLOCK: tuple[dict[str, str], ...] = ({"type": PASSWORD}, {"press": "enter"})
SAVE: tuple[dict[str, str], ...] = ({"click": 'push-button[name="OK"]'}, {"press": "ctrl+s"})


def editing(title: str, page: str) -> list[dict[str, str]]:
    """Return the steps that open a page of an entry."""
    return [
        *UNLOCK,
        {"click": f'table-cell[name="{title}"]'},
        {"press": "ctrl+e"},
        {"click": f'list-item[name="{page}"]'},
    ]


async def choose(pilot: Pilot, *names: str) -> None:
    """Choose an item of the menus; the names before it are those of the menus that lead to it."""
    for name in names:
        await pilot.click(f'menu-item[name="{name}"]')


async def press_button(pilot: Pilot, name: str) -> None:
    """Press a button."""
    await pilot.click(f'push-button[name="{name}"]')
