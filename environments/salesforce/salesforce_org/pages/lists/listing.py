"""An object's page with one of its list views."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from salesforce_org.pages import fields
from salesforce_org.pages.dialogs import of_object
from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.lists import charts
from salesforce_org.pages.lists.board import board, displayed, grouping
from salesforce_org.pages.lists.conditions import fitting
from salesforce_org.pages.lists.definition import RECENT, ListDefinition, all_lists, recent
from salesforce_org.pages.lists.filters import Draft, panel
from salesforce_org.pages.lists.inline import editable
from salesforce_org.pages.routing import page
from salesforce_org.pages.tables import table
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.soql import terms
from salesforce_org.store import Org, Record, SObject

LONGEST = 2000
SHOWN = 50


@dataclass(frozen=True, slots=True)
class Sorting:
    """By which column a list is ordered."""

    column: str
    descending: bool

    def link(self, visit: Visit, column: str) -> str:
        """Return the address that orders by a column, the other way round where it already is."""
        down = self.column == column and not self.descending
        query = {**dict(visit.query), "sort": column, "order": "desc" if down else "asc"}
        return f"{visit.path}?{urlencode(query)}"


@page("GET", "/lightning/o/{object}/list")
def show_list(visit: Visit) -> Response:
    """Show a list view: the one that the address names, the pinned one, or the records looked at last."""
    kind = of_object(visit)
    lists = all_lists(visit.org, kind)
    one = chosen(visit, kind, lists)
    if visit.login is not None:
        visit.login.lists[kind.name] = one.id
    rows = records(visit, one)
    words = visit.query.get("search", "").strip()
    found = _found(visit.org, one, rows, words) if words else rows
    sorting = _sorting(visit, one)
    ordered = _ordered(visit.org, one, found, sorting)
    layout = layout_of(kind)
    by = None if one.recent else grouping(visit.org, layout)
    shown = _pages(visit) * SHOWN
    columns = board(visit.org, layout, one, by, ordered, shown) if by and displayed(visit) else ()
    context: dict[str, Any] = {
        "kind": kind,
        "object": kind.name,
        "layout": layout,
        "lists": lists,
        "one": one,
        "table": table(visit.org, layout, one.columns, () if columns else ordered[:shown], owner=True),
        "editable": {name for name in one.columns if not one.recent and editable(layout, name)},
        "count": len(found),
        "more": max((each.count for each in columns), default=len(found)) > shown,
        "grouped": by is not None,
        "columns": columns,
        "pages": _pages(visit),
        "sorting": sorting,
        "sorted_by": fields.label(layout, sorting.column) if sorting.column else "",
        "words": words,
        "pinned": visit.login is not None and visit.login.pins.get(kind.name) == one.id,
        "panel": visit.query.get("panel", ""),
    }
    context |= panel(visit, Draft(one))
    context |= charts.panel(visit, one, rows) if context["panel"] == "charts" else {}
    return visit.render("list/rows.html" if visit.fragment == "rows" else "list/list.html", **context)


@page("POST", "/lightning/o/{object}/pin")
def pin(visit: Visit) -> Response:
    """Pin a list view, so that the object's tab opens with it; the pinned one is let go."""
    kind = of_object(visit)
    id = visit.field("id")
    if visit.login is not None:
        was = visit.login.pins.pop(kind.name, "")
        if was != id:
            visit.login.pins[kind.name] = id
    return visit.go(f"/lightning/o/{kind.name}/list?{urlencode({'filterName': id})}")


def chosen(visit: Visit, kind: SObject, lists: list[ListDefinition]) -> ListDefinition:
    """Return the list that the address names by id or API name."""
    pinned = visit.login.pins.get(kind.name, "") if visit.login else ""
    wanted = visit.query.get("filterName", "") or pinned or RECENT
    found = next((one for one in lists if wanted in (one.id, one.developer, one.id[:15])), None)
    if found is None and wanted != pinned:
        raise NotHere
    return found or recent(kind)


def records(visit: Visit, one: ListDefinition) -> list[Record]:
    """Return the records of a list view."""
    org = visit.org
    if one.recent:
        ids = visit.login.recent if visit.login else []
        return [row for id in ids if (row := org.get(one.object.name, id)) is not None]
    fits = fitting(org, one)
    return [row for row in org.rows(one.object.name) if fits(row)][:LONGEST]


def _sorting(visit: Visit, one: ListDefinition) -> Sorting:
    column = visit.query.get("sort", "")
    if column in one.columns:
        return Sorting(column, visit.query.get("order") == "desc")
    return Sorting("" if one.recent else one.columns[0], False)


def _ordered(org: Org, one: ListDefinition, rows: list[Record], sorting: Sorting) -> list[Record]:
    """Empty values come last, whichever way."""
    if not sorting.column:
        return rows
    pairs = [(fields.shown(org, one.object, row, sorting.column), row) for row in rows]
    filled = [pair for pair in pairs if pair[0].text]
    filled.sort(key=lambda pair: pair[0].sort, reverse=sorting.descending)
    return [row for _, row in filled] + [row for value, row in pairs if not value.text]


def _found(org: Org, one: ListDefinition, rows: list[Record], text: str) -> list[Record]:
    """Return the rows in which every word of a text begins a word."""
    holds, kind = terms.plain(text), one.object
    return [
        row
        for row in rows
        if holds([terms.words(fields.shown(org, kind, row, name).text) for name in one.columns])
    ]


def _pages(visit: Visit) -> int:
    text = visit.query.get("pages", "1")
    return max(1, min(int(text), LONGEST // SHOWN)) if text.isdigit() else 1
