"""What objects there are and what fields they have; read from TOML, extended by an org's own definitions.

    name = "Contact"
    label = "Contact"
    plural = "Contacts"
    prefix = "003"          key prefix of the ids
    owned = true            has an OwnerId (default true)
    name_field = "Subject"  what records are called by (default Name; "" where they have no name)

    [fields]
    LastName = { label = "Last Name", type = "string", length = 80, required = true }
    AccountId = { type = "reference", to = ["Account"], relationship = "Account", children = "Contacts" }
    LeadSource = { label = "Lead Source", type = "picklist", value_set = "LeadSource" }
    Level__c = { label = "Level", type = "picklist", values = ["Primary", "Secondary"] }

Fields that all objects have (Id, IsDeleted, CreatedDate, ...) are added here and stand in no file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from salesforce_org.store import ids

FieldType = Literal[
    "id",
    "reference",
    "string",
    "textarea",
    "boolean",
    "int",
    "double",
    "currency",
    "percent",
    "date",
    "datetime",
    "time",
    "email",
    "phone",
    "url",
    "picklist",
    "multipicklist",
    "combobox",
    "encryptedstring",
    "address",
]
Definition = Mapping[str, Any]
_PARTS = {
    "city": "City",
    "country": "Country",
    "geocodeAccuracy": "GeocodeAccuracy",
    "latitude": "Latitude",
    "longitude": "Longitude",
    "postalCode": "PostalCode",
    "state": "State",
    "street": "Street",
}
AUDIT = frozenset({"CreatedDate", "CreatedById", "LastModifiedDate", "LastModifiedById", "SystemModstamp"})


@dataclass(frozen=True, slots=True)
class PicklistValue:
    """One entry of a picklist; `more` holds what some picklists say beside it, such as `closed`."""

    value: str
    label: str
    default: bool = False
    active: bool = True
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an object.

    Attributes:
        length: Most characters a text may have.
        precision: Digits of a number in all; `scale` those after the point.
        required: Must have a value, at creation and ever after.
        default: The value where none is given; `today`, `now` and `me` mean what they say.
        to: Objects that a reference may point to; `relationship` is the name by which the target is reached
            (`Account` for `AccountId`), `children` the name by which the target reaches the rows.
        cascade: Rows go when the record they point to is deleted; otherwise the reference is emptied, or where
            it is required or `restrict` is set, the deletion is refused.
        values: The entries of a picklist of its own; `value_set` names a shared one instead.
        restricted: Values beside the entries are refused.
        computed: Name of the function that gives the value when the record is read; it is never stored.
        auto: Pattern of an automatic number, such as `INC-{0000}`; the first is one more than in the braces.
    """

    name: str
    label: str
    type: FieldType
    length: int = 255
    precision: int = 18
    scale: int = 0
    required: bool = False
    createable: bool = True
    updateable: bool = True
    default: Any = None
    unique: bool = False
    to: tuple[str, ...] = ()
    relationship: str | None = None
    children: str | None = None
    cascade: bool = False
    restrict: bool = False
    values: tuple[PicklistValue, ...] = ()
    value_set: str | None = None
    restricted: bool = False
    computed: str | None = None
    auto: str | None = None
    external_id: bool = False
    definition: Definition = field(default_factory=dict)
    rich: bool = False
    help: str = ""
    description: str = ""

    @property
    def custom(self) -> bool:
        """Whether the org defined it."""
        return self.name.endswith("__c")

    @property
    def stored(self) -> bool:
        """Whether records hold a value of it."""
        return self.computed is None

    @property
    def nillable(self) -> bool:
        """Whether it may be empty."""
        return not (
            self.required or self.type == "boolean" or self.name in AUDIT or self.name in ("Id", "OwnerId")
        )


