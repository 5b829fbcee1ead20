"""Entitlement processes: when records enter and leave one, and the milestones that they have to reach in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from starlette.responses import Response

from salesforce_org.metadata.records import said
from salesforce_org.metadata.trees import ordered
from salesforce_org.pages.visit import NotHere
from salesforce_org.rules.milestones import KIND
from salesforce_org.rules.registry import developer_name
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.criteria import Criteria, fields, of_tree, sentence, stored
from salesforce_org.setup.forms import Form, Input, Section, form_at, submit
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, Table, listing, related, show_list
from salesforce_org.setup.workflow_actions import KINDS
from salesforce_org.store import DmlError, Org
from salesforce_org.store.org import Tree

PROCESSES = Area("EntitlementProcesses", "entitlement_process")
INTRO = (
    "Entitlement processes are timelines of the steps that a support team takes to resolve cases, work orders or "
    "incidents. The milestones of a process say by when each step is done."
)
TYPES = {"Case": "case", "WorkOrder": "work order", "Incident": "incident"}
_ABOUT = {"Case": ("Account", "Contact", "Entitlement"), "WorkOrder": ("Account", "Contact", "Case")}
_CREATED, _CUSTOM = "CreatedDate", "custom"
_EXAMPLE = 'In place of criteria, such as ISPICKVAL(Priority, "High").'


@PROCESSES.get("/home")
def home(page: SetupVisit) -> Response:
    """Show all processes."""
    found = page.org.components(KIND)
    columns = (
        Column("Entitlement Process Name", lambda name: Cell(found[name]["name"], page.link(_address(name)))),
        Column("Type", lambda name: page.org.schema[found[name]["SObjectType"]].label),
        Column("Active", lambda name: bool(found[name].get("active"))),
        Column("Version", lambda name: found[name].get("versionNumber", "1")),
        Column("Default Version", lambda name: bool(found[name].get("isVersionDefault"))),
        Column("Description", lambda name: found[name].get("description", "")),
    )

    def made(name: str) -> list[Action]:
        ask = f"Are you sure you want to delete {found[name]['name']}?"
        return [
            Action("Edit", page.link(f"{_address(name)}/e")),
            Action("Del", page.link(f"{_address(name)}/delete"), post=True, confirm=ask),
        ]

    table = listing(page, "Entitlement Processes", columns, found, made)
    new = Action("New Entitlement Process", page.link("/new"))
    return show_list(page, ListPage("Entitlement Processes", table, INTRO, (new,)))


@form_at(PROCESSES, "/new", lambda page: _type_form(page.org))
def take_type(page: SetupVisit, given: dict[str, Any]) -> str:
    """Go on to the form of the type."""
    return f"/new/{given['type']}"


@form_at(PROCESSES, "/new/{type}", lambda page: _form(page.org, _type(page), {}))
def create(page: SetupVisit, given: dict[str, Any]) -> str:
    """Store a new process without milestones."""
    name = developer_name(given["name"]).lower()
    _claim(page.org, given["name"])
    if page.org.component(KIND, name) is not None:
        raise DmlError("DUPLICATE_VALUE", "Another process has a name like this one", ("name",))
    first = {"isVersionDefault": True, "versionNumber": "1"}
    _put(page.org, name, _tree(page.org, _type(page), given, first))
    return _address(name)


@PROCESSES.get("/process/{name}")
def detail(page: SetupVisit) -> Response:
    """Show a process with its milestones."""
    _, tree = _found(page)
    object = tree["SObjectType"]
    pairs = [
        ("Entitlement Process Name", Cell(tree["name"])),
        ("Type", Cell(page.org.schema[object].label)),
        ("Active", Cell(checked=bool(tree.get("active")))),
        ("Version Number", Cell(tree.get("versionNumber", "1"))),
        ("Description", Cell(tree.get("description", ""))),
        ("Default Version", Cell(checked=bool(tree.get("isVersionDefault")))),
        ("Version Notes", Cell(tree.get("versionNotes", ""))),
        (f"{page.org.schema[object].label} Enters the Process", Cell(_entry(page.org, tree))),
        (f"{page.org.schema[object].label} Exits the Process", Cell(_exit(page.org, tree))),
    ]
    return page.render(
        "setup/entitlement_process.html", name=tree["name"], pairs=pairs, table=_milestones(page, tree)
    )


@PROCESSES.get("/process/{name}/e")
def edit(page: SetupVisit) -> Response:
    """Ask what to change about a process."""
    _, tree = _found(page)
    return _form(page.org, tree["SObjectType"], tree).show(page)


@PROCESSES.post("/process/{name}/e")
def save(page: SetupVisit) -> Response:
    """Store what was changed about a process."""
    name, tree = _found(page)

    def write(given: Mapping[str, Any]) -> str:
        _claim(page.org, given["name"], name)
        kept = {
            key: tree[key] for key in ("isVersionDefault", "versionNumber", "versionMaster") if key in tree
        }
        kept |= {key: tree[key] for key in ("milestones", "businessHours") if key in tree}
        _put(page.org, name, _tree(page.org, tree["SObjectType"], given, kept))
        return _address(name)

    return submit(page, _form(page.org, tree["SObjectType"], tree), write, back=_address(name))


@PROCESSES.post("/process/{name}/version")
def version(page: SetupVisit) -> Response:
    """Store a copy as the next version, which is not active; an active one cannot be copied over."""
    name, tree = _found(page)
    base, _, _ = name.partition("_v")
    master = tree.get("versionMaster", base)
    taken = [one for one in page.org.components(KIND).values() if one.get("versionMaster", "") == master]
    number = 2 + len(taken)
    copy = f"{base}_v{number}"
    told = {**tree, "active": False, "isVersionDefault": False, "versionNumber": str(number)}
    _put(page.org, copy, {**told, "versionMaster": master})
    return page.go(_address(copy))


@PROCESSES.post("/process/{name}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a process, unless an entitlement has it."""
    name, tree = _found(page)
    row = next(page.org.rows("SlaProcess", NameNorm=name), None)
    if row and next(page.org.rows("Entitlement", SlaProcessId=row["Id"]), None):
        page.visit.toast(f"An entitlement uses {tree['name']}.", "error")
    else:
        page.org.put_component(KIND, name, None)
    return page.go()


