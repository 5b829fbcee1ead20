"""Records as SOAP carries them: sObjects read, and the results of queries written."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

from salesforce_org.api.soap import INSTANCE, SoapCall, children, local, text
from salesforce_org.soql.result import Result, Row
from salesforce_org.store import SObject
from salesforce_org.store.errors import OrgError

RECORDS = "urn:sobject.partner.soap.sforce.com"


def sent(call: SoapCall) -> list[Element]:
    """Return the sObjects of a request."""
    return list(children(call.envelope.body, "sObjects"))


def read(call: SoapCall, element: Element) -> tuple[SObject, dict[str, Any]]:
    """Return object and fields of an sObject; its type stands in a child or in an attribute."""
    told = text(element, "type") or element.get(f"{{{INSTANCE}}}type", "").rpartition(":")[2]
    kind = call.org.schema.get(told.strip())
    if kind is None:
        raise OrgError("INVALID_TYPE", f"sObject type '{told[:80]}' is not supported.")
    table: dict[str, Any] = {}
    for child in element:
        name = local(child.tag)
        if name == "fieldsToNull":
            table[(child.text or "").strip()] = None
        elif name != "type":
            table["Id" if name.casefold() == "id" else name] = _value(child)
    return kind, table


def _value(element: Element) -> Any:
    if element.get(f"{{{INSTANCE}}}nil") in ("true", "1"):
        return None
    if len(element):
        inner = {local(child.tag): child.text or "" for child in element}
        named = inner.pop("type", "") or element.get(f"{{{INSTANCE}}}type", "").rpartition(":")[2]
        return {**inner, **({"attributes": {"type": named}} if named else {})}
    return element.text or ""


def found(result: Result) -> dict[str, Any]:
    """Return the result of a query, all in one batch."""
    return {
        "@xsi:type": "QueryResult",
        "done": True,
        "queryLocator": None,
        "records": [_shown(row) for row in result.records],
        "size": result.total,
    }


def _shown(row: Row) -> dict[str, Any]:
    fields = {f"sf:{name}": _inner(value) for name, value in row.items() if name != "Id"}
    return {
        "@xmlns:sf": RECORDS,
        "@xsi:type": "sf:sObject",
        "sf:type": row.object,
        "sf:Id": row.id,
        **fields,
    }


def _inner(value: Any) -> Any:
    if isinstance(value, Row):
        return _shown(value)
    if isinstance(value, Result):
        return found(value) if value.records else None
    return value
