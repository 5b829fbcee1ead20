"""Dashboards: their list, the builder that places widgets on a grid, and the page that shows what they find."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from starlette.responses import Response

from salesforce_org.pages.reports.builder import folder_chosen
from salesforce_org.pages.reports.choices import axes_of
from salesforce_org.pages.reports.drafts import looked_at, record
from salesforce_org.pages.reports.drawing import charted, drawn
from salesforce_org.pages.reports.listing import listed
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.reports import dashboards, definition, stored
from salesforce_org.reports.dashboards import TEXT, WIDGETS
from salesforce_org.reports.definition import Report
from salesforce_org.reports.editing import LEGENDS
from salesforce_org.reports.running import run
from salesforce_org.reports.stored import Place
from salesforce_org.store import Record
from salesforce_org.store.errors import OrgError

HOME = "/lightning/o/Dashboard/home"
BASE = "/lightning/r/Dashboard/{id}"
_ROWS = 10


@dataclass
class Board:
    """A dashboard that is being built; `key` is its part of the address."""

    key: str
    tree: dict[str, Any]
    saved: dict[str, Any]
    place: Place
    developer: str

    @property
    def id(self) -> str:
        """The record's id; empty for a new dashboard."""
        return "" if self.key.startswith("new-") else self.key


@page("GET", HOME)
def show_list(visit: Visit) -> Response:
    """List dashboards or folders."""
    return listed(visit, "Dashboard", HOME)


@page("GET", "/lightning/o/Dashboard/list")
def lead(visit: Visit) -> Response:
    """Lead to the list of dashboards."""
    return visit.go(HOME)


@page("GET", "/lightning/o/Dashboard/new")
def ask_new(visit: Visit) -> Response:
    """Ask for the name and the folder of a new dashboard."""
    places = stored.places(visit.org, "Dashboard")
    return _ask(visit, {"Title": "", "Description": ""}, places[0], {})


@page("POST", "/lightning/o/Dashboard/new")
def begin(visit: Visit) -> Response:
    """Begin a dashboard in the builder."""
    values = {name: visit.field(name) for name in ("Title", "Description")}
    place = folder_chosen(visit, "Dashboard")
    if not values["Title"]:
        return _ask(visit, values, place, {"Title": "Complete this field."})
    drafts = _drafts(visit)
    number = next(n for n in range(1, len(drafts) + 2) if f"dashboard new-{n}" not in drafts)
    tree = dashboards.new(visit.org, values["Title"], values["Description"])
    developer = stored.free_name(visit.org, "Dashboard", values["Title"])
    drafts[f"dashboard new-{number}"] = Board(f"new-{number}", tree, {}, place, developer)
    return visit.go(f"/lightning/r/Dashboard/new-{number}/edit")


def _ask(visit: Visit, values: dict[str, str], place: Place, errors: dict[str, str]) -> Response:
    return visit.render("reports/new_dashboard.html", values=values, place=place, errors=errors)


def _drafts(visit: Visit) -> dict[str, Any]:
    if visit.login is None:
        raise NotHere
    return visit.login.drafts


def _board(visit: Visit, *, again: bool = False) -> Board:
    key, drafts = visit.params["id"], _drafts(visit)
    found = drafts.get(f"dashboard {key}")
    if isinstance(found, Board) and not (again and found.id and found.tree == found.saved):
        return found
    row = record(visit, "Dashboard")
    tree, place = (
        dict(stored.tree_of(visit.org, "Dashboard", row)),
        stored.place_of(visit.org, "Dashboard", row),
    )
    if place is None:
        raise NotHere
    made = Board(row["Id"], tree, tree, place, row["DeveloperName"])
    drafts[f"dashboard {made.key}"] = made
    return made


def move_draft(visit: Visit, id: str, place: Place) -> None:
    """Have what is being built of a dashboard saved in another folder from now on."""
    if isinstance(found := _drafts(visit).get(f"dashboard {id}"), Board):
        found.place = place


# Building


@page("GET", BASE + "/edit")
def build(visit: Visit) -> Response:
    """Open the builder."""
    return visit.render(
        "reports/board.html", object="Dashboard", **_context(visit, _board(visit, again=True))
    )


def _context(visit: Visit, board: Board) -> dict[str, Any]:
    base = f"/lightning/r/Dashboard/{board.key}"
    return {"board": board, "base": base, "tree": board.tree, "widgets": _widgets(visit, board.tree)}


@page("POST", BASE + "/builder")
def act(visit: Visit) -> Response:
    """Remove a widget, or give the dashboard another name."""
    board = _board(visit)
    components, at = dashboards.placed(board.tree), visit.field("number")
    if visit.field("do") == "remove" and at.isdecimal() and 1 <= int(at) <= len(components):
        del components[int(at) - 1]
        board.tree = dashboards.with_components(board.tree, components)
    if visit.field("do") == "rename" and visit.field("name"):
        board.tree = {**board.tree, "title": visit.field("name")}
    return visit.render("reports/grid.html", **_context(visit, board))