# Milestones


@PROCESSES.get("/process/{name}/milestone/{number}")
def ask_milestone(page: SetupVisit) -> Response:
    """Ask about a milestone of a process."""
    return _milestone_form(page).show(page)


@PROCESSES.post("/process/{name}/milestone/{number}")
def save_milestone(page: SetupVisit) -> Response:
    """Store a milestone at the place that its order says."""
    name, tree = _found(page)
    items, at = list(tree.get("milestones", ())), _at(page, tree)

    def write(given: Mapping[str, Any]) -> str:
        minutes, order = given["minutes"], given["order"]
        if not minutes.isdecimal() or int(minutes) < 1:
            raise DmlError("INVALID_FIELD", "The time trigger is a number of minutes from 1 up", ("minutes",))
        others = [one for number, one in enumerate(items) if number != at]
        if any(one["milestoneName"] == given["milestone"] for one in others):
            raise DmlError("DUPLICATE_VALUE", "The process has this milestone already", ("milestone",))
        if not order.isdecimal() or not 1 <= int(order) <= len(others) + 1:
            raise DmlError("INVALID_FIELD", f"The order is a number from 1 to {len(others) + 1}", ("order",))
        kept = items[at] if at is not None else {}
        item = {
            **{key: kept[key] for key in ("timeTriggers", "successActions", "businessHours") if key in kept},
            **_criteria(page.org, given),
            "milestoneName": given["milestone"],
            "minutesToComplete": minutes,
            "useCriteriaStartTime": given["starts"] == "criteria",
        }
        others.insert(int(order) - 1, item)
        _put(page.org, name, {**tree, "milestones": others})
        return _address(name)

    return submit(page, _milestone_form(page), write, back=_address(name))


