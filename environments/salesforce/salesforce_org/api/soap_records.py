"""Records as SOAP carries them: sObjects read, and the results of queries written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element

from salesforce_org.api.objects import any_object
from salesforce_org.api.query import LARGEST_BATCH, SMALLEST_BATCH, Cursors
from salesforce_org.api.soap import INSTANCE, SoapCall, children, local, text
from salesforce_org.soql.result import Result, Row
from salesforce_org.store import SObject
from salesforce_org.store.errors import NotThere, OrgError

# The namespace of records by the letter of the service, and whether a record's type is an element of its own.
_RECORDS = {
    "u": ("urn:sobject.partner.soap.sforce.com", True),
    "c": ("urn:sobject.enterprise.soap.sforce.com", False),
    "T": ("urn:sobject.tooling.soap.sforce.com", False),
}


def sent(call: SoapCall) -> list[Element]:
    """Return the sObjects of a request."""
    return list(children(call.envelope.body, "sObjects"))


def read(call: SoapCall, element: Element) -> tuple[SObject, dict[str, Any]]:
    """Return object and fields of an sObject; its type stands in a child or in an attribute."""
    told = text(element, "type") or element.get(f"{{{INSTANCE}}}type", "").rpartition(":")[2]
    kind = object_named(call, told)
    table: dict[str, Any] = {}
    for child in element:
        name = local(child.tag)
        if name == "fieldsToNull":
            table[(child.text or "").strip()] = None
        elif name != "type":
            table["Id" if name.casefold() == "id" else name] = child if name == "Metadata" else _value(child)
    return kind, table


def object_named(call: SoapCall, name: str) -> SObject:
    """Return the object of a name in any case.

    Raises:
        OrgError: The org has no object of this name.
    """
    try:
        return any_object(call.org, name.strip(), tooling=call.letter == "T")
    except NotThere:
        raise OrgError("INVALID_TYPE", f"sObject type '{name[:80]}' is not supported.") from None


def _value(element: Element) -> Any:
    if element.get(f"{{{INSTANCE}}}nil") in ("true", "1"):
        return None
    if len(element):
        inner = {local(child.tag): child.text or "" for child in element}
        named = inner.pop("type", "") or element.get(f"{{{INSTANCE}}}type", "").rpartition(":")[2]
        return {**inner, **({"attributes": {"type": named}} if named else {})}
    return element.text or ""


def found(call: SoapCall, result: Result) -> dict[str, Any]:
    """Return the result of a query, as much of it as one batch holds."""
    return batch(call, [shown(call, row) for row in result.records], 0)


def batch(call: SoapCall, records: list[dict[str, Any]], start: int, id: str = "") -> dict[str, Any]:
    """Return the batch of a query's records that begins with one of them; `id` is that of a cursor."""
    size = _batch_size(call)
    rest = len(records) > start + size
    if rest and not id:
        id = call.session.part(Cursors).keep(records, size)
    return {
        "@xsi:type": "QueryResult",
        "done": not rest,
        "queryLocator": f"{id}-{start + size}" if rest else None,
        "records": records[start : start + size],
        "size": len(records),
    }


def _batch_size(call: SoapCall) -> int:
    told = call.envelope.headers.get("QueryOptions")
    wanted = text(told, "batchSize").strip() if told is not None else ""
    return max(SMALLEST_BATCH, min(int(wanted), LARGEST_BATCH)) if wanted.isdecimal() else LARGEST_BATCH


def shown(call: SoapCall, row: Row) -> dict[str, Any]:
    """Return a record with its fields."""
    namespace, typed = _RECORDS[call.letter]
    fields = {f"sf:{name}": _inner(call, value) for name, value in row.items() if name != "Id"}
    return {
        "@xmlns:sf": namespace,
        "@xsi:type": "sf:sObject" if typed else f"sf:{row.object}",
        **({"sf:type": row.object} if typed else {}),
        "sf:Id": row.id,
        **fields,
    }


def _inner(call: SoapCall, value: Any) -> Any:
    if isinstance(value, Row):
        return shown(call, value)
    if isinstance(value, Result):
        records = [shown(call, row) for row in value.records]
        whole = {"done": True, "queryLocator": None, "records": records, "size": len(records)}
        return {"@xsi:type": "QueryResult", **whole} if records else None
    if isinstance(value, Mapping):
        return {f"sf:{name}": _inner(call, one) for name, one in value.items()}
    return value
