"""Reports: what a task's report must say, judged on its metadata component, and what hands do in the report builder.

A task's values have the report's `type` and `type_label`, its `name` and `folder`, and what the template asks for. A
filter is a table: `column` as metadata calls the field, `label` as people do, `operator` and `words`, `value` as the
Analytics API tells it, and what is `typed`, or in `ticked` the boxes that are ticked.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from pytest_cuabench import Case, Milestone, Pilot
from pytest_cuabench.drivers.salesforce.snapshot import METADATA
from pytest_cuabench.task.kinds import free

from .components import others
from .criteria import Conditions
from .judging import API_NAME, ASKED, exists, listed
from .kinds import place
from .lightning import DIALOG, PAGE, enter, named, open_tab, pick, press, tick, told
from .records import Records, Row
from .upstream import fact, first
from .work import Work

KIND = f"{METADATA}Report"
UNFILED = "unfiled$public"
_EDITOR = "[data-popover]"
_GROUPED = {"dateGranularity": "Day", "sortOrder": "Asc"}  # as builders group by a field
Entry = Mapping[str, Any]
Facts = Iterator[Milestone]

# Judging


def new_report(work: Work, case: Case, format: str, *judged: str) -> Row | None:
    """Return the component of the new report, and claim it with its record.

    Args:
        work: What the episode did.
        case: The task's values.
        format: Tabular, Summary or Matrix.
        judged: Elements that milestones judge, beside type, columns and folder.
    """
    work.free(
        KIND,
        params="standard filters that the task does not name",
        scope="the task leaves open whose records are shown",
        timeFrameFilter="the task leaves the range of dates open",
    )
    work.free("Report", DeveloperName=API_NAME)
    report = work.closest(KIND, {"name": case["name"]}, reportType=case["type"])
    work.twin(next(iter(work.made("Report", Name=(report or case)["name"])), None))
    shown = dict.fromkeys(("showDetails", "showGrandTotal", "showSubTotals"), True)
    plain = [{"field": one["field"]} for one in (report or {}).get("columns") or ({"field": "some"},)]
    work.claim(
        report, *judged, **{"format": format, **shown} | ({} if "columns" in judged else {"columns": plain})
    )
    for number, one in enumerate(plain):
        if one["field"] not in case.values.get("columns", ()):
            free(
                place((report or {}).get("Id"), "columns", number, "field"),
                "builders propose other columns in each org",
            )
    return report


def begins(case: Case, report: Row | None) -> Facts:
    """Yield what every report is judged by: that it is there, its type, and its folder."""
    yield exists("report", 0.2, report, f"a new report '{case['name']}'")
    kind = str((report or {}).get("reportType") or "none")
    yield Milestone("type", kind == case["type"], 0.2, f"report type {case['type_label']}", kind)
    yield filed(report, KIND, UNFILED, "Public Reports")


def filed(component: Row | None, kind: str, folder: str, label: str) -> Milestone:
    """A report or dashboard is in a folder; what only its user sees lies in one that has the user's id."""
    found = str((component or {}).get("Id") or "").removeprefix(f"{kind}/").rpartition("/")[0]
    seen = "a private folder" if found.startswith("005") else found
    return Milestone("folder", found == folder, ASKED, f"in the folder {label}", seen or "none")


def filters(report: Row | None) -> Conditions:
    """Return the filters of a report, in the order of their numbers."""
    return conditions(report, "filter", "criteriaItems")


def conditions(report: Row | None, *path: Hashable) -> Conditions:
    """Return the conditions at a place of a report's component."""
    found: Any = report or {}
    for part in path:
        found = found[part] if isinstance(part, int) else found.get(part) or {}
    id = (report or {}).get("Id")
    for number, one in enumerate(found or ()):
        if "isUnlocked" in one:
            free(
                place(id, *path, number, "isUnlocked"),
                "whether readers may change the filter, which no task says",
            )
    return Conditions(found, lambda number: place(id, *path, number, "value"))


def connected(report: Row | None, rows: Sequence[Entry], logic: str) -> bool:
    """Whether the filters of a report are combined by logic, and its filter holds nothing else."""
    held = (report or {}).get("filter") or {}
    found, at = held.get("booleanFilter"), place((report or {}).get("Id"), "filter", "booleanFilter")
    return not others(held, "booleanFilter", "criteriaItems") and filters(report).connected(
        found, rows, logic, at
    )


def said(filters: Sequence[Entry]) -> str:
    """Return filters in one line, for a report."""
    return (
        "; ".join(f"{one.get('column')} {one.get('operator')} {one.get('value')}" for one in filters)
        or "none"
    )


def shows(name: str, weight: float, report: Row | None, column: str) -> Milestone:
    """A report has a column."""
    found = [str(one.get("field")) for one in (report or {}).get("columns") or ()]
    return Milestone(name, column in found, weight, f"the column {column}", listed(found))


def groups(report: Row | None, element: str) -> list[str]:
    """Return the fields by which a report is grouped."""
    return [str(one.get("field")) for one in (report or {}).get(element) or ()]


