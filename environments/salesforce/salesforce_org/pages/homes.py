"""The home page, the App Launcher, opening apps, and the menus of tabs."""

from __future__ import annotations

from typing import Any

from starlette.responses import RedirectResponse, Response

from salesforce_org.pages import apps, finding
from salesforce_org.pages.approvals import items_to_approve
from salesforce_org.pages.dialogs import of_object
from salesforce_org.pages.formats import day, link
from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.lookups import offer
from salesforce_org.pages.routing import page
from salesforce_org.pages.shell import Shell
from salesforce_org.pages.tables import table
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.store import Record
from salesforce_org.store.values import read_moment

_HOME = "/lightning/page/home"


@page("GET", _HOME)
def home(visit: Visit) -> Response:
    """Show what is up today."""
    org = visit.org
    local = org.now.astimezone(org.zone)
    part = "morning" if local.hour < 12 else "afternoon" if local.hour < 18 else "evening"
    tasks = list(org.rows("Task", OwnerId=org.user_id, IsClosed=False))
    tasks.sort(key=lambda one: one.get("ActivityDate") or "9999")
    deals = list(org.rows("Opportunity", OwnerId=org.user_id, IsClosed=False))
    deals.sort(key=lambda one: one.get("Amount") or 0, reverse=True)
    kind = org.schema["Opportunity"]
    recent = visit.login.recent[:8] if visit.login else []
    return visit.render(
        "home/home.html",
        part=part,
        day=day(local.date()),
        tasks=[(link(org, one["Id"]), one.get("ActivityDate")) for one in tasks[:5]],
        approvals=items_to_approve(org),
        events=[link(org, one["Id"]) for one in _today(visit)],
        deals=table(org, layout_of(kind), ("Name", "AccountId", "Amount", "CloseDate"), deals[:5]),
        recent=[
            offer(org, found, row)
            for id in recent
            if (found := org.schema.of_id(id)) and (row := org.get(found.name, id))
        ],
    )


@page("GET", "/lightning")
def begin(visit: Visit) -> Response:
    """Go to the home page."""
    return visit.go("/lightning/page/home")


@page("GET", "/lightning/launcher")
def launcher(visit: Visit) -> Response:
    """Show all apps and items in a dialog."""
    return visit.render("home/launcher.html")


@page("GET", "/lightning/app/{name}")
def open_app(visit: Visit) -> Response:
    """Open an app at its first tab."""
    app = next((one for one in apps.all_apps(visit.org) if one.name == visit.params["name"]), None)
    if app is None or visit.login is None:
        raise NotHere
    visit.login.app = app.name
    return visit.go(apps.tab(visit.org, app.tabs[0]).href if app.tabs else "/lightning/page/home")


@page("POST", "/lightning/tabs/close")
def close_tab(visit: Visit) -> Response:
    """Close a tab of what is not in the app; the app's first tab follows the one that is shown."""
    shell, back = Shell(visit), visit.field("back")
    assert visit.login is not None
    names = visit.login.temporary.get(shell.app.name, [])
    visit.login.temporary[shell.app.name] = [name for name in names if name != visit.field("tab")]
    first = shell.tabs[0].href if shell.tabs else _HOME
    return visit.go(back if back.startswith("/lightning/") else first)


@page("POST", "/lightning/workspace/close")
def close_record(visit: Visit) -> Response:
    """Close a record's tab of a console app; where it was shown, the tab beside it follows, or the app's first."""
    shell, back, id = Shell(visit), visit.field("back"), visit.field("id")
    assert visit.login is not None
    tabs = visit.login.workspace.get(shell.app.name, [])
    at = tabs.index(id) if id in tabs else 0
    visit.login.workspace[shell.app.name] = [one for one in tabs if one != id]
    left = shell.workspace
    beside = left[min(at, len(left) - 1)][2] if left else shell.tabs[0].href if shell.tabs else _HOME
    return visit.go(back if back.startswith("/lightning/") else beside)


@page("GET", "/lightning/n/{name}")
def missing_tab(visit: Visit) -> Response:
    """Say that what a tab leads to is not there."""
    tab = apps.tab(visit.org, visit.params["name"])
    if tab.object or not any(tab.href == one.href for one in apps.all_items(visit.org)):
        raise NotHere
    return visit.render("home/missing_tab.html", tab=tab)


@page("GET", "/lightning/o/{object}/home")
def object_home(visit: Visit) -> Response:
    """Go to an object's list, as it was last seen."""
    return RedirectResponse(apps.object_href(of_object(visit).name), 303)


@page("GET", "/lightning/o/{object}/menu")
def tab_menu(visit: Visit) -> Response:
    """Offer a new record, recent records and lists of an object's tab."""
    kind = of_object(visit)
    org = visit.org
    items: list[dict[str, Any]] = []
    if layout_of(kind).create:
        items.append({"label": f"New {kind.label}", "opens": f"/lightning/o/{kind.name}/new"})
    seen = [one for one in (visit.login.recent if visit.login else []) if org.get(kind.name, one)]
    items.append({"heading": "Recent records"})
    for row in finding.recent(org, kind, seen, 3) if seen else []:
        items.append({"label": org.name_of(row["Id"]), "href": f"/lightning/r/{kind.name}/{row['Id']}/view"})
    items.append({"heading": "Recent lists"})
    lists = sorted(org.rows("ListView", SobjectType=kind.name), key=lambda one: str(one["Name"]).casefold())
    for row in lists[:3]:
        items.append({"label": row["Name"], "href": apps.object_href(kind.name, filterName=row["Id"])})
    return visit.render("home/menu.html", items=items)


def _today(visit: Visit) -> list[Record]:
    org = visit.org
    mine = [one for one in org.rows("Event", OwnerId=org.user_id) if one.get("StartDateTime")]
    when = [(read_moment(one["StartDateTime"]).astimezone(org.zone), one) for one in mine]
    return [one for moment, one in sorted(when, key=lambda pair: pair[0]) if moment.date() == org.today()][:5]
