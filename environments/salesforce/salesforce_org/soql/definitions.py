"""Objects that describe objects: EntityDefinition, FieldDefinition, EntityParticle and PicklistValueInfo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from salesforce_org.metadata.definitions import kind_of
from salesforce_org.metadata.listing import identity
from salesforce_org.metadata.registry import TYPES
from salesforce_org.soql.virtual import described, table
from salesforce_org.store import Field, Org, Record, SObject

NO_ID = "000000000000000AAA"
_TEXT: dict[str, Any] = {}
_FLAG: dict[str, Any] = {"type": "boolean"}
_INT: dict[str, Any] = {"type": "int"}
_CALLED = {
    "AutoNumber": "Auto Number",
    "DateTime": "Date/Time",
    "EncryptedText": "Text (Encrypted)",
    "Html": "Rich Text Area",
    "LongTextArea": "Long Text Area",
    "MasterDetail": "Master-Detail",
    "MultiselectPicklist": "Picklist (Multi-Select)",
    "TextArea": "Text Area",
    "Url": "URL",
}
_SIZED = ("Text", "LongTextArea", "Html", "TextArea")
_NUMBERS = ("Number", "Currency", "Percent")


def _names(*names: str) -> dict[str, Mapping[str, Any]]:
    return dict.fromkeys(names, _TEXT)


def _flags(*names: str) -> dict[str, Mapping[str, Any]]:
    return dict.fromkeys(names, _FLAG)


def _of_entity(children: str) -> dict[str, Any]:
    return {"to": ["EntityDefinition"], "relationship": "EntityDefinition", "children": children}


_ENTITY = described(
    "EntityDefinition",
    "4ie",
    {
        **_names("Id", "DurableId", "QualifiedApiName", "DeveloperName", "NamespacePrefix", "MasterLabel"),
        **_names("Label", "PluralLabel", "KeyPrefix", "PublisherId", "DeploymentStatus", "Description"),
        **_names("InternalSharingModel", "ExternalSharingModel"),
        **_flags("IsCustomizable", "IsCustomSetting", "IsQueryable", "IsSearchable", "IsTriggerable"),
        **_flags("IsLayoutable", "IsApexTriggerable", "IsWorkflowEnabled", "IsRetrieveable"),
    },
)
_FIELD = described(
    "FieldDefinition",
    "4fe",
    {
        **_names("Id", "DurableId", "QualifiedApiName", "DeveloperName", "NamespacePrefix", "MasterLabel"),
        **_names("Label", "DataType", "RelationshipName", "PublisherId", "Description"),
        "EntityDefinitionId": _of_entity("Fields"),
        "ReferenceTo": {"type": "textarea"},
        **dict.fromkeys(("Length", "Precision", "Scale"), _INT),
        **_flags("IsNillable", "IsCalculated", "IsNameField", "IsIndexed", "IsCompound"),
        **_flags("IsApiFilterable", "IsApiSortable", "IsApiGroupable"),
    },
)
_PARTICLE = described(
    "EntityParticle",
    "5fe",
    {
        **_names("Id", "DurableId", "QualifiedApiName", "DeveloperName", "NamespacePrefix", "MasterLabel"),
        **_names("Label", "Name", "DataType", "RelationshipName", "InlineHelpText", "DefaultValueFormula"),
        "EntityDefinitionId": _of_entity("Particles"),
        "FieldDefinitionId": {"to": ["FieldDefinition"], "relationship": "FieldDefinition", "children": "Particles"},
        "ReferenceTo": {"type": "textarea"},
        **dict.fromkeys(("Length", "ByteLength", "Precision", "Scale", "Digits"), _INT),
        **_flags("IsCreatable", "IsUpdatable", "IsNillable", "IsCalculated", "IsUnique", "IsIdLookup"),
        **_flags("IsAutonumber", "IsNameField", "IsHtmlFormatted", "IsRestrictedPicklist", "IsEncrypted"),
    },
)  # fmt: skip
_VALUE = described(
    "PicklistValueInfo",
    "4pv",
    {
        **_names("Id", "DurableId", "Value", "Label"),
        "EntityParticleId": {"to": ["EntityParticle"], "relationship": "EntityParticle", "children": "PicklistValues"},
        **_flags("IsActive", "IsDefaultValue"),
    },
)  # fmt: skip


def durable(org: Org, object: SObject) -> str:
    """Return by what other records point to an object: its name, or a custom one's id."""
    return identity(org, TYPES["CustomObject"], object.name)[:15] if object.custom else object.name


def _short(name: str) -> str:
    return name.removesuffix("__c")


