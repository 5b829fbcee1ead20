"""The Metadata API's operations on single components: read, create, update, upsert, delete, rename."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from xml.etree.ElementTree import Element

from salesforce_org.api import soap
from salesforce_org.api.soap import INSTANCE, SoapCall, SoapFault
from salesforce_org.api.soap_metadata import flag, operation
from salesforce_org.metadata.components import delete, read, rename, replace, taken
from salesforce_org.metadata.errors import MetadataError, missing
from salesforce_org.metadata.registry import Type, type_named
from salesforce_org.metadata.trees import read as read_tree
from salesforce_org.store import Org
from salesforce_org.store.errors import OrgError

MOST = 10
MOST_OF = {"CustomMetadata": 200, "CustomApplication": 200}
Named = tuple[Type, str, Element]


@operation
def readMetadata(call: SoapCall) -> str:
    """Return components in the order of their names; nil for a missing one."""
    type, asked = _asked(call)
    records = []
    for name in asked:
        tree = read(call.org, type, name)
        told = None if tree is None else {"@xsi:type": type.shape(name), "fullName": name, **tree}
        records.append(told)
    return call.result({"records": records})


@operation
def createMetadata(call: SoapCall) -> str:
    """Make components that are not there yet."""

    def create(org: Org, type: Type, name: str, element: Element) -> dict[str, Any]:
        if type.source.read(org, name) is not None:
            raise taken(type, name)
        replace(org, type, name, _tree(type, name, element))
        return {}

    return _each(call, create)


@operation
def updateMetadata(call: SoapCall) -> str:
    """Replace components that are there."""

    def update(org: Org, type: Type, name: str, element: Element) -> dict[str, Any]:
        if type.source.read(org, name) is None:
            raise missing(type.name, name)
        replace(org, type, name, _tree(type, name, element))
        return {}

    return _each(call, update)


@operation
def upsertMetadata(call: SoapCall) -> str:
    """Make components, or replace those that are there."""

    def upsert(org: Org, type: Type, name: str, element: Element) -> dict[str, Any]:
        new = type.source.read(org, name) is None
        replace(org, type, name, _tree(type, name, element))
        return {"created": new}

    return _each(call, upsert)


@operation
def deleteMetadata(call: SoapCall) -> str:
    """Delete components."""
    type, asked = _asked(call)
    return call.result(*(_attempt(call, name, partial(delete, call.org, type, name)) for name in asked))


@operation
def renameMetadata(call: SoapCall) -> str:
    """Give a component another name."""
    type = type_named((call.texts("type") or [""])[0])
    old, new = (call.texts(name)[:1] for name in ("oldFullName", "newFullName"))
    if not (old and new):
        raise SoapFault("REQUIRED_FIELD_MISSING", "oldFullName and newFullName are required")
    return call.result(_attempt(call, old[0], lambda: rename(call.org, type, old[0], new[0])))


def _asked(call: SoapCall) -> tuple[Type, list[str]]:
    type = type_named((call.texts("type") or [""])[0])
    names = call.texts("fullNames")
    _limit(type.name, len(names))
    return type, names


def _limit(kind: str, count: int) -> None:
    most = MOST_OF.get(kind, MOST)
    if count > most:
        raise SoapFault("LIMIT_EXCEEDED", f"record limit reached. cannot submit more than {most} records")


def _given(call: SoapCall) -> list[Named]:
    found = []
    for element in soap.children(call.envelope.body, "metadata"):
        kind = element.get(f"{{{INSTANCE}}}type", "").rpartition(":")[2]
        name = soap.text(element, "fullName").strip()
        type = type_named(kind)
        found.append(
            (type, name or (kind.removesuffix("Settings") if type.name == "Settings" else ""), element)
        )
    _limit(found[0][0].name if found else "", len(found))
    return found


def _tree(type: Type, name: str, element: Element) -> dict[str, Any]:
    if not name:
        raise MetadataError("REQUIRED_FIELD_MISSING", "Required field is missing: fullName", ("fullName",))
    return {key: value for key, value in read_tree(type.shape(name), element).items() if key != "fullName"}


def _each(call: SoapCall, work: Callable[[Org, Type, str, Element], dict[str, Any]]) -> str:
    header = call.envelope.headers.get("AllOrNoneHeader")
    results: list[dict[str, Any]] = []

    try:
        with call.org.transaction():
            for type, name, element in _given(call):
                results.append(_attempt(call, name, partial(work, call.org, type, name, element)))
            if flag(header, "allOrNone") and not all(result["success"] for result in results):
                raise _TakenBack
    except _TakenBack:
        results = [_rolled_back(result) if result["success"] else result for result in results]
    return call.result(*results)


class _TakenBack(Exception):
    """All of a call is undone."""


def _rolled_back(result: dict[str, Any]) -> dict[str, Any]:
    message = (
        "Record rolled back because not all records were valid and the request was using AllOrNone header"
    )
    error = {"message": message, "statusCode": "ALL_OR_NONE_OPERATION_ROLLED_BACK"}
    return {**result, "errors": [error], "success": False}


def _attempt(call: SoapCall, name: str, work: Callable[[], dict[str, Any] | None]) -> dict[str, Any]:
    try:
        with call.org.transaction():
            more = work()
    except OrgError as problem:
        error = {"fields": list(problem.fields), "message": problem.message, "statusCode": problem.code}
        return {"errors": [error], "fullName": name, "success": False}
    return {**(more or {}), "fullName": name, "success": True}
