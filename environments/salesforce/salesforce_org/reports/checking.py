"""What a report must be so that metadata can say it, and so that it fits its type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any
from xml.etree.ElementTree import Element as Node  # building only

from salesforce_org.formulas import FormulaError
from salesforce_org.metadata.errors import unfit
from salesforce_org.metadata.trees import Tree, fill, ordered
from salesforce_org.metadata.trees import read as read_tree
from salesforce_org.reports import definition
from salesforce_org.reports.definition import Report
from salesforce_org.reports.formulas import GRAND, ROW_TYPES, SummaryFormula, row_formula
from salesforce_org.reports.own import BUCKET, bucket_type
from salesforce_org.store import Org

MOST_BUCKETS = 20
MOST_DECIMALS = 18
Told = Mapping[str, Any]


def check(org: Org, tree: Tree) -> None:
    """Refuse a report that metadata has no words for, or that does not fit its type.

    Raises:
        MetadataError: It says what is wrong.
    """
    read_tree("Report", fill(Node("Report"), "Report", ordered("Report", tree)))
    report = definition.read(org, tree)
    if report is None:
        raise unfit("invalid report type", "reportType")
    for element, problem in problems(report):
        raise unfit(problem, element)
    for element, key in report.unknown():
        raise unfit(f"{element}: Invalid value specified: {key}", element)
    shown = {one.key for one in report.columns}
    for one in report.groupings:
        if one.column.key in shown:
            raise unfit(
                f"You can't include groupings in the selected columns list: {one.column.key}", "groupings"
            )


def problems(report: Report) -> Iterator[tuple[str, str]]:
    """Yield element and sentence of what is wrong with the formulas and buckets of a report."""
    for element, label, most, problem_of in _OWN:
        found = report.tree.get(element, ())
        names = [one["developerName"] for one in found]
        if len(found) > most:
            yield element, f"A report can have {most} {label}{'' if most == 1 else 's'}."
        for one in found:
            problem = problem_of(report, one)
            if names.count(one["developerName"]) > 1:
                problem = "The developer name is used twice."
            if problem:
                yield element, f"{one.get('masterLabel') or one.get('label')}: {problem}"


def summary_problem(report: Report, told: Told) -> str:
    """Return what is wrong with a summary formula; empty where nothing is."""
    one = SummaryFormula(told, report.type.column, report.levels)
    for level, groups in ((one.down, report.down), (one.across, report.across)):
        if level not in (None, GRAND, *(group.column.key for group in groups)):
            return f"The report has no group {level}."
    return _decimals(told) or _refusal(one.formula)


def row_problem(report: Report, told: Told) -> str:
    """Return what is wrong with a row-level formula; empty where nothing is."""
    type = told["dataType"]
    if type not in ROW_TYPES:
        return f"Invalid value specified: {type}"
    text = str(told["calculatedFormula"])
    return _decimals(told) or _refusal(lambda: row_formula(report.base.column, text, type))


def _refusal(check: Callable[[], Any]) -> str:
    try:
        check()
    except FormulaError as problem:
        return problem.message
    return ""


def _decimals(told: Told) -> str:
    text = str(told.get("scale") or 0)
    if text.isdecimal() and int(text) <= MOST_DECIMALS:
        return ""
    return f"Enter a number of decimal places from 0 to {MOST_DECIMALS}."


def bucket_problem(report: Report, told: Told) -> str:
    """Return what is wrong with a bucket column; empty where nothing is."""
    source, buckets = report.base.column(told["sourceColumnName"]), told.get("values", ())
    labels = [str(one["value"]).casefold() for one in buckets]
    if source is None or bucket_type(source) != told["bucketType"]:
        return f"{told['sourceColumnName']} can't be bucketed by {told['bucketType']}."
    if not str(told["developerName"]).startswith(BUCKET):
        return f"The developer name must begin with {BUCKET}."
    if not labels or len(labels) > MOST_BUCKETS:
        return f"Add at least one bucket, and at most {MOST_BUCKETS}."
    if "" in labels or len(set(labels)) < len(labels):
        return "Give each bucket a name of its own."
    return _ranges(buckets) if told["bucketType"] == "number" else ""


def _ranges(buckets: Any) -> str:
    try:
        ends = [
            float(one[end]) if one.get(end) else None
            for bucket in buckets
            for one in bucket.get("sourceValues", ())
            for end in ("from", "to")
        ]
    except ValueError:
        return "Enter a number."
    known = [one for one in ends if one is not None]
    if not known or None in ends[1:-1] or any(one > other for one, other in pairwise(known)):
        return "Enter the ranges in ascending order."
    return ""


_OWN: tuple[tuple[str, str, int, Callable[[Report, Told], str]], ...] = (
    ("aggregates", "summary formula", 5, summary_problem),
    ("buckets", "bucket column", 5, bucket_problem),
    ("customDetailFormulas", "row-level formula", 1, row_problem),
)
