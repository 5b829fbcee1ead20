"""The report builder: each change is sent, and the builder comes back with a new preview."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.pages.lists.conditions import operators
from salesforce_org.pages.reports import drafts, words
from salesforce_org.pages.reports.choices import HELPERS
from salesforce_org.pages.reports.drafts import Draft
from salesforce_org.pages.reports.result import result
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.reports import stored
from salesforce_org.reports.columns import DATES
from salesforce_org.reports.definition import SUMMARIES
from salesforce_org.reports.editing import CHARTS, LEGENDS, Given, Refused, change
from salesforce_org.reports.filters import options, values_of
from salesforce_org.reports.ranges import ALL_TIME, GRANULARITIES, RANGES
from salesforce_org.reports.stored import FIELDS, Place, developer_name
from salesforce_org.reports.types import report_type
from salesforce_org.store import Field
from salesforce_org.store.errors import OrgError

HOME = "/lightning/o/Report/home"
BASE = "/lightning/r/Report/{id}"
PREVIEWED = 50
_KEPT = {"undo": -1, "redo": 1}


@page("GET", "/lightning/builder/report")
def begin(visit: Visit) -> Response:
    """Begin a new report of a type."""
    found = report_type(visit.org, visit.query.get("type", ""))
    if found is None:
        raise NotHere
    if visit.login is not None:
        recent = [one for one in visit.login.drafts.get("report types", []) if one != found.name]
        visit.login.drafts["report types"] = [found.name, *recent][:10]
    return visit.go(f"/lightning/r/Report/{drafts.begin(visit, found).key}/edit")


@page("GET", BASE + "/edit")
def show(visit: Visit) -> Response:
    """Open the builder on a report or a draft."""
    draft = drafts.opened(visit, again=True)
    return visit.render("reports/builder.html", object="Report", **_context(visit, draft))


@page("POST", BASE + "/builder")
def act(visit: Visit) -> Response:
    """Make a change, and show the builder after it."""
    draft, do, problem = drafts.opened(visit), visit.field("do"), ""
    match do:
        case "undo" | "redo":
            draft.at = max(0, min(draft.at + _KEPT[do], len(draft.steps) - 1))
        case "panel":
            draft.panel = "filters" if visit.field("panel") == "filters" else "outline"
        case "fields":
            draft.fields = not draft.fields
        case "live":
            draft.live = not draft.live
        case "refresh":
            draft.shown = draft.tree
        case _:
            try:
                draft.step(change(visit.org, drafts.report_of(visit, draft.tree), do, given(visit)))
            except Refused as refusal:
                problem = str(refusal)
    if draft.live:
        draft.shown = draft.tree
    return visit.render("reports/workspace.html", **_context(visit, draft, problem))


def given(visit: Visit) -> Given:
    """Return what a form sends."""
    return Given(lambda name: [str(one) for one in visit.form.getlist(name)])


def _context(visit: Visit, draft: Draft, problem: str = "") -> dict[str, Any]:
    report = drafts.report_of(visit, draft.tree)
    shown = drafts.report_of(visit, draft.shown or draft.tree)
    return {
        "draft": draft,
        "report": report,
        "type": report.type,
        "base": f"/lightning/r/Report/{draft.key}",
        "problem": problem,
        "summaries": SUMMARIES,
        "granularities": GRANULARITIES,
        "filters": words.filters(visit.org, report),
        "crossings": words.crossings(visit.org, report),
        "ranges": list(RANGES.values()),
        "all_time": ALL_TIME,
        "scopes": words.scopes(report),
        "frame": report.tree.get("timeFrameFilter"),
        "frame_text": words.frame(report),
        "charts": CHARTS,
        "legends": LEGENDS,
        **HELPERS,
        **result(visit, shown, PREVIEWED, building=True),
    }


# Filters are edited beside their panel


@page("GET", BASE + "/filter")
def ask_filter(visit: Visit) -> Response:
    """Ask for operator and value of a filter on a field, new or of a number."""
    draft = drafts.opened(visit)
    report = drafts.report_of(visit, draft.tree)
    at = _number(visit.query.get("number", ""))
    told = report.criteria[at - 1] if 1 <= at <= len(report.criteria) else {}
    column = report.type.column(visit.query.get("column", "") or str(told.get("column", "")))
    if column is None:
        raise NotHere
    context: dict[str, Any] = {"act": "add_filter", "number": at or "", "place": "", "column": column.key}
    return _ask(visit, draft, column.field, column.label, told, **context)


@page("GET", BASE + "/sub-filter")
def ask_sub_filter(visit: Visit) -> Response:
    """Ask for operator and value of a sub-filter of a cross filter."""
    draft = drafts.opened(visit)
    report = drafts.report_of(visit, draft.tree)
    at, place = (_number(visit.query.get(name, "")) for name in ("number", "place"))
    if not 1 <= at <= len(report.cross_filters):
        raise NotHere
    crossing = report.cross_filters[at - 1]
    items = crossing.get("criteriaItems", ())
    told = items[place - 1] if 1 <= place <= len(items) else {}
    related = report.type.related(visit.org).get(crossing["relatedTable"])
    field = related.field(visit.query.get("column", "") or str(told.get("column", ""))) if related else None
    if field is None:
        raise NotHere
    context: dict[str, Any] = {"act": "sub_filter", "number": at, "place": place or "", "column": field.name}
    return _ask(visit, draft, field, field.label, told, **context)


def _ask(visit: Visit, draft: Draft, field: Field, label: str, told: Any, **context: Any) -> Response:
    value = str(told.get("value") or "")
    return visit.render(
        "reports/filter.html",
        base=f"/lightning/r/Report/{draft.key}",
        label=label,
        operators=operators(field),
        operator=told.get("operator", "equals"),
        value=value.strip('"') if not options(visit.org, field) else value,
        options=options(visit.org, field),
        chosen=values_of(value) if value else [],
        dated=field.type in DATES,
        **context,
    )


@page("GET", BASE + "/standard-filter")
def ask_standard_filter(visit: Visit) -> Response:
    """Ask for one of the standard filters: whose records, of when, or one of the type's own."""
    draft = drafts.opened(visit)
    report = drafts.report_of(visit, draft.tree)
    context = _context(visit, draft) | {"which": visit.query.get("which", "")}
    context["params"] = report.params
    return visit.render("reports/standard_filter.html", **context)


