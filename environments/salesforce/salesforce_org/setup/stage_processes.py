"""Sales, lead and support processes: which stages records of a kind go through, in the steps of one picklist.

Each is a `BusinessProcess` component of its object; record types choose among them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from starlette.responses import Response

from salesforce_org.pages.visit import NotHere
from salesforce_org.record_types import PROCESS as KIND
from salesforce_org.record_types import PROCESSES, encoded, processes
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.choices import Choice, of_picklist
from salesforce_org.setup.forms import Form, Input, Section, submit
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, listing, related, show_list
from salesforce_org.store import DmlError, Org
from salesforce_org.store.org import Tree

MASTER = "--Master--"


def stages(tree: Tree) -> list[str]:
    """Return the values that a process has."""
    return [unquote(one["fullName"]) for one in tree.get("values", ())]


@dataclass(frozen=True, slots=True)
class ProcessPages:
    """The pages of one kind of process.

    Attributes:
        object: The object; `field` is its picklist.
        label: What one is called, such as `Sales Process`.
    """

    node: str
    object: str
    field: str
    label: str

    def register(self) -> None:
        """Put the pages at their addresses."""
        area = Area(self.node)
        area.get("/home")(self.home)
        area.get("/new")(lambda page: self._new(page).show(page))
        area.post("/new")(self.create)
        area.get("/process/{name}")(self.detail)
        area.get("/process/{name}/e")(lambda page: self._about(page).show(page))
        area.post("/process/{name}/e")(self.save)
        area.get("/process/{name}/values")(lambda page: self._values(page).show(page))
        area.post("/process/{name}/values")(self.save_values)
        area.post("/process/{name}/delete")(self.delete)

    def home(self, page: SetupVisit) -> Response:
        """Show all processes."""
        found = processes(page.org, self.object)
        columns = (
            Column(f"{self.label} Name", lambda name: Cell(name, page.link(_address(name)))),
            Column("Description", lambda name: found[name].get("description", "")),
            Column("Active", lambda name: bool(found[name].get("isActive", False))),
        )
        table = listing(page, f"{self.label}es", columns, found, lambda name: self._actions(page, name))
        intro = (
            f"A {self.label.lower()} chooses the values of one picklist that records go through. Create one here, then "
            "give it to a record type."
        )
        return show_list(page, ListPage(f"{self.label}es", table, intro, (Action("New", page.link("/new")),)))

    def create(self, page: SetupVisit) -> Response:
        """Store a new process with the values of an existing one, then ask for its own."""

        def write(given: Mapping[str, Any]) -> str:
            name, source = given["name"], given["source"]
            self._claim(page.org, name)
            copied = processes(page.org, self.object).get(source)
            values = copied["values"] if copied else _entries(page.org, self.object, self.field)
            self._put(page.org, name, {"isActive": True, "values": values}, given["description"])
            return f"{_address(name)}/values"

        return submit(page, self._new(page), write)

    def detail(self, page: SetupVisit) -> Response:
        """Show a process."""
        name, tree = self._found(page)
        pairs = [
            (f"{self.label} Name", Cell(name)),
            ("Active", Cell(checked=bool(tree.get("isActive", False)))),
            ("Description", Cell(tree.get("description", ""))),
        ]
        columns = (Column("Values", lambda one: unquote(one["fullName"])), Column("Default", _is_default))
        kept = {one.value: at for at, one in enumerate(of_picklist(page.org, self.object, self.field))}
        ordered = sorted(tree.get("values", ()), key=lambda one: kept.get(unquote(one["fullName"]), 99))
        table = related(self._picklist(page.org), columns, ordered)
        return page.render("setup/stage_process.html", label=self.label, name=name, pairs=pairs, table=table)

    def save(self, page: SetupVisit) -> Response:
        """Store what was changed about a process."""
        old, tree = self._found(page)

        def write(given: Mapping[str, Any]) -> str:
            name = given["name"]
            if name != old:
                self._claim(page.org, name, old)
                page.org.put_component(KIND, self._full(old), None)
            self._put(page.org, name, {**tree, "isActive": given["active"]}, given["description"])
            return _address(name)

        return submit(page, self._about(page), write, back=_address(old))

    def save_values(self, page: SetupVisit) -> Response:
        """Store which values a process has."""
        name, tree = self._found(page)

        def write(given: Mapping[str, Any]) -> str:
            chosen, default = given["values"], given["default"]
            if default and default not in chosen:
                raise DmlError(
                    "INVALID_FIELD", "The default must be one of the selected values", ("default",)
                )
            values = [{"fullName": encoded(one), "default": one == default} for one in sorted(chosen)]
            self._put(page.org, name, {**tree, "values": values}, tree.get("description", ""))
            return _address(name)

        return submit(page, self._values(page), write, back=_address(name))

    def delete(self, page: SetupVisit) -> Response:
        """Delete a process, unless a record type has it."""
        name, _ = self._found(page)
        for full, tree in page.org.components("RecordType").items():
            if full.startswith(f"{self.object}.") and unquote(tree.get("businessProcess", "")) == name:
                page.visit.toast(f"The record type {full.partition('.')[2]} uses {name}.", "error")
                return page.go()
        page.org.put_component(KIND, self._full(name), None)
        return page.go()

    def _found(self, page: SetupVisit) -> tuple[str, Tree]:
        name = unquote(page.params["name"])
        tree = page.org.component(KIND, self._full(name))
        if tree is None:
            raise NotHere
        return name, tree

    def _full(self, name: str) -> str:
        return f"{self.object}.{encoded(name)}"

    def _claim(self, org: Org, name: str, but: str = "") -> None:
        taken = {one.casefold() for one in processes(org, self.object) if one != but}
        if name.casefold() in taken:
            raise DmlError("DUPLICATE_VALUE", f"Another {self.label.lower()} has this name", ("name",))

    def _put(self, org: Org, name: str, tree: Tree, description: str) -> None:
        told = {key: value for key, value in tree.items() if key != "description"}
        described = {"description": description} if description else {}
        org.put_component(KIND, self._full(name), {**described, **told})

    def _picklist(self, org: Org) -> str:
        field = org.schema[self.object].field(self.field)
        return f"{org.schema[self.object].label} {field.label}" if field else ""

    def _actions(self, page: SetupVisit, name: str) -> list[Action]:
        ask = f"Are you sure you want to delete {name}?"
        return [
            Action("Edit", page.link(f"{_address(name)}/e")),
            Action("Del", page.link(f"{_address(name)}/delete"), post=True, confirm=ask),
        ]

    def _new(self, page: SetupVisit) -> Form:
        names = (MASTER, *sorted(processes(page.org, self.object), key=str.casefold))
        inputs = (
            Input(
                "source",
                f"Existing {self.label}",
                "picklist",
                True,
                tuple(Choice(one, one) for one in names),
                none=False,
                help=f"The new process begins with the values of this one; {MASTER} has all of them.",
            ),
            *_named(self.label),
        )
        values = {"source": MASTER}
        return Form(
            f"New {self.label}",
            self.label,
            (Section(f"{self.label} Information", inputs),),
            values,
        )

    def _about(self, page: SetupVisit) -> Form:
        name, tree = self._found(page)
        inputs = (*_named(self.label), Input("active", "Active", "checkbox"))
        values = {"name": name, "active": tree.get("isActive"), "description": tree.get("description")}
        return Form(name, self.label, (Section(f"{self.label} Information", inputs),), values)

    def _values(self, page: SetupVisit) -> Form:
        name, tree = self._found(page)
        offered = of_picklist(page.org, self.object, self.field)
        inputs = (
            Input("values", "Values", "dual", True, offered, titles=("Available Values", "Selected Values")),
            Input("default", "Default", "picklist", choices=offered),
        )
        chosen = set(stages(tree))
        default = next((unquote(one["fullName"]) for one in tree.get("values", ()) if one["default"]), "")
        values = {"values": [one.value for one in offered if one.value in chosen], "default": default}
        intro = f"Select the values that a record with this {self.label.lower()} can have."
        return Form(name, self.label, (Section(self._picklist(page.org), inputs),), values, intro=intro)


def _address(name: str) -> str:
    return f"/process/{quote(name, safe='')}"


def _named(label: str) -> tuple[Input, Input]:
    return Input("name", f"{label} Name", required=True, length=80), Input("description", "Description")


def _entries(org: Org, object: str, field: str) -> list[dict[str, Any]]:
    offered = sorted(one.value for one in of_picklist(org, object, field))
    return [{"fullName": encoded(one), "default": False} for one in offered]


def _is_default(entry: Tree) -> bool:
    return bool(entry["default"])


NODES = {"Case": "CaseProcess", "Lead": "LeadProcesses", "Opportunity": "OpportunityProcess"}
for object, (field, label) in PROCESSES.items():
    ProcessPages(NODES[object], object, field, label).register()