@page("GET", BASE + "/sources")
def ask_source(visit: Visit) -> Response:
    """Offer the reports that a widget can show."""
    board, words = _board(visit), visit.query.get("search", "").strip()
    rows = [row for row in stored.visible(visit.org, "Report") if words.casefold() in row["Name"].casefold()]
    rows = [row for row in rows if not visit.org.get("User", row["OwnerId"]) or board.place.private]
    part = visit.fragment == "sources"
    template = "reports/source_rows.html" if part else "reports/sources.html"
    return visit.render(template, base=f"/lightning/r/Dashboard/{board.key}", rows=rows, words=words)


@page("GET", BASE + "/widget")
def ask_widget(visit: Visit) -> Response:
    """Ask for the properties of a widget, new of a report, or of a number."""
    board, at = _board(visit), visit.query.get("number", "")
    components = dashboards.placed(board.tree)
    told = components[int(at) - 1] if at.isdecimal() and 1 <= int(at) <= len(components) else None
    if told is not None and told["dashboardComponent"]["componentType"] == TEXT:
        return _ask_text(visit, board, at, told)
    found = _source(visit, visit.query.get("report", ""), told)
    if found is None:
        raise NotHere
    row, report = found
    inside = told["dashboardComponent"] if told else {}
    place = told or dashboards.below(components)
    first = "Bar" if report.groupings else "FlexTable"
    return visit.render(
        "reports/widget.html",
        base=f"/lightning/r/Dashboard/{board.key}",
        number=at,
        row=row,
        report=report,
        told=inside,
        place=place,
        kinds=[(name, label) for name, (label, _, _) in WIDGETS.items()],
        kind=inside.get("componentType", first),
        axes_of=axes_of,
        legends=LEGENDS,
        groupings=[(one.column.key, one.column.label) for one in report.groupings],
        summaries=[(one.key, one.label) for one in report.summaries],
        chosen=charted(report, {"chartSummaries": inside["chartSummary"]}).key
        if "chartSummary" in inside
        else "",
    )


@page("GET", BASE + "/text")
def ask_text(visit: Visit) -> Response:
    """Ask for the text of a new widget."""
    return _ask_text(visit, _board(visit), "", None)


def _ask_text(visit: Visit, board: Board, at: str, told: Any) -> Response:
    inside = told["dashboardComponent"] if told else {}
    content = next(
        (one.get("richTextContent", "") for one in inside.get("dashboardComponentContents", ())), ""
    )
    place = told or dashboards.below(dashboards.placed(board.tree))
    base = f"/lightning/r/Dashboard/{board.key}"
    return visit.render("reports/text.html", base=base, number=at, content=content, place=place)


@page("POST", BASE + "/widget")
def put_widget(visit: Visit) -> Response:
    """Add a widget, or change the one of a number."""
    board, at = _board(visit), visit.field("number")
    components = dashboards.placed(board.tree)
    old = components[int(at) - 1] if at.isdecimal() and 1 <= int(at) <= len(components) else None
    if visit.field("kind") == TEXT:
        content = [{"richTextContent": visit.field("content")}]
        inside: dict[str, Any] = {"componentType": TEXT, "dashboardComponentContents": content}
    else:
        found = _source(visit, visit.field("report"), old)
        if found is None or visit.field("kind") not in WIDGETS:
            raise NotHere
        values = {name: visit.field(name) for name in _PROPERTIES}
        name = stored.full_name(visit.org, "Report", found[0])
        inside = dashboards.component(visit.field("kind"), name, values, found[1])
    made = {**_placed(visit, dashboards.below(components)), "dashboardComponent": inside}
    if old is None:
        components.append(made)
    else:
        components[int(at) - 1] = made
    board.tree = dashboards.with_components(board.tree, components)
    return visit.go(f"/lightning/r/Dashboard/{board.key}/edit")


_PROPERTIES = ("header", "title", "footer", "legend", "showValues", "grouping", "summary")


def _placed(visit: Visit, place: dict[str, int]) -> dict[str, int]:
    """Return the place that a form gives, on the grid; what it leaves out stays."""
    given = {name: int(text) for name in place if (text := visit.field(name)).isdecimal() and len(text) < 4}
    made = {**place, **given}
    made["colSpan"] = min(max(made["colSpan"], 1), dashboards.COLUMNS)
    made["columnIndex"] = min(made["columnIndex"], dashboards.COLUMNS - made["colSpan"])
    return made | {"rowSpan": max(made["rowSpan"], 1)}


