"""KeePassXC from Debian: its databases as its own command line exports them, and its settings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from guest import steps
from guest.applications import declared
from guest.applications.base import Collections, Launch, SetupError, Step

if TYPE_CHECKING:
    from guest.desktop import Desktop

_CLI = "keepassxc-cli"
_VERBS = {"vault": {"path": str, "password": str, "xml": str}}
_SETTINGS_FILE = ".config/keepassxc/keepassxc.ini"
_SETTINGS = """\
[General]
ConfigVersion=2

[GUI]
CheckForUpdates=false
CheckForUpdatesNextCheck=0
"""
_VOLATILE = (  # what it writes by itself
    "keepassxc.ini/General:Last*",
    "keepassxc.ini/KeeShare:*",  # a key of its own
    "keepassxc.ini/Browser:CustomProxyLocation",
    "keepassxc.ini/GUI:TrayIconAppearance",
    "keepassxc.ini/PasswordGenerator:*",
)
_META = (
    "DatabaseName",
    "DatabaseDescription",
    "DefaultUserName",
    "RecycleBinEnabled",
    "HistoryMaxItems",
    "HistoryMaxSize",
)
_OF_GROUP = ("Notes", "IconID", "DefaultAutoTypeSequence", "EnableAutoType", "EnableSearching")
_OF_ENTRY = ("IconID", "ForegroundColor", "BackgroundColor", "OverrideURL", "Tags")
_ABOUT = ("Cipher", "KDF")

Rows = Iterator[tuple[str, dict[str, Any]]]


class KeePassXC:
    """The password manager with the database that `{"do": "vault", ...}` describes; it is locked at first."""

    name = "keepassxc"
    packages = ("keepassxc",)
    programs = (
        "/usr/bin/keepassxc",
        "/usr/bin/keepassxc-cli",
        "/usr/share/keepassxc/docs/KeePassXC_UserGuide.html",
    )

    def __init__(self) -> None:
        self._known: dict[str, Collections] = {}

    async def prepare(self, desktop: Desktop, setup: Sequence[Step]) -> None:
        """Write the settings, and make the database.

        Raises:
            SetupError: A step is not understood, or the XML is no database.
        """
        desktop.write(_SETTINGS_FILE, _SETTINGS)
        for step in steps.own(setup, _VERBS):
            desktop.write(".vault.xml", step["xml"])
            twice = f"{step['password']}\n" * 2
            made = await desktop.run(
                [_CLI, "import", "-q", "-p", "-t", "100", ".vault.xml", step["path"]], stdin=twice.encode()
            )
            await desktop.run(["rm", ".vault.xml"])
            if made.code:
                raise SetupError(f"setup step vault: {made.err.decode(errors='replace').strip()[:300]}")

    def launch(self, desktop: Desktop, setup: Sequence[Step]) -> Launch:
        """Return the command with the database."""
        paths = [desktop.inside(step["path"]) for step in setup if step["do"] == "vault"]
        return Launch(("keepassxc", *paths))

    async def ready(self, desktop: Desktop) -> str | None:
        """Return what is missing: the window."""
        return None if await desktop.find('frame[name*="KeePassXC"]') else "there is no window yet"

    async def arrange(self, desktop: Desktop, setup: Sequence[Step]) -> None:
        """Do nothing: the database is a file."""

    async def state(self, desktop: Desktop) -> Collections:
        """Return what the database and the settings hold, as they are saved."""
        vaults = [
            step for step in (desktop.episode.setup if desktop.episode else ()) if step["do"] == "vault"
        ]
        settings = {"files": [_SETTINGS_FILE], "format": "ini", "without": _VOLATILE}
        found: Collections = {"settings": dict(declared.rows(desktop, settings))}
        for step in vaults:
            found |= await self._vault(desktop, step["path"], step["password"])
        return found

    async def _vault(self, desktop: Desktop, path: str, password: str) -> Collections:
        try:
            digest = hashlib.sha256(desktop.read(path)).hexdigest()
        except OSError as error:
            return {"database": {path: {"unreadable": error.strerror or str(error)}}}
        if digest not in self._known:
            self._known[digest] = await _exported(desktop, path, password)
        return self._known[digest]


async def _exported(desktop: Desktop, path: str, password: str) -> Collections:
    secret = f"{password}\n".encode()
    exported = await desktop.run([_CLI, "export", "-q", "-f", "xml", path], stdin=secret)
    if exported.code:
        told = exported.err.decode(errors="replace").strip().splitlines()[-1:] or ["it cannot be opened"]
        return {"database": {path: {"unreadable": told[0][:300]}}}
    about = await desktop.run([_CLI, "db-info", "-q", path], stdin=secret)
    lines = (line.partition(": ") for line in about.out.decode(errors="replace").splitlines())
    facts = {
        name.strip(): value.partition("(")[0].strip() for name, _, value in lines if name.strip() in _ABOUT
    }
    return read_vault(exported.out, path, facts)


def read_vault(xml: bytes, path: str, facts: Mapping[str, str]) -> Collections:
    """Return the rows of a database that KeePassXC exported."""
    root = ElementTree.fromstring(xml)  # noqa: S314 - KeePassXC wrote it, without entities
    meta = root.find("Meta")
    assert meta is not None
    top = root.find("Root/Group")
    assert top is not None
    return {
        "database": {path: {**{name: meta.findtext(name) or "" for name in _META}, **facts}},
        "groups": dict(_groups(top, "")),
        "entries": _numbered(_entries(top, "")),
    }


def _groups(group: ElementTree.Element, above: str) -> Rows:
    name = f"{above}{group.findtext('Name')}"
    yield name, {field: group.findtext(field) or "" for field in _OF_GROUP}
    for one in group.findall("Group"):
        yield from _groups(one, f"{name}/")


def _entries(group: ElementTree.Element, above: str) -> Rows:
    path = f"{above}{group.findtext('Name')}"
    for entry in group.findall("Entry"):
        row = _entry(entry)
        yield f"{path}/{row.get('Title', '')}", row
    for one in group.findall("Group"):
        yield from _entries(one, f"{path}/")


def _entry(entry: ElementTree.Element) -> dict[str, Any]:
    times, typed = entry.find("Times"), entry.find("AutoType")
    assert times is not None
    expires = times.findtext("Expires") == "True"
    row: dict[str, Any] = {
        one.findtext("Key") or "": one.findtext("Value") or "" for one in entry.findall("String")
    }
    protected = [one.findtext("Key") for one in entry.findall("String") if _is_protected(one)]
    row |= {f"[{field}]": entry.findtext(field) or "" for field in _OF_ENTRY}
    row["[Tags]"] = ",".join(sorted(row["[Tags]"].split(",")))
    row["[Expires]"] = times.findtext("ExpiryTime") if expires else ""
    row["[Protected]"] = ", ".join(sorted(name or "" for name in protected))
    row["[Attachments]"] = ", ".join(sorted(one.findtext("Key") or "" for one in entry.findall("Binary")))
    if typed is not None:
        row["[AutoType]"] = typed.findtext("Enabled") or ""
        row["[Sequence]"] = typed.findtext("DefaultSequence") or ""
        pairs = (
            f"{one.findtext('Window')} = {one.findtext('KeystrokeSequence') or ''}"
            for one in typed.findall("Association")
        )
        row["[Windows]"] = "; ".join(sorted(pairs))
    return row


def _is_protected(string: ElementTree.Element) -> bool:
    value = string.find("Value")
    return value is not None and value.get("ProtectInMemory") == "True"


def _numbered(rows: Rows) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for key, row in rows:
        number = 2
        name = key
        while name in found:
            name, number = f"{key} ({number})", number + 1
        found[name] = row
    return found


APPLICATION = KeePassXC()
