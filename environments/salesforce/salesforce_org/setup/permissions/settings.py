"""Object settings of a permission set, a group or a profile: a list of objects, and a page for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from salesforce_org.pages.visit import NotHere
from salesforce_org.record_types import supports
from salesforce_org.rules.permissions import editable, governed_fields
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.objects.shown import field_label
from salesforce_org.setup.permissions.access import (
    RIGHTS,
    Access,
    access,
    allow,
    allow_field,
    bearer,
    governed,
)
from salesforce_org.setup.tables import Cell, Column, related
from salesforce_org.store import Org, Record, SObject

Flags = Mapping[str, tuple[bool, bool]]


@dataclass(frozen=True, slots=True)
class ObjectSettings:
    """The pages, at `/{id}/objects` of an area.

    Attributes:
        object: What the id is of; `label` its kind in headings, `name_field` what it is called.
        parents: The permission sets whose rights are shown together.
        editable: Whether the rights can be changed here.
        below: Where the pages hang, below the id.
    """

    object: str
    label: str
    name_field: str
    parents: Callable[[Org, Record], Sequence[str]]
    editable: bool
    below: str = ""

    def register(self, area: Area) -> None:
        """Put the pages at their addresses."""
        base = f"/{{id}}{self.below}/objects"
        area.get(base)(self.show_all)
        area.get(f"{base}/{{object}}")(self.show_one)
        if self.editable:
            area.get(f"{base}/{{object}}/e")(self.edit)
            area.post(f"{base}/{{object}}/e")(self.save)

    def show_all(self, page: SetupVisit) -> Response:
        """Show all objects with what may be done with them."""
        owner = bearer(page, self.object)
        base = f"/{owner['Id']}{self.below}/objects"
        columns = [
            Column("Object Name", lambda one: Cell(one.plural, page.link(f"{base}/{one.name}"))),
            Column("Object API Name", lambda one: one.name),
            Column("Object Permissions", lambda one: self.given(page.org, owner, one).told),
            Column("Total Fields", lambda one: str(len(governed_fields(one)))),
        ]
        if self.object == "PermissionSet":
            columns.append(Column("Tab Settings", lambda one: tab_setting(page.org, owner, one) or "--"))
        table = related("All Object Settings", columns, governed(page.org))
        return page.render("setup/object_settings.html", table=table, **self.heading(page, owner))

    def heading(self, page: SetupVisit, owner: Record) -> dict[str, Any]:
        """Return what stands above the pages."""
        above = f"/{owner['Id']}{self.below}"
        return {"told": self, "name": owner[self.name_field], "above": above, "base": f"{above}/objects"}

    def given(self, org: Org, owner: Record, kind: SObject) -> Access:
        """Return what may be done with an object."""
        return access(org, self.parents(org, owner), kind.name)

    def show_one(self, page: SetupVisit) -> Response:
        """Show what may be done with one object."""
        return self._show(page, False)

    def edit(self, page: SetupVisit) -> Response:
        """Ask what may be done with one object."""
        return self._show(page, True)

    def save(self, page: SetupVisit) -> Response:
        """Store what may be done with one object."""
        owner, kind = bearer(page, self.object), _object(page)
        back = f"/{owner['Id']}{self.below}/objects/{kind.name}"
        if page.field("do") == "cancel":
            return page.go(back)
        rights = {name for name, _ in RIGHTS}.intersection(page.fields("rights"))
        read, edit = set(page.fields("read")), set(page.fields("edit"))
        fields = {
            one.name: (one.name in read, one.name in edit and editable(one)) for one in governed_fields(kind)
        }
        self.store(page, owner, kind, rights, fields)
        return page.go(back)

    def store(self, page: SetupVisit, owner: Record, kind: SObject, rights: set[str], fields: Flags) -> None:
        """Store rights on an object and on its fields, and how its tab is shown."""
        allow(page.org, owner["Id"], kind.name, rights)
        for name, (read, edit) in fields.items():
            allow_field(page.org, owner["Id"], kind.name, name, read, edit)
        if self.object == "PermissionSet" and tab_of(page.org, kind):
            _show_tab(page.org, owner, kind, page.fields("tab"))

    def _show(self, page: SetupVisit, editing: bool) -> Response:
        owner, kind = bearer(page, self.object), _object(page)
        shown = self.object == "PermissionSet" and tab_of(page.org, kind) != ""
        return page.render(
            "setup/object_access.html",
            kind=kind,
            given=self.given(page.org, owner, kind),
            in_group=access(page.org, self.parents(page.org, owner), kind.name),
            rights=RIGHTS,
            fields=[(one.name, field_label(one), editable(one)) for one in governed_fields(kind)],
            tabs=_tabs(tab_setting(page.org, owner, kind)) if shown else (),
            editing=editing,
            record_types=self.object == "Profile" and supports(kind),
            **self.heading(page, owner),
        )


def tab_of(org: Org, kind: SObject) -> str:
    """Return the name of an object's tab; empty where it has none."""
    if kind.custom:
        return kind.name if org.component("CustomTab", kind.name) is not None else ""
    name = f"standard-{kind.name.removesuffix('__kav')}"
    return name if any(name in app["tabs"] for app in org.components("CustomApplication").values()) else ""


def tab_setting(org: Org, owner: Record, kind: SObject) -> str:
    """Return how a permission set shows a tab: `Available`, `Visible` or not at all."""
    kept = (org.component("PermissionSet", owner["Name"]) or {}).get("tabSettings", ())
    return next((one["visibility"] for one in kept if one["tab"] == tab_of(org, kind)), "")


def _tabs(now: str) -> tuple[tuple[str, bool], ...]:
    return ("Available", now != ""), ("Visible", now == "Visible")


def _show_tab(org: Org, owner: Record, kind: SObject, ticked: Sequence[str]) -> None:
    kept, tab = dict(org.component("PermissionSet", owner["Name"]) or {}), tab_of(org, kind)
    settings = [one for one in kept.get("tabSettings", ()) if one["tab"] != tab]
    if ticked:
        visibility = "Visible" if "Visible" in ticked else "Available"
        settings.append({"tab": tab, "visibility": visibility})
    tree = {**kept, "tabSettings": sorted(settings, key=lambda one: str(one["tab"]))}
    org.put_component(
        "PermissionSet", owner["Name"], {key: value for key, value in tree.items() if value} or None
    )


def _object(page: SetupVisit) -> SObject:
    found = page.org.schema.get(page.params["object"])
    if found is None or found not in governed(page.org):
        raise NotHere
    return found
