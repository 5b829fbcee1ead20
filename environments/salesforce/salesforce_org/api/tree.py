"""`/composite/tree`: records with their children, nested, all stored or none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from salesforce_org.api import dml, refusals
from salesforce_org.api.call import ApiError, Call, Reply
from salesforce_org.api.objects import object_named
from salesforce_org.api.routing import resource
from salesforce_org.store import Field, SObject
from salesforce_org.store.errors import OrgError

MOST = 200
Told = Mapping[str, Any]


class _Failed(Exception):
    """One record was refused, so none is stored."""

    def __init__(self, reference: str, problem: OrgError) -> None:
        super().__init__(reference)
        self.result = {
            "referenceId": reference,
            "errors": refusals.errors(problem),
        }


@resource("POST", "/composite/tree/{object}")
def create(call: Call) -> Reply:
    """Store records with their children."""
    kind = object_named(call.org, call.params["object"])
    records = call.table().get("records")
    if not isinstance(records, list) or not records or not all(isinstance(one, dict) for one in records):
        raise ApiError(400, "JSON_PARSER_ERROR", "records must be a list of JSON objects")
    if sum(_count(one) for one in records) > MOST:
        raise ApiError(400, "LIMIT_EXCEEDED", f"A tree may have {MOST} records")
    try:
        with call.org.transaction():
            results = [made for one in records for made in _store(call, kind, one, None)]
    except _Failed as failed:
        return Reply({"hasErrors": True, "results": [failed.result]}, 400)
    return Reply({"hasErrors": False, "results": results}, 201)


def _count(record: Told) -> int:
    return 1 + sum(_count(child) for _, children in _nested(record) for child in children)


def _nested(record: Told) -> Iterator[tuple[str, list[Told]]]:
    for name, value in record.items():
        if isinstance(value, dict) and isinstance(value.get("records"), list):
            yield name, [child for child in value["records"] if isinstance(child, dict)]


def _store(call: Call, kind: SObject, record: Told, parent: tuple[Field, str] | None) -> list[dict[str, str]]:
    told = record.get("attributes")
    reference = str(told.get("referenceId", "")) if isinstance(told, dict) else ""
    nested = dict(_nested(record))
    table = {name: value for name, value in record.items() if name not in nested}
    if parent is not None:
        table[parent[0].name] = parent[1]
    try:
        id = dml.create(call.org, kind, table)
    except OrgError as problem:
        raise _Failed(reference, problem) from None
    made = [{"referenceId": reference, "id": id}]
    for name, children in nested.items():
        found = call.org.schema.child(kind.name, name)
        if found is None:
            told_of = OrgError(
                "INVALID_FIELD", f"No such relationship '{name}' on sobject of type {kind.name}"
            )
            raise _Failed(reference, told_of)
        for child in children:
            made += _store(call, found[0], child, (found[1], id))
    return made
