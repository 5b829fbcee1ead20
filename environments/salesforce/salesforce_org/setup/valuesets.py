"""Picklist Value Sets: values that several custom picklists share, and are changed like those of a field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.responses import Response

from salesforce_org.metadata import components
from salesforce_org.metadata.registry import TYPES
from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.apinames import check_name
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.forms import Form, Input, Section, form_at
from salesforce_org.setup.objects import picklists
from salesforce_org.setup.objects.values import ValueList, ValuePages, values_table
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, listing, show_list
from salesforce_org.store import DmlError, Field, Org
from salesforce_org.store.org import Tree

SETS = Area("Picklists")
KIND = "GlobalValueSet"
_LABEL = Input("label", "Label", required=True, length=80)
_DESCRIPTION = Input("description", "Description", "textarea")
_SORTED = Input("sorted", "Display values alphabetically, not in the order entered", "checkbox")
INTRO = "Custom picklists on several objects share the values of a global value set, and change with it."


@SETS.get("/home")
def value_sets(page: SetupVisit) -> Response:
    """Show all global value sets."""
    sets = page.org.components(KIND)
    columns = (
        Column("Label", lambda name: Cell(sets[name]["masterLabel"], page.link(f"/set/{name}"))),
        Column("API Name", lambda name: name),
        Column("Description", lambda name: sets[name].get("description", "")),
        Column("Values", lambda name: str(len(sets[name]["customValue"]))),
    )
    table = listing(page, "Global Value Sets", columns, sets, lambda name: _actions(page, name))
    new = Action("New", page.link("/new"))
    return show_list(page, ListPage("Picklist Value Sets", table, INTRO, (new,)))


@form_at(SETS, "/new", lambda page: _form())
def create(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store a new value set."""
    _store(page.org, values)
    return f"/set/{values['name']}"


@SETS.get("/set/{name}")
def detail(page: SetupVisit) -> Response:
    """Show a value set."""
    name, tree = _named(page)
    pairs = [
        ("Label", Cell(tree["masterLabel"])),
        ("Name", Cell(name)),
        ("Description", Cell(tree.get("description", ""))),
        ("Sorted alphabetically", Cell(checked=bool(tree.get("sorted", False)))),
    ]
    values, inactive = (values_table(page, _list(page), active) for active in (True, False))
    context = {"name": tree["masterLabel"], "base": f"/set/{name}", "pairs": pairs, "warning": _sure(tree)}
    return page.render("setup/value_set.html", values=values, inactive=inactive, **context)


@form_at(SETS, "/set/{name}/e", lambda page: _about(page), back=lambda page: f"/set/{page.params['name']}")
def save(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store what was changed about a value set."""
    name, tree = _named(page)
    described = {"description": values["description"]} if values["description"] else {}
    kept = {key: value for key, value in tree.items() if key != "description"}
    told = {**kept, **described, "masterLabel": values["label"], "sorted": values["sorted"]}
    page.org.put_component(KIND, name, told)
    return f"/set/{name}"


@SETS.post("/set/{name}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a value set, unless a field uses it."""
    name, tree = _named(page)
    used = picklists.uses(page.org, _field(name, tree))
    if used:
        fields = ", ".join(f"{object}.{field.name}" for object, field in used)
        page.visit.toast(f"{tree['masterLabel']} is used by {fields}.", "error")
        return page.go(f"/set/{name}")
    components.delete(page.org, TYPES[KIND], name)
    return page.go()


def _named(page: SetupVisit) -> tuple[str, Tree]:
    name = page.params["name"]
    tree = page.org.component(KIND, name)
    if tree is None:
        raise NotHere
    return name, tree


def _field(name: str, tree: Tree) -> Field:
    """Return a field that has the values of a set."""
    return Field(name, tree["masterLabel"], "picklist", value_set=name)


def _list(page: SetupVisit) -> ValueList:
    name, tree = _named(page)
    label, home = tree["masterLabel"], page.link(f"/set/{name}")
    return ValueList("", _field(name, tree), label, "Global Value Set", f"/set/{name}/values", home)


ValuePages(_list).register(SETS, "/set/{name}/values")


def _sure(tree: Tree) -> str:
    return f"Are you sure you want to delete {tree['masterLabel']}?"


def _actions(page: SetupVisit, name: str) -> list[Action]:
    ask = _sure(page.org.component(KIND, name) or {})
    return [
        Action("Edit", page.link(f"/set/{name}/e")),
        Action("Del", page.link(f"/set/{name}/delete"), post=True, confirm=ask),
    ]


def _about(page: SetupVisit) -> Form:
    name, tree = _named(page)
    inputs = (_LABEL, Input("shown", "Name", "shown"), _DESCRIPTION, _SORTED)
    section = Section("Global Value Set Information", inputs)
    told = {"label": tree["masterLabel"], "shown": name, "description": tree.get("description", "")}
    return Form(tree["masterLabel"], "Global Value Set", (section,), {**told, "sorted": tree.get("sorted")})


def _store(org: Org, values: Mapping[str, Any]) -> None:
    check_name(values["name"], "API Name", "name")
    if org.component(KIND, values["name"]) is not None:
        raise DmlError("DUPLICATE_DEVELOPER_NAME", "Another value set has this API name", ("name",))
    labels = list(dict.fromkeys(line.strip() for line in values["values"].splitlines() if line.strip()))
    entries = [
        {"value": label, "label": label, "default": values["first"] and at == 0}
        for at, label in enumerate(labels)
    ]
    tree = {"masterLabel": values["label"], "sorted": values["sorted"], "customValue": entries}
    described = {"description": values["description"]} if values["description"] else {}
    org.put_component(KIND, values["name"], {**tree, **described})


def _form() -> Form:
    inputs = (
        replace(_LABEL, fills="name"),
        Input("name", "Name", required=True, length=80),
        _DESCRIPTION,
        Input(
            "values",
            "Values",
            "textarea",
            True,
            length=20_000,
            help="Enter values, with each value separated by a new line.",
        ),
        _SORTED,
        Input("first", "Use first value as default value", "checkbox"),
    )
    return Form(
        "New Picklist Value Set", "Global Value Set", (Section("Global Value Set Information", inputs),)
    )