@dataclass(frozen=True)
class SObject:
    """One object: what it is called, its fields in order, the icon of its tab, and the page layout of the org.

    Attributes:
        undeletable: Whether what is deleted goes to the recycle bin.
    """

    name: str
    label: str
    plural: str
    prefix: str
    fields: tuple[Field, ...]
    name_field: str | None = "Name"
    createable: bool = True
    updateable: bool = True
    deletable: bool = True
    undeletable: bool = True
    searchable: bool = True
    description: str = ""
    icon: str = ""
    layout: Mapping[str, Any] | None = field(default=None, compare=False)

    @cached_property
    def by_name(self) -> Mapping[str, Field]:
        """Fields by their name in lower case."""
        return {one.name.casefold(): one for one in self.fields}

    @property
    def custom(self) -> bool:
        """Whether the org defined it."""
        return self.name.endswith("__c")

    def field(self, name: str) -> Field | None:
        """Return the field of a name in any case."""
        return self.by_name.get(name.casefold())

    @cached_property
    def addresses(self) -> Mapping[str, Field]:
        """Addresses as wholes by their name in lower case; only their parts are stored, and fields."""
        starts = [one.name.removesuffix("Street") for one in self.fields if one.name.endswith("Street")]
        made = [
            Field(
                f"{start}Address",
                f"{start} Address".strip(),
                "address",
                length=32_000,
                createable=False,
                updateable=False,
            )
            for start in starts
        ]
        return {one.name.casefold(): one for one in made}

    def readable(self, name: str) -> Field | None:
        """Return the field or address of a name in any case."""
        return self.field(name) or self.addresses.get(name.casefold())

    def parent(self, relationship: str) -> Field | None:
        """Return the reference that is reached by a relationship name in any case."""
        wanted = relationship.casefold()
        return next((one for one in self.fields if (one.relationship or "").casefold() == wanted), None)


