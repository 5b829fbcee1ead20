"""Descriptions of objects: everything that a tool may learn of fields, references and record types."""

from __future__ import annotations

from typing import Any

from salesforce_org.store import Field, Org, PicklistValue, SObject
from salesforce_org.store.schema import AUDIT

MASTER = "012000000000000AAA"
_SOAP = {
    "id": "tns:ID",
    "reference": "tns:ID",
    "boolean": "xsd:boolean",
    "int": "xsd:int",
    "double": "xsd:double",
    "currency": "xsd:double",
    "percent": "xsd:double",
    "date": "xsd:date",
    "datetime": "xsd:dateTime",
    "time": "xsd:time",
}
_NUMBERS = ("double", "currency", "percent")
_TEXTS = (
    "string",
    "textarea",
    "url",
    "phone",
    "email",
    "combobox",
    "encryptedstring",
    "picklist",
    "multipicklist",
)


def in_short(kind: SObject, root: str) -> dict[str, Any]:
    """Describe an object without its fields."""
    url = f"{root}/sobjects/{kind.name}"
    return {
        "activateable": False,
        "associateEntityType": None,
        "associateParentEntity": None,
        "createable": kind.createable,
        "custom": kind.custom,
        "customSetting": False,
        "deepCloneable": False,
        "deletable": kind.deletable,
        "deprecatedAndHidden": False,
        "feedEnabled": False,
        "hasSubtypes": False,
        "isInterface": False,
        "isSubtype": False,
        "keyPrefix": kind.prefix,
        "label": kind.label,
        "labelPlural": kind.plural,
        "layoutable": kind.searchable,
        "mergeable": kind.name in ("Account", "Contact", "Lead", "Case"),
        "mruEnabled": kind.searchable,
        "name": kind.name,
        "queryable": True,
        "replicateable": True,
        "retrieveable": True,
        "searchable": kind.searchable,
        "triggerable": kind.createable,
        "undeletable": kind.deletable,
        "updateable": kind.updateable,
        "urls": {
            "sobject": url,
            "describe": f"{url}/describe",
            "rowTemplate": url + "/{ID}",
            "layouts": f"{url}/describe/layouts",
        },
    }


def described(org: Org, kind: SObject, root: str) -> dict[str, Any]:
    """Describe an object with its fields, children and record types."""
    return {
        "actionOverrides": [],
        "childRelationships": _children(org, kind),
        "compactLayoutable": kind.searchable,
        "fields": [field(org, kind, one) for one in kind.fields],
        "listviewable": None,
        "lookupLayoutable": None,
        "namedLayoutInfos": [],
        "networkScopeFieldName": None,
        "recordTypeInfos": record_types(org, kind, root),
        "searchLayoutable": kind.searchable,
        "supportedScopes": [{"label": f"All {kind.plural.lower()}", "name": "everything"}],
        **in_short(kind, root),
    }


