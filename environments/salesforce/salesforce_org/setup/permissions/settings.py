"""Object settings of a permission set, a group or a profile: a list of objects, and a page for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.responses import Response

from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.objects.shown import field_label
from salesforce_org.setup.permissions.access import (
    RIGHTS,
    access,
    allow,
    allow_field,
    bearer,
    governed,
    governed_fields,
)
from salesforce_org.setup.tables import Cell, Column, related
from salesforce_org.store import Org, Record, SObject


@dataclass(frozen=True, slots=True)
class ObjectSettings:
    """The pages, at `/{id}/objects` of an area.

    Attributes:
        object: What the id is of; `label` its kind in headings, `name_field` what it is called.
        parents: The permission sets whose rights are shown together.
        editable: Whether the rights can be changed here.
    """

    object: str
    label: str
    name_field: str
    parents: Callable[[Org, Record], Sequence[str]]
    editable: bool

    def register(self, area: Area) -> None:
        """Put the pages at their addresses."""
        area.get("/{id}/objects")(self.show_all)
        area.get("/{id}/objects/{object}")(self.show_one)
        if self.editable:
            area.get("/{id}/objects/{object}/e")(self.edit)
            area.post("/{id}/objects/{object}/e")(self.save)

    def show_all(self, page: SetupVisit) -> Response:
        """Show all objects with what may be done with them."""
        owner = bearer(page, self.object)
        parents = self.parents(page.org, owner)
        columns = (
            Column(
                "Object Name", lambda one: Cell(one.plural, page.link(f"/{owner['Id']}/objects/{one.name}"))
            ),
            Column("Object API Name", lambda one: one.name),
            Column("Object Permissions", lambda one: access(page.org, parents, one.name).told),
            Column("Total Fields", lambda one: str(len(governed_fields(one)))),
        )
        table = related("All Object Settings", columns, governed(page.org))
        return page.render("setup/object_settings.html", told=self, owner=owner, table=table)

    def show_one(self, page: SetupVisit) -> Response:
        """Show what may be done with one object."""
        return self._show(page, False)

    def edit(self, page: SetupVisit) -> Response:
        """Ask what may be done with one object."""
        return self._show(page, True)

    def save(self, page: SetupVisit) -> Response:
        """Store what may be done with one object."""
        owner, kind = bearer(page, self.object), _object(page)
        back = f"/{owner['Id']}/objects/{kind.name}"
        if page.field("do") == "cancel":
            return page.go(back)
        known = {name for name, _ in RIGHTS}
        allow(page.org, owner["Id"], kind.name, known.intersection(page.fields("rights")))
        read, edit = set(page.fields("read")), set(page.fields("edit"))
        for one in governed_fields(kind):
            allow_field(page.org, owner["Id"], kind.name, one.name, one.name in read, one.name in edit)
        return page.go(back)

    def _show(self, page: SetupVisit, editing: bool) -> Response:
        owner, kind = bearer(page, self.object), _object(page)
        given = access(page.org, self.parents(page.org, owner), kind.name)
        return page.render(
            "setup/object_access.html",
            told=self,
            owner=owner,
            kind=kind,
            given=given,
            rights=RIGHTS,
            fields=[(one.name, field_label(one)) for one in governed_fields(kind)],
            editing=editing,
        )


def _object(page: SetupVisit) -> SObject:
    found = page.org.schema.get(page.params["object"])
    if found is None or found not in governed(page.org):
        raise NotHere
    return found
