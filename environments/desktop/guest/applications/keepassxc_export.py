"""A database as KeePassXC's command line exports it, read into rows.

database/PATH       its name, and what holds for all of it
groups/ROOT/GROUP
entries/ROOT/GROUP/TITLE
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

_BY_ITSELF = {  # what KeePassXC changes while one looks or with something else, and what is no text where it is filled
    "Binaries",
    "CustomData",
    "CustomIcons",
    "Generator",
    "HeaderHash",
    "History",
    "IsExpanded",
    "LastSelectedGroup",
    "LastTopVisibleEntry",
    "LastTopVisibleGroup",
    "RecycleBinUUID",
}

Rows = Iterator[tuple[str, dict[str, Any]]]


def rows(name: str, xml: bytes) -> Rows:
    """Yield the rows of the database `database/PATH`."""
    root = ElementTree.fromstring(xml)  # noqa: S314 - KeePassXC wrote it, without entities
    meta, top = root.find("Meta"), root.find("Root/Group")
    if meta is None or top is None:
        raise ValueError("it has no groups")
    yield name, _texts(meta)
    yield from ((f"groups/{key}", row) for key, row in _groups(top, ""))
    yield from ((f"entries/{key}", row) for key, row in _numbered(_entries(top, "")))


def _groups(group: ElementTree.Element, above: str) -> Rows:
    name = f"{above}{group.findtext('Name')}"
    yield name, {field: text for field, text in _texts(group).items() if field != "UUID"}
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
    row |= {f"[{field}]": text for field, text in _texts(entry).items()}
    row["[Tags]"] = ",".join(sorted(row.get("[Tags]", "").split(",")))
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


def _texts(element: ElementTree.Element) -> dict[str, str]:
    """Return the settings that an element holds, without times and what changes by itself."""
    return {
        one.tag: one.text or ""
        for one in element
        if len(one) == 0 and one.tag not in _BY_ITSELF and not one.tag.endswith("Changed")
    }


def _is_protected(string: ElementTree.Element) -> bool:
    value = string.find("Value")
    return value is not None and value.get("ProtectInMemory") == "True"


def _numbered(rows: Rows) -> Rows:
    """Yield rows with names of their own: of those alike, the second one ends in ` (2)`."""
    seen: set[str] = set()
    numbers = Counter[str]()
    for key, row in rows:
        name = key
        while name in seen:
            numbers[key] += 1
            name = f"{key} ({numbers[key] + 1})"
        seen.add(name)
        yield name, row
