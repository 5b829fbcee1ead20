"""`/ui-api`: records as a page needs them, with what their values look like, read and written."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from salesforce_org.api import dml
from salesforce_org.api.call import NOTHING, ApiError, Call, Reply
from salesforce_org.api.describe import record_types
from salesforce_org.api.objects import names_in, object_named, record_of
from salesforce_org.api.routing import resource
from salesforce_org.pages import fields
from salesforce_org.pages.layout import layout_of
from salesforce_org.record_types import FIELD, MASTER
from salesforce_org.store import Org, Record, SObject
from salesforce_org.store.errors import NotThere

_ALWAYS = ("LastModifiedById", "LastModifiedDate", "SystemModstamp")


@resource("GET", "/ui-api/records/{id}")
def one(call: Call) -> Reply:
    """Return a record with the fields that are asked for."""
    return Reply(_asked(call, call.params["id"]))


@resource("GET", "/ui-api/records/batch/{ids}")
def several(call: Call) -> Reply:
    """Return several records, each with a status of its own."""
    results = [_result(call, id) for id in call.params["ids"].split(",")]
    return Reply({"hasErrors": any(one["statusCode"] != 200 for one in results), "results": results})


@resource("POST", "/ui-api/records")
def create(call: Call) -> Reply:
    """Store a new record and return it."""
    told = call.table()
    kind = object_named(call.org, str(told.get("apiName")))
    id = dml.create(call.org, kind, _fields(told))
    return Reply(record(call.org, kind, record_of(call.org, kind, id), tuple(_fields(told))), 201)


@resource("PATCH", "/ui-api/records/{id}")
def update(call: Call) -> Reply:
    """Change a record and return it."""
    kind, row = _found(call.org, call.params["id"])
    given = _fields(call.table())
    dml.change(call.org, kind, row["Id"], {name: value for name, value in given.items() if name != "Id"})
    return Reply(record(call.org, kind, record_of(call.org, kind, row["Id"]), tuple(given)))


@resource("DELETE", "/ui-api/records/{id}")
def delete(call: Call) -> Reply:
    """Delete a record."""
    kind, row = _found(call.org, call.params["id"])
    dml.remove(call.org, kind, row["Id"])
    return NOTHING


def record(org: Org, kind: SObject, row: Record, names: tuple[str, ...]) -> dict[str, Any]:
    """Return a record with fields and, through a path such as `Owner.Name`, fields of its parents."""
    told = {name: _value(org, kind, row, name) for name in dict.fromkeys(names) if "." not in name}
    parents: dict[str, list[str]] = {}
    for name in names:
        relationship, dot, rest = name.partition(".")
        if dot:
            parents.setdefault(relationship, []).append(rest)
    told |= {name: _parent(org, kind, row, name, tuple(rest)) for name, rest in parents.items()}
    body = {
        "apiName": kind.name,
        "childRelationships": {},
        "fields": told,
        "id": row["Id"],
        **{name[0].lower() + name[1:]: row.get(name) for name in _ALWAYS},
        "recordTypeId": row.get(FIELD),
        "recordTypeInfo": _record_type(org, kind, row),
    }
    mark = hashlib.md5(
        json.dumps(body, sort_keys=True, default=str).encode(), usedforsecurity=False
    ).hexdigest()
    return {**body, "eTag": mark, "weakEtag": int(str(row["SystemModstamp"])[:19].translate(_DIGITS))}


_DIGITS = str.maketrans("", "", "-:T")


def layout_fields(kind: SObject) -> tuple[str, ...]:
    """Return the fields on an object's page that have a value each."""
    names = (name for section in layout_of(kind).sections for name in section.fields)
    return tuple(dict.fromkeys(["Id", *(name for name in names if kind.field(name))]))


def _asked(call: Call, id: str) -> dict[str, Any]:
    kind, row = _found(call.org, id)
    wanted, optional = (names_in(call.query.get(name)) or [] for name in ("fields", "optionalFields"))
    if not (wanted or optional or call.query.get("layoutTypes")):
        raise ApiError(
            400, "ILLEGAL_QUERY_PARAMETER_VALUE", "Specify the fields, optionalFields or layoutTypes"
        )
    names = [_own(kind, name) for name in wanted]
    names += [name for name in (_own(kind, one) for one in optional) if _known(call.org, kind, name)]
    if call.query.get("layoutTypes"):
        names += layout_fields(kind)
    return record(call.org, kind, row, tuple(names))


def _result(call: Call, id: str) -> dict[str, Any]:
    try:
        return {"result": _asked(call, id), "statusCode": 200}
    except NotThere as problem:
        return {"result": [{"errorCode": problem.code, "message": problem.message}], "statusCode": 404}


def _found(org: Org, id: str) -> tuple[SObject, Record]:
    kind = org.schema.of_id(id)
    if kind is None:
        raise NotThere
    return kind, record_of(org, kind, id)


def _own(kind: SObject, name: str) -> str:
    """Return `Name` of `Account.Name`, which is how fields of a record are asked for."""
    object, _, rest = name.strip().partition(".")
    if object.casefold() != kind.name.casefold() or not rest:
        raise ApiError(400, "ILLEGAL_QUERY_PARAMETER_VALUE", f"{name[:80]} is not a field of {kind.name}")
    return rest


def _known(org: Org, kind: SObject, name: str) -> bool:
    relationship, dot, rest = name.partition(".")
    reference = kind.parent(relationship) if dot else None
    if reference is None:
        return kind.field(name) is not None
    targets = (org.schema.get(target) for target in reference.to)
    return any(_known(org, target, rest) for target in targets if target)


def _fields(told: dict[str, Any]) -> dict[str, Any]:
    given = told.get("fields")
    if not isinstance(given, dict):
        raise ApiError(400, "JSON_PARSER_ERROR", "fields must be a JSON object")
    return given


def _value(org: Org, kind: SObject, row: Record, name: str) -> dict[str, Any]:
    field = kind.field(name)
    if field is None:
        raise ApiError(400, "INVALID_FIELD", f"No such column '{name[:80]}' on entity '{kind.name}'.")
    value = org.value(kind, row, field)
    plain = field.type in ("string", "id", "textarea", "boolean", "reference")
    shown = None if plain or value is None else fields.shown(org, kind, row, field.name).text
    return {"displayValue": shown, "value": value}


def _parent(
    org: Org, kind: SObject, row: Record, relationship: str, names: tuple[str, ...]
) -> dict[str, Any]:
    reference = kind.parent(relationship)
    if reference is None:
        raise ApiError(400, "INVALID_FIELD", f"Didn't understand relationship '{relationship[:80]}'")
    id = row.get(reference.name)
    target = org.schema.of_id(id) if id else None
    found = org.get(target.name, id) if target else None
    if target is None or found is None:
        return {"displayValue": None, "value": None}
    return {"displayValue": org.name_of(id), "value": record(org, target, found, names)}


def record_type_of(row: Record) -> str:
    """Return the record type of a record, the master's where it has none."""
    return str(row.get(FIELD) or MASTER)


def _record_type(org: Org, kind: SObject, row: Record) -> dict[str, Any] | None:
    found = record_types(org, kind, "") if row.get(FIELD) else []
    return next((one | {"urls": None} for one in found if one["recordTypeId"] == row[FIELD]), None)