@page("GET", BASE + "/logic")
def ask_logic(visit: Visit) -> Response:
    """Ask how the filters are combined."""
    draft = drafts.opened(visit)
    return visit.render("reports/logic.html", **_context(visit, draft))


@page("GET", BASE + "/cross-filter")
def ask_cross_filter(visit: Visit) -> Response:
    """Ask for the object of a cross filter, new or of a number."""
    draft = drafts.opened(visit)
    report = drafts.report_of(visit, draft.tree)
    at = _number(visit.query.get("number", ""))
    told = report.cross_filters[at - 1] if 1 <= at <= len(report.cross_filters) else {}
    related = [(one.name, one.label) for one in report.type.related(visit.org).values()]
    context: dict[str, Any] = {
        "base": f"/lightning/r/Report/{draft.key}",
        "type": report.type,
        "number": at or "",
    }
    return visit.render("reports/cross_filter.html", told=told, related=related, **context)


@page("GET", BASE + "/sub-fields")
def ask_sub_field(visit: Visit) -> Response:
    """Offer the fields of a cross filter's object."""
    draft = drafts.opened(visit)
    report = drafts.report_of(visit, draft.tree)
    at = _number(visit.query.get("number", ""))
    if not 1 <= at <= len(report.cross_filters):
        raise NotHere
    related = report.type.related(visit.org).get(report.cross_filters[at - 1]["relatedTable"])
    context: dict[str, Any] = {"base": f"/lightning/r/Report/{draft.key}", "number": at}
    return visit.render("reports/sub_fields.html", fields=related.fields() if related else [], **context)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 4 else 0


# Saving and leaving


