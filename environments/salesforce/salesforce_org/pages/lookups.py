"""What a search for a record offers while somebody types, all results in a dialog, and the dialog for a new one."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import Response

from salesforce_org.pages import finding
from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.routing import page
from salesforce_org.pages.tables import table
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.store import Org, Record, SObject

OFFERED = 5
LISTED = 50


@dataclass(frozen=True, slots=True)
class Offer:
    """A record that may be chosen."""

    id: str
    name: str
    beside: str
    icon: str


def offer(org: Org, kind: SObject, row: Record) -> Offer:
    """Return how a record is offered."""
    icon = layout_of(kind).icon
    return Offer(row["Id"], org.name_of(row["Id"]) or "", finding.subtitle(org, kind, row), icon)


@page("GET", "/lightning/lookup")
def suggest(visit: Visit) -> Response:
    """Offer the records that fit, or those looked at last while nothing is typed."""
    kind = _object(visit)
    text = visit.query.get("q", "").strip()
    rows = (
        finding.find(visit.org, kind, text, OFFERED)
        if text
        else finding.recent(visit.org, kind, visit.login.recent if visit.login else (), OFFERED)
    )
    may_make = layout_of(kind).create and kind.name not in ("User", "Group")
    offers = [offer(visit.org, kind, row) for row in rows]
    return visit.render(
        "lookup/options.html",
        kind=kind,
        offers=offers,
        text=text,
        id=visit.query.get("id", ""),
        may_make=may_make,
    )


@page("GET", "/lightning/lookup/all")
def all_results(visit: Visit) -> Response:
    """Show all records that fit in a dialog, to choose one."""
    kind = _object(visit)
    text = visit.query.get("q", "").strip()
    layout = layout_of(kind)
    found = table(visit.org, layout, layout.columns, finding.find(visit.org, kind, text, LISTED))
    template = "lookup/results.html" if visit.fragment == "lookup-results" else "lookup/dialog.html"
    return visit.render(template, kind=kind, text=text, found=found)


def _object(visit: Visit) -> SObject:
    kind = visit.org.schema.get(visit.query.get("object", ""))
    if kind is None:
        raise NotHere
    return kind
