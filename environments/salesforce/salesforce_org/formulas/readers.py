"""What reads a field: formulas of fields, roll-ups and validation rules, so that nobody deletes it under them."""

from __future__ import annotations

from collections.abc import Iterator

from salesforce_org.formulas import FormulaError, Use, record_formula
from salesforce_org.formulas.definitions import reads
from salesforce_org.store import Org


def readers(org: Org, object: str, field: str) -> Iterator[str]:
    """Yield what would break without a field, as `Field Opportunity.Days__c` or `Validation Rule Account.Number`."""
    for kind in org.schema.objects.values():
        for one in kind.fields:
            if one.definition and (object, field) in set(reads(org.schema, kind.name, one)):
                yield f"Field {kind.name}.{one.name}"
    for name, rule in org.components("ValidationRule").items():
        try:
            formula = record_formula(
                org.schema, name.partition(".")[0], rule["errorConditionFormula"], Use.VALIDATION
            )
        except FormulaError:
            continue
        if any(
            one.field is not None and (one.object, one.field.name) == (object, field)
            for _, one in formula.references
        ):
            yield f"Validation Rule {name}"
