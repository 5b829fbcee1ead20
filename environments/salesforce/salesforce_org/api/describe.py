"""Descriptions of objects: everything that a tool may learn of fields, references and record types."""

from __future__ import annotations

from typing import Any

from salesforce_org.record_types import KIND, MASTER, available, default, types
from salesforce_org.store import Field, Org, PicklistValue, SObject
from salesforce_org.store.schema import AUDIT

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
    "address": "urn:address",
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

# What describes carry although no object and no field here has it.
_NO_OBJECT: dict[str, Any] = {
    **dict.fromkeys(("associateEntityType", "associateParentEntity")),
    **dict.fromkeys(
        ("activateable", "customSetting", "deepCloneable", "deprecatedAndHidden", "feedEnabled"), False
    ),
    **dict.fromkeys(("hasSubtypes", "isInterface", "isSubtype"), False),
}
_NO_FIELD: dict[str, Any] = {
    **dict.fromkeys(("calculatedFormula", "controllerName", "defaultValueFormula")),
    **dict.fromkeys(("filteredLookupInfo", "mask", "maskType", "referenceTargetField")),
    **dict.fromkeys(
        ("aiPredictionField", "caseSensitive", "dependentPicklist", "deprecatedAndHidden"), False
    ),
    **dict.fromkeys(("displayLocationInDecimal", "formulaTreatNullNumberAsZero", "highScaleNumber"), False),
    **dict.fromkeys(("queryByDistance", "writeRequiresMasterRead"), False),
}


def in_short(kind: SObject, root: str) -> dict[str, Any]:
    """Describe an object without its fields."""
    url = f"{root}/sobjects/{kind.name}"
    told = {
        "createable": kind.createable,
        "custom": kind.custom,
        "deletable": kind.deletable,
        "keyPrefix": kind.prefix or None,
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
        "undeletable": kind.deletable and kind.undeletable,
        "updateable": kind.updateable,
    }
    links = {"sobject": url, "describe": f"{url}/describe", "rowTemplate": url + "/{ID}"}
    return {**_NO_OBJECT, **told, "urls": {**links, "layouts": f"{url}/describe/layouts"}}


def described(org: Org, kind: SObject, root: str) -> dict[str, Any]:
    """Describe an object with its fields, children and record types."""
    return {
        "actionOverrides": [],
        "childRelationships": _children(org, kind),
        "compactLayoutable": kind.searchable,
        "fields": [field(org, kind, one) for one in (*kind.fields, *kind.addresses.values())],
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
    entries = org.picklist(one)
    told = {
        "calculated": one.computed is not None,
        "calculatedFormula": one.definition.get("formula"),
        "compoundFieldName": _compound(kind, one),
        "createable": one.createable and one.stored,
        "custom": one.custom,
        "defaultValue": _default(one),
        "defaultValueFormula": one.definition.get("defaultValue"),
        "defaultedOnCreate": _defaulted(one, entries),
        "externalId": one.external_id,
        "formulaTreatNullNumberAsZero": one.definition.get("formulaTreatBlanksAs") == "BlankAsZero",
        "inlineHelpText": one.help or None,
        "label": one.label,
        "name": one.name,
        "nillable": one.nillable,
        "permissionable": (one.createable or one.custom) and not one.required and one.name != "OwnerId",
        "picklistValues": [_entry(entry) for entry in entries],
        "restrictedPicklist": one.restricted,
        "unique": one.unique,
        "updateable": one.updateable and one.stored,
    }
    return {**_NO_FIELD, **told, **_form(one), **_reference(one), **_use(kind, one)}


def _form(one: Field) -> dict[str, Any]:
    """Tell what values look like."""
    return {
        "autoNumber": one.auto is not None,
        "byteLength": _length(one) * 3 if one.type in _TEXTS else _length(one),
        "digits": one.precision if one.type == "int" else 0,
        "encrypted": one.type == "encryptedstring",
        "extraTypeInfo": _extra(one),
        "htmlFormatted": one.rich,
        "length": _length(one),
        "precision": one.precision if one.type in _NUMBERS else 0,
        "scale": one.scale if one.type in _NUMBERS else 0,
        "soapType": _SOAP.get(one.type, "xsd:string"),
        "type": one.type,
    }


def _reference(one: Field) -> dict[str, Any]:
    """Tell what a reference points to."""
    several = one.type == "reference" and len(one.to) > 1
    return {
        "cascadeDelete": one.cascade,
        "namePointing": several,
        "polymorphicForeignKey": several,
        "referenceTo": list(one.to) if one.type == "reference" else [],
        "relationshipName": one.relationship,
        "relationshipOrder": 0 if one.cascade and one.custom else None,
        "restrictedDelete": one.restrict,
    }


def _use(kind: SObject, one: Field) -> dict[str, Any]:
    """Tell what queries can do with it."""
    named = one.name == kind.name_field
    return {
        "aggregatable": one.type not in ("textarea", "address"),
        "filterable": one.type not in ("textarea", "address"),
        "groupable": one.type not in ("textarea", "address", "datetime", *_NUMBERS),
        "idLookup": one.type == "id" or one.external_id or named,
        "nameField": named,
        "searchPrefilterable": one.type == "reference",
        "sortable": one.type not in ("textarea", "multipicklist", "address"),
    }


def record_types(org: Org, kind: SObject, root: str) -> list[dict[str, Any]]:
    """Describe the record types of an object as the acting user has them; the master type comes last."""
    found = types(org, kind.name) if org.schema.get(KIND) else []
    usable = {row["Id"] for row in available(org, kind.name)} | {MASTER} if found else {MASTER}
    usual = (default(org, kind.name) if found else None) or MASTER
    told = [(row["Id"], row["Name"], row["DeveloperName"], bool(row["IsActive"])) for row in found]
    return [
        {
            "active": active,
            "available": id in usable,
            "defaultRecordTypeMapping": id == usual,
            "developerName": developer,
            "master": id == MASTER,
            "name": name,
            "recordTypeId": id,
            "urls": {"layout": f"{root}/sobjects/{kind.name}/describe/layouts/{id}"},
        }
        for id, name, developer, active in (*told, (MASTER, "Master", "Master", True))
    ]


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


def _compound(kind: SObject, one: Field) -> str | None:
    """Return the whole that a field is a part of: a person's name or an address."""
    if one.name in ("Salutation", "FirstName", "LastName", "MiddleName", "Suffix") and kind.field("LastName"):
        return "Name"
    wholes = (whole.name for whole in kind.addresses.values())
    parts = ("Street", "City", "State", "PostalCode", "Country")
    return next(
        (name for name in wholes if one.name in (name.removesuffix("Address") + part for part in parts)), None
    )


def _length(one: Field) -> int:
    if one.type in ("id", "reference"):
        return 18
    return one.length if one.type in _TEXTS else 0


def _default(one: Field) -> Any:
    return one.default if one.type == "boolean" or one.default not in ("today", "now", "me") else None


def _defaulted(one: Field, entries: tuple[PicklistValue, ...]) -> bool:
    given = one.default is not None or "defaultValue" in one.definition
    given = given or any(entry.default for entry in entries)
    return given or one.type in ("id", "boolean") or one.name in AUDIT or one.auto is not None


def _extra(one: Field) -> str | None:
    if one.type != "textarea":
        return None
    return "richtextarea" if one.rich else "plaintextarea"
