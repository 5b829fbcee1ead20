"""App Manager: the list of apps, the New Lightning App wizard, and the settings of an app."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.metadata import components
from salesforce_org.metadata.registry import TYPES
from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.apps.settings import KIND, NEW, PARTS, Build, check, read, store
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.forms import Form, submit
from salesforce_org.setup.shown import modified
from salesforce_org.setup.tables import Action, Column, listing
from salesforce_org.setup.wizard import Draft, Step, Wizard, form_step
from salesforce_org.store.org import Tree

MANAGER = Area("NavigationMenus", "lightning_component")


@MANAGER.get("/home")
def apps(page: SetupVisit) -> Response:
    """Show all apps."""
    found = page.org.components(KIND)
    columns = (
        Column("App Name", lambda name: found[name].get("label", name)),
        Column("Developer Name", lambda name: name.removeprefix("standard__")),
        Column("Description", lambda name: found[name].get("description", "")),
        Column("Last Modified Date", lambda name: modified(page.org, KIND, name)),
        Column("App Type", lambda name: "Lightning" if _lightning(found[name]) else "Classic"),
        Column("Visible in Lightning Experience", lambda name: _lightning(found[name])),
    )

    def actions(name: str) -> list[Action]:
        edit = Action("Edit", page.link(f"/{name}/details"))
        if name.startswith("standard__"):
            return [edit]
        sure = "Are you sure you want to delete this app?"
        return [edit, Action("Delete", page.link(f"/{name}/delete"), True, sure)]

    table = listing(page, "Lightning Experience App Manager", columns, found, actions)
    return page.render("setup/app_list.html", table=table)


@MANAGER.get("/{name}/{part}")
def settings(page: SetupVisit) -> Response:
    """Show a part of an app's settings."""
    return _form(page).show(page, "setup/app.html", parts=_parts(page))


@MANAGER.post("/{name}/{part}")
def save(page: SetupVisit) -> Response:
    """Store a part of an app's settings."""
    form, name, part = _form(page), page.params["name"], page.params["part"]

    def write(values: dict[str, Any]) -> str:
        draft = {**read(page.org, name), **values}
        check(page, PARTS[part], draft)
        store(page.org, draft)
        page.visit.toast(f"{draft['label']} was saved.")
        return f"/{name}/{part}"

    return submit(page, form, write, template="setup/app.html", parts=_parts(page))


@MANAGER.post("/{name}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete an app that somebody made."""
    name = page.params["name"]
    if name.startswith("standard__"):
        raise NotHere
    components.delete(page.org, TYPES[KIND], name)
    return page.go()


def _lightning(tree: Tree) -> bool:
    return bool(tree.get("uiType") == "Lightning")


def _form(page: SetupVisit) -> Form:
    name, part = page.params["name"], page.params["part"]
    if part not in PARTS or page.org.component(KIND, name) is None:
        raise NotHere
    draft = read(page.org, name)
    form = PARTS[part](page, draft)
    form.values |= draft
    return form


def _parts(page: SetupVisit) -> list[tuple[str, str, bool]]:
    name = page.params["name"]
    titles = ((part, build(page, {}).title) for part, build in PARTS.items())
    return [(title, page.link(f"/{name}/{part}"), part == page.params["part"]) for part, title in titles]


# New Lightning App


def _step(build: Build, title: str) -> Step:
    last = build is PARTS["profiles"]
    return form_step(
        title,
        build,
        lambda page, draft: check(page, build, draft),
        "setup/app_step.html",
        next="Save & Finish" if last else "Next",
    )


_STEPS = (
    _step(PARTS["details"], "App Details & Branding"),
    _step(PARTS["options"], "App Options"),
    _step(PARTS["utilities"], "Utility Items (Desktop Only)"),
    _step(PARTS["navigation"], "Navigation Items"),
    _step(PARTS["profiles"], "User Profiles"),
)


def _finish(page: SetupVisit, draft: Draft) -> Response:
    store(page.org, draft)
    return page.go(toast=f"{draft['label']} was created.")


Wizard("New Lightning App", "/new", _STEPS, lambda page: dict(NEW), _finish, lambda page: "/home").register(
    MANAGER
)
