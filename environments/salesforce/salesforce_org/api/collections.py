"""`/composite/sobjects`: several records of any objects in one call, all or none or as many as can be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from salesforce_org.api import dml, refusals
from salesforce_org.api.call import ApiError, Call, Reply
from salesforce_org.api.objects import names_in, object_named, shown
from salesforce_org.api.routing import resource
from salesforce_org.assignment import asked_for, assign
from salesforce_org.store import Org, SObject, ids
from salesforce_org.store.errors import NotThere, OrgError

MOST = 200
MOST_READ = 2000
ROLLED_BACK = OrgError(
    "ALL_OR_NONE_OPERATION_ROLLED_BACK",
    "Record rolled back because not all records were valid and the request was using AllOrNone header",
)
Step = Callable[[], dict[str, Any]]


@resource("POST", "/composite/sobjects")
def create(call: Call) -> Reply:
    """Store new records."""
    tables, all_or_none = _tables(call)
    return _all(call.org, [partial(_create, call, table) for table in tables], all_or_none)


@resource("PATCH", "/composite/sobjects")
def update(call: Call) -> Reply:
    """Change records."""
    tables, all_or_none = _tables(call)
    return _all(call.org, [_step(_update, call.org, table) for table in tables], all_or_none)


@resource("DELETE", "/composite/sobjects")
def delete(call: Call) -> Reply:
    """Delete records."""
    wanted = names_in(call.query.get("ids")) or []
    _few_enough(wanted)
    steps = [_step(_delete, call.org, {"id": id.strip()}) for id in wanted]
    return _all(call.org, steps, _true(call.query.get("allOrNone")))


@resource("PATCH", "/composite/sobjects/{object}/{key}")
def upsert(call: Call) -> Reply:
    """Change records that an external id names, or store new ones."""
    kind = object_named(call.org, call.params["object"])
    key = dml.external_key(kind, call.params["key"])
    tables, all_or_none = _tables(call)

    def one(org: Org, table: dict[str, Any]) -> dict[str, Any]:
        value = next((value for name, value in table.items() if name.casefold() == key.name.casefold()), "")
        if not value and key.name != "Id":
            raise OrgError("MISSING_ARGUMENT", f"{key.name} not specified", (key.name,))
        id, new = dml.upsert(org, kind, key, str(value or ""), table)
        return {"id": id, "success": True, "errors": [], "created": new}

    return _all(call.org, [_step(one, call.org, table) for table in tables], all_or_none)


@resource("GET POST", "/composite/sobjects/{object}")
def read(call: Call) -> Reply:
    """Show records of one object; null stands for what is not there."""
    kind = object_named(call.org, call.params["object"])
    wanted, names = _wanted(call)
    if len(wanted) > MOST_READ:
        raise ApiError(
            400, "EXCEEDED_ID_LIMIT", f"record limit reached. cannot submit more than {MOST_READ} records"
        )
    return Reply([_shown(call, kind, id, names) for id in wanted])


def _wanted(call: Call) -> tuple[list[str], list[str]]:
    if call.method == "POST":
        table = call.table()
        wanted, names = table.get("ids"), table.get("fields")
    else:
        wanted, names = names_in(call.query.get("ids")), names_in(call.query.get("fields"))
    if not isinstance(wanted, list) or not isinstance(names, list) or not names:
        raise ApiError(400, "MISSING_ARGUMENT", "Both ids and fields must be given")
    return [str(id) for id in wanted], [str(name) for name in names]


def _shown(call: Call, kind: SObject, id: str, names: list[str]) -> dict[str, Any] | None:
    row = call.org.get(kind.name, _full(id))
    return shown(call, kind, row, names) if row else None


def _full(id: str) -> str:
    try:
        return ids.full(id)
    except ValueError:
        raise NotThere(f"malformed id {id[:40]}", "MALFORMED_ID") from None


def _tables(call: Call) -> tuple[list[dict[str, Any]], bool]:
    told = call.table()
    tables = told.get("records")
    if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
        raise ApiError(400, "JSON_PARSER_ERROR", "records must be a list of JSON objects")
    _few_enough(tables)
    return tables, _true(told.get("allOrNone"))


def _few_enough(listed: list[Any]) -> None:
    if not listed:
        raise ApiError(400, "REQUIRED_FIELD_MISSING", "At least one record must be given")
    if len(listed) > MOST:
        told = f"record limit reached. cannot submit more than {MOST} records into this call"
        raise ApiError(400, "EXCEEDED_ID_LIMIT", told)


def _true(value: Any) -> bool:
    return str(value).casefold() == "true"


def _step(work: Callable[[Org, dict[str, Any]], dict[str, Any]], org: Org, table: dict[str, Any]) -> Step:
    return lambda: work(org, table)


def _create(call: Call, table: dict[str, Any]) -> dict[str, Any]:
    kind = _typed(call.org, table)
    id = dml.create(call.org, kind, table)
    if asked_for(call.headers, kind.name):
        assign(call.org, kind.name, id)
    return {"id": id, "success": True, "errors": []}


def _update(org: Org, table: dict[str, Any]) -> dict[str, Any]:
    kind = _typed(org, table)
    id = next((str(value) for name, value in table.items() if name.casefold() == "id"), "")
    if not id:
        raise OrgError("MISSING_ARGUMENT", "Id not specified in an update call", ("Id",))
    dml.change(org, kind, id, {name: value for name, value in table.items() if name.casefold() != "id"})
    return {"id": _full(id), "success": True, "errors": []}


def _delete(org: Org, table: dict[str, Any]) -> dict[str, Any]:
    kind = org.schema.of_id(_full(table["id"]))
    if kind is None:
        raise OrgError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id")
    dml.remove(org, kind, table["id"])
    return {"id": _full(table["id"]), "success": True, "errors": []}


def _typed(org: Org, table: dict[str, Any]) -> SObject:
    told = table.get("attributes")
    name = str(told.get("type", "")) if isinstance(told, dict) else ""
    found = org.schema.get(name)
    if found is None:
        raise OrgError("INVALID_TYPE", f"sObject type '{name[:80]}' is not supported.")
    return found


class _Back(Exception):
    """Takes a transaction back."""


def _all(org: Org, steps: list[Step], all_or_none: bool) -> Reply:
    """Make steps one by one, each wholly or not at all; with `all_or_none` one refusal takes all back."""
    results: list[dict[str, Any]] = []
    try:
        with org.transaction():
            for step in steps:
                results.append(attempt(org, step))
            if all_or_none and not all(one["success"] for one in results):
                raise _Back
    except _Back:
        results = [refusals.result(ROLLED_BACK) if one["success"] else one for one in results]
    return Reply(results)


def attempt(org: Org, step: Step) -> dict[str, Any]:
    """Make one step; a refusal becomes its result."""
    try:
        with org.transaction():
            return step()
    except OrgError as problem:
        return refusals.result(problem)
