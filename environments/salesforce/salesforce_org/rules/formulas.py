"""Validation rules, fields whose values are formulas, roll-ups or defaults, and the formulas of other components."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from salesforce_org.criteria import meets
from salesforce_org.formulas import (
    BOOLEAN,
    NUMBER,
    EvaluationError,
    FormulaError,
    Scope,
    Use,
    holds,
    record_formula,
)
from salesforce_org.formulas.definitions import default_of, formula_of
from salesforce_org.formulas.values import stored, taken, type_of
from salesforce_org.rules.registry import RULES
from salesforce_org.store import Field, Org, Record, SObject
from salesforce_org.store.errors import DmlError, OrgError
from salesforce_org.store.org import Change, Tree

_LARGEST_TEXT = 3900


def computed(org: Org, kind: SObject, row: Record, field: Field) -> Any:
    """Return the value of a field in a record, as records hold values; None where a formula has none."""
    if "formula" not in field.definition:
        return _summarized(org, row, field)
    zero = field.definition.get("formulaTreatBlanksAs") == "BlankAsZero"
    scope = Scope(org, kind, row, blanks_as_zero=zero)
    try:
        value = formula_of(org.schema, kind.name, field).evaluate(scope)
        return stored(field, value[:_LARGEST_TEXT] if isinstance(value, str) else value)
    except (EvaluationError, FormulaError, ArithmeticError):
        return False if field.type == "boolean" else None


def initial(org: Org, field: Field) -> Any:
    """Return the value that a field of a new record begins with."""
    try:
        return stored(field, default_of(org.schema, field).evaluate(Scope(org, None, None)))
    except (EvaluationError, FormulaError):
        return None


def _summarized(org: Org, row: Record, field: Field) -> Any:
    told = field.definition
    child, _, reference = told["summaryForeignKey"].partition(".")
    if child not in org.schema.objects:
        return None
    kind = org.schema[child]
    rows = org.rows(child, **{reference: row["Id"]})
    items = told.get("summaryFilterItems", ())
    found = [one for one in rows if meets(org, child, one, items)]
    if told["summaryOperation"] == "count":
        return float(len(found))
    summed = kind.field(told["summarizedField"].partition(".")[2])
    if summed is None:
        return None
    values = [value for one in found if (value := taken(summed, org.value(kind, one, summed))) is not None]
    if told["summaryOperation"] == "sum":
        return stored(field, sum(values, taken(field, 0)))
    if not values:
        return 0.0 if type_of(field) == NUMBER else None
    return stored(field, min(values) if told["summaryOperation"] == "min" else max(values))


def validate(change: Change) -> None:
    """No record is stored of which the condition of an active validation rule is true; all such rules are told."""
    org = change.org
    start = f"{change.object.name}."
    refusals: list[OrgError] = []
    for name, rule in sorted(org.components("ValidationRule").items()):
        if not name.startswith(start) or not rule.get("active"):
            continue
        try:
            broken = holds(
                org,
                change.object.name,
                rule["errorConditionFormula"],
                change.new,
                Use.VALIDATION,
                old=change.old,
                new=change.old is None,
            )
        except (EvaluationError, FormulaError) as problem:
            sentence = (
                f"The formula of the validation rule {name.removeprefix(start)} has no value: {problem}"
            )
            raise DmlError("FORMULA_EXPRESSION_INVALID", sentence) from None
        if broken:
            field = change.object.field(rule.get("errorDisplayField", ""))
            fields = (field.name,) if field else ()
            refusals.append(DmlError("FIELD_CUSTOM_VALIDATION_EXCEPTION", rule["errorMessage"], fields))
    if refusals:
        refusals[0].others = refusals[1:]
        raise refusals[0]


RULES.defined, RULES.initial = computed, initial
RULES.validate.append(validate)


# Formulas inside of other components


def check_formulas(org: Org, name: str, tree: Tree | None) -> None:
    """A component with a formula that is none is refused; a condition must be true or false."""
    object = name.partition(".")[0]
    for text, types in _formulas(tree or {}):
        record_formula(org.schema, object, text, Use.WORKFLOW, *types)


def _formulas(tree: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the formulas of a tree; those of field updates, which have an operation, may be of any type."""
    for part in tree if isinstance(tree, list) else tree.values():
        if isinstance(part, list | Mapping):
            yield from _formulas(part)
    if isinstance(tree, Mapping) and tree.get("formula"):
        yield tree["formula"], () if "operation" in tree else (BOOLEAN,)


for _kind in ("ApprovalProcess", "AssignmentRules", "AutoResponseRules", "EscalationRules", "Workflow"):
    RULES.on_component(_kind)(check_formulas)
