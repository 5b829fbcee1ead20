"""List views as boards: a column for each value of a picklist, and cards that are dragged from column to column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from starlette.responses import Response

from salesforce_org.pages import fields, formats
from salesforce_org.pages.apps import object_href
from salesforce_org.pages.dialogs import back, found
from salesforce_org.pages.layout import Layout, layout_of
from salesforce_org.pages.lists.definition import ListDefinition
from salesforce_org.pages.lists.inline import enterable, write
from salesforce_org.pages.routing import page
from salesforce_org.pages.saving import said
from salesforce_org.pages.tables import Table, table
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.store import Field, Org, PicklistValue, Record

KANBAN = "kanban"
SUMMED = "Amount"  # the field whose sum stands in the heading of a column
CARD = 4  # fields of a card


@dataclass(frozen=True, slots=True)
class Column:
    """The records that have one value; `cards` holds the first of them, `total` the sum of their amounts as text."""

    value: str
    label: str
    count: int
    total: str
    cards: Table


def grouping(org: Org, layout: Layout) -> Field | None:
    """Return the picklist whose values are the columns: that of the path, the status, or the first that has values."""
    kind = layout.object
    names = (layout.path, "Status", *(one.name for one in kind.fields if one.name not in fields.NAME))
    picklists = (one for name in names if (one := kind.field(name)) and one.type == "picklist")
    usable = (one for one in picklists if enterable(layout, one.name))
    return next((one for one in usable if any(entry.active for entry in org.picklist(one))), None)


def displayed(visit: Visit) -> dict[str, str]:
    """Return what the address of a list says of its display; nothing for a table."""
    asking = dict(parse_qsl(urlsplit(visit.came_from).query))
    return {"display": KANBAN} if KANBAN in (visit.query.get("display"), asking.get("display")) else {}


def board(
    org: Org, layout: Layout, one: ListDefinition, by: Field, rows: Iterable[Record], most: int
) -> tuple[Column, ...]:
    """Return the columns of a list view, each with the first `most` of its cards."""
    held: dict[str, list[Record]] = {}
    for row in rows:
        held.setdefault(str(row.get(by.name) or ""), []).append(row)
    names = _names(one, by)
    return tuple(
        Column(
            entry.value,
            entry.label,
            len(several := held.get(entry.value, [])),
            _total(org, layout, several),
            table(org, layout, names, several[:most], owner=True),
        )
        for entry in _entries(org, by, held)
    )


@page("POST", "/lightning/r/{object}/{id}/board")
def move(visit: Visit) -> Response:
    """Give a record the value of the column that its card is dropped on; a refusal leaves it where it was."""
    kind, row = found(visit)
    layout = layout_of(kind)
    by = grouping(visit.org, layout)
    if by is None:
        raise NotHere
    problems = write(visit.org, layout, row, {by.name: visit.field("value")})
    for problem in dict.fromkeys(problems.values()):
        visit.toast(problem, "error")
    there = back(visit) or object_href(kind.name)
    return visit.go(there, None if problems else said(visit, kind, row["Id"], "saved"))


def _names(one: ListDefinition, by: Field) -> tuple[str, ...]:
    """Return the fields of a card: the record's name and the first others of the list view."""
    own = one.object.name_field
    others = (name for name in one.columns if name not in (own, by.name))
    return ((own,) if own else ()) + tuple(others)[: CARD - 1]


def _entries(org: Org, by: Field, held: Iterable[str]) -> Iterator[PicklistValue]:
    """Yield the values that have a column: the active ones, and those beside them that records hold."""
    known = org.picklist(by)
    if "" in held:
        yield PicklistValue("", "None")
    for entry in known:
        if entry.value in held or (entry.active and not entry.more.get("converted")):
            yield entry
    values = {entry.value for entry in known}
    yield from (PicklistValue(value, value) for value in held if value and value not in values)


def _total(org: Org, layout: Layout, rows: Iterable[Record]) -> str:
    field = layout.object.field(SUMMED)
    if field is None or field.type != "currency":
        return ""
    return formats.plain(org, field, sum(row.get(SUMMED) or 0 for row in rows))
