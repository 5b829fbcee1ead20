"""The Metadata API's `describeValueType`: what elements a type has."""

from __future__ import annotations

from typing import Any

from salesforce_org.api.soap import SoapCall
from salesforce_org.api.soap_metadata import operation
from salesforce_org.metadata.registry import type_named
from salesforce_org.metadata.shapes import Element, shapes, words

_PLAIN = {"": "string", "boolean": "boolean", "int": "int", "double": "double"}


@operation
def describeValueType(call: SoapCall) -> str:
    """Tell the elements of a type, which is named as `{namespace}Type`."""
    kind = (call.texts("type") or [""])[0].rpartition("}")[2]
    type = type_named(kind)
    removable = type.name not in ("Settings", "StandardValueSet")
    told = {
        "apiCreatable": removable,
        "apiDeletable": removable,
        "apiReadable": True,
        "apiUpdatable": True,
        "valueTypeFields": _fields(kind, (kind,)),
    }
    return call.result(told)


def _fields(kind: str, above: tuple[str, ...]) -> list[dict[str, Any]]:
    """Describe the elements of a type; one that is inside of itself is not described again."""
    return [_field(one, above) for one in shapes()[kind].values()]


def _field(element: Element, above: tuple[str, ...]) -> dict[str, Any]:
    inner = element.kind in shapes() and element.kind not in above
    return {
        "fields": _fields(element.kind, (*above, element.kind)) if inner else [],
        "isForeignKey": False,
        "isNameField": element.name == "fullName",
        "minOccurs": int(element.required),
        "name": element.name,
        "picklistValues": [
            {"active": True, "defaultValue": False, "label": word, "value": word}
            for word in words().get(element.kind, ())
        ],
        "soapType": _PLAIN.get(element.kind, element.kind),
        "valueRequired": element.required,
    }
