"""The search box in the header: suggestions while typing, results by object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from salesforce_org.pages import finding
from salesforce_org.pages.formats import record_href
from salesforce_org.pages.layout import Layout, layout_of
from salesforce_org.pages.lookups import offer
from salesforce_org.pages.routing import page
from salesforce_org.pages.tables import Table, table
from salesforce_org.pages.visit import Visit
from salesforce_org.store import Org, Record

FIRST = ("Account", "Contact", "Opportunity", "Lead", "Case", "Product2", "Campaign")
SUGGESTED = 7
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What the box offers below itself; `beside` is the kind of thing and what else tells it apart."""

    name: str
    beside: str
    icon: str
    href: str


@dataclass(frozen=True, slots=True)
class Results:
    """What was found of one object."""

    layout: Layout
    count: int
    table: Table


@page("GET", "/lightning/search/suggestions")
def suggest(visit: Visit) -> Response:
    """Offer records while somebody types; the ones looked at last while nothing is typed."""
    text = visit.query.get("q", "").strip()
    org = visit.org
    rows: list[Record] = []
    if text:
        for layout in searched(org):
            rows += finding.find(org, layout.object, text, SUGGESTED - len(rows))
    else:
        ids = visit.login.recent if visit.login else []
        rows = [row for id in ids[:SUGGESTED] if (row := _row(org, id)) is not None]
    return show_suggestions(visit, text, [_suggestion(org, row) for row in rows], "/lightning/search", "All")


def show_suggestions(
    visit: Visit, text: str, offers: Sequence[Suggestion], address: str, where: str
) -> Response:
    """Answer with the list below the box; its first line leads to all results."""
    return visit.render("search/suggestions.html", offers=offers, text=text, address=address, where=where)


def _suggestion(org: Org, row: Record) -> Suggestion:
    kind = org.schema.of_id(row["Id"])
    assert kind is not None
    one = offer(org, kind, row)
    beside = f"{kind.label} • {one.beside}" if one.beside else kind.label
    return Suggestion(one.name, beside, one.icon, record_href(kind.name, row["Id"]))


@page("GET", "/lightning/search")
def results(visit: Visit) -> Response:
    """Show what was found, object by object, or of one object (`in`)."""
    text = visit.query.get("q", "").strip()
    found = [one for layout in searched(visit.org) if (one := _results(visit.org, layout, text)) is not None]
    chosen = visit.query.get("in", "")
    if chosen:
        found = [one for one in found if one.layout.object.name == chosen]
    return visit.render("search/results.html", found=found, text=text, chosen=chosen)


def searched(org: Org) -> list[Layout]:
    """Return the layouts of all objects that are searched, the common ones first."""
    names = [one for one in FIRST if org.schema.get(one)]
    others = [one.name for one in org.schema.objects.values() if one.searchable and one.name not in names]
    layouts = [layout_of(org.schema[name]) for name in (*names, *others)]
    return [one for one in layouts if one.tab or one.object.name == "User"]


def _results(org: Org, layout: Layout, text: str) -> Results | None:
    rows = finding.find(org, layout.object, text, 200) if text else []
    if not rows:
        return None
    return Results(layout, len(rows), table(org, layout, layout.columns, rows[: SHOWN * 5], owner=True))


def _row(org: Org, id: str) -> Record | None:
    kind = org.schema.of_id(id)
    return org.get(kind.name, id) if kind else None