def grouped(name: str, weight: float, report: Row | None, element: str, field: str) -> Milestone:
    """A report is grouped by one field and no other."""
    found = groups(report, element)
    usual = [not others(one, "field", **_GROUPED) for one in (report or {}).get(element) or ()]
    right = found == [field] and all(usual)
    return Milestone(name, right, weight, f"grouped by {field} only", listed(found))


# The authors' rules


def upstream(org: Records, case: Case) -> tuple[Row, Facts]:
    """Return the first report of the name as the authors see it, and their facts on name and type."""
    row = first(org.where("Report", Name=case["name"]))
    components = org.state.collections.get(KIND, {})
    trees = [tree for key, tree in components.items() if key.endswith(f"/{row.get('DeveloperName')}")]
    tree = dict(trees[0]) if row and trees else {}
    kind = tree.get("reportType") == case["type"]
    return tree, iter((fact("report", 0.2, bool(tree)), fact("type", 0.2, kind)))


def told_by_api(found: Entry, wanted: Entry) -> bool:
    """Whether the Analytics API tells a filter letter by letter as it is wanted; boxes are True and False there."""
    boxes = {"1": "True", "0": "False"} if wanted["value"] in ("True", "False") else {}
    value = boxes.get(str(found.get("value")), found.get("value") or "")
    return (found.get("column"), found.get("operator"), value) == tuple(
        wanted[name] for name in ("column", "operator", "value")
    )


# Hands


async def begin_report(pilot: Pilot, type: str) -> None:
    """Begin a new report of a type in the builder."""
    await open_tab(pilot, "Reports")
    await press(pilot, "New Report", PAGE)
    await pilot.fill(named("searchbox", "Search Report Types...", DIALOG), type)
    await pilot.click(named("button", type, "#report-types"))
    await press(pilot, "Start Report", "#report-type")


async def add_column(pilot: Pilot, label: str) -> None:
    """Add a column in the outline."""
    await _choose_field(pilot, "Add column", label)


async def group_by(pilot: Pilot, label: str, side: str = "row") -> None:
    """Group rows, or columns, by a field."""
    await _choose_field(pilot, f"Add {side} group", label)


async def _choose_field(pilot: Pilot, search: str, label: str) -> None:
    await pilot.fill(named("combobox", search, PAGE), label)
    await pilot.click(named("menuitem", label, named("menu", search, PAGE)))


async def open_panel(pilot: Pilot, name: str) -> None:
    """Open the Outline or the Filters."""
    await pilot.click(f"{PAGE} >> #panel-{name.lower()}")


async def add_filter(pilot: Pilot, entry: Entry) -> None:
    """Add a filter on a field; its panel is open."""
    await _choose_field(pilot, "Add filter", entry["label"])
    await _set_filter(pilot, entry)


async def _set_filter(pilot: Pilot, entry: Entry) -> None:
    if entry["words"] != "equals":
        await pick(pilot, "Operator", entry["words"], _EDITOR)
    for value in entry.get("ticked", ()):
        await pilot.fill(named("searchbox", "Search values", _EDITOR), value)
        await tick(pilot, value, _EDITOR)
    if entry.get("typed"):
        await enter(pilot, "Value", entry["typed"], _EDITOR)
    await press(pilot, "Apply", _EDITOR)


async def _filter_option(pilot: Pilot, entry: str) -> None:
    await press(pilot, "More Filter Options", PAGE)
    await pilot.click(named("menuitem", entry, named("menu", "More Filter Options", PAGE)))


async def set_logic(pilot: Pilot, logic: str) -> None:
    """Combine the filters; their panel is open."""
    await _filter_option(pilot, "Add Filter Logic")
    await enter(pilot, "Filter Logic", logic, _EDITOR)
    await press(pilot, "Apply", _EDITOR)


async def add_cross_filter(pilot: Pilot, label: str, operation: str, filters: Sequence[Entry]) -> None:
    """Add a cross filter with its sub-filters; the panel of filters is open."""
    await _filter_option(pilot, "Add Cross Filter")
    if operation != "with":
        await pick(pilot, "Operator", operation, _EDITOR)
    await pick(pilot, "Secondary Object", label, _EDITOR)
    await press(pilot, "Apply", _EDITOR)
    for entry in filters:
        await press(pilot, f"Add {label} Filter", PAGE)
        await pilot.fill(named("searchbox", "Search fields...", _EDITOR), entry["label"])
        await press(pilot, entry["label"], _EDITOR)
        await _set_filter(pilot, entry)


async def from_column(pilot: Pilot, column: str, entry: str) -> None:
    """Choose from the menu of a column of the preview."""
    await press(pilot, f"Actions for {column}", PAGE)
    await pilot.click(named("menuitem", entry, named("menu", f"Actions for {column}", PAGE)))


async def save_report(pilot: Pilot, name: str, folder: str = "Public Reports") -> None:
    """Save the new report under a name in a folder."""
    await press(pilot, "Save", PAGE)
    await enter(pilot, "Report Name", name)
    await press(pilot, "Select Folder")
    await pilot.click(named("option", folder, DIALOG))
    await press(pilot, "Select Folder")
    await press(pilot, "Save")
    await told(pilot)
