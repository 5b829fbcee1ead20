"""The Reports tab: reports by whose they are, by folder, and how new ones and folders begin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from salesforce_org.pages.formats import moment
from salesforce_org.pages.reports.builder import HOME
from salesforce_org.pages.reports.viewing import favorites
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.reports import definition, stored
from salesforce_org.reports.stored import FIELDS, developer_name
from salesforce_org.reports.types import CATEGORIES, report_type, report_types
from salesforce_org.store import Record
from salesforce_org.store.errors import OrgError
from salesforce_org.store.values import read_moment

VIEWS = {
    "recent": "Recent",
    "created": "Created by Me",
    "private": "Private {}s",
    "public": "Public {}s",
    "all": "All {}s",
}
FOLDER_VIEWS = {"folders": "All Folders", "own-folders": "Created by Me"}
_RECENTLY = "Recently Used"
_ALL = "All"


@page("GET", "/lightning/o/Report/home")
def show(visit: Visit) -> Response:
    """List reports or folders."""
    return listed(visit, "Report", HOME)


@page("GET", "/lightning/o/Report/list")
def show_list(visit: Visit) -> Response:
    """Lead to the list of reports."""
    return visit.go(HOME)


def listed(visit: Visit, kind: str, home: str) -> Response:
    """List the reports or dashboards of a view, or the folders."""
    view, folder = visit.query.get("view", "recent"), visit.query.get("folder", "")
    words = visit.query.get("search", "").strip()
    places = stored.places(visit.org, kind)
    place = next((one for one in places if one.id == folder), None)
    if folder and place is None:
        raise NotHere
    titles = {name: text.format(kind) for name, text in VIEWS.items()}
    titles |= FOLDER_VIEWS | {"favorites": "All Favorites"}
    if view not in titles:
        raise NotHere
    context: dict[str, Any] = {
        "kind": kind,
        "home": home,
        "view": "" if place else view,
        "title": place.label if place else titles[view],
        "views": [(name, titles[name]) for name in VIEWS],
        "folder_views": list(FOLDER_VIEWS.items()),
        "place": place,
        "words": words,
        "name_field": FIELDS[kind][0],
        "favorites": favorites(visit),
        "moment": lambda text: moment(read_moment(text), visit.org.zone),
    }
    if view in FOLDER_VIEWS and not place:
        own = view == "own-folders"
        rows = {one["Id"]: one for one in visit.org.rows("Folder", Type=kind)}
        chosen = [one for one in places if one.id in rows]
        if own:
            chosen = [one for one in chosen if rows[one.id]["CreatedById"] == visit.org.user_id]
        context["folders"] = [
            (one, rows[one.id]) for one in chosen if words.casefold() in one.label.casefold()
        ]
    else:
        context["rows"] = [row for row in _rows(visit, kind, view, folder) if _holds(row, kind, words)]
    return visit.render("reports/list.html", object=kind, **context)


def _rows(visit: Visit, kind: str, view: str, folder: str) -> list[Record]:
    rows, owner, user = stored.visible(visit.org, kind), FIELDS[kind][1], visit.org.user_id
    if folder:
        return [row for row in rows if row[owner] == folder]
    if view == "recent":
        by_id = {row["Id"]: row for row in rows}
        return [by_id[id] for id in (visit.login.recent if visit.login else []) if id in by_id]
    organization = next(visit.org.rows("Organization"))["Id"]
    tests: dict[str, Callable[[Record], bool]] = {
        "created": lambda row: row["CreatedById"] == user,
        "private": lambda row: row[owner] == user,
        "public": lambda row: row[owner] == organization,
        "all": lambda row: True,
        "favorites": lambda row: row["Id"] in favorites(visit),
    }
    return [row for row in rows if tests[view](row)]


def _holds(row: Record, kind: str, words: str) -> bool:
    text = f"{row[FIELDS[kind][0]]} {row.get('Description') or ''} {row['FolderName']}"
    return words.casefold() in text.casefold()


# New reports


@page("GET", "/lightning/o/Report/new")
def pick_type(visit: Visit) -> Response:
    """Ask for the type of a new report."""
    types = report_types(visit.org)
    recent = visit.login.drafts.get("report types", []) if visit.login else []
    category = visit.query.get("category", "") or (_RECENTLY if recent else _ALL)
    words = visit.query.get("search", "").strip()
    found = sorted(types.values(), key=lambda one: one.label.casefold())
    if words:
        found = [one for one in found if words.casefold() in one.label.casefold()]
    elif category == _RECENTLY:
        found = [types[name] for name in recent if name in types]
    elif category != _ALL:
        found = [one for one in found if one.category == category]
    context: dict[str, Any] = {
        "categories": (_RECENTLY, _ALL, *CATEGORIES),
        "category": "" if words else category,
        "types": found,
        "words": words,
        "custom": lambda one: one.name in {f"{name}__c" for name in visit.org.components("ReportType")},
    }
    part = visit.fragment == "report-types"
    if visit.fragment is None:
        return visit.render("reports/picking.html", object="Report", behind=HOME, **context)
    return visit.render("reports/types.html" if part else "reports/picker.html", **context)


@page("GET", "/lightning/report-type/{name}")
def describe_type(visit: Visit) -> Response:
    """Show what a report type offers."""
    type = report_type(visit.org, visit.params["name"])
    if type is None:
        raise NotHere
    address = f"/lightning/builder/report?{urlencode({'type': type.name})}"
    made = [
        row
        for row in stored.visible(visit.org, "Report")
        if row["CreatedById"] == visit.org.user_id
        and stored.tree_of(visit.org, "Report", row).get("reportType") == type.name
    ]
    begins = definition.Report(type, definition.new(type))
    return visit.render("reports/type.html", type=type, address=address, made=made[:5], begins=begins)


# Folders


@page("GET", "/lightning/folders/{kind}/new")
def ask_folder(visit: Visit) -> Response:
    """Ask for the names of a new folder."""
    return _ask_folder(visit, {"Name": "", "DeveloperName": ""})


@page("POST", "/lightning/folders/{kind}/new")
def make_folder(visit: Visit) -> Response:
    """Make a folder."""
    kind = _kind(visit)
    values = {"Name": visit.field("Name"), "DeveloperName": visit.field("DeveloperName")}
    if not values["Name"]:
        return _ask_folder(visit, values, {"Name": "Complete this field."})
    values["DeveloperName"] = values["DeveloperName"] or developer_name(values["Name"])
    try:
        with visit.org.transaction():
            id = visit.org.insert("Folder", **values, Type=kind, AccessType="Public")
    except OrgError as problem:
        field = (problem.fields or ("Name",))[0]
        return _ask_folder(visit, values, {field: problem.message})
    home = f"/lightning/o/{kind}/home"
    return visit.go(f"{home}?{urlencode({'folder': id})}", f'Folder "{values["Name"]}" was created.')


@page("GET", "/lightning/folders/{kind}/{id}/delete")
def ask_folder_delete(visit: Visit) -> Response:
    """Ask whether a folder shall go."""
    return _ask_folder_delete(visit, [])


@page("POST", "/lightning/folders/{kind}/{id}/delete")
def delete_folder(visit: Visit) -> Response:
    """Delete a folder; one that holds something stays."""
    row, kind = _folder(visit), _kind(visit)
    if any(one[FIELDS[kind][1]] == row["Id"] for one in visit.org.rows(kind)):
        return _ask_folder_delete(
            visit, [f"You can't delete this folder because it contains {kind.lower()}s."]
        )
    visit.org.delete(row["Id"])
    return visit.go(f"/lightning/o/{kind}/home?view=folders", f'Folder "{row["Name"]}" was deleted.')


def _ask_folder_delete(visit: Visit, problems: list[str]) -> Response:
    what = f"the folder {_folder(visit)['Name']}"
    context: dict[str, Any] = {"label": "Folder", "what": what, "ids": "", "back": "", "problems": problems}
    return visit.render("record/delete.html", action=visit.path, **context)


def _ask_folder(visit: Visit, values: dict[str, str], errors: dict[str, str] | None = None) -> Response:
    _kind(visit)
    return visit.render("reports/new_folder.html", values=values, errors=errors or {}, action=visit.path)


def _folder(visit: Visit) -> Record:
    row = visit.org.get("Folder", visit.params["id"])
    if row is None or row["Type"] != _kind(visit):
        raise NotHere
    return row


def _kind(visit: Visit) -> str:
    kind = visit.params["kind"]
    if kind not in FIELDS:
        raise NotHere
    return kind
