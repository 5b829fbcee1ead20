"""Territory types, and territory models with their territories and the assignment rules of accounts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from salesforce_org.rules.registry import settle
from salesforce_org.setup.apinames import claim
from salesforce_org.setup.area import HOME, Area, SetupVisit
from salesforce_org.setup.choices import of_rows
from salesforce_org.setup.criteria import Criteria, fields, of_tree, sentence, stored
from salesforce_org.setup.forms import (
    CANCEL,
    SAVE,
    SAVE_AND_NEW,
    Form,
    Input,
    Section,
    form_at,
    put_record,
    record_form,
    submit,
)
from salesforce_org.setup.shown import named, stamps
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, listing, related, show_list
from salesforce_org.store import DmlError, Org, Record
from salesforce_org.store.errors import OrgError
from salesforce_org.store.values import moment

TYPES = Area("Territory2Type")
MODELS = Area("Territory2Models")
RULE, ITEM = "ObjectTerritory2AssignmentRule", "ObjectTerritory2AssignmentRuleItem"
_OFF = "Enable Sales Territories on the page Territory Settings first."


def enabled(org: Org) -> bool:
    """Whether sales territories are turned on."""
    return bool((org.component("Settings", "Territory2") or {}).get("enableTerritoryManagement2"))


# Types


@TYPES.get("/home")
def types(page: SetupVisit) -> Response:
    """Show all territory types."""
    columns = (
        Column("Label", lambda row: row["MasterLabel"]),
        Column("Territory Type Name", lambda row: row["DeveloperName"]),
        Column("Priority", lambda row: str(row["Priority"])),
        Column("Description", lambda row: row["Description"]),
    )
    table = listing(
        page,
        "Territory Types",
        columns,
        page.org.rows("Territory2Type"),
        lambda row: _actions(page, f"/{row['Id']}", row["MasterLabel"]),
    )
    return _listed(
        page, "Territory Types", table, "Territory types group territories that have something in common."
    )


@record_form(
    TYPES,
    lambda page: page.record("Territory2Type"),
    lambda page, row: _type_form(row),
    back=HOME,
    again="/new",
)
def save_type(page: SetupVisit, row: Record | None, given: dict[str, Any]) -> str:
    """Store a type."""
    if not given["Priority"].isdecimal():
        raise DmlError("INVALID_FIELD", "Invalid number", ("Priority",))
    known = row["Id"] if row else None
    claim(page.org, "Territory2Type", "DeveloperName", given["DeveloperName"], "Territory Type Name", known)
    put_record(page.org, "Territory2Type", row, {**given, "Priority": int(given["Priority"])})
    return HOME


@TYPES.post("/{id}/delete")
def delete_type(page: SetupVisit) -> Response:
    """Delete a type, unless a territory has it."""
    return _deleted(page, page.record("Territory2Type"), "/home")


def _type_form(row: Record | None) -> Form:
    inputs = (
        Input("MasterLabel", "Label", required=True, length=80, fills="DeveloperName"),
        Input("DeveloperName", "Territory Type Name", required=True, length=80),
        Input("Priority", "Priority", required=True, length=9),
        Input("Description", "Description", "textarea"),
    )
    title = row["MasterLabel"] if row else "New Territory Type"
    section = Section("Territory Type Information", inputs)
    return Form(title, "Territory Type", (section,), dict(row or {}), (SAVE, SAVE_AND_NEW, CANCEL))


# Models


@MODELS.get("/home")
def models(page: SetupVisit) -> Response:
    """Show all territory models."""
    columns = (
        Column("Label", lambda row: Cell(row["Name"], page.link(f"/{row['Id']}"))),
        Column("Territory Model Name", lambda row: row["DeveloperName"]),
        Column("State", lambda row: row["State"]),
        Column("Description", lambda row: row["Description"]),
    )
    table = listing(
        page,
        "Territory Models",
        columns,
        page.org.rows("Territory2Model"),
        lambda row: _actions(page, f"/{row['Id']}", row["Name"]),
    )
    intro = "A territory model is a plan of sales territories. One is active at a time; others are prepared beside it."
    return _listed(page, "Territory Models", table, intro)


@MODELS.get("/new")
def new_model(page: SetupVisit) -> Response:
    """Ask about a new model."""
    return _model_form(None).show(page) if enabled(page.org) else page.go(toast=_OFF)


@MODELS.post("/new")
def create_model(page: SetupVisit) -> Response:
    """Store a new model; its state is Planning."""
    return submit(page, _model_form(None), lambda given: _store_model(page.org, None, given), again="/new")


@form_at(
    MODELS,
    "/{id}/e",
    lambda page: _model_form(page.record("Territory2Model")),
    back=lambda page: f"/{page.params['id']}",
)
def save_model(page: SetupVisit, given: dict[str, Any]) -> str:
    """Store what was changed about a model."""
    return _store_model(page.org, page.record("Territory2Model"), given)


@MODELS.post("/{id}/delete")
def delete_model(page: SetupVisit) -> Response:
    """Delete a model that is not active, with its territories and rules."""
    row = page.record("Territory2Model")
    if row["State"] == "Active":
        page.visit.toast("Archive the territory model before you delete it.", "error")
        return page.go(f"/{row['Id']}")
    return _deleted(page, row, "/home")


@MODELS.post("/{id}/activate")
def activate(page: SetupVisit) -> Response:
    """Put a model in force; the one that was so is archived."""
    row = page.record("Territory2Model")
    if not any(page.org.rows("Territory2", Territory2ModelId=row["Id"])):
        page.visit.toast("A territory model needs a territory before it is activated.", "error")
    else:
        for other in page.org.rows("Territory2Model", State="Active"):
            settle(page.org, other["Id"], State="Archived", DeactivatedDate=moment(page.org.now))
        settle(page.org, row["Id"], State="Active", ActivatedDate=moment(page.org.now))
    return page.go(f"/{row['Id']}")


@MODELS.post("/{id}/archive")
def archive(page: SetupVisit) -> Response:
    """Take a model out of force for good."""
    row = page.record("Territory2Model")
    settle(page.org, row["Id"], State="Archived", DeactivatedDate=moment(page.org.now))
    return page.go(f"/{row['Id']}")


@MODELS.get("/{id}")
def model(page: SetupVisit) -> Response:
    """Show a model with its territories and assignment rules."""
    org, row = page.org, page.record("Territory2Model")
    pairs = [
        ("Label", Cell(row["Name"])),
        ("State", Cell(row["State"])),
        ("Territory Model Name", Cell(row["DeveloperName"])),
        ("Description", Cell(row["Description"] or "")),
        *stamps(org, row),
    ]
    territories = (
        Column("Label", lambda one: f"{'— ' * _depth(org, one)}{one['Name']}"),
        Column("Territory Name", lambda one: one["DeveloperName"]),
        Column("Territory Type", lambda one: named(org, one["Territory2TypeId"])),
        Column("Assignment Rules", lambda one: ", ".join(_rules_of(org, one["Id"]))),
    )
    rules = (
        Column("Rule Name", lambda one: one["MasterLabel"]),
        Column("Object", lambda one: one["ObjectType"]),
        Column("Active", lambda one: bool(one["IsActive"])),
        Column("Selection Criteria", lambda one: _criteria_words(org, one)),
    )
    base = f"/{row['Id']}"
    return page.render(
        "setup/territory_model.html",
        row=row,
        pairs=pairs,
        territories=related(
            "Territories",
            territories,
            _tree(org, row["Id"]),
            lambda one: _actions(page, f"{base}/territory/{one['Id']}", one["Name"]),
        ),
        rules=related(
            "Assignment Rules",
            rules,
            org.rows(RULE, Territory2ModelId=row["Id"]),
            lambda one: _actions(page, f"{base}/rule/{one['Id']}", one["MasterLabel"]),
        ),
    )


def _store_model(org: Org, row: Record | None, given: Mapping[str, Any]) -> str:
    known = row["Id"] if row else None
    claim(org, "Territory2Model", "DeveloperName", given["DeveloperName"], "Territory Model Name", known)
    return f"/{put_record(org, 'Territory2Model', row, given)}"


def _model_form(row: Record | None) -> Form:
    inputs = (
        Input("Name", "Label", required=True, length=80, fills="DeveloperName"),
        Input("DeveloperName", "Territory Model Name", required=True, length=80),
        Input("Description", "Description", "textarea"),
    )
    title = row["Name"] if row else "New Territory Model"
    section = Section("Territory Model Information", inputs)
    return Form(title, "Territory Model", (section,), dict(row or {}))


# Territories


@MODELS.get("/{id}/territory/{territory}/e")
def ask_territory(page: SetupVisit) -> Response:
    """Ask about a territory, a new one or one that is there."""
    return _territory_form(page).show(page)


@MODELS.post("/{id}/territory/{territory}/e")
def save_territory(page: SetupVisit) -> Response:
    """Store a territory with the rules that assign accounts to it."""
    org, row, old = page.org, page.record("Territory2Model"), _old(page, "Territory2", "territory")

    def write(given: Mapping[str, Any]) -> str:
        known = old["Id"] if old else None
        among = {"Territory2ModelId": row["Id"]}
        claim(org, "Territory2", "DeveloperName", given["DeveloperName"], "Territory Name", known, **among)
        own = {name: value or None for name, value in given.items() if name != "rules"}
        id = put_record(org, "Territory2", old, own if old else {**own, **among})
        now = {one["RuleId"]: one["Id"] for one in org.rows("RuleTerritory2Association", Territory2Id=id)}
        for rule in now.keys() - set(given["rules"]):
            org.delete(now[rule])
        for rule in given["rules"]:
            if rule not in now:
                org.insert("RuleTerritory2Association", RuleId=rule, Territory2Id=id)
        return f"/{row['Id']}"

    return submit(page, _territory_form(page), write, back=f"/{row['Id']}")


@MODELS.post("/{id}/territory/{territory}/delete")
def delete_territory(page: SetupVisit) -> Response:
    """Delete a territory."""
    return _deleted(page, page.record("Territory2", "territory"), f"/{page.params['id']}")


def _territory_form(page: SetupVisit) -> Form:
    org, row, old = page.org, page.record("Territory2Model"), _old(page, "Territory2", "territory")
    others = [
        one
        for one in org.rows("Territory2", Territory2ModelId=row["Id"])
        if not old or one["Id"] != old["Id"]
    ]
    inputs = (
        Input("Name", "Label", required=True, length=80, fills="DeveloperName"),
        Input("DeveloperName", "Territory Name", required=True, length=80),
        Input(
            "Territory2TypeId",
            "Territory Type",
            "lookup",
            True,
            of_rows(org.rows("Territory2Type"), "MasterLabel"),
        ),
        Input("ParentTerritory2Id", "Parent Territory", "lookup", choices=of_rows(others)),
        Input("Description", "Description", "textarea", length=1000),
    )
    rules = Input(
        "rules",
        "Assignment Rules",
        "dual",
        choices=of_rows(org.rows(RULE, Territory2ModelId=row["Id"]), "MasterLabel"),
        titles=("Available Rules", "Assigned Rules"),
    )
    chosen = org.rows("RuleTerritory2Association", Territory2Id=old["Id"]) if old else ()
    values = {**(old or {}), "rules": [one["RuleId"] for one in chosen]}
    sections = (Section("Territory Information", inputs), Section("Assignment Rules", (rules,)))
    return Form(old["Name"] if old else "New Territory", "Territory", sections, values)


# Assignment rules


@MODELS.get("/{id}/rule/{rule}/e")
def ask_rule(page: SetupVisit) -> Response:
    """Ask about an assignment rule, a new one or one that is there."""
    return _rule_form(page).show(page)


@MODELS.post("/{id}/rule/{rule}/e")
def save_rule(page: SetupVisit) -> Response:
    """Store an assignment rule with its selection criteria."""
    org, row, old = page.org, page.record("Territory2Model"), _old(page, RULE, "rule")

    def write(given: Mapping[str, Any]) -> str:
        known = old["Id"] if old else None
        among = {"Territory2ModelId": row["Id"]}
        claim(org, RULE, "DeveloperName", given["DeveloperName"], "Rule Name", known, **among)
        own = {name: given[name] for name in ("MasterLabel", "DeveloperName", "IsActive")}
        own |= {"BooleanFilter": given["criteria"].logic or None}
        id = put_record(org, RULE, old, own if old else {**own, **among, "ObjectType": "Account"})
        for item in list(org.rows(ITEM, RuleId=id)):
            org.delete(item["Id"])
        for order, item in enumerate(stored(org, given["criteria"], "items", "logic")["items"], 1):
            told = {"Field": item["field"], "Operation": item["operation"], "Value": item.get("value")}
            org.insert(ITEM, RuleId=id, SortOrder=order, **told)
        return f"/{row['Id']}"

    return submit(page, _rule_form(page), write, back=f"/{row['Id']}")


@MODELS.post("/{id}/rule/{rule}/delete")
def delete_rule(page: SetupVisit) -> Response:
    """Delete an assignment rule."""
    return _deleted(page, page.record(RULE, "rule"), f"/{page.params['id']}")


def _rule_form(page: SetupVisit) -> Form:
    org, old = page.org, _old(page, RULE, "rule")
    page.record("Territory2Model")
    inputs = (
        Input("MasterLabel", "Rule Name", required=True, length=80, fills="DeveloperName"),
        Input("DeveloperName", "Rule API Name", required=True, length=80),
        Input("object", "Object", "shown"),
        Input("IsActive", "Active", "checkbox"),
    )
    criteria = Input(
        "criteria",
        "Selection Criteria",
        "criteria",
        True,
        fields(org, "Account"),
        help="Accounts that meet the following criteria belong to the territories that have this rule:",
    )
    values = {**(old or {}), "object": "Account", "criteria": _criteria(org, old) if old else Criteria()}
    sections = (Section("Rule Information", inputs), Section("Selection Criteria", (criteria,)))
    return Form(old["MasterLabel"] if old else "New Assignment Rule", "Assignment Rule", sections, values)


def _items(org: Org, rule: Record) -> list[dict[str, str]]:
    rows = sorted(org.rows(ITEM, RuleId=rule["Id"]), key=lambda row: row["SortOrder"] or 0)
    return [
        {"field": row["Field"], "operation": row["Operation"], "value": row["Value"] or ""} for row in rows
    ]


def _criteria(org: Org, rule: Record) -> Criteria:
    return of_tree(_items(org, rule), rule["BooleanFilter"])


def _criteria_words(org: Org, rule: Record) -> str:
    return sentence(org, _items(org, rule), rule["BooleanFilter"])


# What they have in common


def _listed(page: SetupVisit, title: str, table: Any, intro: str) -> Response:
    buttons = (Action(f"New {title.removesuffix('s')}", page.link("/new")),) if enabled(page.org) else ()
    return show_list(page, ListPage(title, table, intro if buttons else f"{intro} {_OFF}", buttons))


def _actions(page: SetupVisit, base: str, name: str) -> list[Action]:
    ask = f"Are you sure you want to delete {name}?"
    return [
        Action("Edit", page.link(f"{base}/e")),
        Action("Del", page.link(f"{base}/delete"), post=True, confirm=ask),
    ]


def _deleted(page: SetupVisit, row: Record, after: str) -> Response:
    try:
        page.org.delete(row["Id"])
    except OrgError as refused:
        page.visit.toast(refused.message, "error")
    return page.go(after)


def _old(page: SetupVisit, object: str, part: str) -> Record | None:
    return None if page.params[part] == "new" else page.record(object, part)


def _rules_of(org: Org, territory: str) -> list[str]:
    return [
        named(org, one["RuleId"]) for one in org.rows("RuleTerritory2Association", Territory2Id=territory)
    ]


def _depth(org: Org, row: Record) -> int:
    parent = org.get("Territory2", row["ParentTerritory2Id"])
    return 1 + _depth(org, parent) if parent else 0


def _tree(org: Org, model: str, parent: str | None = None) -> list[Record]:
    """Return the territories of a model, each followed by those below it."""
    rows = org.rows("Territory2", Territory2ModelId=model, ParentTerritory2Id=parent)
    ordered = sorted(rows, key=lambda row: str(row["Name"]).casefold())
    return [one for row in ordered for one in (row, *_tree(org, model, row["Id"]))]
