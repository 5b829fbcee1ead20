"""Field updates, tasks and email alerts: what approvals and milestones do, each an entry of its object's `Workflow`.

Their forms are shown here by node, and where one is added to an approval process or a milestone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from salesforce_org.metadata.records import api_name, said
from salesforce_org.metadata.trees import ordered
from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.approvals.components import objects, templates
from salesforce_org.setup.area import Area, SetupVisit, link
from salesforce_org.setup.choices import Choice, of_entries
from salesforce_org.setup.criteria import label
from salesforce_org.setup.forms import Form, Input, Section, submit
from salesforce_org.setup.shown import named
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, listing, show_list
from salesforce_org.store import DmlError, Field, Org
from salesforce_org.store.org import Tree

WORKFLOW = "Workflow"
NEW_VALUE = "Specify New Field Value"
_LITERAL, _FORMULA, _BLANK = "Literal", "Formula", "Null"
_HIGHER = (
    Choice("NextValue", "The value above the current one"),
    Choice("PreviousValue", "The value below the current one"),
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of action.

    Attributes:
        name: What references call it; `type` is the type of its entries, `element` holds them.
        node: The page of Setup that lists all of them.
    """

    name: str
    label: str
    element: str
    type: str
    node: str

    def entries(self, org: Org, object: str) -> list[Tree]:
        """Return the actions of an object."""
        return list((org.component(WORKFLOW, object) or {}).get(self.element, ()))

    def entry(self, org: Org, object: str, name: str) -> Tree | None:
        """Return the action of a unique name."""
        return next((one for one in self.entries(org, object) if one["fullName"] == name), None)

    def put(self, org: Org, object: str, entries: list[Tree]) -> None:
        """Store the actions of an object."""
        whole = {**(org.component(WORKFLOW, object) or {}), self.element: entries}
        org.put_component(WORKFLOW, object, ordered(WORKFLOW, whole) or None)

    def called(self, entry: Tree) -> str:
        """Return what an action is called."""
        return str(entry.get("name") or entry.get("subject") or entry.get("description"))

    def address(self, object: str, name: str) -> str:
        """Return where an action is edited."""
        return link(self.node, f"/{object}/{name}")


KINDS = {
    one.name: one
    for one in (
        Kind("Task", "Task", "tasks", "WorkflowTask", "WorkflowTasks"),
        Kind("Alert", "Email Alert", "alerts", "WorkflowAlert", "WorkflowEmails"),
        Kind("FieldUpdate", "Field Update", "fieldUpdates", "WorkflowFieldUpdate", "WorkflowFieldUpdates"),
    )
}


def ask(page: SetupVisit, kind: Kind, object: str, name: str = "") -> Response:
    """Show the form of an action, a new one or the one of a unique name."""
    return _form(page, kind, object, name).show(page)


def save(page: SetupVisit, kind: Kind, object: str, name: str, back: str, then: Any = None) -> Response:
    """Store an action, unless the form only asks for the inputs of another field.

    Args:
        back: The inner address to which Save and Cancel lead.
        then: Called with the unique name after the action is stored.
    """
    if page.field("do") == "refresh":
        return _form(page, kind, object, name).read(page).show(page)

    def write(given: Mapping[str, Any]) -> str:
        unique = _claim(page.org, kind, object, given["unique"], name)
        entry = _BUILD[kind.name](page.org, object, given)
        new = ordered(kind.type, {"fullName": unique, **entry})
        entries = kind.entries(page.org, object)
        told = [new if one["fullName"] == name else one for one in entries]
        kind.put(page.org, object, told if name else [*entries, new])
        if then is not None:
            then(unique)
        return back

    return submit(page, _form(page, kind, object, name), write, back=back)


def uses(org: Org, object: str, kind: Kind, name: str) -> list[str]:
    """Return the approval and entitlement processes that refer to an action."""
    wanted = {"name": name, "type": kind.name}
    found = [*org.components("ApprovalProcess").items(), *org.components("EntitlementProcess").items()]
    return sorted(
        full
        for full, tree in found
        if (tree.get("SObjectType") or full.partition(".")[0]) == object and _holds(tree, wanted)
    )


