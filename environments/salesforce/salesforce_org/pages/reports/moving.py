"""Moving a report or dashboard to another folder."""

from __future__ import annotations

from starlette.responses import Response

from salesforce_org.pages.dialogs import back
from salesforce_org.pages.reports import drafts
from salesforce_org.pages.reports.builder import folder_chosen
from salesforce_org.pages.reports.dashboards import move_draft
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.reports import stored
from salesforce_org.reports.stored import FIELDS

BASE = "/lightning/r/{kind}/{id}/move"


@page("GET", BASE)
def ask(visit: Visit) -> Response:
    """Ask for the folder."""
    kind = _kind(visit)
    row = drafts.record(visit, kind)
    places = stored.places(visit.org, kind)
    return visit.render("reports/folders.html", places=places, chosen=row[FIELDS[kind][1]], action=visit.path)


@page("POST", BASE)
def move(visit: Visit) -> Response:
    """Move it; the page from which it was asked for is shown again."""
    kind = _kind(visit)
    row, place = drafts.record(visit, kind), folder_chosen(visit, kind)
    tree = stored.tree_of(visit.org, kind, row)
    with visit.org.transaction():
        stored.save(visit.org, kind, row["Id"], place, row["DeveloperName"], tree)
    move_draft(visit, row["Id"], place)
    return visit.go(
        back(visit) or f"/lightning/o/{kind}/home",
        f'{kind} "{row[FIELDS[kind][0]]}" was moved to {place.label}.',
    )


def _kind(visit: Visit) -> str:
    if visit.params["kind"] not in FIELDS:
        raise NotHere
    return visit.params["kind"]
