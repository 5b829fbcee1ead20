"""Validation rules, and fields whose values are formulas, roll-ups or defaults."""

from __future__ import annotations

from salesforce_org.formulas import EvaluationError, FormulaError, Use, holds
from salesforce_org.formulas.definitions import computed, initial
from salesforce_org.rules.registry import RULES
from salesforce_org.store.errors import DmlError, OrgError
from salesforce_org.store.org import Change

RULES.defined = computed
RULES.initial = initial


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


RULES.validate.append(validate)