def _holds(tree: Any, wanted: Mapping[str, str]) -> bool:
    if isinstance(tree, Mapping):
        return dict(tree) == wanted or any(_holds(one, wanted) for one in tree.values())
    return isinstance(tree, list) and any(_holds(one, wanted) for one in tree)


def _claim(org: Org, kind: Kind, object: str, name: str, old: str) -> str:
    try:
        api_name(name)
    except Exception as problem:
        raise DmlError("INVALID_FIELD", str(problem), ("unique",)) from None
    taken = {one["fullName"].casefold() for one in kind.entries(org, object) if one["fullName"] != old}
    if name.casefold() in taken:
        raise DmlError("DUPLICATE_DEVELOPER_NAME", "This unique name is already in use", ("unique",))
    return name


def _form(page: SetupVisit, kind: Kind, object: str, name: str) -> Form:
    if object not in page.org.schema.objects:
        raise NotHere
    entry = kind.entry(page.org, object, name) if name else {}
    if entry is None:
        raise NotHere
    sections, values = _ASK[kind.name](page, object, entry)
    values = {"unique": entry.get("fullName", ""), **values}
    title = kind.called(entry) if entry else f"New {kind.label}"
    return Form(title, kind.label, sections, values)


# Field updates


def updatable(org: Org, object: str) -> list[Field]:
    """Return the fields that a field update can set."""
    found = (
        one
        for one in org.schema[object].fields
        if one.updateable and one.stored and (one.type != "reference" or one.name == "OwnerId")
    )
    return sorted(found, key=lambda one: label(one.label).casefold())


def _ask_update(page: SetupVisit, object: str, entry: Tree) -> tuple[tuple[Section, ...], dict[str, Any]]:
    org = page.org
    known = {
        one.name.removesuffix("Id") if one.type == "reference" else one.name: one
        for one in updatable(org, object)
    }
    chosen = page.field("field") or entry.get("field", "")
    offered = tuple(Choice(name, label(one.label)) for name, one in known.items())
    about = (
        Input("name", "Name", required=True, length=80, fills="unique"),
        Input("unique", "Unique Name", required=True, length=80),
        Input("description", "Description", "textarea"),
        Input("object", "Object", "shown"),
        Input("field", "Field to Update", "picklist", True, offered, refresh=True),
        Input("reevaluate", "Re-evaluate Workflow Rules after Field Change", "checkbox"),
    )
    values = {
        "name": entry.get("name", ""),
        "description": entry.get("description", ""),
        "object": org.schema[object].label,
        "field": chosen,
        "reevaluate": bool(entry.get("reevaluateOnChange")),
        "operation": entry.get("operation", ""),
        "literal": entry.get("literalValue", ""),
        "formula": entry.get("formula", ""),
        "owner": entry.get("lookupValue", ""),
    }
    sections = [Section("Field Update Edit", about)]
    if chosen in known:
        sections.append(Section(NEW_VALUE, _value_inputs(org, known[chosen])))
    return tuple(sections), values


def _value_inputs(org: Org, field: Field) -> tuple[Input, ...]:
    if field.type == "reference":
        users = [Choice(row["Username"], named(org, row["Id"])) for row in org.rows("User", IsActive=True)]
        queues = [
            Choice(f"queue:{row['DeveloperName']}", f"Queue: {row['Name']}")
            for row in org.rows("Group", Type="Queue")
        ]
        return (Input("owner", "Owner", "picklist", True, (*users, *queues)),)
    if field.type == "boolean":
        on = (Choice("1", "True"), Choice("0", "False"))
        return (Input("literal", "Checkbox Options", "radio", True, on),)
    blank = () if field.required else (Choice(_BLANK, "A blank value (null)"),)
    if field.type in ("picklist", "multipicklist"):
        how = (*(_HIGHER if field.type == "picklist" else ()), *blank, Choice(_LITERAL, "A specific value"))
        return (
            Input("operation", "Picklist Options", "radio", True, how),
            Input("literal", "Specific Value", "picklist", choices=of_entries(org, field)),
        )
    how = (*blank, Choice(_FORMULA, "Use a formula to set the new value"))
    return (
        Input("operation", f"{field.type.capitalize()} Options", "radio", True, how),
        Input("formula", "Formula", "textarea", length=3900, help='A formula such as Name & " (new)".'),
    )


