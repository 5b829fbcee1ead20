"""What all dialogs have in common: they are parts of a page, or lie over an object's page when opened by address."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

from starlette.responses import Response

from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.store import Record, SObject
from salesforce_org.store.errors import OrgError


def of_object(visit: Visit) -> SObject:
    """Return the object that the address names."""
    kind = visit.org.schema.get(visit.params["object"])
    if kind is None:
        raise NotHere
    return kind


def found(visit: Visit) -> tuple[SObject, Record]:
    """Return the record that the address names."""
    try:
        kind, row = visit.org.record(visit.params["id"])
    except OrgError:
        raise NotHere from None
    if kind is not of_object(visit):
        raise NotHere
    return kind, row


def back(visit: Visit) -> str:
    """Return the address of the page that the dialog lies over; empty where the address was opened by itself.

    A dialog with an address of its own, such as `/new` and `/edit`, has that page in it as `backgroundContext`.
    """
    parts = urlsplit(visit.came_from)
    if parts.path.endswith(("/new", "/edit", "/clone")) or not parts.path.startswith("/lightning/"):
        own = visit.query.get("backgroundContext", "") or dict(parse_qsl(parts.query)).get(
            "backgroundContext", ""
        )
        return own if own.startswith("/lightning/") else ""
    return parts.path + (f"?{parts.query}" if parts.query else "")


def dialog(visit: Visit, kind: SObject, template: str, title: str, **context: Any) -> Response:
    """Answer with a dialog; its template gets `title`."""
    if visit.fragment is not None:
        return visit.render(template, title=title, **context)
    behind = back(visit) or f"/lightning/o/{kind.name}/list"
    return visit.render(
        "record/behind.html", title=title, dialog=template, behind=behind, object=kind.name, **context
    )
