"""Definitions of fields whose values are computed, checked: formulas, roll-up summaries, and defaults of new records.

What a field is made of is its `definition`, the elements that its component has in metadata: `formula` and
`formulaTreatBlanksAs`; `summaryForeignKey`, `summaryOperation`, `summarizedField` and `summaryFilterItems`; or
`defaultValue`.
"""

from __future__ import annotations

from collections.abc import Iterator

from salesforce_org.formulas import Formula, FormulaError, Use, record_formula
from salesforce_org.formulas.compiling import BIGGEST
from salesforce_org.formulas.values import TEXT, TEXTS, type_of
from salesforce_org.store import Field, Schema

_SUMMED = ("double", "currency", "percent", "int")
_ORDERED = (*_SUMMED, "date", "datetime", "time")
Key = tuple[str, str]


def formula_of(schema: Schema, object: str, field: Field) -> Formula:
    """Return the formula of a field.

    Raises:
        FormulaError: There is something wrong with it.
    """
    kind = type_of(field)
    types = (TEXT,) if kind in TEXTS else (kind,)
    return record_formula(schema, object, field.definition["formula"], Use.FIELD, *types)


def default_of(schema: Schema, field: Field) -> Formula:
    """Return the formula of a field's default.

    Raises:
        FormulaError: There is something wrong with it.
    """
    kind = type_of(field)
    return record_formula(
        schema, "", field.definition["defaultValue"], Use.DEFAULT, TEXT if kind in TEXTS else kind
    )


def check(schema: Schema, object: str, field: Field) -> Field:
    """Return a field that is defined, with what its formula says of it.

    Args:
        schema: With the field in it.

    Raises:
        FormulaError: There is something wrong with the definition.
    """
    told = field.definition
    if "formula" in told:
        formula_of(schema, object, field)
        size = _size(schema, (object, field.name), ())
        if size > BIGGEST:
            raise FormulaError(
                f"Compiled formula is too big to execute ({size:,} characters). "
                f"Maximum size is {BIGGEST:,} characters."
            )
    elif "summaryForeignKey" in told:
        _check_summary(schema, object, field)
        _size(schema, (object, field.name), ())
    elif "defaultValue" in told:
        default_of(schema, field)
    return field


def _size(schema: Schema, key: Key, above: tuple[Key, ...]) -> int:
    """Return the size of a formula with all that it reads put in."""
    if key in above:
        chain = " > ".join(".".join(one) for one in (*above[above.index(key) :], key))
        raise FormulaError(f"A formula field cannot refer to itself, directly or through others: {chain}")
    kind = schema.objects.get(key[0])
    field = kind.field(key[1]) if kind else None
    if field is None or not ({"formula", "summaryForeignKey"} & field.definition.keys()):
        return len(key[1])
    text = formula_of(schema, key[0], field).text if "formula" in field.definition else ""
    return len(text) + sum(_size(schema, one, (*above, key)) for one in reads(schema, key[0], field))


def reads(schema: Schema, object: str, field: Field) -> Iterator[Key]:
    """Yield the fields that a definition reads, as often as it does."""
    told = field.definition
    if "formula" in told:
        for _, one in formula_of(schema, object, field).references:
            if one.field is not None and one.object in schema.objects:
                yield one.object, one.field.name
    if "summarizedField" in told:
        child, _, own = told["summarizedField"].partition(".")
        yield child, own


def _check_summary(schema: Schema, object: str, field: Field) -> None:
    told = field.definition
    child, _, own = told["summaryForeignKey"].partition(".")
    kind = schema.objects.get(child)
    reference = kind.field(own) if kind else None
    if kind is None or reference is None or object not in reference.to:
        raise FormulaError(f"Invalid value for summaryForeignKey: {told['summaryForeignKey']}")
    if not reference.cascade:
        raise FormulaError(f"{told['summaryForeignKey']} is not a master-detail relationship to {object}")
    operation = told.get("summaryOperation")
    summed = kind.field(str(told.get("summarizedField", "")).partition(".")[2])
    if operation == "count":
        return
    if summed is None:
        raise FormulaError(f"Field {told.get('summarizedField', '')} does not exist. Check spelling.")
    if summed.type not in (_SUMMED if operation == "sum" else _ORDERED):
        raise FormulaError(f"{summed.label} cannot be aggregated by {str(operation).upper()}")