def _update(org: Org, object: str, given: Mapping[str, Any]) -> dict[str, Any]:
    operation = given.get("operation", _LITERAL if "literal" in given else "LookupValue")
    if not {"operation", "literal", "owner"} & given.keys():
        raise DmlError("INVALID_FIELD", "Select the field to update", ("field",))
    tree: dict[str, Any] = {
        "field": given["field"],
        "name": given["name"],
        "notifyAssignee": False,
        "operation": operation,
        "protected": False,
        **said(description=given["description"] or None, reevaluateOnChange=given["reevaluate"] or None),
    }
    wanted = {_LITERAL: "literal", _FORMULA: "formula", "LookupValue": "owner"}.get(operation)
    if wanted is None:
        return tree
    value = given[wanted]
    if not value:
        raise DmlError("REQUIRED_FIELD_MISSING", "You must enter a value", (wanted,))
    if operation == "LookupValue":
        kind, _, name = value.rpartition(":")
        return {**tree, "lookupValue": name, "lookupValueType": "Queue" if kind else "User"}
    return {**tree, "literalValue" if wanted == "literal" else "formula": value}


# Tasks

_TO = (Choice("owner", "Record Owner"), Choice("creator", "Record Creator"))


def _people(org: Org) -> tuple[Choice, ...]:
    users = [Choice(f"user:{row['Username']}", f"User: {org.name_of(row['Id'])}") for row in org.rows("User")]
    roles = [Choice(f"role:{row['DeveloperName']}", f"Role: {row['Name']}") for row in org.rows("UserRole")]
    return (*_TO, *sorted((*users, *roles), key=lambda choice: choice.label.casefold()))


def _ask_task(page: SetupVisit, object: str, entry: Tree) -> tuple[tuple[Section, ...], dict[str, Any]]:
    org = page.org
    status, priority = (org.schema["Task"].field(name) for name in ("Status", "Priority"))
    assert status
    assert priority
    inputs = (
        Input("object", "Object", "shown"),
        Input("to", "Assigned To", "picklist", True, _people(org)),
        Input("subject", "Subject", required=True, length=80, fills="unique"),
        Input("unique", "Unique Name", required=True, length=80),
        Input("offset", "Due Date: days after the action", required=True, length=4),
        Input("notify", "Notify Assignee", "checkbox"),
        Input("status", "Status", "picklist", True, of_entries(org, status)),
        Input("priority", "Priority", "picklist", True, of_entries(org, priority)),
        Input("description", "Comments", "textarea"),
    )
    kind, to = entry.get("assignedToType", ""), entry.get("assignedTo", "")
    values = {
        "object": org.schema[object].label,
        "to": f"{kind}:{to}" if to else kind,
        "subject": entry.get("subject", ""),
        "offset": entry.get("dueDateOffset", "0"),
        "notify": bool(entry.get("notifyAssignee")),
        "status": entry.get("status", "Not Started"),
        "priority": entry.get("priority", "Normal"),
        "description": entry.get("description", ""),
    }
    return (Section("Configure Task", inputs),), values


def _task(org: Org, object: str, given: Mapping[str, Any]) -> dict[str, Any]:
    if not given["offset"].removeprefix("-").isdecimal():
        raise DmlError("INVALID_FIELD", "Invalid number", ("offset",))
    kind, _, to = given["to"].partition(":")
    return said(
        assignedTo=to or None,
        assignedToType=kind,
        description=given["description"] or None,
        dueDateOffset=given["offset"],
        notifyAssignee=given["notify"],
        priority=given["priority"],
        protected=False,
        status=given["status"],
        subject=given["subject"],
    )


# Email alerts


