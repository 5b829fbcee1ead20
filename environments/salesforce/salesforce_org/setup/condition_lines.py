"""Criteria in forms of Setup: lines of field, operator and value, and the logic that combines them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salesforce_org.pages.lists.conditions import OPERATORS
from salesforce_org.pages.lists.logic import LogicError, parsed
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import Input, Section
from salesforce_org.setup.objects.shown import field_label
from salesforce_org.store import DmlError, Field, SObject
from salesforce_org.store.schema import AUDIT

LINES = 5
LOGIC = Input("logic", "Filter Logic", help="Such as 1 AND (2 OR 3); without it all conditions must hold.")
_NEVER = AUDIT | {"Id", "IsDeleted"}


def fields(kind: SObject) -> list[Field]:
    """Return the fields that criteria may look at, by label."""
    found = (one for one in kind.fields if one.name not in _NEVER and one.stored)
    return sorted(found, key=lambda one: field_label(one).casefold())


def field_choices(kind: SObject) -> tuple[Choice, ...]:
    """Return these fields to choose from."""
    return tuple(Choice(one.name, field_label(one)) for one in fields(kind))


def criteria(kind: SObject, title: str) -> Section:
    """Return the lines of an object's criteria."""
    offered = field_choices(kind)
    operators = tuple(Choice(name, label) for name, label in OPERATORS.items())
    inputs = (
        (
            Input(f"field{line}", "Field", "picklist", choices=offered),
            Input(f"operation{line}", "Operator", "picklist", choices=operators),
            Input(f"value{line}", "Value"),
        )
        for line in range(1, LINES + 1)
    )
    return Section(title, tuple(one for line in inputs for one in line), 3)


def entered(items: Iterable[Mapping[str, Any]], logic: str = "") -> dict[str, Any]:
    """Return what stands in the lines for conditions as metadata has them."""
    values: dict[str, Any] = {"logic": logic}
    for line, one in enumerate(items, 1):
        values |= {f"{name}{line}": one.get(name, "") for name in ("field", "operation", "value")}
    return values


def conditions(values: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the conditions that were entered.

    Raises:
        DmlError: One has no field or no operator, or the logic does not fit them.
    """
    found = []
    for line in range(1, LINES + 1):
        told = {name: str(values[f"{name}{line}"] or "") for name in ("field", "operation", "value")}
        if not any(told.values()):
            continue
        for name in ("field", "operation"):
            if not told[name]:
                raise DmlError("FIELD_INTEGRITY_EXCEPTION", "You must enter a value", (f"{name}{line}",))
        found.append(told)
    check_logic(values["logic"], len(found))
    return found


def check_logic(logic: str, count: int) -> None:
    """Make sure that logic combines so many conditions.

    Raises:
        DmlError: It does not.
    """
    try:
        if logic:
            parsed(logic, count)
    except LogicError as problem:
        raise DmlError("FIELD_INTEGRITY_EXCEPTION", str(problem), ("logic",)) from None
