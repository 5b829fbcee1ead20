"""Dialogs in which records are made, changed, copied, deleted and given to others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.responses import Response

from salesforce_org import record_types
from salesforce_org.assignment import ASSIGNED, active_rule, assign
from salesforce_org.duplicates import find_duplicates
from salesforce_org.pages.arranging import arranged
from salesforce_org.pages.dialogs import back, dialog, found, of_object
from salesforce_org.pages.formats import record_href
from salesforce_org.pages.forms import Form
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.record_types import FIELD
from salesforce_org.rules.quotes import copy_products
from salesforce_org.store import Record, SObject
from salesforce_org.store.errors import OrgError

# What Lightning does once a record was made by hand, which its programming interface does not.
COMPLETED = {"Quote": copy_products}
KEPT = ("then", "back", "defaultFieldValues", "recordTypeId", "lookup")


@page("GET", "/lightning/o/{object}/new")
def ask_new(visit: Visit) -> Response:
    """Open the form of a new record, after the choice of its record type where there are several."""
    kind = of_object(visit)
    if _presets(visit).get(FIELD) is None and len(record_types.available(visit.org, kind.name)) > 1:
        usual = record_types.default(visit.org, kind.name)
        return _ask_type(
            visit, kind, f"New {kind.label}", f"/lightning/o/{kind.name}/new", usual, _kept(visit)
        )
    return _answer(visit, _new_form(visit, kind))


@page("GET", "/lightning/r/{object}/{id}/recordtype")
def ask_type(visit: Visit) -> Response:
    """Ask of which other record type a record is to be."""
    kind, row = found(visit)
    keep = {"back": record_href(kind.name, row["Id"])}
    action = f"/lightning/r/{kind.name}/{row['Id']}/edit"
    return _ask_type(visit, kind, f"Change {kind.label} Record Type", action, row.get(FIELD), keep)


def _ask_type(
    visit: Visit, kind: SObject, title: str, action: str, now: str | None, keep: Mapping[str, str]
) -> Response:
    types = record_types.available(visit.org, kind.name)
    if not types:
        raise NotHere
    context = {"types": types, "chosen": now or types[0]["Id"], "action": action, "keep": keep}
    return dialog(visit, kind, "record/record_type.html", title, **context)


@page("POST", "/lightning/o/{object}/new")
def make(visit: Visit) -> Response:
    """Make a record."""
    kind = of_object(visit)
    form = _new_form(visit, kind)
    given = form.submit(visit.form)
    id = _saved(visit, form, lambda: _inserted(visit, kind, given), given)
    return _answer(visit, form) if id is None else _made(visit, kind, str(id))


def _inserted(visit: Visit, kind: SObject, given: Mapping[str, Any]) -> str:
    id = visit.org.insert(kind.name, **given)
    _assign(visit, kind, id)
    if complete := COMPLETED.get(kind.name):
        complete(visit.org, id)
    return id


def _assign(visit: Visit, kind: SObject, id: str) -> None:
    if visit.field("assign") and kind.name in ASSIGNED:
        assign(visit.org, kind.name, id)


@page("GET", "/lightning/r/{object}/{id}/clone")
def ask_copy(visit: Visit) -> Response:
    """Open the form of a new record with the values of another."""
    kind, row = found(visit)
    return _answer(
        visit, Form(visit.org, arranged(visit, kind, row).layout, row, True), f"/lightning/o/{kind.name}/new"
    )


def _edit_form(visit: Visit, kind: SObject, row: Record) -> Form:
    """Return the form of a record; with another record type it offers the values of that one."""
    other = {FIELD: id} if kind.field(FIELD) and (id := visit.query.get("recordTypeId")) else {}
    row = {**row, **other}
    return Form(visit.org, arranged(visit, kind, row).layout, row, False, extra=tuple(other))


@page("GET", "/lightning/r/{object}/{id}/edit")
def ask_change(visit: Visit) -> Response:
    """Open the form of a record."""
    kind, row = found(visit)
    return _answer(visit, _edit_form(visit, kind, row))


@page("POST", "/lightning/r/{object}/{id}/edit")
def change(visit: Visit) -> Response:
    """Change a record."""
    kind, row = found(visit)
    form = _edit_form(visit, kind, row)
    given = form.submit(visit.form)

    def write() -> None:
        visit.org.update(row["Id"], **given)
        _assign(visit, kind, row["Id"])

    if _saved(visit, form, write, given, row) is None:
        return _answer(visit, form)
    return visit.go(
        visit.field("back") or record_href(kind.name, row["Id"]), said(visit, kind, row["Id"], "saved")
    )


def said(visit: Visit, kind: SObject, id: str, done: str) -> str:
    """Return the sentence that a record was saved, or whatever was done with it."""
    return f'{kind.label} "{visit.org.name_of(id)}" was {done}.'


def _new_form(visit: Visit, kind: SObject) -> Form:
    presets = _presets(visit)
    usable = record_types.available(visit.org, kind.name)
    if len(usable) == 1:
        presets.setdefault(FIELD, usable[0]["Id"])
    typed = {name: value for name, value in presets.items() if kind.field(name)}
    row = {**record_types.begin(visit.org, kind, typed.get(FIELD)), **typed}
    return Form(visit.org, arranged(visit, kind, row).layout, row, True, extra=tuple(typed))


def _presets(visit: Visit) -> dict[str, str]:
    """Return the values that the address gives a new record."""
    told = dict(parse_qsl(visit.query.get("defaultFieldValues", "").replace(",", "&")))
    type = visit.query.get("recordTypeId")
    return {**told, FIELD: type} if type else told


def _saved(
    visit: Visit, form: Form, write: Any, given: Mapping[str, Any], row: Record | None = None
) -> object | None:
    """Write the record, unless something is wrong with the form; returns its id, or True for a change."""
    if form.errors:
        return None
    found = find_duplicates(visit.org, form.kind, given, row)
    if found and (found.blocks or not visit.field("duplicates:seen")):
        form.duplicates = found
        return None
    try:
        with visit.org.transaction():
            return write() or True
    except OrgError as problem:
        form.refused(problem)
        return None


def _made(visit: Visit, kind: SObject, id: str) -> Response:
    then = visit.field("then")
    if visit.field("lookup"):
        return visit.event("lookup-chosen", id=id, name=visit.org.name_of(id) or "")
    sentence = said(visit, kind, id, "created")
    if then == "new":
        kept = {name: value for name, value in _kept(visit).items() if name not in ("then", "back")}
        if behind := visit.field("back"):
            kept["backgroundContext"] = behind
        visit.toast(sentence, href=record_href(kind.name, id))
        return visit.go(
            f"/lightning/o/{kind.name}/new?{urlencode(kept)}" if kept else f"/lightning/o/{kind.name}/new"
        )
    visit.toast(sentence, href=record_href(kind.name, id))
    if then == "stay" and visit.field("back"):
        return visit.go(visit.field("back"))
    return visit.go(record_href(kind.name, id))


def _kept(visit: Visit) -> dict[str, str]:
    given = {name: str(visit.form.get(name, visit.query.get(name, ""))) for name in KEPT}
    return {name: value for name, value in given.items() if value}


def _answer(visit: Visit, form: Form, action: str = "") -> Response:
    kind = form.layout.object
    if not (form.layout.create if form.new else kind.updateable):
        raise NotHere
    title = f"New {kind.label}" if form.new else f"Edit {visit.org.name_of(form.row['Id'])}"
    if form.new and (type := visit.org.name_of(form.row.get(FIELD))):
        title += f": {type}"
    keep = {name: value for name, value in _kept(visit).items() if name != "then"}
    keep.setdefault("back", back(visit))
    address = action or visit.path
    presets: dict[str, str] = {
        name: keep[name] for name in ("defaultFieldValues", "recordTypeId") if name in keep
    }
    if form.new and form.row.get(FIELD):
        presets["recordTypeId"] = form.row[FIELD]
    query = f"?{urlencode(presets)}" if presets else ""
    context = {
        "form": form,
        "action": address + query,
        "keep": keep,
        "then": _kept(visit).get("then", "record"),
        "nested": bool(keep.get("lookup")),
        "assigns": kind.name in ASSIGNED and active_rule(visit.org, kind.name) is not None,
    }
    return dialog(visit, kind, "record/form.html", title, **context)
