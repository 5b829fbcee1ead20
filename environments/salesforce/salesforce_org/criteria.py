"""Criteria of assignment rules, approvals, milestones and territories: conditions on fields of a record or its parents.

Each is an entry of metadata, `{"field": "Case.Description", "operation": "contains", "value": "billing"}`; a field
belongs to the record's own object, to a parent's, or to `User`, which is the acting user.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from salesforce_org.formulas import EvaluationError, FormulaError, Use
from salesforce_org.formulas import holds as formula_holds
from salesforce_org.list_views import Filter
from salesforce_org.pages.lists.conditions import holds
from salesforce_org.pages.lists.logic import parsed
from salesforce_org.store import Field, Org, Record, SObject

Item = Mapping[str, Any]


def meets(org: Org, object: str, row: Record, items: Sequence[Item], logic: str = "") -> bool:
    """Whether a record meets all criteria, or those that the filter logic combines; without any it does."""
    kind = org.schema[object]
    tests = [_holds(org, kind, row, item) for item in items]
    return parsed(logic, len(tests))(lambda number: tests[number - 1]) if logic else all(tests)


def fits(
    org: Org,
    object: str,
    row: Record,
    told: Item,
    items: str = "criteriaItems",
    logic: str = "booleanFilter",
    formula: str = "formula",
) -> bool:
    """Whether a record meets what a component says under these names: a formula, or else its criteria.

    A formula without a value for the record is not met.
    """
    if not told.get(formula):
        return meets(org, object, row, told.get(items, ()), told.get(logic, ""))
    try:
        return formula_holds(org, object, told[formula], row, Use.WORKFLOW)
    except (FormulaError, EvaluationError):
        return False


def field_of(org: Org, name: str) -> tuple[SObject, Field] | None:
    """Return the object and field of a name such as `Case.Owner`; None where there is none."""
    object, _, own = name.partition(".")
    kind = org.schema.get(object)
    found = (kind.field(own) or kind.field(f"{own}Id")) if kind else None
    return (kind, found) if kind and found else None


def name_of(kind: SObject, field: Field) -> str:
    """Return what criteria call a field: a reference without its `Id`."""
    reference = field.type == "reference"
    return f"{kind.name}.{field.name.removesuffix('Id') if reference else field.name}"


def _holds(org: Org, kind: SObject, row: Record, item: Item) -> bool:
    found = field_of(org, item["field"])
    if found is None:
        return False
    other, field = found
    condition = Filter(field.name, item["operation"], item.get("value", ""))
    source = row if other is kind else _related(org, kind, row, other)
    empty = {"Id": "", **{one.name: None for one in other.fields}}
    return holds(org, other, condition)(empty if source is None else source)


def _related(org: Org, kind: SObject, row: Record, other: SObject) -> Record | None:
    """Return the parent of an object that a record has; of users the acting one."""
    if other.name == "User":
        return org.get("User", org.user_id)
    points = (one for one in kind.fields if other.name in one.to and org.get(other.name, row.get(one.name)))
    field = next(points, None)
    return org.get(other.name, row[field.name]) if field else None