def _ask_alert(page: SetupVisit, object: str, entry: Tree) -> tuple[tuple[Section, ...], dict[str, Any]]:
    org = page.org
    inputs = (
        Input("description", "Description", required=True, fills="unique"),
        Input("unique", "Unique Name", required=True, length=80),
        Input("object", "Object", "shown"),
        Input("template", "Email Template", "picklist", True, templates(org)),
        Input(
            "recipients",
            "Recipients",
            "dual",
            choices=_people(org),
            titles=("Available Recipients", "Selected Recipients"),
        ),
        Input("cc", "Additional Emails", "textarea", help="Up to five email addresses, one on each line."),
    )
    told = entry.get("recipients", ())
    values = {
        "description": entry.get("description", ""),
        "object": org.schema[object].label,
        "template": entry.get("template", ""),
        "recipients": [
            f"{one['type']}:{one['recipient']}" if "recipient" in one else one["type"] for one in told
        ],
        "cc": "\n".join(entry.get("ccEmails", ())),
    }
    return (Section("Edit Email Alert", inputs),), values


def _alert(org: Org, object: str, given: Mapping[str, Any]) -> dict[str, Any]:
    addresses = [line.strip() for line in given["cc"].splitlines() if line.strip()]
    if len(addresses) > 5 or not all("@" in one for one in addresses):
        raise DmlError("INVALID_FIELD", "Enter up to five email addresses, one on each line", ("cc",))
    if not (addresses or given["recipients"]):
        raise DmlError(
            "REQUIRED_FIELD_MISSING", "Select a recipient or enter an email address", ("recipients",)
        )
    parts = (one.partition(":") for one in given["recipients"])
    return said(
        ccEmails=addresses,
        description=given["description"],
        protected=False,
        recipients=[said(recipient=name or None, type=kind) for kind, _, name in parts],
        senderType="CurrentUser",
        template=given["template"],
    )


_ASK = {"FieldUpdate": _ask_update, "Task": _ask_task, "Alert": _ask_alert}
_BUILD = {"FieldUpdate": _update, "Task": _task, "Alert": _alert}


# The node of each kind


def _register(kind: Kind) -> None:
    area = Area(kind.node)

    @area.get("/home")
    def home(page: SetupVisit) -> Response:
        """Show all actions of the kind."""
        found = [
            (object, one)
            for object in page.org.components(WORKFLOW)
            for one in kind.entries(page.org, object)
        ]
        columns = (
            Column("Name", lambda one: Cell(kind.called(one[1]), kind.address(one[0], one[1]["fullName"]))),
            Column("Unique Name", lambda one: one[1]["fullName"]),
            Column(
                "Object",
                lambda one: page.org.schema[one[0]].label if one[0] in page.org.schema.objects else one[0],
            ),
        )
        table = listing(page, f"All {kind.label}s", columns, found, lambda one: _row(page, kind, *one))
        offered = [(one.label, page.link(f"/new/{one.name}")) for one in objects(page.org)]
        intro = (
            f"{kind.label}s are done when a record is approved, rejected or late, wherever they are added."
        )
        return show_list(
            page, ListPage(f"All {kind.label}s", table, intro), menu=(f"New {kind.label}", offered)
        )

    area.get("/new/{object}")(lambda page: ask(page, kind, page.params["object"]))
    area.post("/new/{object}")(lambda page: save(page, kind, page.params["object"], "", "/home"))
    area.get("/{object}/{name}")(lambda page: ask(page, kind, page.params["object"], page.params["name"]))
    area.post("/{object}/{name}")(
        lambda page: save(page, kind, page.params["object"], page.params["name"], "/home")
    )

    @area.post("/{object}/{name}/delete")
    def delete(page: SetupVisit) -> Response:
        """Delete an action that nothing uses."""
        object, name = page.params["object"], page.params["name"]
        if found := uses(page.org, object, kind, name):
            page.visit.toast(f"{found[0]} uses this action.", "error")
        else:
            entries = kind.entries(page.org, object)
            kind.put(page.org, object, [one for one in entries if one["fullName"] != name])
        return page.go()


def _row(page: SetupVisit, kind: Kind, object: str, entry: Tree) -> list[Action]:
    here, name = f"/{object}/{entry['fullName']}", kind.called(entry)
    return [
        Action("Edit", page.link(here)),
        Action(
            "Del", page.link(f"{here}/delete"), post=True, confirm=f"Are you sure you want to delete {name}?"
        ),
    ]


for one in KINDS.values():
    _register(one)
