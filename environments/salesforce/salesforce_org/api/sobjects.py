"""`/sobjects`: objects, their descriptions, and records one at a time."""

from __future__ import annotations

from typing import Any

from salesforce_org.api import changes, conditions, dml
from salesforce_org.api.call import NOTHING, Call, Reply
from salesforce_org.api.describe import described, in_short
from salesforce_org.api.objects import all_objects as every_object
from salesforce_org.api.objects import any_object, attributes, names_in, object_named, record_of, shown
from salesforce_org.api.routing import resource
from salesforce_org.assignment import asked_for, assign
from salesforce_org.metadata.listing import changed
from salesforce_org.store import SObject
from salesforce_org.store.errors import NotThere

MOST_IN_ONE_CALL = 200


@resource("GET", "/sobjects")
def all_objects(call: Call) -> Reply:
    """List all objects."""
    listed = [in_short(one, call.root) for one in every_object(call.org)]
    return Reply({"encoding": "UTF-8", "maxBatchSize": MOST_IN_ONE_CALL, "sobjects": listed})


@resource("GET", "/sobjects/{object}")
def one_object(call: Call) -> Reply:
    """Tell what an object is, and what the acting user looked at of it last."""
    kind = any_object(call.org, call.params["object"])
    rows = call.org.rows(kind.name) if kind.name in call.org.schema.objects else ()
    newest = sorted(rows, key=lambda row: str(row["LastModifiedDate"]), reverse=True)
    mine = [row for row in newest if row.get("LastModifiedById") == call.user_id][:5]
    items = [
        {
            "attributes": attributes(kind, row["Id"], call.root),
            "Id": row["Id"],
            "Name": call.org.name_of(row["Id"]),
        }
        for row in mine
    ]
    return Reply({"objectDescribe": in_short(kind, call.root), "recentItems": items})


@resource("POST", "/sobjects/{object}")
def create(call: Call) -> Reply:
    """Store a new record."""
    kind = _kind(call)
    with call.org.transaction():
        id = dml.create(call.org, kind, call.table())
        if asked_for(call.headers, kind.name):
            assign(call.org, kind.name, id)
    return _made(call, kind, id)


@resource("GET", "/sobjects/{object}/describe")
def describe(call: Call) -> Reply:
    """Describe an object in full."""
    told = described(call.org, any_object(call.org, call.params["object"]), call.root)
    return conditions.conditional(call, Reply(told), changed(call.org))


@resource("GET", "/sobjects/{object}/updated")
def updated(call: Call) -> Reply:
    """List the ids of records that changed in a time."""
    found, until = changes.updated(call.org, _kind(call), *_span(call))
    return Reply({"ids": found, "latestDateCovered": until})


@resource("GET", "/sobjects/{object}/deleted")
def deleted(call: Call) -> Reply:
    """List the ids of records that were deleted in a time."""
    kind, (start, end) = _kind(call), _span(call)
    covered = {"earliestDateAvailable": start, "latestDateCovered": end}
    return Reply({"deletedRecords": changes.deleted(call.org, kind, start, end), **covered})


@resource("GET", "/sobjects/{object}/{id}")
def read(call: Call) -> Reply:
    """Show a record."""
    kind = _kind(call)
    row = record_of(call.org, kind, call.params["id"])
    body = shown(call, kind, row, names_in(call.query.get("fields")))
    return conditions.conditional(call, Reply(body), str(row["LastModifiedDate"]))


@resource("PATCH", "/sobjects/{object}/{id}")
def update(call: Call) -> Reply:
    """Change a record."""
    row = record_of(call.org, _kind(call), call.params["id"])
    conditions.demand(call, str(row["LastModifiedDate"]))
    dml.change(call.org, _kind(call), call.params["id"], call.table())
    return NOTHING


@resource("DELETE", "/sobjects/{object}/{id}")
def delete(call: Call) -> Reply:
    """Delete a record."""
    row = record_of(call.org, _kind(call), call.params["id"])
    conditions.demand(call, str(row["LastModifiedDate"]))
    dml.remove(call.org, _kind(call), call.params["id"])
    return NOTHING


@resource("GET", "/sobjects/{object}/{key}/{value}")
def read_further(call: Call) -> Reply:
    """Show the record that an external id names, or what a record's relationship leads to."""
    kind, key = _kind(call), call.params["key"]
    if call.org.schema.of_id(key) == kind and len(key) in (15, 18):
        return _related(call, kind, key, call.params["value"])
    try:
        found = dml.with_value(call.org, kind, dml.external_key(kind, key), call.params["value"])
    except dml.Several as several:
        return _choices(call, kind, several)
    if found is None:
        raise NotThere
    return Reply(shown(call, kind, found, names_in(call.query.get("fields"))))


@resource("PATCH POST", "/sobjects/{object}/{key}/{value:path}")
def upsert(call: Call) -> Reply:
    """Change the record that an external id names, or store a new one."""
    kind = _kind(call)
    key = dml.external_key(kind, call.params["key"])
    insert = call.query.get("updateOnly", "false").casefold() != "true"
    try:
        id, new = dml.upsert(call.org, kind, key, call.params["value"], call.table(), insert=insert)
    except dml.Several as several:
        return _choices(call, kind, several)
    return (
        _made(call, kind, id) if new else Reply({"id": id, "success": True, "errors": [], "created": False})
    )


@resource("DELETE", "/sobjects/{object}/{key}/{value}")
def delete_by_key(call: Call) -> Reply:
    """Delete the record that an external id names."""
    kind = _kind(call)
    found = dml.with_value(call.org, kind, dml.external_key(kind, call.params["key"]), call.params["value"])
    if found is None:
        raise NotThere
    call.org.delete(found["Id"])
    return NOTHING


def _kind(call: Call) -> SObject:
    return object_named(call.org, call.params["object"])


def _choices(call: Call, kind: SObject, several: dml.Several) -> Reply:
    return Reply([f"{call.root}/sobjects/{kind.name}/{id}" for id in several.found], 300)


def _made(call: Call, kind: SObject, id: str) -> Reply:
    body: dict[str, Any] = {"id": id, "success": True, "errors": []}
    if "key" in call.params:
        body["created"] = True
    return Reply(body, 201, {"Location": f"{call.root}/sobjects/{kind.name}/{id}"})


def _span(call: Call) -> tuple[str, str]:
    return changes.span(call.query.get("start", ""), call.query.get("end", ""))


def _related(call: Call, kind: SObject, id: str, relationship: str) -> Reply:
    row = record_of(call.org, kind, id)
    names = names_in(call.query.get("fields"))
    reference = kind.parent(relationship)
    if reference is not None:
        target = row.get(reference.name)
        found = call.org.schema.of_id(target) if target else None
        parent = call.org.get(found.name, target) if found else None
        if found is None or parent is None:
            raise NotThere
        return Reply(shown(call, found, parent, names))
    child = call.org.schema.child(kind.name, relationship)
    if child is None:
        raise NotThere
    rows = [
        shown(call, child[0], one, names)
        for one in call.org.rows(child[0].name, **{child[1].name: row["Id"]})
    ]
    return Reply({"totalSize": len(rows), "done": True, "records": rows})
