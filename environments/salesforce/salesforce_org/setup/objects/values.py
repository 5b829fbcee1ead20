"""The pages that change the values of a picklist, one of a field or a global value set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from starlette.responses import RedirectResponse, Response

from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import Form, Input, Section
from salesforce_org.setup.objects import picklists
from salesforce_org.setup.tables import Action, Column, Table, related
from salesforce_org.store import Field, Org, PicklistValue
from salesforce_org.store.errors import OrgError


@dataclass(frozen=True, slots=True)
class ValueList:
    """A picklist whose values are changed.

    Attributes:
        object: The name of the object that has the field; empty for a global value set.
        owner: What the forms of its values are headed by.
        base: The inner address of its pages.
        home: The address of the page that shows the values.
    """

    object: str
    field: Field
    label: str
    owner: str
    base: str
    home: str

    def value(self, page: SetupVisit) -> PicklistValue:
        """Return the value that an address or a form names.

        Raises:
            NotHere: The picklist has no such value.
        """
        wanted = page.query.get("value") or page.field("value")
        found = next((one for one in page.org.picklist(self.field) if one.value == wanted), None)
        if found is None:
            raise NotHere
        return found


Find = Callable[[SetupVisit], ValueList]


@dataclass(frozen=True, slots=True)
class ValuePages:
    """The pages of all picklists of one kind; `find` returns the picklist that an inner address names."""

    find: Find

    def register(self, area: Area, path: str) -> None:
        """Put the pages below an inner address."""
        area.get(f"{path}/new")(lambda page: _adding(self.find(page)).show(page))
        area.post(f"{path}/new")(self.add)
        area.get(f"{path}/edit")(self.ask)
        area.post(f"{path}/edit")(self.save)
        area.get(f"{path}/delete")(self.ask_instead)
        area.post(f"{path}/delete")(self.delete)
        area.post(f"{path}/active")(self.activate)
        area.get(f"{path}/reorder")(lambda page: _order(page, self.find(page), ""))
        area.post(f"{path}/reorder")(self.reorder)

    def add(self, page: SetupVisit) -> Response:
        """Store new values, one for each line."""
        one = self.find(page)

        def write(values: Mapping[str, Any]) -> None:
            picklists.add(page.org, one.object, one.field, values["labels"].splitlines())

        return submit_to(page, one.home, _adding(one), write)

    def ask(self, page: SetupVisit) -> Response:
        """Ask what to change about a value."""
        one = self.find(page)
        return _editing(one, one.value(page)).show(page)

    def save(self, page: SetupVisit) -> Response:
        """Store what was changed about a value."""
        one = self.find(page)
        old = one.value(page)

        def write(values: Mapping[str, Any]) -> None:
            made = replace(old, label=values["label"], value=values["value"], default=values["default"])
            picklists.change(page.org, one.object, one.field, old.value, made)

        return submit_to(page, one.home, _editing(one, old), write)

    def ask_instead(self, page: SetupVisit) -> Response:
        """Ask what records get that have a value which is to be deleted."""
        one = self.find(page)
        return _deleting(page.org, one, one.value(page)).show(page)

    def delete(self, page: SetupVisit) -> Response:
        """Delete a value."""
        one = self.find(page)
        old = one.value(page)

        def write(values: Mapping[str, Any]) -> None:
            picklists.remove(page.org, one.object, one.field, old.value, values["instead"] or None)

        return submit_to(page, one.home, _deleting(page.org, one, old), write)

    def activate(self, page: SetupVisit) -> Response:
        """Deactivate a value, or activate it again."""
        one = self.find(page)
        active = page.field("active") == "true"
        picklists.activate(page.org, one.object, one.field, one.value(page).value, active)
        return RedirectResponse(one.home, 303)

    def reorder(self, page: SetupVisit) -> Response:
        """Store the order of values and which of them new records get."""
        one = self.find(page)
        if page.field("do") == "cancel":
            return RedirectResponse(one.home, 303)
        order = page.fields("order")
        if page.field("sort"):
            order.sort(key=str.casefold)
        try:
            picklists.reorder(page.org, one.object, one.field, order, page.field("default"))
        except OrgError as refused:
            return _order(page, one, refused.message)
        return RedirectResponse(one.home, 303)


def submit_to(page: SetupVisit, home: str, form: Form, write: Callable[[dict[str, Any]], object]) -> Response:
    """Let `write` store what was submitted and go to an address, or say what is wrong."""
    if page.field("do") == "cancel":
        return RedirectResponse(home, 303)
    if form.read(page).check(page.org):
        try:
            with page.org.transaction():
                write(form.given)
        except OrgError as refused:
            form.blame(refused)
        else:
            return RedirectResponse(home, 303)
    return form.show(page)


def values_table(page: SetupVisit, one: ValueList, active: bool) -> Table:
    """Return the values of a picklist that are offered, or those that no longer are."""
    columns = (
        Column("Values", lambda entry: entry.label),
        Column("API Name", lambda entry: entry.value),
        Column("Default", lambda entry: bool(entry.default)),
    )

    def actions(entry: PicklistValue) -> list[Action]:
        sends = (("value", entry.value), ("active", "false" if active else "true"))
        turn = Action(
            "Deactivate" if active else "Activate", page.link(f"{one.base}/active"), post=True, sends=sends
        )
        if not active:
            return [turn]
        return [
            Action("Edit", page.link(f"{one.base}/edit", value=entry.value)),
            Action("Del", page.link(f"{one.base}/delete", value=entry.value)),
            turn,
        ]

    entries = [entry for entry in page.org.picklist(one.field) if entry.active == active]
    name = f"{one.label} Picklist Values" if active else "Inactive Values"
    empty = "No values" if active else "No Inactive Values"
    return related(
        name, columns, entries, actions if picklists.editable(page.org, one.field) else None, empty
    )


def _adding(one: ValueList) -> Form:
    labels = Input(
        "labels",
        one.label,
        "textarea",
        True,
        length=20_000,
        help="Put each value on its own line; the value is its API name, too.",
    )
    return Form(f"Add Picklist Values: {one.label}", "Picklist Value", (Section(one.owner, (labels,)),))


def _editing(one: ValueList, entry: PicklistValue) -> Form:
    inputs = (
        Input("label", "Label", required=True),
        Input("value", "API Name", required=True),
        Input("default", "Default", "checkbox", help="New records get this value."),
    )
    values = {"label": entry.label, "value": entry.value, "default": entry.default}
    return Form(f"{one.label}: {entry.label}", "Picklist Value", (Section(one.owner, inputs),), values)


def _deleting(org: Org, one: ValueList, entry: PicklistValue) -> Form:
    others = [
        Choice(other.value, other.label)
        for other in org.picklist(one.field)
        if other.active and other.value != entry.value
    ]
    intro = f"Choose which {one.label} records get that have {entry.label}, or leave it blank for them."
    instead = Input("instead", "Replace with", "picklist", choices=others)
    return Form(f"Delete {entry.label}", "Picklist Value", (Section(one.owner, (instead,)),), intro=intro)


def _order(page: SetupVisit, one: ValueList, problem: str) -> Response:
    entries = [entry for entry in page.org.picklist(one.field) if entry.active]
    return page.render("setup/picklist_order.html", picklist=one, entries=entries, problem=problem)
