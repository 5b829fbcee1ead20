"""Formulas: parsed, checked with Salesforce's sentences, and evaluated for records.

    record_formula(org.schema, "Lead", "Rating <> NULL", Use.WORKFLOW, BOOLEAN)     checks it, or raises FormulaError
    holds(org, "Lead", "ISBLANK(Phone)", row, Use.WORKFLOW)                         whether it is true of a record

`parser` makes the tree, `compiling` checks it against `Names` and makes a function of it, `names` are those of records,
and `functions` has the table of functions. Another kind of names, such as a report's columns, is a class with `find`
given to `compile`, and a subclass of `Scope` if its getters need more than a record. `definitions` are the formulas of
custom fields.
"""

from __future__ import annotations

from salesforce_org.formulas.compiling import Formula, Names, Reference, compile
from salesforce_org.formulas.errors import EvaluationError, FormulaError
from salesforce_org.formulas.functions import FUNCTIONS, Use
from salesforce_org.formulas.names import RecordNames
from salesforce_org.formulas.scope import Scope
from salesforce_org.formulas.values import ANY, BOOLEAN, DATE, DATETIME, NUMBER, TEXT, TIME
from salesforce_org.store import Org, Record, Schema

__all__ = [
    "ANY",
    "BOOLEAN",
    "DATE",
    "DATETIME",
    "FUNCTIONS",
    "NUMBER",
    "TEXT",
    "TIME",
    "EvaluationError",
    "Formula",
    "FormulaError",
    "Names",
    "Reference",
    "Scope",
    "Use",
    "compile",
    "holds",
    "record_formula",
]

_MOST_KEPT = 2000  # formulas that a schema remembers; a schema may be that of many orgs


def record_formula(schema: Schema, object: str, text: str, use: Use, *types: str) -> Formula:
    """Return a formula about an object's records whose value is of one of the types, if any are given.

    Raises:
        FormulaError: It is none, or uses what is not there.
    """
    key = object, text, use, types
    if key not in schema.memo:
        if len(schema.memo) > _MOST_KEPT:
            schema.memo.clear()
        made = compile(text, RecordNames(schema, schema.objects.get(object)), use)
        schema.memo[key] = made.expect(*types) if types else made
    found: Formula = schema.memo[key]
    return found


def holds(
    org: Org,
    object: str,
    text: str,
    record: Record,
    use: Use,
    *,
    old: Record | None = None,
    new: bool = False,
) -> bool:
    """Whether a condition is true of a record, which is being written where `old` or `new` are given.

    Raises:
        FormulaError: The condition is none.
        EvaluationError: It has no value for the record.
    """
    formula = record_formula(org.schema, object, text, use, BOOLEAN)
    return bool(formula.evaluate(Scope(org, org.schema[object], record, old, new)))