def address_of(field: Field, row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return an address as a whole, or None where all its parts are empty."""
    start = field.name.removesuffix("Address")
    parts = {name: row.get(start + part) for name, part in _PARTS.items()}
    return parts if any(value is not None for value in parts.values()) else None


@dataclass(frozen=True)
class Schema:
    """All objects; `with_object` and `with_field` return another schema."""

    objects: Mapping[str, SObject]

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What was worked out from this schema and stays true as long as it is in force."""
        return {}

    @cached_property
    def by_name(self) -> Mapping[str, SObject]:
        """Objects by their name in lower case."""
        return {name.casefold(): one for name, one in self.objects.items()}

    @cached_property
    def by_prefix(self) -> Mapping[str, SObject]:
        """Objects by the key prefix of their ids."""
        return {one.prefix: one for one in self.objects.values()}

    @cached_property
    def children(self) -> Mapping[str, tuple[tuple[SObject, Field], ...]]:
        """For each object, the references of all objects that may point to it."""
        found: dict[str, list[tuple[SObject, Field]]] = {name: [] for name in self.objects}
        for one in self.objects.values():
            for reference in one.fields:
                for target in reference.to:
                    found.setdefault(target, []).append((one, reference))
        return {name: tuple(pairs) for name, pairs in found.items()}

    def get(self, name: str) -> SObject | None:
        """Return the object of a name in any case."""
        return self.by_name.get(name.casefold())

    def __getitem__(self, name: str) -> SObject:
        return self.objects[name]

    def of_id(self, id: str) -> SObject | None:
        """Return the object that an id's prefix belongs to."""
        return self.by_prefix.get((ids.full(id) if ids.is_id(id) else id)[:3])

    def child(self, parent: str, relationship: str) -> tuple[SObject, Field] | None:
        """Return the object and reference behind the name of a child relationship, in any case."""
        wanted = relationship.casefold()
        pairs = self.children.get(parent, ())
        return next((pair for pair in pairs if (pair[1].children or "").casefold() == wanted), None)

    def with_object(self, new: SObject) -> Schema:
        """Return the schema with an object added or replaced."""
        return Schema({**self.objects, new.name: new})

    def with_field(self, object: str, new: Field) -> Schema:
        """Return the schema with a field of an object added or replaced."""
        old = self.objects[object]
        kept = [new if one.name == new.name else one for one in old.fields]
        fields = kept if new in kept else [*kept, new]
        return self.with_object(replace(old, fields=tuple(fields)))

    def without_object(self, name: str) -> Schema:
        """Return the schema without an object."""
        return Schema({key: one for key, one in self.objects.items() if key != name})

    def without_field(self, object: str, name: str) -> Schema:
        """Return the schema without a field."""
        old = self.objects[object]
        return self.with_object(replace(old, fields=tuple(one for one in old.fields if one.name != name)))


def read_schema(folder: Path) -> Schema:
    """Read every file of a folder.

    Raises:
        ValueError: A file does not say what it must; the sentence names file and field.
    """
    objects = [_read(file) for file in sorted(folder.glob("*.toml"))]
    return Schema({one.name: one for one in objects})


def _read(file: Path) -> SObject:
    told = tomllib.loads(file.read_text(encoding="utf-8"))
    fields = told.pop("fields", {})
    owned = told.pop("owned", True)
    told["name_field"] = told.get("name_field", "Name") or None
    try:
        own = [read_field(name, given) for name, given in fields.items()]
        return make_object(own, owned=owned, **told)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{file.name}: {error}") from error


def make_object(fields: Iterable[Field], *, owned: bool, **told: Any) -> SObject:
    """Return an object with the fields that all objects have beside its own."""
    own = tuple(fields)
    given = {one.name for one in own}
    system = [one for one in _system(owned) if one.name not in given]
    return SObject(fields=(system[0], *own, *system[1:]), **told)


def read_field(name: str, given: Mapping[str, Any]) -> Field:
    """Return a field as a table of TOML says it.

    Raises:
        ValueError: A key is unknown or a type is none.
    """
    told = dict(given)
    told.setdefault("label", name)
    told.setdefault("type", "string")
    told["to"] = tuple(told.get("to", ()))
    told["values"] = tuple(read_value(value) for value in told.get("values", ()))
    if told["type"] not in get_args(FieldType):
        raise ValueError(f"{name}: {told['type']!r} is no type of field")
    if told["type"] == "boolean":
        told.setdefault("default", False)
    if told["type"] == "textarea":
        told.setdefault("length", 32_000)
    if told.get("computed") or told.get("auto"):
        told["createable"] = told["updateable"] = False
    unknown = set(told) - set(Field.__dataclass_fields__)
    if unknown:
        raise ValueError(f"{name}: unknown keys {', '.join(sorted(unknown))}")
    return Field(name, **told)


def read_value(given: str | Mapping[str, Any]) -> PicklistValue:
    """Return a picklist's entry: its text, or a table with `value` and what else is said of it."""
    if isinstance(given, str):
        return PicklistValue(given, given)
    more = dict(given)
    value = more.pop("value")
    return PicklistValue(
        value, more.pop("label", value), more.pop("default", False), more.pop("active", True), more
    )


def _system(owned: bool) -> list[Field]:
    user: dict[str, Any] = {"type": "reference", "to": ("User",), "createable": False, "updateable": False}
    read: dict[str, Any] = {"createable": False, "updateable": False}
    owner = Field(
        "OwnerId", "Owner ID", "reference", to=("User", "Group"), relationship="Owner", default="me"
    )
    return [
        Field("Id", "Record ID", "id", length=18, **read),
        *([owner] if owned else []),
        Field("IsDeleted", "Deleted", "boolean", default=False, **read),
        Field("CreatedDate", "Created Date", "datetime", **read),
        Field("CreatedById", "Created By ID", relationship="CreatedBy", **user),
        Field("LastModifiedDate", "Last Modified Date", "datetime", **read),
        Field("LastModifiedById", "Last Modified By ID", relationship="LastModifiedBy", **user),
        Field("SystemModstamp", "System Modstamp", "datetime", **read),
    ]
