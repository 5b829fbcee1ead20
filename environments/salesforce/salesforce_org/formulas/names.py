"""What names mean in formulas about records: fields, those of parents, and globals that begin with `$`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from salesforce_org.formulas.compiling import FIELD, Reference
from salesforce_org.formulas.errors import FormulaError, no_field
from salesforce_org.formulas.scope import Evaluate, Scope
from salesforce_org.formulas.tree import Name
from salesforce_org.formulas.values import BOOLEAN, DATETIME, NUMBER, TEXT, taken, type_of
from salesforce_org.metadata.profiles import full_name
from salesforce_org.store import Field, Org, Record, Schema, SObject

MOST_LEVELS = 10
Row = Callable[[Scope], Record | None]
_ZERO = Decimal(0)
_ORIGIN = datetime(1900, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class RecordNames:
    """The names of formulas about an object's records; without an object only globals."""

    schema: Schema
    object: SObject | None

    def find(self, name: Name) -> Reference:
        """Return what a name means.

        Raises:
            FormulaError: It means nothing.
        """
        first = name.parts[0].casefold()
        if first.startswith("$"):
            return self._global(first, name)
        if self.object is None:
            raise no_field(str(name))
        return self._field(self.object, lambda scope: scope.record, name.parts, name)

    def _field(self, kind: SObject, row: Row, parts: tuple[str, ...], name: Name) -> Reference:
        *relationships, last = parts
        if len(relationships) > MOST_LEVELS:
            raise FormulaError(f"{name} crosses more than {MOST_LEVELS} relationships")
        for relationship in relationships:
            kind, row = self._parent(kind, row, relationship, name)
        field = kind.field(last)
        if field is None:
            raise no_field(str(name))
        return Reference(type_of(field), _getter(kind, field, row), field, kind.name, tuple(relationships))

    def _parent(self, kind: SObject, row: Row, relationship: str, name: Name) -> tuple[SObject, Row]:
        """Several objects are told apart: `Owner:User`, `Owner:Queue`."""
        own, _, wanted = relationship.partition(":")
        reference = kind.parent(own)
        targets = reference.to if reference else ()
        target = next((one for one in targets if one == ("Group" if wanted == "Queue" else wanted)), None)
        if not wanted and len(targets) == 1:
            target = targets[0]
        if reference is None or target is None or target not in self.schema.objects:
            raise no_field(str(name))
        return self.schema[target], _reached(row, reference, target)

    def _global(self, first: str, name: Name) -> Reference:
        rest = name.parts[1:]
        if first in _RECORDS and rest:
            object, row = _RECORDS[first]
            if object in self.schema.objects:
                return self._field(self.schema[object], row, rest, name)
        if first == "$permission" and len(rest) == 1:
            return Reference(BOOLEAN, lambda scope: permitted(scope.org, rest[0]))
        if first == "$label" and len(rest) == 1:
            return Reference(TEXT, lambda scope: _label(scope.org, rest[0]))
        if first == "$system" and rest == ("OriginDateTime",):
            return Reference(DATETIME, lambda scope: _ORIGIN)
        if first == "$api" and len(rest) == 1:
            return Reference(TEXT, lambda scope: _address(rest[0]))
        if first == "$setup" and len(rest) == 2 and (setting := self.schema.get(rest[0])):
            return self._field(
                setting, lambda scope: next(scope.org.rows(setting.name), None), rest[1:], name
            )
        if first == "$objecttype" and len(rest) == 3 and rest[1].casefold() == "fields":
            kind = self.schema.get(rest[0])
            field = kind.field(rest[2]) if kind else None
            if kind is not None and field is not None:
                return Reference(FIELD, lambda scope: (kind, field), field, type_of(field))
        raise no_field(str(name))


def _getter(kind: SObject, field: Field, row: Row) -> Evaluate:
    number = type_of(field) == NUMBER

    def get(scope: Scope) -> Any:
        record = row(scope)
        value = taken(field, scope.org.value(kind, record, field) if record is not None else None)
        return _ZERO if value is None and scope.blanks_as_zero and number else value

    return get


def _reached(row: Row, reference: Field, target: str) -> Row:
    def parent(scope: Scope) -> Record | None:
        record = row(scope)
        return scope.org.get(target, record.get(reference.name)) if record is not None else None

    return parent


def _user(scope: Scope) -> Record | None:
    return scope.org.get("User", scope.org.user_id)


def _of_user(object: str, reference: str) -> tuple[str, Row]:
    return object, lambda scope: scope.org.get(object, (_user(scope) or {}).get(reference))


_RECORDS: dict[str, tuple[str, Row]] = {
    "$user": ("User", _user),
    "$profile": _of_user("Profile", "ProfileId"),
    "$userrole": _of_user("UserRole", "UserRoleId"),
    "$organization": ("Organization", lambda scope: next(scope.org.rows("Organization"), None)),
    "$recordtype": (
        "RecordType",
        lambda scope: scope.org.get("RecordType", (scope.record or {}).get("RecordTypeId")),
    ),
}


def permitted(org: Org, name: str) -> bool:
    """Whether the acting user has a custom permission, by profile or permission set."""
    user = org.get("User", org.user_id) or {}
    profile = org.get("Profile", user.get("ProfileId")) or {}
    given = [
        org.get("PermissionSet", row["PermissionSetId"]) or {}
        for row in org.rows("PermissionSetAssignment", AssigneeId=org.user_id)
        if row["PermissionSetId"]
    ]
    trees = [org.component("Profile", full_name(str(profile.get("Name"))))]
    trees += [org.component("PermissionSet", str(one.get("Name"))) for one in given]
    return any(
        one["name"].casefold() == name.casefold() and one.get("enabled")
        for tree in trees
        for one in (tree or {}).get("customPermissions", ())
    )


def _label(org: Org, name: str) -> str:
    labels = (one for tree in org.components("CustomLabels").values() for one in tree.get("labels", ()))
    return next((str(one["value"]) for one in labels if one["fullName"].casefold() == name.casefold()), "")


def _address(name: str) -> str:
    """Return `/services/Soap/u/62.0` for Partner_Server_URL_620; the session's id is given to nobody."""
    kind, _, version = name.rpartition("_")
    letter = {"partner_server_url": "u", "enterprise_server_url": "c"}.get(kind.casefold())
    return f"/services/Soap/{letter}/{version[:-1]}.{version[-1:]}" if letter else ""
