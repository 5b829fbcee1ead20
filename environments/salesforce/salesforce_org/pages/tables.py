"""Tables of records: headers, rows of values, and what can be done with each row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from salesforce_org.pages import fields
from salesforce_org.pages.formats import Shown
from salesforce_org.pages.layout import Layout, holds
from salesforce_org.store import Org, Record


@dataclass(frozen=True, slots=True)
class Header:
    """A column: the name in the layout and what the page calls it."""

    name: str
    label: str
    sortable: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table; `open` says whether its record can be edited."""

    id: str
    name: str
    cells: tuple[Shown, ...]
    actions: tuple[dict[str, Any], ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Some records of one object."""

    headers: tuple[Header, ...]
    rows: tuple[Line, ...]


def table(
    org: Org, layout: Layout, names: Iterable[str], rows: Iterable[Record], owner: bool = False
) -> Table:
    """Return a table of records; rows offer to change the owner where `owner` says so."""
    listed = tuple(names)
    headers = tuple(Header(name, fields.label(layout, name)) for name in listed)
    return Table(headers, tuple(_line(org, layout, listed, row, owner) for row in rows))


def _line(org: Org, layout: Layout, names: tuple[str, ...], row: Record, owner: bool) -> Line:
    kind = layout.object
    cells = tuple(fields.shown(org, kind, row, name) for name in names)
    base = f"/lightning/r/{kind.name}/{row['Id']}"
    actions: list[dict[str, Any]] = []
    editable = holds(layout.open, row)
    if kind.updateable and editable:
        actions.append({"label": "Edit", "opens": f"{base}/edit"})
    if kind.deletable and editable:
        actions.append({"label": "Delete", "opens": f"{base}/delete"})
    if owner and kind.field("OwnerId"):
        actions.append({"label": "Change Owner", "opens": f"{base}/owner"})
    return Line(row["Id"], org.name_of(row["Id"]) or "", cells, tuple(actions), kind.updateable and editable)
