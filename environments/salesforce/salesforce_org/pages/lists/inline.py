"""Cells of a list view that are edited in place: the editor of one, and saving what was changed in several rows."""

from __future__ import annotations

import json

from starlette.responses import Response

from salesforce_org.pages import fields, inputs
from salesforce_org.pages.dialogs import back, found, of_object
from salesforce_org.pages.forms import COMPLETE
from salesforce_org.pages.inputs import Input, NotEntered, Texts
from salesforce_org.pages.layout import Layout, holds, layout_of
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.record_types import FIELD
from salesforce_org.store import Field, Org, Record
from salesforce_org.store.errors import OrgError

SAVED = "Your changes are saved."


def editable(layout: Layout, name: str) -> bool:
    """Whether a column's cells can be edited in a list: fields that people enter, but no addresses and no owners."""
    return bool(enterable(layout, name)) and not fields.address(layout.object, name)


@page("GET", "/lightning/r/{object}/{id}/cell")
def ask(visit: Visit) -> Response:
    """Show the editor of a cell: what it holds, or what was entered and is not saved yet."""
    kind, row = found(visit)
    layout, name = layout_of(kind), visit.query.get("name", "")
    known = enterable(layout, name)
    if not known:
        raise NotHere
    texts = {**inputs.texts_of(visit.org, known, row), **_parts(dict(visit.query))}
    made = tuple(
        inputs.of_field(visit.org, layout, one, texts, required=one.required, row=row) for one in known
    )
    label = fields.label(layout, name)
    one = made[0] if len(made) == 1 else Input(name, label, "group", parts=made)
    return visit.render(
        "list/cell.html", one=one, label=label, selected=int(visit.query.get("selected", "0"))
    )


@page("POST", "/lightning/o/{object}/cells")
def save(visit: Visit) -> Response:
    """Save each changed row by itself; those that the org refuses stay as drafts with what is wrong with them."""
    kind = of_object(visit)
    rows: dict[str, dict[str, list[str]]] = {}
    for key, value in visit.form.multi_items():
        id, _, part = key.partition(".")
        if part:
            rows.setdefault(id, {}).setdefault(part, []).append(str(value))
    wrong: dict[str, dict[str, str]] = {}
    for id, parts in rows.items():
        row = visit.org.get(kind.name, id)
        texts = {part: ";".join(values) for part, values in parts.items()}
        problems = write(visit.org, layout_of(kind), row, texts) if row else {"": "The record was deleted."}
        if problems:
            wrong[id] = problems
    if not wrong:
        return visit.go(back(visit) or f"/lightning/o/{kind.name}/list", SAVED)
    return visit.event("cells-refused", rows=json.dumps(wrong))


def write(org: Org, layout: Layout, row: Record, texts: Texts) -> dict[str, str]:
    """Change a record; return what is wrong with it by field, under an empty name what is wrong with the whole."""
    given, problems = {}, {}
    names = {part.partition(":")[0] for part in texts}
    for one in (field for name in sorted(names) for field in enterable(layout, name)):
        try:
            given[one.name] = inputs.read(org, one, texts)
        except NotEntered as problem:
            problems[one.name] = str(problem)
            continue
        required = (one.required and one.type != "boolean") or one.name in layout.required
        if required and given[one.name] is None:
            problems[one.name] = COMPLETE
    if not holds(layout.open, row):
        problems[""] = "This record cannot be edited."
    if problems:
        return problems
    try:
        with org.transaction():
            org.update(row["Id"], **given)
    except OrgError as refused:
        return dict.fromkeys(refused.fields or ("",), refused.message)
    return {}


def enterable(layout: Layout, name: str) -> list[Field]:
    """Return the fields behind a column that people enter."""
    found = fields.parts(layout.object, name)
    return [one for one in found if one.updateable and one.stored and not one.rich and _entered(layout, one)]


def _entered(layout: Layout, one: Field) -> bool:
    return one.name not in ("OwnerId", FIELD) and one.name not in layout.fixed and len(one.to) < 2


def _parts(query: dict[str, str]) -> dict[str, str]:
    """Return what was entered before, as the address of the editor repeats it."""
    return {key.removeprefix("t."): value for key, value in query.items() if key.startswith("t.")}
