"""What several tasks with KeePassXC share: a database, how it is edited, and the kinds of values that it reads."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit
from xml.sax.saxutils import escape

from pytest_cuabench import Pilot, State
from pytest_cuabench.task.kinds import Fields, Items, Kind, Number, Parts, Text, Url

from ..toolkit.steps import Steps

_KEY = re.compile(r"\{([^{}]+)\}|(~)|([^{}~]+)")
_LABEL = "the name that is shown for the code"


@dataclass(frozen=True)
class Sequence(Kind):
    """What is typed: case of placeholders means nothing, `{ENTER 2}` is Enter twice, and `~` is Enter."""

    def meaning(self, value: Any) -> tuple[str, ...]:
        text = str(value).strip()
        found = list(_KEY.finditer(text))
        if "".join(one[0] for one in found) != text:
            raise ValueError(f"{value!r:.60} is nothing that is typed")
        return tuple(key for one in found for key in self._keys(one))

    @staticmethod
    def _keys(found: re.Match[str]) -> list[str]:
        if found[3]:
            return [found[3]]
        name, _, number = (found[1] or "ENTER").upper().partition(" ")
        name = {"RETURN": "ENTER"}.get(name, name)
        if not number or name == "DELAY":
            return [f"{{{name} {int(number)}}}" if number.isdecimal() else f"{{{name}}}"]
        return [f"{{{name}}}"] * min(int(number), 100) if number.isdecimal() else [f"{{{name} {number}}}"]

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield "small letters", value.lower()
        yield "space behind", f"{value} "
        if "{ENTER}" in value:
            yield "a key once", value.replace("{ENTER}", "{ENTER 1}", 1)
            yield "a sign for Enter", value.replace("{ENTER}", "~")

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield f"{value}{{TAB}}"
        yield f"{value}x"
        yield value.rpartition("{")[0]
        if "{ENTER}" in value:
            yield value.replace("{ENTER}", "{ENTER 2}", 1)
            yield value.replace("{ENTER}", "{TAB}", 1)


@dataclass(frozen=True)
class Reference(Kind):
    """A reference to a field of another entry by its id."""

    def meaning(self, value: Any) -> str:
        if re.fullmatch(r"\{REF:[A-Z]@I:[0-9A-F]{32}\}", text := str(value).strip().upper()):
            return text
        raise ValueError(f"{value!r:.60} is no reference by an id")

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield "small letters", value.lower()

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield value.replace("I:0", "I:F")
        yield value.replace("U@", "T@").replace("P@", "N@")
        yield f"{value}x"


@dataclass(frozen=True)
class Secret(Text):
    """A key in letters and digits of base 32: case, spaces and padding mean nothing."""

    def meaning(self, value: Any) -> str:
        return re.sub(r"\s", "", str(value)).rstrip("=").upper()

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield "small letters", value.lower()
        yield "in groups", " ".join(value[at : at + 4] for at in range(0, len(value), 4))

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield value[:-1]
        yield f"{value}A"
        yield value[::-1]


def _read_code(address: str) -> Mapping[str, str]:
    parts = urlsplit(address.strip())
    if (parts.scheme.lower(), parts.netloc.lower()) != ("otpauth", "totp"):
        raise ValueError(f"{address!r:.60} makes no codes by time")
    return {"label": parts.path, **dict(parse_qsl(parts.query, keep_blank_values=True))}


def _write_code(given: Mapping[str, Any]) -> str:
    query = urlencode({name: value for name, value in given.items() if name != "label"})
    return f"otpauth://totp{given.get('label', '/')}?{query}"


@dataclass(frozen=True)
class Address(Url):
    """An address with placeholders, whose case means nothing."""

    def meaning(self, value: Any) -> tuple[Any, ...]:
        return Url.meaning(self, re.sub(r"\{\w+\}", lambda found: found[0].upper(), str(value)))

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield from Url.spellings(self, value, random)
        yield "placeholder in small letters", re.sub(r"\{\w+\}", lambda found: found[0].lower(), value)


SEQUENCE = Sequence()
ADDRESS = Address()
TAGS = Items(separators=",;")
REFERENCE = Reference()
WINDOW = Parts("{window} = {sequence}", window=Text(ignore_case=True, called="window"), sequence=SEQUENCE)
CODES = Fields(
    _read_code,
    _write_code,
    kinds={
        "secret": Secret(),
        "digits": Number(),
        "period": Number(),
        "algorithm": Text(ignore_case=True),
        "encoder": Text(ignore_case=True),
    },
    defaults={"digits": "6", "period": "30", "algorithm": "SHA1", "encoder": ""},
    open={"label": _LABEL, "issuer": _LABEL},
    called="codes",
)


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
