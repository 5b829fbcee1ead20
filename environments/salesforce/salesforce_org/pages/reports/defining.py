"""Dialogs of what a report defines itself: summary formulas, a row-level formula, and bucket columns."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.formulas import Use
from salesforce_org.formulas.values import type_of
from salesforce_org.pages import formats
from salesforce_org.pages.formulas import Editor, Entry, functions_for
from salesforce_org.pages.reports import drafts
from salesforce_org.pages.reports.builder import BASE, given
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.reports.checking import row_problem, summary_problem
from salesforce_org.reports.columns import Column
from salesforce_org.reports.definition import SUMMARIES, Report
from salesforce_org.reports.editing import Refused, change, told_row_formula, told_summary_formula
from salesforce_org.reports.filters import options
from salesforce_org.reports.formulas import (
    COLUMNS,
    COUNT,
    GRAND,
    ROW_TYPES,
    ROWS,
    SUMMARY_TYPES,
    WAYS,
    named_in_rows,
)
from salesforce_org.reports.own import bucket_type

_MOST_VALUES = 500
_KINDS = {
    "summary": ("Edit Summary-Level Formula Column", "aggregates", SUMMARY_TYPES, Use.SUMMARY),
    "row": ("Edit Row-Level Formula Column", "customDetailFormulas", ROW_TYPES, Use.ROW),
}


def _kind(visit: Visit) -> str:
    if visit.params["kind"] not in _KINDS:
        raise NotHere
    return visit.params["kind"]


def _report(visit: Visit) -> Report:
    return drafts.report_of(visit, drafts.opened(visit).tree)


def _stored(report: Report, element: str, name: str) -> dict[str, Any]:
    return next((dict(one) for one in report.tree.get(element, ()) if one["developerName"] == name), {})


# Formulas


@page("GET", BASE + "/formula/{kind}")
def ask_formula(visit: Visit) -> Response:
    """Ask for a formula, new or of a name."""
    kind, report, name = _kind(visit), _report(visit), visit.query.get("name", "")
    told = _stored(report, _KINDS[kind][1], name)
    contexts = [told.get(element) for element in ("downGroupingContext", "acrossGroupingContext")]
    display = "groups" if {*contexts} - {None, GRAND} else "grand" if GRAND in contexts else "all"
    values = {
        "label": told.get("masterLabel") or told.get("label") or "",
        "description": told.get("description") or "",
        "type": told.get("datatype") or told.get("dataType") or next(iter(_KINDS[kind][2])),
        "scale": told.get("scale") or "2",
        "formula": told.get("calculatedFormula") or "",
        "display": display,
        "down": contexts[0] or "",
        "across": contexts[1] or "",
    }
    return _ask_formula(visit, kind, report, name, values, "")


def _ask_formula(
    visit: Visit, kind: str, report: Report, name: str, values: dict[str, str], problem: str
) -> Response:
    title, _, types, use = _KINDS[kind]
    base = f"/lightning/r/Report/{visit.params['id']}"
    return visit.render(
        "reports/formula.html",
        base=base,
        kind=kind,
        title=title,
        name=name,
        values=values,
        problem=problem,
        types=[(value, label) for value, (label, _) in types.items()],
        down=[(one.column.key, one.column.label) for one in report.down],
        across=[(one.column.key, one.column.label) for one in report.across],
        grand=GRAND,
        editor=Editor(
            f"{base}/formula/{kind}/fields", f"{base}/formula/{kind}/check", functions_for(use), "Validate"
        ),
    )


@page("POST", BASE + "/formula/{kind}")
def apply_formula(visit: Visit) -> Response:
    """Put a formula into the report."""
    kind, draft = _kind(visit), drafts.opened(visit)
    report = drafts.report_of(visit, draft.tree)
    try:
        draft.step(change(visit.org, report, f"{kind}_formula", given(visit)))
    except Refused as refusal:
        names = ("label", "description", "type", "scale", "formula", "display", "down", "across")
        values = {name: visit.field(name) for name in names}
        return _ask_formula(visit, kind, report, visit.field("name"), values, str(refusal))
    return _back(visit, draft)


def _back(visit: Visit, draft: drafts.Draft) -> Response:
    if draft.live:
        draft.shown = draft.tree
    return visit.go(f"/lightning/r/Report/{draft.key}/edit")


@page("POST", BASE + "/formula/{kind}/check")
def check_formula(visit: Visit) -> Response:
    """Say whether the formula that was sent is one."""
    report = _report(visit)
    if _kind(visit) == "summary":
        problem = summary_problem(report, told_summary_formula(report, given(visit)))
    else:
        problem = row_problem(report, told_row_formula(report, given(visit)))
    return visit.render("setup/formula_checked.html", problem=problem, size=len(visit.field("formula")))


@page("GET", BASE + "/formula/{kind}/fields")
def show_fields(visit: Visit) -> Response:
    """Show a column of Insert Field: what can be inserted behind a path."""
    report, path = _report(visit), visit.query.get("path", "")
    entries = _figures(report, path) if _kind(visit) == "summary" else _columns(report, path)
    return visit.render("setup/formula_fields.html", entries=entries)


def _columns(report: Report, path: str) -> list[Entry]:
    sections = report.base.sections()
    if path not in sections:
        return [Entry(f"{one} >", path=one) for one in sections]
    return [
        Entry(one.label, one.api_key, kind=type_of(one.field)) for one in sections[path] if named_in_rows(one)
    ]


def _figures(report: Report, path: str) -> list[Entry]:
    sections = report.type.sections()
    if not path:
        named = [Entry(f"{one} >", path=one) for one in sections]
        return [Entry("Record Count", COUNT, kind="Number"), Entry("Groups >", path=GRAND), *named]
    if path == GRAND:
        totals = [("Grand Total", GRAND)]
        totals += [("Row Total", ROWS), ("Column Total", COLUMNS)] if report.across else []
        groups = [(one.column.label, one.column.api_key) for one in report.groupings]
        return [Entry(label, insert, kind="Grouping Level") for label, insert in (*totals, *groups)]
    if path in sections:
        return [Entry(f"{one.label} >", path=one.api_key) for one in sections[path] if one.summable]
    return [Entry(SUMMARIES[way][1], f"{path}:{word}", kind="Number") for word, way in WAYS.items()]


# Buckets


@page("GET", BASE + "/bucket")
def ask_bucket(visit: Visit) -> Response:
    """Ask for the buckets of a column, new or of a name."""
    report, name = _report(visit), visit.query.get("name", "")
    told = _stored(report, "buckets", name)
    values = told.get("values", ())
    sources = [[each.get("sourceValue") or "" for each in one.get("sourceValues", ())] for one in values]
    uppers = [str(one["sourceValues"][0].get("to") or "") for one in values if one.get("sourceValues")]
    state: dict[str, Any] = {
        "name": name,
        "source": told.get("sourceColumnName") or visit.query.get("source", ""),
        "label": told.get("masterLabel") or "",
        "zero": told.get("nullTreatment") == "z",
        "other": bool(told.get("useOther")),
        "bucket": [str(one["value"]) for one in values],
        "upper": [one for one in uppers if one],
        "places": {value: str(at) for at, some in enumerate(sources) for value in some},
    }
    return _ask_bucket(visit, report, state, "")


def _ask_bucket(visit: Visit, report: Report, state: dict[str, Any], problem: str) -> Response:
    source = report.base.column(state["source"])
    kind = bucket_type(source) if source else ""
    if kind == "number":
        state["upper"] = state["upper"] or [""]
        state["bucket"] = (state["bucket"] + [""] * 2)[: len(state["upper"]) + 1]
    numbers = {str(number) for number in range(len(state["bucket"]))}
    state["places"] = {value: at if at in numbers else "" for value, at in state["places"].items()}
    known = {value: value for value in state["places"]}
    if source is not None and kind not in ("", "number"):
        known = {**known, **_values(visit, report, source)}
    fields = [one for one in report.base.columns.values() if bucket_type(one)]
    return visit.render(
        "reports/bucket.html",
        base=f"/lightning/r/Report/{visit.params['id']}",
        fields=[("", "--None--"), *sorted(((one.key, one.label) for one in fields), key=lambda one: one[1])],
        source=source,
        kind=kind,
        state=state,
        values=sorted(known.items(), key=lambda one: one[1].casefold()) if kind == "text" else known.items(),
        problem=problem,
    )


def _values(visit: Visit, report: Report, source: Column) -> dict[str, str]:
    """Return the values that can be put into buckets, with their labels."""
    offered = dict(options(visit.org, source.field))
    for row in () if offered else report.base.rows(visit.org):
        value = source.value(visit.org, row)
        if value not in (None, "") and len(offered) < _MOST_VALUES:
            offered[str(value)] = formats.show(visit.org, source.field, value).text
    return offered


@page("POST", BASE + "/bucket")
def put_bucket(visit: Visit) -> Response:
    """Change what the dialog holds, or put the buckets into the report."""
    draft, form, step = drafts.opened(visit), given(visit), visit.field("step")
    report = drafts.report_of(visit, draft.tree)
    state: dict[str, Any] = {name: form[name] for name in ("name", "source", "label")}
    state |= {"zero": bool(form["zero"]), "other": bool(form["other"])}
    state |= {"bucket": form.every("bucket"), "upper": form.every("upper")}
    state["places"] = dict(zip(form.every("value"), form.every("place"), strict=False))
    do, _, at = step.partition(" ")
    match do:
        case "add":
            last = len(state["bucket"]) - 1 if state["upper"] else len(state["bucket"])
            state["bucket"].insert(last, "" if state["upper"] else f"Bucket {last + 1}")
            state["upper"] += [""] if state["upper"] else []
        case "remove" if at.isdecimal():
            _remove(state, int(at))
        case "move":
            state["places"] |= dict.fromkeys(form.every("chosen"), at)
        case "":
            try:
                draft.step(change(visit.org, report, "bucket", form))
            except Refused as refusal:
                return _ask_bucket(visit, report, state, str(refusal))
            return _back(visit, draft)
    return _ask_bucket(visit, report, state, "")


def _remove(state: dict[str, Any], at: int) -> None:
    """Take a bucket out of the dialog; what was in it is in none, or in the range above."""
    del state["bucket"][at : at + 1]
    del state["upper"][at : at + 1]
    moved = {
        str(place): str(place - (place > at)) for place in range(len(state["bucket"]) + 1) if place != at
    }
    state["places"] = {value: moved.get(place, "") for value, place in state["places"].items()}
