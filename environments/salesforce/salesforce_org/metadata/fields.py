"""Custom fields, and what can be changed of standard ones: the schema, with a component for what differs from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from typing import Any

from salesforce_org.formulas import FormulaError, definitions
from salesforce_org.formulas.readers import readers
from salesforce_org.metadata.definitions import defined, described
from salesforce_org.metadata.errors import MetadataError, missing, unfit
from salesforce_org.metadata.overlay import difference, over
from salesforce_org.metadata.records import api_name, drop
from salesforce_org.metadata.trees import Tree
from salesforce_org.store import Field, Org, Record
from salesforce_org.store.schema import AUDIT

KIND = "CustomField"
HIDDEN = AUDIT | {"Id", "IsDeleted", "RecordTypeId"}


def split(name: str) -> tuple[str, str]:
    """Return object and name of a component that belongs to an object.

    Raises:
        MetadataError: It names no object.
    """
    object, dot, own = name.partition(".")
    if not (object and dot and own):
        raise MetadataError("INVALID_FULL_NAME", f"{name[:80]} must be an object's name, a dot, and a name")
    return object, own


class Fields:
    """The fields of all objects, as `Object.Field`."""

    def names(self, org: Org) -> Iterable[str]:
        """Return the fields that the org has defined."""
        return [
            f"{kind.name}.{one.name}"
            for kind in org.schema.objects.values()
            for one in kind.fields
            if one.custom
        ]

    def of(self, org: Org, object: str) -> list[str]:
        """Return the names of all fields of an object that metadata shows, sorted."""
        kind = org.schema.objects[object]
        shown = (one.name for one in kind.fields if one.name not in HIDDEN and not _is_name(kind.custom, one))
        return sorted(shown)

    def read(self, org: Org, name: str) -> Tree | None:
        """Return a field."""
        object, _, own = name.partition(".")
        kind = org.schema.objects.get(object)
        field = kind.field(own) if kind else None
        if kind is None or field is None or field.name in HIDDEN or _is_name(kind.custom, field):
            return None
        built = self._built(org, object, field.name) or described(field)
        return over(KIND, built, org.component(KIND, name))

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store a field; a new one gets its column in every record."""
        object, own = split(name)
        if object not in org.schema.objects:
            raise missing("CustomObject", object)
        old, now = org.schema.objects[object].field(own), self.read(org, name)
        if now is not None and dict(now) == dict(tree):
            return
        field = self._changed(org, object, old, own, tree)
        if field != old:
            schema = org.schema.with_field(object, field)
            try:
                definitions.check(schema, object, field)
            except FormulaError as problem:
                raise unfit(problem.message, *field.definition) from None
            org.extend(schema)
        kept = difference(self._built(org, object, own), tree)
        org.put_component(KIND, name, kept)

    def delete(self, org: Org, name: str) -> None:
        """Delete a custom field, its values, and the permissions that speak of it."""
        object, own = split(name)
        kind = org.schema.objects.get(object)
        field = kind.field(own) if kind else None
        if field is None:
            raise missing(KIND, name)
        if not field.custom:
            raise MetadataError("INVALID_FIELD", f"{name} is a standard field and cannot be deleted")
        if users := sorted(readers(org, object, field.name)):
            raise MetadataError(
                "DELETE_FAILED",
                "Cannot complete this operation. This custom field is referenced elsewhere in Salesforce: "
                + ", ".join(users),
            )
        for row in list(org.rows("FieldPermissions", SobjectType=object, Field=name)):
            drop(org, row["Id"])
        org.extend(org.schema.without_field(object, field.name))
        org.put_component(KIND, name, None)

    def record(self, org: Org, name: str) -> Record | None:
        """They are no records."""
        return None

    def _built(self, org: Org, object: str, own: str) -> dict[str, Any]:
        kind = org.built_in.objects.get(object)
        field = kind.field(own) if kind else None
        return described(field) if field else {}

    def _changed(self, org: Org, object: str, old: Field | None, own: str, tree: Tree) -> Field:
        built = org.built_in.objects.get(object)
        original = built.field(own) if built else None
        if original is not None and described(original) == dict(tree):
            return original
        if old is not None and not old.custom:
            return replace(old, help=tree.get("inlineHelpText", ""), description=tree.get("description", ""))
        if not own.endswith("__c"):
            raise unfit(f"Custom field {own} must end with __c", "fullName")
        api_name(own.removesuffix("__c"))
        new = defined(own, tree, org.schema)
        return new if old is None else _moved(org, object, old, new)


def _moved(org: Org, object: str, old: Field, new: Field) -> Field:
    """Return a field with what the new definition says otherwise; metadata does not know all of a field."""
    now = over(KIND, described(old), org.component(KIND, f"{object}.{old.name}"))
    before = defined(old.name, now, org.schema)
    if before.type != new.type:
        return new
    named = (one.name for one in dataclass_fields(Field))
    return replace(
        old, **{name: getattr(new, name) for name in named if getattr(new, name) != getattr(before, name)}
    )


def _is_name(custom_object: bool, field: Field) -> bool:
    return custom_object and field.name in ("Name", "OwnerId")
