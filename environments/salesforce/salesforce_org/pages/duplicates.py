"""Records that look like one that is about to be saved, as the standard matching rules find them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.routing import page
from salesforce_org.pages.tables import table
from salesforce_org.pages.visit import Visit
from salesforce_org.store import Org, Record, SObject

# For each object: the objects looked through, and the sets of fields of which one must agree whole.
PERSON = ("FirstName", "LastName")
RULES: dict[str, tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]] = {
    "Account": (
        (
            "Account",
            (
                ("Name", "BillingStreet"),
                ("Name", "BillingCity", "BillingState"),
                ("Name", "BillingPostalCode"),
                ("Name", "Phone"),
            ),
        ),
    ),
    "Contact": (
        ("Contact", ((*PERSON, "Email"), (*PERSON, "Title", "AccountId"), (*PERSON, "Phone", "AccountId"))),
        ("Lead", ((*PERSON, "Email"),)),
    ),
    "Lead": (
        ("Lead", ((*PERSON, "Email"), (*PERSON, "Title", "Company"), (*PERSON, "Phone", "Company"))),
        ("Contact", ((*PERSON, "Email"),)),
    ),
}


def alike(org: Org, kind: SObject, row: Mapping[str, Any]) -> tuple[Record, ...]:
    """Return the records that are probably the same as the one that is given."""
    found = []
    for object, rules in RULES.get(kind.name, ()):
        for other in org.rows(object):
            open_lead = not other.get("IsConverted")
            if (
                other["Id"] != row.get("Id")
                and open_lead
                and any(_agree(row, other, names) for names in rules)
            ):
                found.append(other)
    return tuple(found)


def _agree(row: Mapping[str, Any], other: Mapping[str, Any], names: tuple[str, ...]) -> bool:
    pairs = ((row.get(name), other.get(name)) for name in names)
    return all(mine and theirs and str(mine).casefold() == str(theirs).casefold() for mine, theirs in pairs)


@page("GET", "/lightning/duplicates")
def show_duplicates(visit: Visit) -> Response:
    """Show the records that a new one looks like."""
    by_object: dict[str, list[Record]] = {}
    for id in visit.query.get("ids", "").split(","):
        found = visit.org.schema.of_id(id)
        row = visit.org.get(found.name, id) if found else None
        if found and row:
            by_object.setdefault(found.name, []).append(row)
    tables = []
    for name, rows in by_object.items():
        layout = layout_of(visit.org.schema[name])
        tables.append((layout.object.plural, table(visit.org, layout, layout.columns, rows)))
    return visit.render("record/duplicates.html", tables=tables)