def field(org: Org, kind: SObject, one: Field) -> dict[str, Any]:
    """Describe a field."""
    text = one.type in _TEXTS
    entries = org.picklist(one)
    return {
        "aggregatable": one.type != "textarea",
        "aiPredictionField": False,
        "autoNumber": one.auto is not None,
        "byteLength": _length(one) * 3 if text else _length(one),
        "calculated": one.computed is not None,
        "calculatedFormula": None,
        "cascadeDelete": one.cascade,
        "caseSensitive": False,
        "compoundFieldName": None,
        "controllerName": None,
        "createable": one.createable and one.stored,
        "custom": one.custom,
        "defaultValue": _default(one),
        "defaultValueFormula": None,
        "defaultedOnCreate": _defaulted(one, entries),
        "dependentPicklist": False,
        "deprecatedAndHidden": False,
        "digits": one.precision if one.type == "int" else 0,
        "displayLocationInDecimal": False,
        "encrypted": one.type == "encryptedstring",
        "externalId": one.external_id,
        "extraTypeInfo": _extra(one),
        "filterable": one.type != "textarea",
        "filteredLookupInfo": None,
        "formulaTreatNullNumberAsZero": False,
        "groupable": one.type not in ("textarea", "datetime", *_NUMBERS),
        "highScaleNumber": False,
        "htmlFormatted": one.rich,
        "idLookup": one.type == "id" or one.external_id or one.name == kind.name_field,
        "inlineHelpText": one.help or None,
        "label": one.label,
        "length": _length(one),
        "mask": None,
        "maskType": None,
        "name": one.name,
        "nameField": one.name == kind.name_field,
        "namePointing": one.type == "reference" and len(one.to) > 1,
        "nillable": one.nillable,
        "permissionable": one.createable and not one.required and one.name not in ("OwnerId",),
        "picklistValues": [_entry(entry) for entry in entries],
        "polymorphicForeignKey": one.type == "reference" and len(one.to) > 1,
        "precision": one.precision if one.type in _NUMBERS else 0,
        "queryByDistance": False,
        "referenceTargetField": None,
        "referenceTo": list(one.to) if one.type == "reference" else [],
        "relationshipName": one.relationship,
        "relationshipOrder": 0 if one.cascade and one.custom else None,
        "restrictedDelete": one.restrict,
        "restrictedPicklist": one.restricted,
        "scale": one.scale if one.type in _NUMBERS else 0,
        "searchPrefilterable": one.type == "reference",
        "soapType": _SOAP.get(one.type, "xsd:string"),
        "sortable": one.type not in ("textarea", "multipicklist"),
        "type": one.type,
        "unique": one.unique,
        "updateable": one.updateable and one.stored,
        "writeRequiresMasterRead": False,
    }


def record_types(org: Org, kind: SObject, root: str) -> list[dict[str, Any]]:
    """Describe the record types of an object; the master type comes last."""
    rows = org.rows("RecordType", SobjectType=kind.name) if org.schema.get("RecordType") else ()
    found = [
        _record_type(kind, row["Id"], row["Name"], row["DeveloperName"], root, active=bool(row["IsActive"]))
        for row in rows
    ]
    return [*found, _record_type(kind, MASTER, "Master", "Master", root, default=not found)]


def _record_type(
    kind: SObject,
    id: str,
    name: str,
    developer: str,
    root: str,
    *,
    active: bool = True,
    default: bool = False,
) -> dict[str, Any]:
    return {
        "active": active,
        "available": True,
        "defaultRecordTypeMapping": default,
        "developerName": developer,
        "master": id == MASTER,
        "name": name,
        "recordTypeId": id,
        "urls": {"layout": f"{root}/sobjects/{kind.name}/describe/layouts/{id}"},
    }


def _children(org: Org, kind: SObject) -> list[dict[str, Any]]:
    return [
        {
            "cascadeDelete": reference.cascade,
            "childSObject": child.name,
            "deprecatedAndHidden": False,
            "field": reference.name,
            "junctionIdListNames": [],
            "junctionReferenceTo": [],
            "relationshipName": reference.children,
            "restrictedDelete": reference.restrict,
        }
        for child, reference in org.schema.children.get(kind.name, ())
    ]


def _entry(entry: PicklistValue) -> dict[str, Any]:
    return {
        "active": entry.active,
        "defaultValue": entry.default,
        "label": entry.label,
        "validFor": None,
        "value": entry.value,
    }


def _length(one: Field) -> int:
    if one.type in ("id", "reference"):
        return 18
    return one.length if one.type in _TEXTS else 0


def _default(one: Field) -> Any:
    return one.default if one.type == "boolean" or one.default not in ("today", "now", "me") else None


def _defaulted(one: Field, entries: tuple[PicklistValue, ...]) -> bool:
    given = one.default is not None or any(entry.default for entry in entries)
    return given or one.type in ("id", "boolean") or one.name in AUDIT or one.auto is not None


def _extra(one: Field) -> str | None:
    if one.type != "textarea":
        return None
    return "richtextarea" if one.rich else "plaintextarea"
