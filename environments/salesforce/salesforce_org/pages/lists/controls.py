"""The gear of a list view: new, clone, rename, sharing, fields to display, delete."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from starlette.responses import Response

from salesforce_org.pages import fields
from salesforce_org.pages.apps import object_href
from salesforce_org.pages.dialogs import dialog, of_object
from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.lists import definition
from salesforce_org.pages.lists.board import displayed
from salesforce_org.pages.lists.definition import ListDefinition, of_record
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.store import Org, SObject
from salesforce_org.store.errors import OrgError

BASE = "/lightning/o/{object}/views"
TITLES = {
    "new": "New List View",
    "clone": "Clone List View",
    "rename": "Rename List View",
    "sharing": "Sharing Settings",
}
# The kinds of those with whom a list is shared, as metadata calls them.
KINDS = {
    "Public Groups": "group",
    "Roles": "role",
    "Roles and Subordinates": "roleAndSubordinates",
}


@page("GET", BASE + "/new")
def ask_new(visit: Visit) -> Response:
    """Ask for the names of a new list view and who sees it."""
    kind = of_object(visit)
    return _ask(visit, "new", _blank(visit.org, kind))


@page("POST", BASE + "/new")
def make(visit: Visit) -> Response:
    """Make a list view and go on to its filters."""
    kind = of_object(visit)
    return _save(visit, "new", _named(visit, _shared(visit, _blank(visit.org, kind))))


@page("GET", BASE + "/{id}/{what}")
def ask(visit: Visit) -> Response:
    """Open one of the dialogs of a list view."""
    one = found(visit)
    match visit.params["what"]:
        case "clone":
            return _ask(visit, "clone", definition.copy(one))
        case "rename" | "sharing" as what:
            return _ask(visit, what, one)
        case "fields":
            return _ask_fields(visit, one)
        case "delete":
            return dialog(
                visit, one.object, "list/delete.html", "Delete List View", one=one, action=visit.path
            )
    raise NotHere


@page("POST", BASE + "/{id}/{what}")
def change(visit: Visit) -> Response:
    """Do what one of the dialogs asked for."""
    one = found(visit)
    match visit.params["what"]:
        case "clone":
            return _save(visit, "clone", _named(visit, _shared(visit, replace(one, id=""))))
        case "rename":
            return _save(visit, "rename", _named(visit, one))
        case "sharing":
            return _save(visit, "sharing", _shared(visit, one))
        case "fields":
            return _choose_fields(visit, one)
        case "delete":
            definition.remove(visit.org, one)
            return visit.go(object_href(one.object.name), "List view deleted.")
    raise NotHere


def found(visit: Visit) -> ListDefinition:
    """Return the list view that the address names."""
    kind = of_object(visit)
    row = visit.org.get("ListView", visit.params["id"])
    if row is None or row["SobjectType"] != kind.name:
        raise NotHere
    return of_record(visit.org, row)


def _blank(org: Org, kind: SObject) -> ListDefinition:
    return ListDefinition(
        "", kind, "", "", layout_of(kind).columns, scope="Mine" if kind.field("OwnerId") else "Everything"
    )


def _named(visit: Visit, one: ListDefinition) -> ListDefinition:
    name = visit.field("Name")
    return replace(one, name=name, developer=visit.field("DeveloperName") or definition.developer_name(name))


def _shared(visit: Visit, one: ListDefinition) -> ListDefinition:
    match visit.field("visibility"):
        case "all":
            return replace(one, shared={})
        case "groups":
            chosen = [str(value).partition(":") for value in visit.form.getlist("sharedTo")]
            kinds = dict.fromkeys(kind for kind, _, _ in chosen)
            return replace(one, shared={kind: tuple(n for k, _, n in chosen if k == kind) for kind in kinds})
        case _:
            return replace(one, shared=None)


def _save(visit: Visit, what: str, one: ListDefinition) -> Response:
    if visit.field("visibility") == "groups" and not one.shared:
        return _ask(visit, what, one, {"sharedTo": "Select at least one group or role."})
    try:
        with visit.org.transaction():
            id = definition.save(visit.org, one)
    except OrgError as problem:
        return _ask(visit, what, one, {(problem.fields or ("Name",))[0]: problem.message})
    query = {"filterName": id} | ({"panel": "filters"} if what in ("new", "clone") else displayed(visit))
    return visit.go(
        object_href(one.object.name, **query), "List view created." if what == "new" else "List view updated."
    )


def _ask(visit: Visit, what: str, one: ListDefinition, errors: dict[str, str] | None = None) -> Response:
    choices = _groups(visit.org)
    shared = [f"{kind}:{name}" for kind, names in (one.shared or {}).items() for name in names]
    visibility = (
        "private" if one.shared is None else "groups" if shared or (errors or {}).get("sharedTo") else "all"
    )
    context: dict[str, Any] = {
        "one": one,
        "what": what,
        "errors": errors or {},
        "choices": choices,
        "shared": shared,
    }
    context["kinds"] = list(KINDS)
    context |= {"visibility": visibility, "action": visit.path}
    return dialog(visit, one.object, "list/names.html", TITLES[what], **context)


def _groups(org: Org) -> list[tuple[str, str, str]]:
    """Return with whom a list can be shared, each with its kind: public groups, roles, roles with those below them."""
    groups = [(row["DeveloperName"], row["Name"]) for row in org.rows("Group", Type="Regular")]
    roles = [(row["DeveloperName"], row["Name"]) for row in org.rows("UserRole")]
    return [
        (kind, f"{told}:{name}", label)
        for kind, told in KINDS.items()
        for name, label in sorted(groups if told == "group" else roles, key=_label)
    ]


def _label(pair: tuple[str, str]) -> str:
    return pair[1].casefold()


def _ask_fields(visit: Visit, one: ListDefinition, error: str = "") -> Response:
    layout = layout_of(one.object)
    names = {*fields.columns(layout), *one.columns}
    options = sorted(((name, fields.label(layout, name)) for name in names), key=_label)
    context = {"one": one, "options": options, "action": visit.path, "error": error}
    return dialog(visit, one.object, "list/fields.html", "Select Fields to Display", **context)


def _choose_fields(visit: Visit, one: ListDefinition) -> Response:
    layout = layout_of(one.object)
    known = {*fields.columns(layout), *one.columns}
    chosen = tuple(str(name) for name in visit.form.getlist("columns") if str(name) in known)
    if not 1 <= len(chosen) <= definition.LONGEST:
        return _ask_fields(visit, one, f"Select between 1 and {definition.LONGEST} fields.")
    definition.save(visit.org, replace(one, columns=chosen))
    return visit.go(object_href(one.object.name, filterName=one.id, **displayed(visit)), "List view updated.")
