"""Fields as metadata defines them and as the schema has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from salesforce_org.metadata.errors import MetadataError, unfit
from salesforce_org.metadata.trees import Tree, ordered
from salesforce_org.store.schema import Field, FieldType, PicklistValue, Schema

# Kinds of custom fields and the types of their values.
TYPES: dict[str, FieldType] = {
    "Text": "string",
    "TextArea": "textarea",
    "LongTextArea": "textarea",
    "Html": "textarea",
    "EncryptedText": "encryptedstring",
    "Checkbox": "boolean",
    "Number": "double",
    "Currency": "currency",
    "Percent": "percent",
    "Date": "date",
    "DateTime": "datetime",
    "Time": "time",
    "Email": "email",
    "Phone": "phone",
    "Url": "url",
    "Picklist": "picklist",
    "MultiselectPicklist": "multipicklist",
    "Lookup": "reference",
    "MasterDetail": "reference",
    "Hierarchy": "reference",
    "AutoNumber": "string",
    "Summary": "double",
}
_KINDS: dict[str, str] = {
    "encryptedstring": "EncryptedText",
    "boolean": "Checkbox",
    "int": "Number",
    "double": "Number",
    "currency": "Currency",
    "percent": "Percent",
    "date": "Date",
    "datetime": "DateTime",
    "time": "Time",
    "email": "Email",
    "phone": "Phone",
    "url": "Url",
    "picklist": "Picklist",
    "combobox": "Picklist",
    "multipicklist": "MultiselectPicklist",
}
_NUMBERS = ("int", "double", "currency", "percent")
LONGEST_SHORT_AREA = 255
LONGEST_FORMULA = 1300
# Elements that say how a value is computed, or what it is at first.
DEFINING = (
    "formula",
    "formulaTreatBlanksAs",
    "summaryForeignKey",
    "summaryOperation",
    "summarizedField",
    "summaryFilterItems",
    "defaultValue",
)
_MARKED_UP = re.compile(r"\b(HYPERLINK|IMAGE|BR)\s*\(", re.IGNORECASE)


def kind_of(field: Field) -> str:
    """Return what metadata calls the kind of a field."""
    if field.auto is not None:
        return "AutoNumber"
    if field.type == "reference":
        return "MasterDetail" if field.cascade and field.required else "Lookup"
    if field.type == "textarea":
        return "Html" if field.rich else "TextArea" if field.length <= LONGEST_SHORT_AREA else "LongTextArea"
    return _KINDS.get(field.type, "Text")


def described(field: Field) -> dict[str, Any]:
    """Return a field of the schema as the tree of a custom field; of a standard one only what can be changed."""
    told: dict[str, Any] = {
        "description": field.description or None,
        "inlineHelpText": field.help or None,
        "trackHistory": False,
    }
    if not field.custom:
        standard = {"Lookup": "Lookup", "Picklist": "Picklist"}.get(kind_of(field))
        return ordered("CustomField", told | {"type": standard})
    kind = kind_of(field)
    told |= {"label": field.label, "type": kind, "externalId": field.external_id, "required": field.required}
    if field.definition and field.computed:
        return ordered("CustomField", told)
    return ordered("CustomField", told | (_DETAILS[kind](field) if kind in _DETAILS else {}))


def _text(field: Field) -> dict[str, Any]:
    return {"length": field.length, "unique": field.unique}


def _area(field: Field) -> dict[str, Any]:
    return {"length": field.length, "visibleLines": 3}


def _number(field: Field) -> dict[str, Any]:
    return {"precision": field.precision, "scale": field.scale, "unique": field.unique}


def _checkbox(field: Field) -> dict[str, Any]:
    return {"defaultValue": str(bool(field.default)).lower(), "required": None}


def _lookup(field: Field) -> dict[str, Any]:
    return {
        "deleteConstraint": "Cascade" if field.cascade else "Restrict" if field.restrict else "SetNull",
        "referenceTo": field.to[0] if field.to else None,
        "relationshipName": (field.children or "").removesuffix("__r") or None,
    }


def _master(field: Field) -> dict[str, Any]:
    return _lookup(field) | {
        "deleteConstraint": None,
        "relationshipOrder": 0,
        "reparentableMasterDetail": False,
        "required": None,
        "writeRequiresMasterRead": False,
    }


def _picklist(field: Field) -> dict[str, Any]:
    values: dict[str, Any] = {"restricted": field.restricted}
    if field.value_set is not None:
        values["valueSetName"] = field.value_set
    else:
        entries = [entry_tree(one) for one in field.values]
        values["valueSetDefinition"] = {"sorted": False, "value": entries}
    return {"valueSet": values} | ({"visibleLines": 4} if field.type == "multipicklist" else {})


def entry_tree(entry: PicklistValue) -> dict[str, Any]:
    """Return an entry of a picklist as metadata has it."""
    told = {"fullName": entry.value, "default": entry.default, "label": entry.label}
    return told | ({} if entry.active else {"isActive": False}) | dict(entry.more)


def entry_of(tree: Tree) -> PicklistValue:
    """Return an entry of a picklist out of metadata."""
    more = {
        name: value
        for name, value in tree.items()
        if name not in ("fullName", "label", "default", "isActive")
    }
    value = tree.get("fullName") or tree.get("label")
    if not value:
        raise unfit("A value of a picklist needs a fullName", "fullName")
    return PicklistValue(
        value, tree.get("label", value), tree.get("default", False), tree.get("isActive", True), more
    )


_DETAILS: Mapping[str, Callable[[Field], dict[str, Any]]] = {
    "Text": _text,
    "EncryptedText": lambda field: {"length": field.length, "maskChar": "asterisk", "maskType": "all"},
    "LongTextArea": _area,
    "Html": _area,
    "Email": lambda field: {"unique": field.unique},
    "Number": _number,
    "Currency": lambda field: {"precision": field.precision, "scale": field.scale},
    "Percent": lambda field: {"precision": field.precision, "scale": field.scale},
    "Checkbox": _checkbox,
    "Lookup": _lookup,
    "MasterDetail": _master,
    "AutoNumber": lambda field: {"displayFormat": field.auto, "required": None},
    "Picklist": _picklist,
    "MultiselectPicklist": _picklist,
}


def defined(name: str, tree: Tree, schema: Schema) -> Field:
    """Return the field that a tree defines.

    Raises:
        MetadataError: The tree does not hold together.
    """
    if tree.get("type") not in TYPES:
        raise unfit(f"Field {name} must have a type that fields may have", "type")
    kind = str(tree["type"])
    type = TYPES[kind]
    computed = "formula" if "formula" in tree else "summary" if kind == "Summary" else None
    readonly = computed is not None or kind == "AutoNumber"
    if kind == "Summary":
        type, details = _summary(tree, schema)
    else:
        details = _size(kind, type, tree)
    if type == "reference":
        details |= _reference(name, tree, schema)
    elif type in ("picklist", "multipicklist") and not computed:
        details |= _values(tree)
    return Field(
        name,
        tree.get("label") or name.removesuffix("__c").replace("_", " "),
        type,
        required=tree.get("required", kind == "MasterDetail"),
        unique=tree.get("unique", False),
        external_id=tree.get("externalId", False),
        help=tree.get("inlineHelpText", ""),
        description=tree.get("description", ""),
        createable=not readonly,
        updateable=not readonly,
        auto=_auto(tree) if kind == "AutoNumber" else None,
        rich=kind == "Html" or bool(_MARKED_UP.search(tree.get("formula", ""))),
        computed=computed,
        definition={
            name: tree[name] for name in DEFINING if name in tree and (computed or type != "boolean")
        },
        default=tree.get("defaultValue") == "true" if type == "boolean" else None,
        **details,
    )


def _summary(tree: Tree, schema: Schema) -> tuple[FieldType, dict[str, Any]]:
    """A roll-up has the type of what it sums up; a count is a number."""
    for name in ("summaryForeignKey", "summaryOperation"):
        if name not in tree:
            raise MetadataError(
                "REQUIRED_FIELD_MISSING", f"Must specify '{name}' for a CustomField of type Summary", (name,)
            )
    child, _, own = tree.get("summarizedField", "").partition(".")
    found = schema.objects[child].field(own) if child in schema.objects else None
    if found is None or tree["summaryOperation"] == "count":
        return "double", {"precision": 18, "scale": 0}
    return found.type, {"precision": 18, "scale": found.scale}


def _size(kind: str, type: FieldType, tree: Tree) -> dict[str, Any]:
    needed = {
        "Text": ("length",),
        "LongTextArea": ("length",),
        "Html": ("length",),
        "EncryptedText": ("length",),
    }
    numbers = dict.fromkeys(("Number", "Currency", "Percent"), ("precision", "scale"))
    if "formula" not in tree:
        for name in (needed | numbers).get(kind, ()):
            if name not in tree:
                raise MetadataError(
                    "REQUIRED_FIELD_MISSING",
                    f"Must specify '{name}' for a CustomField of type {kind}",
                    (name,),
                )
    if type in _NUMBERS:
        return {"precision": int(tree.get("precision", 18)), "scale": int(tree.get("scale", 0))}
    return {"length": int(tree.get("length", LONGEST_FORMULA if "formula" in tree else LONGEST_SHORT_AREA))}


def _auto(tree: Tree) -> str:
    pattern = tree.get("displayFormat", "")
    _, opening, rest = pattern.partition("{")
    zeros, closing, _ = rest.partition("}")
    if not (opening and closing and zeros and set(zeros) == {"0"}):
        raise unfit("The display format must have zeros in braces, such as A-{0000}", "displayFormat")
    return str(pattern)


def _reference(name: str, tree: Tree, schema: Schema) -> dict[str, Any]:
    target = tree.get("referenceTo")
    if target not in schema.objects:
        raise unfit(f"In field: referenceTo - no CustomObject named {target} found", "referenceTo")
    constraint = tree.get("deleteConstraint", "SetNull")
    children = tree.get("relationshipName")
    return {
        "to": (target,),
        "relationship": f"{name.removesuffix('__c')}__r",
        "children": f"{children}__r" if children else None,
        "cascade": tree["type"] == "MasterDetail" or constraint == "Cascade",
        "restrict": constraint == "Restrict",
    }


def _values(tree: Tree) -> dict[str, Any]:
    told = tree.get("valueSet")
    if not told or not ("valueSetName" in told or "valueSetDefinition" in told):
        raise MetadataError(
            "REQUIRED_FIELD_MISSING", "Must specify either valueSetName or valueSetDefinition", ("valueSet",)
        )
    entries = told.get("valueSetDefinition", {}).get("value", ())
    return {
        "restricted": told.get("restricted", False),
        "value_set": told.get("valueSetName"),
        "values": tuple(entry_of(one) for one in entries),
    }