@PROCESSES.post("/process/{name}/milestone/{number}/delete")
def delete_milestone(page: SetupVisit) -> Response:
    """Take a milestone out of a process."""
    name, tree = _found(page)
    at = _at(page, tree)
    kept = [one for number, one in enumerate(tree.get("milestones", ())) if number != at]
    _put(page.org, name, {**tree, "milestones": kept})
    return page.go(_address(name))


@form_at(
    PROCESSES,
    "/process/{name}/milestone/{number}/actions",
    lambda page: _actions_form(page),
    back=lambda page: _address(_found(page)[0]),
)
def save_actions(page: SetupVisit, given: dict[str, Any]) -> str:
    """Store what is done when a milestone is completed."""
    name, tree = _found(page)
    at = _at(page, tree)
    parts = (one.partition(":") for one in given["actions"])
    found = [{"name": own, "type": kind} for kind, _, own in parts]
    items = [
        {**one, "successActions": found} if number == at else one
        for number, one in enumerate(tree["milestones"])
    ]
    _put(page.org, name, {**tree, "milestones": items})
    return _address(name)


def _found(page: SetupVisit) -> tuple[str, Tree]:
    name = unquote(page.params["name"])
    tree = page.org.component(KIND, name)
    if tree is None:
        raise NotHere
    return name, tree


def _type(page: SetupVisit) -> str:
    if page.params["type"] not in TYPES:
        raise NotHere
    return page.params["type"]


def _at(page: SetupVisit, tree: Tree) -> int | None:
    number, count = page.params["number"], len(tree.get("milestones", ()))
    if number == "new":
        return None
    if not number.isdecimal() or not 1 <= int(number) <= count:
        raise NotHere
    return int(number) - 1


def _address(name: str) -> str:
    return f"/process/{quote(name, safe='')}"


def _put(org: Org, name: str, tree: Mapping[str, Any]) -> None:
    org.put_component(KIND, name, ordered(KIND, tree))


def _claim(org: Org, name: str, but: str = "") -> None:
    master = (org.component(KIND, but) or {}).get("versionMaster", but)
    for other, tree in org.components(KIND).items():
        same = tree.get("versionMaster", other) == master
        if not same and tree["name"].casefold() == name.casefold():
            raise DmlError("DUPLICATE_VALUE", "Another process has this name", ("name",))


def _tree(org: Org, object: str, given: Mapping[str, Any], kept: Mapping[str, Any]) -> dict[str, Any]:
    start = _CREATED if given["enters"] == _CREATED else given["start"]
    if not start:
        raise DmlError("REQUIRED_FIELD_MISSING", "You must enter a value", ("start",))
    closed = Criteria(((f"{object}.IsClosed", "equals", "true"),))
    criteria = closed if given["exits"] == "closed" else given["criteria"]
    asked = "formula" if given["exits"] == "formula" else "criteria"
    if not given["formula"] if asked == "formula" else criteria == Criteria():
        raise DmlError("REQUIRED_FIELD_MISSING", "You must enter a value", (asked,))
    exits = stored(org, criteria, "exitCriteriaFilterItems", "exitCriteriaBooleanFilter")
    return {
        **kept,
        "SObjectType": object,
        "active": given["active"],
        "name": given["name"],
        "entryStartDateField": f"{object}.{start}",
        **({"exitCriteriaFormula": given["formula"]} if asked == "formula" else exits),
        **said(description=given["description"] or None, versionNotes=given["notes"] or None),
    }


