"""The search box of Setup: pages of the tree, objects, and the setup records that are looked for by name."""

from __future__ import annotations

from collections.abc import Iterator

from starlette.responses import Response

from salesforce_org.pages.routing import page as address_of_page
from salesforce_org.pages.search import SUGGESTED, Suggestion, show_suggestions
from salesforce_org.pages.visit import Visit
from salesforce_org.setup.area import SetupVisit, link
from salesforce_org.setup.objects.manager import address, managed
from salesforce_org.setup.tables import Cell, Column, related
from salesforce_org.setup.tree import TREE
from salesforce_org.soql import terms
from salesforce_org.store import Org

ADDRESS = "/lightning/setup/search"
# Objects whose records have a page of Setup, with the page that lists them.
_RECORDS = (
    ("User", "ManageUsers"),
    ("Profile", "EnhancedProfiles"),
    ("PermissionSetGroup", "PermSetGroups"),
    ("UserRole", "Roles"),
)


@address_of_page("GET", ADDRESS)
def results(visit: Visit) -> Response:
    """Show everything that was found."""
    page = SetupVisit(visit, "", visit.path, visit.query, {})
    text = page.query.get("q", "").strip()
    columns = (Column("Name", lambda one: Cell(one.name, one.href)), Column("Type", lambda one: one.beside))
    table = related("Search Results", columns, found(page.org, text), empty=f'No results for "{text}"')
    return page.render("setup/search.html", table=table, text=text)


@address_of_page("GET", f"{ADDRESS}/suggestions")
def suggest(visit: Visit) -> Response:
    """Offer entries while somebody types."""
    text = visit.query.get("q", "").strip()
    offers = found(visit.org, text)[:SUGGESTED]
    return show_suggestions(visit, text, offers, ADDRESS, "Setup")


def found(org: Org, text: str) -> list[Suggestion]:
    """Return the entries of which every word of a text begins a word, those first whose names begin with it."""
    holds, begins = terms.plain(text), text.casefold()
    fitting = [one for one in _entries(org) if holds([terms.words(one.name)])]
    return sorted(fitting, key=lambda one: not one.name.casefold().startswith(begins))


def _entries(org: Org) -> Iterator[Suggestion]:
    for node in TREE.by_name.values():
        yield _entry(node.label, "Setup Page", node.address)
    for kind in managed(org):
        yield _entry(kind.label, "Custom Object" if kind.custom else "Standard Object", address(kind))
    for name, list_page in _RECORDS:
        for row in org.rows(name):
            yield _entry(
                org.name_of(row["Id"]) or "", org.schema[name].label, link(list_page, f"/{row['Id']}")
            )


def _entry(name: str, kind: str, href: str) -> Suggestion:
    return Suggestion(name, kind, "standard:settings", href)
