"""Dashboard with a widget."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values
from pytest_cuabench.drivers.salesforce.snapshot import METADATA
from pytest_cuabench.task.kinds import Place, free

from ..toolkit import reports
from ..toolkit.components import others
from ..toolkit.following import OneOf
from ..toolkit.judging import API_NAME, ASKED, Findings, exists, judged, listed
from ..toolkit.kinds import SAID, place
from ..toolkit.lightning import DIALOG, PAGE, enter, named, open_tab, press, told
from ..toolkit.records import Records, Row
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import Given, Milestones

_KIND = f"{METADATA}Dashboard"
_FOLDER = "ServiceDashboards"
# What the page fills in by itself: colours, and who runs the dashboard.
_LOOKS = [
    "backgroundEndColor",
    "backgroundFadeDirection",
    "backgroundStartColor",
    "chartTheme",
    "colorPalette",
    "dashboardChartTheme",
    "dashboardColorPalette",
    "dashboardType",
    "isGridLayout",
    "runningUser",
    "textColor",
    "titleColor",
    "titleSize",
]
_PLACES = ("colSpan", "columnIndex", "rowIndex", "rowSpan")
_ASKED = ("componentType", "header", "report", "chartSummary", "groupingColumn")
# A widget as its dialog proposes it; which elements there are depends on its kind.
_PROPOSED = {"displayUnits": "Auto", "legendPosition": OneOf((None, "Bottom"))}
# How metadata and builders call a widget, and as what the Analytics API tells it.
_WIDGETS = {"FlexTable": ("Table", "FlexTable"), "BarStacked": ("Stacked Bar", "Bar")}


def case(state: State, random: Random, values: Given) -> Values:
    """Find the report, and another one that is taken for it."""
    rows = Records(state).where("Report", FolderName="Public Reports")
    names = {row["Name"]: row["DeveloperName"] for row in rows}
    return {
        "source": f"unfiled$public/{names[values['report']]}",
        "other_report": random.choice(sorted(names.keys() - {values["report"]})),
        "kind_words": _words(values["kind"]),
    }


def _words(kind: str) -> str:
    return _WIDGETS.get(kind, (kind,))[0]


def _at(dashboard: Row | None) -> Place:
    """Return where the first widget is."""
    return place((dashboard or {}).get("Id"), "dashboardGridLayout", "dashboardGridComponents", 0)


def _rest(dashboard: Row | None) -> list[str]:
    """Return what the layout has beside widgets and a grid."""
    layout = (dashboard or {}).get("dashboardGridLayout") or {}
    return others(layout, "dashboardGridComponents", "numberOfColumns", "rowHeight") + [
        name
        for one in layout.get("dashboardGridComponents") or ()
        for name in others(one, "dashboardComponent", *_PLACES)
    ]


def _components(dashboard: Row | None) -> list[Row]:
    layout = (dashboard or {}).get("dashboardGridLayout") or {}
    return [one["dashboardComponent"] for one in layout.get("dashboardGridComponents") or ()]


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a dashboard with this one widget."""
    work.free("Dashboard", DeveloperName=API_NAME, RunningUserId="who runs it is the page's doing")
    work.free(_KIND, **dict.fromkeys(_LOOKS, "the page fills it in"))
    dashboard = work.closest(_KIND, {"title": case["dashboard"]})
    work.twin(
        next(iter(work.made("Dashboard", Title=(dashboard or {}).get("title", case["dashboard"]))), None)
    )
    work.claim(dashboard, "dashboardGridLayout")
    yield exists("dashboard", 0.2, dashboard, f"a new dashboard '{case['dashboard']}'")
    found, at = _components(dashboard), _at(dashboard)
    for name in _PLACES:
        free((*at, name), "where the widget lies, and how large it is")
    for name in ("numberOfColumns", "rowHeight"):
        free(place((dashboard or {}).get("Id"), "dashboardGridLayout", name), "the grid that widgets lie on")
    for name in _ASKED[3:]:
        free((*at, "dashboardComponent", name), "the dialog proposes what the report has")
    widget = first(found)
    source, kind = str(widget.get("report") or "none"), str(widget.get("componentType") or "none")
    header = str(widget.get("header") or "none")
    yield Milestone("source", source == case["source"], 0.2, case["source"], source)
    yield Milestone("kind", kind == case["kind"], 0.3, case["kind"], kind)
    yield Milestone(
        "title",
        SAID.same(header, case["header"], (*at, "dashboardComponent", "header")),
        0.3,
        case["header"],
        header,
    )
    kinds = listed(str(one["componentType"]) for one in found)
    table = kind == "FlexTable"
    alone = (
        len(found) == 1
        and not others(widget, *_ASKED, **_PROPOSED, autoselectColumnsFromReport=table)
        and not _rest(dashboard)
    )
    yield Milestone("one_widget", alone, ASKED, "one widget, else as it is proposed", kinds)
    yield reports.filed(dashboard, _KIND, _FOLDER, "Service Dashboards")


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first widget only; stacked bars are bars, and the folder is not looked at."""
    org = Records(evidence.after)
    row = first(org.where("Dashboard", Title=case["dashboard"]))
    trees = org.state.collections.get(_KIND, {}).items()
    dashboards = [tree for key, tree in trees if row and key.endswith(f"/{row['DeveloperName']}")]
    widget = first(_components(first(dashboards)))
    kind = str(widget.get("componentType") or "")
    wanted = case["kind"]
    yield fact("dashboard", 0.2, bool(row))
    yield fact("source", 0.2, widget.get("report") == case["source"])
    yield fact("kind", 0.3, _WIDGETS.get(kind, ("", kind))[1] == _WIDGETS.get(wanted, ("", wanted))[1])
    yield fact("title", 0.3, widget.get("header") == case["header"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Begin the dashboard in its folder, add the widget, and save."""
    await open_tab(pilot, "Dashboards")
    await press(pilot, "New Dashboard", PAGE)
    await enter(pilot, "Name", case["dashboard"])
    await press(pilot, "Select Folder")
    await pilot.click(named("option", "Service Dashboards", DIALOG))
    await press(pilot, "Select Folder")
    await press(pilot, "Create")
    await press(pilot, "+ Widget", PAGE)
    await pilot.click(named("menuitem", "Chart or Table", PAGE))
    await pilot.fill(named("searchbox", "Search Reports and Folders...", DIALOG), case["report"])
    await press(pilot, case["report"], "#sources")
    kind = named("radio", _words(case["kind"]), DIALOG)
    await pilot.click(f"{kind} >> xpath=following-sibling::label")
    await enter(pilot, "Title", case["header"])
    await press(pilot, "Add")
    await press(pilot, "Save", PAGE)
    await told(pilot)


@slip("milestone:source", 0.833)
def took_another_report(case: Case) -> Case:
    """The widget shows other figures under the right title."""
    return misread(case, report=case["other_report"])


@slip("milestone:kind", 0.75)
def drew_another_chart(case: Case) -> Case:
    """The figures are right, the shape is not."""
    return misread(case, kind="Funnel")


@slip("milestone:title", 0.75)
def left_the_report_s_name(case: Case) -> Case:
    """The widget has the title that the page proposes."""
    return misread(case, header=f"{case['header']} report")
