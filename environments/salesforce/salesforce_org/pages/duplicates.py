"""The dialog that shows which records a new one looks like."""

from __future__ import annotations

from starlette.responses import Response

from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.routing import page
from salesforce_org.pages.tables import table
from salesforce_org.pages.visit import Visit
from salesforce_org.store import Record


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
