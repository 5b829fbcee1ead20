"""The XML of the older Bulk API: jobs and batches, records sent and found, and what became of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from salesforce_org.api.call import ApiError
from salesforce_org.api.soap import INSTANCE, local, xml
from salesforce_org.metadata.trees import transmissible
from salesforce_org.soql.result import Result, Row

NAMESPACE = "http://www.force.com/2009/06/asyncapi/dataload"


def document(name: str, told: Mapping[str, Any]) -> str:
    """Return a document of an element; what is None is left out."""
    return _whole(name, "".join(_told(key, value) for key, value in told.items()))


def outcomes(found: Iterable[Mapping[str, Any]]) -> str:
    """Return what became of records."""
    return _whole("results", "".join(xml("result", _outcome(one)) for one in found))


def result_list(wanted: Iterable[str]) -> str:
    """Return the ids of a query's results."""
    return _whole("result-list", "".join(xml("result", one) for one in wanted))


def records(result: Result) -> str:
    """Return the records that a query found."""
    return _whole("queryResult", "".join(xml("records", _record(row)) for row in result.records))


def table(raw: bytes, name: str) -> dict[str, str]:
    """Return the texts of a document's elements.

    Raises:
        ApiError: It is no such document.
    """
    root = _parsed(raw)
    if local(root.tag) != name:
        raise ApiError(400, "InvalidXML", f"Unexpected element {local(root.tag)[:40]}; expected {name}")
    return {local(one.tag): (one.text or "").strip() for one in root}


def sent(raw: bytes) -> list[dict[str, Any]]:
    """Return the records of a batch.

    Raises:
        ApiError: It is no batch.
    """
    root = _parsed(raw)
    if local(root.tag) != "sObjects" or any(local(one.tag) != "sObject" for one in root):
        raise ApiError(400, "InvalidBatch", "A batch must be sObjects with an sObject each")
    try:
        return [_fields(one) for one in root]
    except RecursionError:
        raise ApiError(400, "InvalidBatch", "The records are nested too deeply") from None


def _parsed(raw: bytes) -> Element:
    try:
        found: Element = fromstring(raw)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise ApiError(400, "InvalidXML", f"XML parsing error: {error}") from None
    return found


def _fields(node: Element) -> dict[str, Any]:
    """Return the fields that a record gives: an empty element says nothing, a nil one empties the field."""
    given: dict[str, Any] = {}
    for child in node:
        name = local(child.tag)
        if child.get(f"{{{INSTANCE}}}nil") in ("true", "1"):
            given[name] = None
        elif len(child):
            inner = _fields(child[0])
            kind = inner.pop("type", "")
            given[name] = {**inner, **({"attributes": {"type": kind}} if kind else {})}
        elif child.text:
            given[name] = child.text
    return given


def _outcome(one: Mapping[str, Any]) -> dict[str, Any]:
    errors = [{name: error[name] for name in ("fields", "message", "statusCode")} for error in one["errors"]]
    told = {"id": one["id"], "errors": errors, "success": one["success"], "created": one["created"]}
    return {name: value for name, value in told.items() if value is not None}


def _record(row: Row) -> dict[str, Any]:
    fields = {name: _value(value) for name, value in row.items()}
    return {"@xsi:type": "sObject", "type": row.object, "Id": row.id, **fields}


def _value(value: Any) -> Any:
    if isinstance(value, Row):
        return _record(value)
    if isinstance(value, Result):
        return {"records": [_record(row) for row in value.records]}
    return value


def _told(name: str, value: Any) -> str:
    if isinstance(value, list):
        return "".join(_told(name, one) for one in value)
    if isinstance(value, Mapping):
        return f"<{name}>{''.join(_told(key, one) for key, one in value.items())}</{name}>"
    return "" if value is None else xml(name, value)


def _whole(name: str, inside: str) -> str:
    marks = f'xmlns="{NAMESPACE}" xmlns:xsi="{INSTANCE}"'
    return transmissible(f'<?xml version="1.0" encoding="UTF-8"?><{name} {marks}>{inside}</{name}>')