@page("GET", BASE + "/save")
def ask_save(visit: Visit) -> Response:
    """Ask for the names and the folder of a new report or a copy."""
    draft = drafts.opened(visit)
    copy = visit.query.get("as", "") == "copy"
    name = f"Copy of {draft.tree['name']}"[:40] if copy and draft.id else draft.tree["name"]
    developer = stored.free_name(visit.org, "Report", name)
    values = {"Name": name, "DeveloperName": developer, "Description": draft.tree.get("description", "")}
    places = stored.places(visit.org, "Report")
    place = places[0]
    if draft.id:
        place = stored.place_of(visit.org, "Report", drafts.record(visit)) or place
    return _ask_save(visit, draft, values, place, visit.query.get("then", ""), copy=copy)


def _ask_save(
    visit: Visit,
    draft: Draft,
    values: dict[str, Any],
    place: Place,
    then: str,
    *,
    copy: bool,
    errors: dict[str, str] | None = None,
) -> Response:
    return visit.render(
        "reports/save.html",
        title="Save Report As" if copy else "Save Report",
        kind="Report",
        base=f"/lightning/r/Report/{draft.key}",
        values=values,
        place=place,
        then=then,
        copy=copy,
        errors=errors or {},
    )


_NAMES = ("Name", "DeveloperName", "Description")


@page("POST", BASE + "/save")
def save(visit: Visit) -> Response:
    """Store the report: as it is named in the dialog, or where it was."""
    draft = drafts.opened(visit)
    copy, then = bool(visit.field("copy")), visit.field("then")
    org = visit.org
    if draft.id and not copy:
        row = drafts.record(visit)
        place = stored.place_of(org, "Report", row)
        assert place is not None
        values = {"Name": draft.tree["name"], "DeveloperName": row["DeveloperName"]}
        tree = draft.tree
    else:
        values = {name: visit.field(name) for name in _NAMES}
        place = folder_chosen(visit, "Report")
        if values["DeveloperName"] in ("", developer_name(values["Name"])):
            values["DeveloperName"] = stored.free_name(org, "Report", values["Name"])
        tree = {**draft.tree, "name": values["Name"], "description": values["Description"] or None}
    try:
        with org.transaction():
            id = stored.save(org, "Report", "" if copy else draft.id, place, values["DeveloperName"], tree)
    except OrgError as problem:
        if draft.id and not copy:
            visit.toast(problem.message, "error")
            return visit.go(f"/lightning/r/Report/{draft.key}/edit")
        field = next((one for one in problem.fields if one in _NAMES), _NAMES[0])
        return _ask_save(visit, draft, values, place, then, copy=copy, errors={field: problem.message})
    drafts.forget(visit, draft)
    drafts.looked_at(visit, id)
    address = f"/lightning/r/Report/{id}"
    return visit.go(f"{address}/view" if then == "run" else f"{address}/edit", "Report saved.")


def folder_chosen(visit: Visit, kind: str) -> Place:
    """Return the folder that a form names; the user's own, or the first one, where it names none."""
    places = stored.places(visit.org, kind)
    return next((one for one in places if one.id == visit.field("folder")), places[0])


@page("GET", "/lightning/folders/{kind}")
def choose_folder(visit: Visit) -> Response:
    """Offer the folders in which a report or dashboard can be saved."""
    kind = visit.params["kind"]
    if kind not in FIELDS:
        raise NotHere
    places = stored.places(visit.org, kind)
    chosen = visit.query.get("folder", "")
    return visit.render("reports/folders.html", places=places, chosen=chosen, action="")


@page("GET", BASE + "/close")
def close(visit: Visit) -> Response:
    """Leave the builder, after a question where something is not saved."""
    draft = drafts.opened(visit)
    if draft.dirty and "discard" not in visit.query:
        return visit.render(
            "reports/unsaved.html", address=f"/lightning/r/Report/{draft.key}/close?discard=1"
        )
    drafts.forget(visit, draft)
    return visit.go(f"/lightning/r/Report/{draft.id}/view" if draft.id else HOME)
