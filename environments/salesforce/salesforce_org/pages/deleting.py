"""Deleting records and giving them to others, one by one or several at once from a list."""

from __future__ import annotations

from starlette.responses import Response

from salesforce_org.pages.dialogs import back, dialog, found, of_object
from salesforce_org.pages.formats import record_href
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import Visit
from salesforce_org.store import Record, SObject
from salesforce_org.store.errors import OrgError


@page("GET", "/lightning/r/{object}/{id}/delete")
def ask_delete(visit: Visit) -> Response:
    """Ask whether a record shall go."""
    kind, _ = found(visit)
    return _ask_delete(visit, kind, f"this {kind.label.lower()}", back(visit))


@page("POST", "/lightning/r/{object}/{id}/delete")
def delete(visit: Visit) -> Response:
    """Delete a record; from its own page one goes on to the object's list."""
    kind, row = found(visit)
    name, came = visit.org.name_of(row["Id"]), visit.field("back")
    try:
        with visit.org.transaction():
            visit.org.delete(row["Id"])
    except OrgError as problem:
        return _ask_delete(visit, kind, f"this {kind.label.lower()}", came, problems=[problem.message])
    if visit.login is not None:
        visit.login.recent = [one for one in visit.login.recent if one != row["Id"]]
    home = f"/lightning/o/{kind.name}/list"
    return visit.go(home if not came or row["Id"] in came else came, f'{kind.label} "{name}" was deleted.')


@page("GET", "/lightning/o/{object}/delete")
def ask_delete_many(visit: Visit) -> Response:
    """Ask whether the selected records shall go."""
    kind = of_object(visit)
    ids = _ids(visit.query.get("ids", ""))
    if not ids:
        return _nothing(visit, kind, "Delete")
    return _ask_delete(
        visit, kind, f"the {len(ids)} selected {kind.plural.lower()}", back(visit), ids=",".join(ids)
    )


@page("POST", "/lightning/o/{object}/delete")
def delete_many(visit: Visit) -> Response:
    """Delete the selected records, all or none."""
    kind = of_object(visit)
    ids = _ids(visit.field("ids"))
    try:
        with visit.org.transaction():
            for row in _rows(visit, kind, ids):
                visit.org.delete(row["Id"])
    except OrgError as problem:
        what = f"the {len(ids)} selected {kind.plural.lower()}"
        came = visit.field("back")
        return _ask_delete(visit, kind, what, came, ids=",".join(ids), problems=[problem.message])
    return visit.go(
        visit.field("back") or f"/lightning/o/{kind.name}/list", f"{len(ids)} {kind.plural} were deleted."
    )


@page("GET", "/lightning/r/{object}/{id}/owner")
def ask_owner(visit: Visit) -> Response:
    """Ask whom a record shall belong to."""
    kind, _ = found(visit)
    return _ask_owner(visit, kind, back(visit))


@page("POST", "/lightning/r/{object}/{id}/owner")
def change_owner(visit: Visit) -> Response:
    """Give a record to somebody else."""
    kind, row = found(visit)
    return _give(visit, kind, [row], "")


@page("GET", "/lightning/o/{object}/owner")
def ask_owner_of_many(visit: Visit) -> Response:
    """Ask whom the selected records shall belong to."""
    kind = of_object(visit)
    ids = _ids(visit.query.get("ids", ""))
    return (
        _ask_owner(visit, kind, back(visit), ids=",".join(ids))
        if ids
        else _nothing(visit, kind, "Change Owner")
    )


@page("POST", "/lightning/o/{object}/owner")
def change_owner_of_many(visit: Visit) -> Response:
    """Give the selected records to somebody else."""
    kind = of_object(visit)
    ids = _ids(visit.field("ids"))
    return _give(visit, kind, _rows(visit, kind, ids), ",".join(ids))


def _give(visit: Visit, kind: SObject, rows: list[Record], ids: str) -> Response:
    owner, came = visit.field("OwnerId"), visit.field("back")
    if not owner:
        return _ask_owner(visit, kind, came, ids=ids, error="Complete this field.")
    try:
        with visit.org.transaction():
            for row in rows:
                visit.org.update(row["Id"], OwnerId=owner)
    except OrgError as problem:
        return _ask_owner(visit, kind, came, ids=ids, problems=[problem.message])
    to = visit.org.name_of(owner)
    sentence = (
        f"{to} now owns {len(rows)} {kind.plural}."
        if ids
        else f'{to} now owns the record for "{visit.org.name_of(rows[0]["Id"])}".'
    )
    return visit.go(came or record_href(kind.name, rows[0]["Id"]), sentence)


def _ask_delete(
    visit: Visit, kind: SObject, what: str, came: str, *, ids: str = "", problems: list[str] | None = None
) -> Response:
    label = kind.plural if ids else kind.label
    context = {"label": label, "what": what, "ids": ids, "back": came, "problems": problems or []}
    return dialog(visit, kind, "record/delete.html", f"Delete {label}", action=visit.path, **context)


def _ask_owner(
    visit: Visit,
    kind: SObject,
    came: str,
    *,
    ids: str = "",
    error: str = "",
    problems: list[str] | None = None,
) -> Response:
    owner = kind.field("OwnerId")
    known = {"User": "Users", "Group": "Queues"}
    objects = [(name, known[name]) for name in (owner.to if owner else ()) if name in known]
    context = {"objects": objects, "ids": ids, "count": len(_ids(ids)), "back": came, "error": error}
    context |= {"problems": problems or [], "email": not ids, "action": visit.path}
    title = "Change Owner" if ids else f"Change {kind.label} Owner"
    return dialog(visit, kind, "record/owner.html", title, **context)


def _nothing(visit: Visit, kind: SObject, title: str) -> Response:
    return dialog(visit, kind, "record/nothing.html", title)


def _ids(text: str) -> list[str]:
    return [one for one in text.split(",") if one][:200]


def _rows(visit: Visit, kind: SObject, ids: list[str]) -> list[Record]:
    found_rows = (visit.org.get(kind.name, id) for id in ids)
    return [row for row in found_rows if row is not None]
