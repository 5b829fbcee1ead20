"""Picklist Value Sets: values that several custom picklists share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.apinames import check_name
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.forms import Form, Input, Section, form_at
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, listing, related, show_list
from salesforce_org.store import DmlError, Org

SETS = Area("Picklists")
KIND = "GlobalValueSet"
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
    table = listing(page, "Global Value Sets", columns, sets)
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
    tree = page.org.component(KIND, page.params["name"])
    if tree is None:
        raise NotHere
    pairs = [
        ("Label", Cell(tree["masterLabel"])),
        ("Name", Cell(page.params["name"])),
        ("Description", Cell(tree.get("description", ""))),
        ("Sorted alphabetically", Cell(checked=bool(tree.get("sorted", False)))),
    ]
    columns = (Column("Values", lambda one: one["label"]), Column("API Name", lambda one: one["value"]))
    values = tree["customValue"]
    if tree.get("sorted"):
        values = sorted(values, key=lambda one: str(one["label"]).casefold())
    table = related("Values", columns, values)
    return page.render("setup/value_set.html", name=tree["masterLabel"], pairs=pairs, table=table)


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
        Input("label", "Label", required=True, length=80, fills="name"),
        Input("name", "Name", required=True, length=80),
        Input("description", "Description", "textarea"),
        Input(
            "values",
            "Values",
            "textarea",
            True,
            length=20_000,
            help="Enter values, with each value separated by a new line.",
        ),
        Input("sorted", "Display values alphabetically, not in the order entered", "checkbox"),
        Input("first", "Use first value as default value", "checkbox"),
    )
    return Form(
        "New Picklist Value Set", "Global Value Set", (Section("Global Value Set Information", inputs),)
    )
