"""What all dialogs have in common: they are parts of a page, or lie over an object's page when opened by address."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

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
    """Return the address of the page that the dialog lies over; empty where the address was opened by itself."""
    parts = urlsplit(visit.came_from)
    path = parts.path if parts.path.startswith("/lightning/") else ""
    if path.endswith("/new") or not path:
        return ""
    return path + (f"?{parts.query}" if parts.query else "")


def dialog(visit: Visit, kind: SObject, template: str, title: str, **context: Any) -> Response:
    """Answer with a dialog; its template gets `title`."""
    if visit.fragment is not None:
        return visit.render(template, title=title, **context)
    behind = f"/lightning/o/{kind.name}/list"
    return visit.render(
        "record/behind.html", title=title, dialog=template, behind=behind, object=kind.name, **context
    )