def _source(visit: Visit, id: str, told: Any) -> tuple[Record, Report] | None:
    row = visit.org.get("Report", id)
    if row is not None and row in stored.visible(visit.org, "Report"):
        report = definition.read(visit.org, stored.tree_of(visit.org, "Report", row))
        return (row, report) if report else None
    return dashboards.source(visit.org, told["dashboardComponent"]) if told else None


@page("POST", BASE + "/save")
def save(visit: Visit) -> Response:
    """Store the dashboard."""
    board = _board(visit)
    try:
        with visit.org.transaction():
            id = stored.save(visit.org, "Dashboard", board.id, board.place, board.developer, board.tree)
    except OrgError as problem:
        visit.toast(problem.message, "error")
        return visit.go(f"/lightning/r/Dashboard/{board.key}/edit")
    _drafts(visit).pop(f"dashboard {board.key}", None)
    looked_at(visit, id)
    return visit.go(f"/lightning/r/Dashboard/{id}/edit", "Dashboard saved.")


@page("GET", BASE + "/close")
def close(visit: Visit) -> Response:
    """Leave the builder, after a question where something is not saved."""
    board = _board(visit)
    if board.tree != board.saved and "discard" not in visit.query:
        address = f"/lightning/r/Dashboard/{board.key}/close?discard=1"
        return visit.render("reports/unsaved.html", address=address)
    _drafts(visit).pop(f"dashboard {board.key}", None)
    return visit.go(f"/lightning/r/Dashboard/{board.id}/view" if board.id else HOME)


# Showing


@dataclass(frozen=True)
class Widget:
    """A component as it is shown: its number and place, its texts, and a drawing, a table, a figure or a text."""

    number: int
    place: dict[str, Any]
    told: dict[str, Any]
    row: Record | None = None
    drawing: Any = None
    heads: tuple[str, ...] = ()
    lines: tuple[tuple[str, ...], ...] = ()
    figure: str = ""
    text: str = ""


def _widgets(visit: Visit, tree: dict[str, Any]) -> list[Widget]:
    """Return the widgets from left to right and from top to bottom."""
    found = [_widget(visit, number, one) for number, one in enumerate(dashboards.placed(tree), 1)]
    return sorted(found, key=lambda one: (int(one.place["rowIndex"]), int(one.place["columnIndex"])))


def _widget(visit: Visit, number: int, place: dict[str, Any]) -> Widget:
    told = place["dashboardComponent"]
    made = Widget(number, place, told)
    if told["componentType"] == TEXT:
        contents = told.get("dashboardComponentContents", ())
        return replace(made, text="\n".join(str(one.get("richTextContent", "")) for one in contents))
    found = dashboards.source(visit.org, told)
    if found is None:
        return made
    ran = run(visit.org, found[1])
    made = replace(made, row=found[0])
    if told["componentType"] == "Metric":
        return replace(made, figure=ran.figure(charted(found[1], dashboards.chart(told))).text)
    if told["componentType"] != "FlexTable":
        return replace(made, drawing=drawn(ran, dashboards.chart(told)))
    figures = found[1].summaries
    if found[1].groupings:
        groups = ran.down.groups
        heads = (found[1].groupings[0].column.label, *(one.label for one in figures))
        lines = tuple((one.label, *(ran.figure(each, one).text for each in figures)) for one in groups)
        return replace(made, heads=heads, lines=lines)
    heads = tuple(one.label for one in found[1].columns)
    rows = range(min(len(ran.rows), _ROWS))
    return replace(made, heads=heads, lines=tuple(tuple(one.text for one in ran.cells(n)) for n in rows))


@page("GET", BASE + "/view")
def show(visit: Visit) -> Response:
    """Show a dashboard with what its reports find now."""
    row = record(visit, "Dashboard")
    looked_at(visit, row["Id"])
    tree = dict(stored.tree_of(visit.org, "Dashboard", row))
    base = f"/lightning/r/Dashboard/{row['Id']}"
    context = {"row": row, "tree": tree, "base": base, "widgets": _widgets(visit, tree), "board": None}
    return visit.render("reports/dashboard.html", object="Dashboard", status=200, **context)


@page("GET", BASE + "/delete")
def ask_delete(visit: Visit) -> Response:
    """Ask whether a dashboard shall go."""
    what = f"the dashboard {record(visit, 'Dashboard')['Title']}"
    context: dict[str, Any] = {"label": "Dashboard", "what": what, "ids": "", "back": "", "problems": []}
    return visit.render("record/delete.html", action=visit.path, **context)


@page("POST", BASE + "/delete")
def delete(visit: Visit) -> Response:
    """Delete a dashboard."""
    row = record(visit, "Dashboard")
    stored.remove(visit.org, "Dashboard", row)
    return visit.go(HOME, f'Dashboard "{row["Title"]}" was deleted.')
