"""Setup's list of Lightning pages, the form for a new one, and the record pages of an object in Object Manager."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org import flexipages
from salesforce_org.metadata import components
from salesforce_org.metadata.registry import TYPES
from salesforce_org.setup.area import Area, SetupVisit, link
from salesforce_org.setup.builder.draft import Draft, free_name
from salesforce_org.setup.builder.pages import LIST, address, begin
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import CANCEL, Button, Form, Input, Section
from salesforce_org.setup.objects.manager import BUILT, managed
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, Table, listing, related, show_list
from salesforce_org.store import SObject

PAGES = Area("FlexiPageList", "lightning_component")
KINDS = {"RecordPage": "Record Page", "AppPage": "App Page", "HomePage": "Home Page"}
INTRO = "Build pages for records, apps and Home from components and fields, and say who sees them."


@PAGES.get("/home")
def pages(page: SetupVisit) -> Response:
    """Show all Lightning pages."""
    return _list(page)


def _list(page: SetupVisit, problem: str = "") -> Response:
    table = listing(page, "Lightning Pages", _columns(page), _found(page), lambda one: _actions(page, one[0]))
    told = ListPage("Lightning Pages", table, INTRO, (Action("New", page.link("/new")),))
    return show_list(page, told, problem=problem)


@PAGES.get("/new")
def ask_new(page: SetupVisit) -> Response:
    """Ask what kind of page it is going to be."""
    form = _form(page)
    form.values = {"kind": "RecordPage", "object": page.query.get("object", "")}
    return form.show(page)


@PAGES.post("/new")
def new(page: SetupVisit) -> Response:
    """Begin to build a page; it is stored when it is saved there."""
    if page.field("do") == CANCEL.value:
        return page.go()
    form = _form(page).read(page)
    if form.check(page.org):
        given = form.given
        template = next(one for one in flexipages.TEMPLATES if _key(one) == given["template"])
        if template.type != given["kind"]:
            form.errors["template"] = f"Choose a template for a {KINDS[given['kind']].lower()}"
        elif given["kind"] == "RecordPage" and not given["object"]:
            form.errors["object"] = "You must enter a value"
        else:
            object = given["object"] if given["kind"] == "RecordPage" else ""
            tree = flexipages.new_page(given["label"], template, object)
            made = Draft(free_name(page.org, given["label"]), tree, False, LIST)
            return page.visit.go(begin(page.visit, made))
    return form.show(page)


@PAGES.post("/delete/{name}")
def delete(page: SetupVisit) -> Response:
    """Delete a page that nobody is shown."""
    name = page.params["name"]
    if flexipages.assigned(page.org, name):
        return _list(page, f"{name} is active. Remove its assignments before you delete it.")
    with page.org.transaction():
        components.delete(page.org, TYPES[flexipages.KIND], name)
    return page.go(toast="The Lightning page was deleted.")


def _form(page: SetupVisit) -> Form:
    objects = [Choice(one.name, one.label) for one in managed(page.org)]
    templates = [Choice(_key(one), f"{KINDS[one.type]}: {one.label}") for one in flexipages.TEMPLATES]
    inputs = (
        Input("kind", "Page Type", "radio", True, [Choice(name, label) for name, label in KINDS.items()]),
        Input("label", "Label", required=True, length=80),
        Input("object", "Object", "picklist", choices=objects, help="Only record pages have one."),
        Input("template", "Page Template", "picklist", True, templates),
    )
    buttons = (Button("Done", "save"), CANCEL)
    return Form("New Lightning Page", "Lightning Page", (Section("About the page", inputs),), buttons=buttons)


def _key(one: flexipages.Template) -> str:
    return f"{one.type}/{one.name}"


def _found(page: SetupVisit, object: str = "") -> list[tuple[str, Any]]:
    found = page.org.components(flexipages.KIND).items()
    return [(name, tree) for name, tree in found if not object or tree.get("sobjectType") == object]


def _columns(page: SetupVisit) -> tuple[Column, ...]:
    return (
        Column("Label", lambda one: Cell(one[1]["masterLabel"], address(page.visit, one[0]))),
        Column("Name", lambda one: one[0]),
        Column("Type", lambda one: KINDS.get(one[1]["type"], one[1]["type"])),
        Column("Object", lambda one: one[1].get("sobjectType", "")),
        Column("Description", lambda one: one[1].get("description", "")),
        Column("Active", lambda one: bool(flexipages.assigned(page.org, one[0]))),
    )


def _actions(page: SetupVisit, name: str) -> tuple[Action, ...]:
    delete = Action(
        "Del", link("FlexiPageList", f"/delete/{name}"), True, "Are you sure you want to delete it?"
    )
    return (Action("Edit", address(page.visit, name)), delete)


def _of_object(page: SetupVisit, kind: SObject) -> dict[str, object]:
    table: Table = related("Lightning Record Pages", _columns(page), _found(page, kind.name))
    return {"table": table, "new": link("FlexiPageList", "/new", object=kind.name)}


BUILT["LightningPages"] = _of_object
