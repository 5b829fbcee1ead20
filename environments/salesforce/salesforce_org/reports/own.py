"""Columns that a report defines itself: buckets of another column's values, and a formula of each row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from salesforce_org.formulas import EvaluationError, Formula, FormulaError
from salesforce_org.formulas.values import stored
from salesforce_org.pages import formats
from salesforce_org.reports.columns import NUMBERS, Column, Row
from salesforce_org.reports.formulas import ROW_TYPES, field_of, row_formula, row_value
from salesforce_org.reports.types import ReportType
from salesforce_org.store import Field, Org
from salesforce_org.store.schema import PicklistValue

Tree = Mapping[str, Any]
BUCKET = "BucketField_"
OTHER = "Other"
_COMPUTED = "="  # no path of fields leads to it


def own_columns(type: ReportType, tree: Tree) -> Iterator[Column]:
    """Yield the columns that a report's tree defines; a formula that names what is gone has no values."""
    for told in tree.get("buckets", ()):
        source = type.column(told["sourceColumnName"])
        if source is not None:
            yield _bucket(source, told)
    for told in tree.get("customDetailFormulas", ()):
        formula: Formula | None
        try:
            formula = row_formula(type.column, told["calculatedFormula"], told["dataType"])
        except FormulaError:
            formula = None
        name, label = told["developerName"], told["label"]
        field = field_of(ROW_TYPES, told["dataType"], name, told.get("scale"))
        own = partial(_computed, formula, field)
        yield Column(name, label, "Row-Level Formulas", _COMPUTED, field, type.table, own)


def _computed(formula: Formula | None, field: Field, org: Org, row: Row) -> Any:
    try:
        return stored(field, row_value(formula, org, row)) if formula else None
    except EvaluationError:
        return None


def bucket_type(column: Column) -> str:
    """Return how a column can be bucketed, as metadata calls it; empty where it cannot."""
    if column.own:
        return ""
    if column.type in NUMBERS:
        return "number"
    return {"picklist": "picklist", "string": "text"}.get(column.type, "")


def _bucket(source: Column, told: Tree) -> Column:
    labels = [str(one["value"]) for one in told.get("values", ())]
    if told.get("useOther"):
        labels.append(told.get("otherBucketLabel") or OTHER)
    values = tuple(PicklistValue(label, label) for label in labels)
    name, label = told["developerName"], told["masterLabel"]
    field = Field(name, label, "picklist", values=values)
    own = partial(_ranged if told["bucketType"] == "number" else _sorted_out, source, told)
    return Column(name, label, "Bucket Fields", _COMPUTED, field, source.table, own)


def _ranged(source: Column, told: Tree, org: Org, row: Row) -> str | None:
    value = source.value(org, row)
    if value is None:
        if told.get("nullTreatment") != "z":
            return None
        value = 0
    return next((str(one["value"]) for one in told.get("values", ()) if _within(one, float(value))), None)


def _within(bucket: Tree, value: float) -> bool:
    """Whether a number is in a range: above `from`, and at most `to`."""
    return any(
        (not one.get("from") or value > float(one["from"]))
        and (not one.get("to") or value <= float(one["to"]))
        for one in bucket.get("sourceValues", ())
    )


def _sorted_out(source: Column, told: Tree, org: Org, row: Row) -> str | None:
    value = source.value(org, row)
    shown = formats.show(org, source.field, value).text
    texts = {str(value or "").casefold(), shown.casefold()}
    for bucket in told.get("values", ()):
        sources = bucket.get("sourceValues", ())
        if any(str(one.get("sourceValue") or "").casefold() in texts for one in sources):
            return str(bucket["value"])
    return (told.get("otherBucketLabel") or OTHER) if told.get("useOther") else shown or None