@table(_ENTITY, key="DurableId")
def entities(org: Org) -> Iterator[Record]:
    """Describe every object."""
    for object in org.schema.objects.values():
        settings = org.component("CustomObject", object.name) or {}
        user_made = object.searchable or object.custom
        yield {
            "Id": NO_ID,
            "DurableId": durable(org, object),
            "QualifiedApiName": object.name,
            "DeveloperName": _short(object.name),
            "MasterLabel": object.label,
            "Label": object.label,
            "PluralLabel": object.plural,
            "KeyPrefix": object.prefix,
            "PublisherId": "<local>" if object.custom else "System",
            "DeploymentStatus": settings.get("deploymentStatus"),
            "Description": object.description or None,
            "InternalSharingModel": settings.get("sharingModel", "ReadWrite"),
            "ExternalSharingModel": settings.get("externalSharingModel", "Private"),
            "IsCustomizable": user_made,
            "IsQueryable": True,
            "IsRetrieveable": True,
            "IsSearchable": object.searchable,
            "IsTriggerable": object.createable,
            "IsApexTriggerable": object.createable,
            "IsWorkflowEnabled": user_made,
            "IsLayoutable": user_made,
        }


def _fields(org: Org) -> Iterator[tuple[SObject, str, Field]]:
    for object in org.schema.objects.values():
        entity = durable(org, object)
        for field in object.fields:
            yield object, entity, field


def _common(object: SObject, entity: str, field: Field) -> dict[str, Any]:
    return {
        "Id": NO_ID,
        "DurableId": f"{entity}.{field.name}",
        "EntityDefinitionId": entity,
        "QualifiedApiName": field.name,
        "DeveloperName": _short(field.name),
        "MasterLabel": field.label,
        "Label": field.label,
        "RelationshipName": field.relationship,
        "ReferenceTo": {"referenceTo": list(field.to) or None},
        "Length": field.length if field.type in _TEXTS else 0,
        "Precision": field.precision if field.type in _NUMERIC else 0,
        "Scale": field.scale if field.type in _NUMERIC else 0,
        "IsNillable": field.nillable,
        "IsCalculated": field.computed is not None,
        "IsNameField": field.name == object.name_field,
    }


_NUMERIC = ("int", "double", "currency", "percent")
_TEXTS = ("string", "textarea", "url", "phone", "email", "picklist", "multipicklist", "id", "reference")


@table(_FIELD, key="DurableId")
def fields(org: Org) -> Iterator[Record]:
    """Describe every field of every object as Setup shows it."""
    for object, entity, field in _fields(org):
        long = field.type == "textarea" and field.length > 255
        yield _common(object, entity, field) | {
            "DataType": _data_type(field),
            "Description": field.description or None,
            "PublisherId": "<local>" if field.custom else "System",
            "IsIndexed": field.type in ("id", "reference") or field.unique or field.external_id,
            "IsApiFilterable": not long,
            "IsApiSortable": not long and field.type != "multipicklist",
            "IsApiGroupable": not long and field.type != "multipicklist",
        }


def _data_type(field: Field) -> str:
    kind = kind_of(field)
    named = _CALLED.get(kind, kind)
    if field.computed is not None:
        return f"Formula ({named})"
    if kind in _SIZED:
        return f"{named}({field.length})"
    if kind in _NUMBERS:
        return f"{named}({field.precision - field.scale}, {field.scale})"
    if kind in ("Lookup", "MasterDetail") and field.to:
        return f"{named}({','.join(field.to)})"
    return named


@table(_PARTICLE, key="DurableId")
def particles(org: Org) -> Iterator[Record]:
    """Describe every field of every object as interfaces see it."""
    for object, entity, field in _fields(org):
        common = _common(object, entity, field)
        yield common | {
            "Name": field.name,
            "FieldDefinitionId": f"{entity}.{field.name}",
            "DataType": field.type,
            "InlineHelpText": field.help or None,
            "ByteLength": 3 * common["Length"],
            "Digits": field.precision if field.type == "int" else 0,
            "IsCreatable": field.createable and field.stored,
            "IsUpdatable": field.updateable and field.stored,
            "IsUnique": field.unique,
            "IsIdLookup": field.type == "id" or field.external_id,
            "IsAutonumber": field.auto is not None,
            "IsHtmlFormatted": field.rich,
            "IsRestrictedPicklist": field.restricted,
            "IsEncrypted": field.type == "encryptedstring",
        }


@table(_VALUE, key="DurableId")
def values(org: Org) -> Iterator[Record]:
    """Describe every entry of every picklist."""
    for _, entity, field in _fields(org):
        if "picklist" not in field.type:
            continue
        for place, entry in enumerate(org.picklist(field)):
            yield {
                "Id": NO_ID,
                "DurableId": f"{entity}.{field.name}.{place}",
                "EntityParticleId": f"{entity}.{field.name}",
                "Value": entry.value,
                "Label": entry.label,
                "IsActive": entry.active,
                "IsDefaultValue": entry.default,
            }