def _criteria(org: Org, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a milestone's criteria as elements; a formula takes their place."""
    if given["formula"]:
        return {"milestoneCriteriaFormula": given["formula"]}
    return stored(org, given["criteria"], "milestoneCriteriaFilterItems", "criteriaBooleanFilter")


def _is_closed(object: str, tree: Tree) -> bool:
    closed = {"field": f"{object}.IsClosed", "operation": "equals", "value": "true"}
    return list(tree.get("exitCriteriaFilterItems", ())) == [closed]


def _entry(org: Org, tree: Tree) -> str:
    object, _, name = str(tree.get("entryStartDateField", "")).partition(".")
    field = org.schema[object].field(name) if object in org.schema.objects else None
    return f"Based on {org.schema[object].label.lower()} {field.label.lower()}" if field else ""


def _exit(org: Org, tree: Tree) -> str:
    if "exitCriteriaFormula" in tree:
        return str(tree["exitCriteriaFormula"])
    return sentence(org, tree.get("exitCriteriaFilterItems", ()), tree.get("exitCriteriaBooleanFilter"))


def _milestones(page: SetupVisit, tree: Tree) -> Table:
    items = list(enumerate(tree.get("milestones", ()), 1))
    columns = (
        Column("Order", lambda one: str(one[0])),
        Column("Milestone Name", lambda one: one[1]["milestoneName"]),
        Column("Time Trigger (Minutes)", lambda one: one[1].get("minutesToComplete", "")),
        Column(
            "Start Time",
            lambda one: "Milestone Criteria" if one[1].get("useCriteriaStartTime") else "Entitlement Process",
        ),
        Column("Criteria", lambda one: _criteria_of(page.org, one[1])),
        Column(
            "Success Actions",
            lambda one: ", ".join(each["name"] for each in one[1].get("successActions", ())),
        ),
    )

    def made(one: tuple[int, Tree]) -> list[Action]:
        here = f"{page.path}/milestone/{one[0]}"
        ask = f"Are you sure you want to remove {one[1]['milestoneName']}?"
        return [
            Action("Edit", page.link(here)),
            Action("Del", page.link(f"{here}/delete"), post=True, confirm=ask),
            Action("Actions", page.link(f"{here}/actions")),
        ]

    return related("Milestones", columns, items, made)


def _criteria_of(org: Org, item: Tree) -> str:
    if "milestoneCriteriaFormula" in item:
        return str(item["milestoneCriteriaFormula"])
    return sentence(org, item.get("milestoneCriteriaFilterItems", ()), item.get("criteriaBooleanFilter"))


def _type_form(org: Org) -> Form:
    offered = tuple(Choice(name, org.schema[name].label) for name in TYPES)
    inputs = (Input("type", "Entitlement Process Type", "picklist", True, offered, none=False),)
    return Form(
        "New Entitlement Process", "Entitlement Process", (Section("Select the Type of Records", inputs),)
    )


def _form(org: Org, object: str, tree: Tree) -> Form:
    sections = (_about(), _entering(org, object), _exiting(org, object))
    title = tree.get("name", "New Entitlement Process")
    return Form(title, "Entitlement Process", sections, _values(object, tree))


def _about() -> Section:
    inputs = (
        Input("name", "Entitlement Process Name", required=True, length=80),
        Input("active", "Active", "checkbox"),
        Input("description", "Description", "textarea"),
        Input("notes", "Version Notes", "textarea"),
    )
    return Section("Entitlement Process Detail", inputs)


def _entering(org: Org, object: str) -> Section:
    word, title = TYPES[object], f"{org.schema[object].label} enters the process"
    dates = tuple(
        Choice(one.name, one.label)
        for one in org.schema[object].fields
        if one.type == "datetime" and one.updateable
    )
    enters = (
        Choice(_CREATED, f"Based on {word} created date"),
        Choice(_CUSTOM, f"Based on a custom date/time field on the {word}"),
    )
    start = Input("start", "Date/Time Field", "picklist", choices=dates)
    return Section(title, (Input("enters", title, "radio", True, enters), start))


def _exiting(org: Org, object: str) -> Section:
    title = f"{org.schema[object].label} exits the process"
    exits = (
        Choice("closed", f"Based on when {TYPES[object]} is closed"),
        Choice(_CUSTOM, "Based on custom criteria"),
        Choice("formula", "Based on a formula"),
    )
    about = fields(org, object, *_ABOUT.get(object, ()), "User")
    only = "Only for custom criteria:"
    inputs = (
        Input("exits", title, "radio", True, exits),
        Input("criteria", "Exit Criteria", "criteria", choices=about, help=only),
        Input("formula", "Exit Formula", "textarea", length=3900, help=_EXAMPLE),
    )
    return Section(title, inputs)


def _values(object: str, tree: Tree) -> dict[str, Any]:
    start = str(tree.get("entryStartDateField", f"{object}.{_CREATED}")).partition(".")[2]
    formula, closed = tree.get("exitCriteriaFormula", ""), not tree or _is_closed(object, tree)
    items = () if closed else tree.get("exitCriteriaFilterItems", ())
    return {
        "name": tree.get("name", ""),
        "active": bool(tree.get("active")),
        "description": tree.get("description", ""),
        "notes": tree.get("versionNotes", ""),
        "enters": _CREATED if start == _CREATED else _CUSTOM,
        "start": "" if start == _CREATED else start,
        "exits": "formula" if formula else "closed" if closed else _CUSTOM,
        "criteria": of_tree(items, None if closed else tree.get("exitCriteriaBooleanFilter")),
        "formula": formula,
    }


def _milestone_form(page: SetupVisit) -> Form:
    org = page.org
    _, tree = _found(page)
    object, at, items = tree["SObjectType"], _at(page, tree), tree.get("milestones", ())
    item = items[at] if at is not None else {}
    word = TYPES[object]
    types = tuple(
        Choice(row["Name"], row["Name"])
        for row in sorted(org.rows("MilestoneType"), key=lambda row: row["Name"].casefold())
    )
    starts = (
        Choice("process", f"The milestone starts based on when the {word} enters the process"),
        Choice("criteria", f"The milestone starts based on when the {word} meets the milestone's criteria"),
    )
    sections = (
        Section(
            "Milestone Information",
            (
                Input("milestone", "Milestone Name", "picklist", True, types),
                Input("minutes", "Time Trigger (Minutes)", required=True, length=9),
                Input("starts", "Milestone Start Time", "radio", True, starts),
                Input("order", "Order", required=True, length=3),
            ),
        ),
        Section(
            "Milestone Criteria",
            (
                Input(
                    "criteria",
                    "Milestone Criteria",
                    "criteria",
                    choices=fields(org, object, *_ABOUT.get(object, ()), "User"),
                    help=f"Add this milestone to a {word} if the following criteria are met; without any, all get it:",
                ),
                Input("formula", "Formula", "textarea", length=3900, help=_EXAMPLE),
            ),
        ),
    )
    values = {
        "milestone": item.get("milestoneName", ""),
        "minutes": item.get("minutesToComplete", ""),
        "starts": "criteria" if item.get("useCriteriaStartTime") else "process",
        "order": str(len(items) + 1 if at is None else at + 1),
        "criteria": of_tree(item.get("milestoneCriteriaFilterItems", ()), item.get("criteriaBooleanFilter")),
        "formula": item.get("milestoneCriteriaFormula", ""),
    }
    return Form(item.get("milestoneName", "New Milestone"), "Entitlement Process Milestone", sections, values)


def _actions_form(page: SetupVisit) -> Form:
    _, tree = _found(page)
    at = _at(page, tree)
    if at is None:
        raise NotHere
    item = tree["milestones"][at]
    offered = tuple(
        Choice(f"{kind.name}:{one['fullName']}", f"{kind.label}: {kind.called(one)}")
        for kind in KINDS.values()
        for one in kind.entries(page.org, tree["SObjectType"])
    )
    titles = ("Available Actions", "Selected Actions")
    inputs = (Input("actions", "Success Actions", "dual", choices=offered, titles=titles),)
    values = {"actions": [f"{one['type']}:{one['name']}" for one in item.get("successActions", ())]}
    return Form(item["milestoneName"], "Milestone Actions", (Section("Success Actions", inputs),), values)
