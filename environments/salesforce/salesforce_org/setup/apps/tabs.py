"""Tabs: the list of custom object tabs, and the New Custom Object Tab wizard with profiles and apps."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from starlette.responses import Response

from salesforce_org.metadata import components
from salesforce_org.metadata.profiles import Profiles, label_of
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.trees import ordered
from salesforce_org.metadata.visibility import show_tab
from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.area import HOME, Area, SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import Form, Input, Section, form_at
from salesforce_org.setup.tables import Action, Cell, Column, related
from salesforce_org.setup.wizard import Draft, Step, Wizard, form_step
from salesforce_org.store import DmlError, Org
from salesforce_org.store.org import Tree

TABS = Area("CustomTabs", "document")
KIND, APP = "CustomTab", "CustomApplication"
ALL, EACH = "all", "each"
VISIBILITIES = (
    Choice("DefaultOn", "Default On"),
    Choice("DefaultOff", "Default Off"),
    Choice("Hidden", "Tab Hidden"),
)
_NAMES = tomllib.loads(Path(__file__).with_name("motifs.toml").read_text(encoding="utf-8"))["names"]
STYLES = tuple(
    sorted(
        (Choice(f"Custom{number}: {name}", name) for number, name in enumerate(_NAMES, 1)),
        key=lambda one: one.label.casefold(),
    )
)


@TABS.get("/home")
def tabs(page: SetupVisit) -> Response:
    """Show the tabs of custom objects."""
    found = {name: tree for name, tree in page.org.components(KIND).items() if page.org.schema.get(name)}
    columns = (
        Column("Label", lambda name: Cell(page.org.schema[name].plural, f"/lightning/o/{name}/list")),
        Column("Tab Style", lambda name: _style(found[name])),
        Column("Description", lambda name: found[name].get("description", "")),
    )

    def actions(name: str) -> list[Action]:
        sure = "Are you sure you want to delete this tab? Its records stay."
        return [
            Action("Edit", page.link(f"/{name}/e")),
            Action("Del", page.link(f"/{name}/delete"), True, sure),
        ]

    names = sorted(found, key=lambda name: page.org.schema[name].plural.casefold())
    return page.render("setup/tabs.html", table=related("Custom Object Tabs", columns, names, actions))


@form_at(TABS, "/{name}/e", lambda page: _editing(page))
def save(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store style and description."""
    _store(page.org, page.params["name"], values)
    return HOME


@TABS.post("/{name}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a tab; apps and profiles lose it."""
    components.delete(page.org, TYPES[KIND], page.params["name"])
    return page.go()


def _style(tree: Tree) -> str:
    return str(tree.get("motif", "")).partition(": ")[2]


def _editing(page: SetupVisit) -> Form:
    name = page.params["name"]
    tree, kind = page.org.component(KIND, name), page.org.schema.get(name)
    if tree is None or kind is None:
        raise NotHere
    shown = Input("object", "Tab Label", "shown")
    values = {
        "object": kind.plural,
        "motif": tree.get("motif", ""),
        "description": tree.get("description", ""),
    }
    inputs = (shown, *_LOOK)
    return Form(kind.plural, "Custom Tab", (Section("Tab Information", inputs),), values)


def _store(org: Org, name: str, values: Mapping[str, Any]) -> None:
    before = org.component(KIND, name) or {"customObject": True}
    told = {"motif": values["motif"], "description": values.get("description") or None}
    components.replace(org, TYPES[KIND], name, ordered(KIND, {**before, **told}))


# New Custom Object Tab

_LOOK = (
    Input("motif", "Tab Style", "lookup", True, STYLES),
    Input("description", "Description", "textarea"),
)


def _details(page: SetupVisit, draft: Draft) -> Form:
    org = page.org
    known = org.components(KIND)
    free = [
        Choice(one.name, one.label)
        for one in sorted(org.schema.objects.values(), key=lambda one: one.label.casefold())
        if one.custom and one.name not in known
    ]
    chosen = Input("object", "Object", "picklist", True, free)
    return Form(
        "Enter the Details",
        "Custom Object Tab",
        (Section("", (chosen, *_LOOK)),),
        intro="Choose the custom object for this new custom tab. Fill in other details.",
    )


def _profiles(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    names = sorted(Profiles().names(page.org), key=lambda one: label_of(one).casefold())
    return {"profiles": [(name, label_of(name)) for name in names], "visibilities": VISIBILITIES}


def _take_profiles(page: SetupVisit, draft: Draft) -> str:
    offered = {one.value for one in VISIBILITIES}
    draft["way"] = page.field("way")
    draft["all"] = page.field("all") or draft["all"]
    each = {name: page.field(f"each-{name}") for name in Profiles().names(page.org)}
    draft["each"] = each if draft["way"] == EACH else {}
    given = set(each.values()) if draft["way"] == EACH else {draft["all"]}
    fits = draft["way"] in (ALL, EACH) and given <= offered
    return "" if fits else "Choose how each profile sees the tab."


def _apps(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    found = page.org.components(APP)
    told = [(name, f"{tree.get('label', name)} ({name})") for name, tree in found.items()]
    chosen = list(found) if draft["apps"] is None else draft["apps"]
    return {"apps": sorted(told, key=lambda one: one[1].casefold()), "chosen": chosen}


def _take_apps(page: SetupVisit, draft: Draft) -> str:
    draft["apps"] = [name for name in page.fields("apps") if name in page.org.components(APP)]
    return ""


def _begin(page: SetupVisit) -> Draft:
    return {
        "object": page.query.get("object", ""),
        "way": ALL,
        "all": "DefaultOn",
        "each": {},
        "apps": None,
    }


def _finish(page: SetupVisit, draft: Draft) -> Response:
    every = Profiles().names(page.org)
    same = dict.fromkeys(every, str(draft["all"]))
    make(page.org, draft["object"], draft, draft["each"] if draft["way"] == EACH else same, draft["apps"])
    return page.go()


def make(org: Org, name: str, look: Mapping[str, Any], seen: Mapping[str, str], apps: Iterable[str]) -> None:
    """Make the tab of an object with its style, its visibility by profile, and the apps that include it.

    Raises:
        DmlError: The object has a tab already.
    """
    if org.component(KIND, name) is not None:
        raise DmlError("DUPLICATE_VALUE", "The object has a tab already.")
    _store(org, name, look)
    show_tab(org, name, seen)
    for app in apps:
        tree = org.component(APP, app) or {}
        components.replace(
            org, TYPES[APP], app, ordered(APP, {**tree, "tabs": [*tree.get("tabs", ()), name]})
        )


Wizard(
    "New Custom Object Tab",
    "/new",
    (
        form_step("Enter the Details", _details),
        Step("Add to Profiles", "setup/tab_profiles.html", _take_profiles, _profiles),
        Step("Add to Custom Apps", "setup/tab_apps.html", _take_apps, _apps, "Save"),
    ),
    _begin,
    _finish,
    lambda page: "/home",
).register(TABS)
