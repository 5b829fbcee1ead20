"""Descriptions of an org's objects: fields, permissions and references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

# System fields that change by themselves, such as the last viewer.
VOLATILE = frozenset(
    {
        "LastModifiedDate",
        "LastModifiedById",
        "SystemModstamp",
        "LastViewedDate",
        "LastReferencedDate",
        "LastRunDate",
        "LastActivityDate",
        "LastStageChangeDate",
        "LastLoginDate",
        "LastPasswordChangeDate",
    }
)
# Read-only fields that nevertheless result from a user's action.
READ_ONLY_EFFECTS = frozenset(
    {
        "IsConverted",
        "ConvertedAccountId",
        "ConvertedContactId",
        "ConvertedOpportunityId",
        "PublishStatus",
        "IsFrozen",
    }
)
# The state's collection with the default values of new records, by object.
DEFAULTS = "defaults"
# Compound fields repeat the values of other fields.
_COMPOUND = frozenset({"address", "location", "base64", "complexvalue"})


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """One field of an object: what snapshots and resets need of its describe."""

    name: str
    type: str
    createable: bool = False
    updateable: bool = False
    nillable: bool = True
    references: tuple[str, ...] = ()
    calculated: bool = False
    name_field: bool = False
    default: Any = None
    owner: bool = False

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FieldInfo:
        """Parse a field of a describe."""
        return cls(
            name=data["name"],
            type=data["type"],
            createable=bool(data.get("createable")),
            updateable=bool(data.get("updateable")),
            nillable=bool(data.get("nillable", True)),
            references=tuple(data.get("referenceTo") or ()),
            calculated=bool(data.get("calculated")),
            name_field=bool(data.get("nameField")),
            default=_default(data),
            owner=data["name"] == "OwnerId" and "User" in (data.get("referenceTo") or ()),
        )


@dataclass(frozen=True, slots=True)
class ObjectInfo:
    """One object: its fields by name, and which operations it allows."""

    name: str
    fields: Mapping[str, FieldInfo]
    createable: bool = True
    updateable: bool = True
    deletable: bool = True
    undeletable: bool = True

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ObjectInfo:
        """Parse a describe."""
        fields = (FieldInfo.from_json(field) for field in data["fields"])
        return cls(
            name=data["name"],
            fields={field.name: field for field in fields},
            createable=bool(data.get("createable", True)),
            updateable=bool(data.get("updateable", True)),
            deletable=bool(data.get("deletable", True)),
            undeletable=bool(data.get("undeletable", True)),
        )

    @property
    def readable(self) -> tuple[str, ...]:
        """Names of the fields that a snapshot reads: all but compound and volatile ones."""
        return tuple(
            field.name
            for field in self.fields.values()
            if field.type not in _COMPOUND and field.name not in VOLATILE
        )

    @property
    def compared(self) -> frozenset[str]:
        """Names of the fields that are compared; the others are derived."""
        return frozenset(
            field.name
            for field in self.fields.values()
            if (field.createable or field.updateable or field.name in READ_ONLY_EFFECTS)
            and field.name not in VOLATILE
        )

    def defaults(self, user: str) -> dict[str, Any]:
        """Return the defaults of the compared fields of a record that a user creates."""
        fields = (self.fields[name] for name in sorted(self.compared))
        return {one.name: user if one.owner else one.default for one in fields}

    @property
    def name_field(self) -> str | None:
        """The name of the name field."""
        return next((field.name for field in self.fields.values() if field.name_field), None)

    def references(self, record: Mapping[str, Any]) -> Iterable[str]:
        """Yield the ids that a record refers to."""
        for field in self.fields.values():
            if field.references and record.get(field.name):
                yield str(record[field.name])


def _default(data: Mapping[str, Any]) -> Any:
    """Return the default of a field: false, a picklist's default, or a constant."""
    chosen = next((one["value"] for one in data.get("picklistValues") or () if one.get("defaultValue")), None)
    if chosen is not None:
        return chosen
    given = data.get("defaultValue")
    return bool(given) if data["type"] == "boolean" else given


def new_records(described: Mapping[str, ObjectInfo], user: str) -> dict[str, dict[str, Any]]:
    """Return the defaults of some objects, by object."""
    return {name: info.defaults(user) for name, info in sorted(described.items())}
