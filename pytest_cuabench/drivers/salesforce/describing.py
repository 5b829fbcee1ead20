"""Descriptions of an org's objects: fields, permissions and references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

# They tell who looked at or touched a record last, and change by themselves.
VOLATILE = frozenset(
    {
        "LastModifiedDate",
        "LastModifiedById",
        "SystemModstamp",
        "LastViewedDate",
        "LastReferencedDate",
        "LastActivityDate",
        "LastStageChangeDate",
        "LastLoginDate",
        "LastPasswordChangeDate",
    }
)
# Read-only fields that nevertheless are somebody's deed.
DEEDS = frozenset(
    {
        "IsConverted",
        "ConvertedAccountId",
        "ConvertedContactId",
        "ConvertedOpportunityId",
        "PublishStatus",
        "IsFrozen",
    }
)
# The collection of a state that says, by object, what new records hold at first.
DEFAULTS = "defaults"
_COMPOUND = frozenset({"address", "location", "base64", "complexvalue"})


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """One field of an object, as far as snapshots and resets care."""

    name: str
    type: str
    createable: bool = False
    updateable: bool = False
    nillable: bool = True
    references: tuple[str, ...] = ()
    auto_number: bool = False
    calculated: bool = False
    name_field: bool = False
    default: Any = None
    owner: bool = False

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> FieldInfo:
        """Read a field of a describe."""
        return cls(
            name=told["name"],
            type=told["type"],
            createable=bool(told.get("createable")),
            updateable=bool(told.get("updateable")),
            nillable=bool(told.get("nillable", True)),
            references=tuple(told.get("referenceTo") or ()),
            auto_number=bool(told.get("autoNumber")),
            calculated=bool(told.get("calculated")),
            name_field=bool(told.get("nameField")),
            default=_default(told),
            owner=told["name"] == "OwnerId" and "User" in (told.get("referenceTo") or ()),
        )


@dataclass(frozen=True, slots=True)
class ObjectInfo:
    """One object: its fields by name, and what may be done with its records."""

    name: str
    fields: Mapping[str, FieldInfo]
    createable: bool = True
    updateable: bool = True
    deletable: bool = True
    undeletable: bool = True
    queryable: bool = True

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> ObjectInfo:
        """Read a describe."""
        fields = (FieldInfo.from_json(field) for field in told["fields"])
        return cls(
            name=told["name"],
            fields={field.name: field for field in fields},
            createable=bool(told.get("createable", True)),
            updateable=bool(told.get("updateable", True)),
            deletable=bool(told.get("deletable", True)),
            undeletable=bool(told.get("undeletable", True)),
            queryable=bool(told.get("queryable", True)),
        )

    @property
    def readable(self) -> tuple[str, ...]:
        """Names of the fields that a snapshot reads: all but compound ones and those that move by themselves."""
        return tuple(
            field.name
            for field in self.fields.values()
            if field.type not in _COMPOUND and field.name not in VOLATILE
        )

    @property
    def compared(self) -> frozenset[str]:
        """Names of the fields whose change is a change of the record; the others follow from something else."""
        return frozenset(
            field.name
            for field in self.fields.values()
            if (field.createable or field.updateable or field.name in DEEDS) and field.name not in VOLATILE
        )

    def defaults(self, user: str) -> dict[str, Any]:
        """Return what a new record by a user holds in each compared field that nobody gives a value."""
        fields = (self.fields[name] for name in sorted(self.compared))
        return {one.name: user if one.owner else one.default for one in fields}

    @property
    def naming(self) -> str | None:
        """Name of the field that says what a record is called."""
        return next((field.name for field in self.fields.values() if field.name_field), None)

    def references(self, record: Mapping[str, Any]) -> Iterable[str]:
        """Yield the ids that a record points to."""
        for field in self.fields.values():
            if field.references and record.get(field.name):
                yield str(record[field.name])


def _default(told: Mapping[str, Any]) -> Any:
    """Return what a describe says that a new record holds in a field: false, a picklist's default, or a constant."""
    chosen = next((one["value"] for one in told.get("picklistValues") or () if one.get("defaultValue")), None)
    if chosen is not None:
        return chosen
    given = told.get("defaultValue")
    return bool(given) if told["type"] == "boolean" else given


def new_records(described: Mapping[str, ObjectInfo], user: str) -> dict[str, dict[str, Any]]:
    """Return the defaults of some objects, by object."""
    return {name: info.defaults(user) for name, info in sorted(described.items())}
