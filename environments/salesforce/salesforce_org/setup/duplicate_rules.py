"""Duplicate Rules: what happens to a record that looks like another one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from salesforce_org.metadata.trees import ordered
from salesforce_org.setup.apinames import check_name
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.criteria import Criteria, fields, of_own, qualified, sentence, stored_own
from salesforce_org.setup.forms import Form, Input, Section, form_at, submit
from salesforce_org.setup.matching_rules import governed_object, object_form
from salesforce_org.setup.shown import stamped
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, letters, listing, show_list
from salesforce_org.store import DmlError, Org, Record, SObject
from salesforce_org.store.org import Tree

RULES = Area("DuplicateRules")
KIND = "DuplicateRule"
INTRO = (
    "Use duplicate rules to define what happens when users create or edit records that look like others. A duplicate "
    "rule finds them by matching rules."
)
ALERT = "Use one of these records?"
MATCHING = 3  # matching rules in a duplicate rule
ACTIONS = (Choice("Allow", "Allow"), Choice("Block", "Block"))
SECURITY = (
    Choice("EnforceSharingRules", "Enforce sharing rules"),
    Choice("BypassSharingRules", "Bypass sharing rules"),
)
_MOMENTS = (("Insert", "Create"), ("Update", "Edit"))
_OPERATIONS = ("Alert", "Report")


@RULES.get("/home")
def rules(page: SetupVisit) -> Response:
    """Show all duplicate rules."""
    org = page.org
    columns = (
        Column("Rule Name", lambda row: Cell(row["MasterLabel"], page.link(f"/{row['Id']}"))),
        Column("Description", lambda row: _tree(org, row).get("description", "")),
        Column("Object", lambda row: org.schema[row["SobjectType"]].label),
        Column("Matching Rule", lambda row: _matching(org, _tree(org, row))),
        Column("Active", lambda row: bool(row["IsActive"])),
        Column("Last Modified", lambda row: stamped(org, row, "LastModifiedById", "LastModifiedDate")),
    )
    table = listing(page, "Duplicate Rules", columns, org.rows(KIND), lambda row: _actions(page, row))
    new, views = Action("New Rule", page.link("/new")), (("all", "All Duplicate Rules"),)
    return show_list(page, ListPage("Duplicate Rules", table, INTRO, (new,), views, "all", letters(page)))


@form_at(RULES, "/new", lambda page: object_form(page, "New Duplicate Rule", "Duplicate Rule"))
def chosen(page: SetupVisit, values: dict[str, Any]) -> str:
    """Go on to the rule itself."""
    return f"/new/{values['object']}"


@form_at(
    RULES,
    "/new/{object}",
    lambda page: _form(page.org, governed_object(page, page.params["object"]), None),
)
def create(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store a new rule; it is not active yet unless its box is ticked."""
    return _store(page.org, governed_object(page, page.params["object"]), None, values)


@RULES.get("/{id}/e")
def edit(page: SetupVisit) -> Response:
    """Ask what to change about a rule."""
    row = page.record(KIND)
    return _form(page.org, page.org.schema[row["SobjectType"]], row).show(page)


@RULES.post("/{id}/e")
def save(page: SetupVisit) -> Response:
    """Store what was changed about a rule."""
    row = page.record(KIND)
    kind = page.org.schema[row["SobjectType"]]
    form = _form(page.org, kind, row)
    return submit(page, form, lambda values: _store(page.org, kind, row, values), back=f"/{row['Id']}")


@RULES.post("/{id}/activate")
def activate(page: SetupVisit) -> Response:
    """Let a rule work, or no more."""
    row = page.record(KIND)
    tree = _tree(page.org, row)
    page.org.put_component(KIND, _name(row), {**tree, "isActive": not tree["isActive"]})
    return page.go(f"/{row['Id']}")


@RULES.post("/{id}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a rule."""
    page.org.put_component(KIND, _name(page.record(KIND)), None)
    return page.go()


@RULES.get("/{id}")
def show(page: SetupVisit) -> Response:
    """Show a rule."""
    row = page.record(KIND)
    tree, kind = _tree(page.org, row), page.org.schema[row["SobjectType"]]
    actions = [
        (f"Action On {word}", Cell(_acts(tree, f"actionOn{moment}", f"operationsOn{moment}")))
        for moment, word in _MOMENTS
    ]
    told = {choice.value: choice.label for choice in SECURITY}
    pairs = [
        ("Rule Name", Cell(row["MasterLabel"])),
        ("Unique Name", Cell(row["DeveloperName"])),
        ("Description", Cell(tree.get("description", ""))),
        ("Object", Cell(kind.label)),
        ("Record-Level Security", Cell(told[tree["securityOption"]])),
        *actions,
        ("Alert Text", Cell(tree.get("alertText", ""))),
        ("Active", Cell(checked=tree["isActive"])),
        ("Matching Rules", Cell(_matching(page.org, tree))),
        ("Conditions", Cell(sentence(page.org, qualified(kind.name, _items(tree)), _logic(tree)))),
        ("Created By", stamped(page.org, row, "CreatedById", "CreatedDate")),
        ("Last Modified By", stamped(page.org, row, "LastModifiedById", "LastModifiedDate")),
    ]
    context = {"kind": "Duplicate Rule", "row": row, "own": True, "active": tree["isActive"], "pairs": pairs}
    return page.render("setup/rule.html", **context)


def _acts(tree: Tree, action: str, operations: str) -> str:
    return ", ".join([tree[action], *tree.get(operations, ())])


def _matching(org: Org, tree: Tree) -> str:
    named = []
    for one in tree.get("duplicateRuleMatchRules", ()):
        key = {"SobjectType": one["matchRuleSObjectType"], "DeveloperName": one["matchingRule"]}
        row = next(org.rows("MatchingRule", **key), None)
        named.append(row["MasterLabel"] if row else one["matchingRule"])
    return ", ".join(named)


def _items(tree: Tree) -> list[Tree]:
    told = tree.get("duplicateRuleFilter") or {}
    return sorted(told.get("duplicateRuleFilterItems", ()), key=lambda one: int(one["sortOrder"]))


def _logic(tree: Tree) -> str:
    return str((tree.get("duplicateRuleFilter") or {}).get("booleanFilter", ""))


def _name(row: Record) -> str:
    return f"{row['SobjectType']}.{row['DeveloperName']}"


def _tree(org: Org, row: Record) -> Tree:
    return org.component(KIND, _name(row)) or {}


def _store(org: Org, kind: SObject, old: Record | None, values: Mapping[str, Any]) -> str:
    check_name(values["name"], "Unique Name", "name")
    full, others = f"{kind.name}.{values['name']}", org.components(KIND)
    if full in others and (old is None or _name(old) != full):
        raise DmlError("DUPLICATE_DEVELOPER_NAME", "Another duplicate rule has this unique name", ("name",))
    chosen = [values[f"matching{number}"] for number in range(1, MATCHING + 1) if values[f"matching{number}"]]
    if not chosen:
        raise DmlError("FIELD_INTEGRITY_EXCEPTION", "You must enter a value", ("matching1",))
    tree = _tree(org, old) if old else {}
    known = [
        f"{one['matchRuleSObjectType']}.{one['matchingRule']}"
        for one in tree.get("duplicateRuleMatchRules", ())
    ]
    items = [
        {**one, "sortOrder": str(order), "table": kind.name}
        for order, one in enumerate(stored_own(org, values["criteria"]), 1)
    ]
    told = {
        **tree,
        "actionOnInsert": values["actionOnInsert"],
        "actionOnUpdate": values["actionOnUpdate"],
        "alertText": values["alertText"] or None,
        "description": values["description"] or None,
        "duplicateRuleFilter": {
            "booleanFilter": values["criteria"].logic or None,
            "duplicateRuleFilterItems": items,
        }
        if items
        else None,
        "duplicateRuleMatchRules": [
            tree["duplicateRuleMatchRules"][known.index(one)]
            if one in known
            else {"matchRuleSObjectType": one.partition(".")[0], "matchingRule": one.partition(".")[2]}
            for one in chosen
        ],
        "isActive": values["isActive"],
        "masterLabel": values["label"],
        "securityOption": values["securityOption"],
        "sortOrder": tree.get("sortOrder")
        or str(1 + sum(name.startswith(f"{kind.name}.") for name in others)),
    }
    for moment, _ in _MOMENTS:
        allowed = values[f"actionOn{moment}"] == "Allow"
        told[f"operationsOn{moment}"] = [one for one in _OPERATIONS if allowed and values[f"{one}{moment}"]]
    if old is not None and _name(old) != full:
        org.put_component(KIND, _name(old), None)
    org.put_component(KIND, full, ordered(KIND, told))
    return f"/{org.one(KIND, SobjectType=kind.name, DeveloperName=values['name'])['Id']}"


def _form(org: Org, kind: SObject, old: Record | None) -> Form:
    naming = (
        Input("label", "Rule Name", required=True, length=80, fills="name"),
        Input("name", "Unique Name", required=True, length=80),
        Input("description", "Description", "textarea"),
        Input("object", "Object", "shown"),
        Input("securityOption", "Record-Level Security", "radio", required=True, choices=SECURITY),
        Input("isActive", "Active", "checkbox"),
    )
    sections = (
        Section("Rule Details", naming),
        Section("Actions", (*_actions_asked(), Input("alertText", "Alert Text", "textarea"))),
        Section("Matching Rules", _matching_asked(org, kind)),
        Section("", (Input("criteria", "Conditions", "criteria", choices=fields(org, kind.name)),)),
    )
    values: dict[str, Any] = {
        "object": kind.label,
        "securityOption": "EnforceSharingRules",
        "alertText": ALERT,
        "criteria": Criteria(),
    }
    values |= {f"actionOn{moment}": "Allow" for moment, _ in _MOMENTS}
    values |= {f"{one}{moment}": True for moment, _ in _MOMENTS for one in _OPERATIONS}
    if old is not None:
        tree = _tree(org, old)
        values |= {"label": tree["masterLabel"], "name": old["DeveloperName"], **tree}
        values["criteria"] = of_own(kind.name, _items(tree), _logic(tree))
        for moment, _ in _MOMENTS:
            values |= {f"{one}{moment}": one in tree.get(f"operationsOn{moment}", ()) for one in _OPERATIONS}
        for number, one in enumerate(tree.get("duplicateRuleMatchRules", ()), 1):
            values[f"matching{number}"] = f"{one['matchRuleSObjectType']}.{one['matchingRule']}"
    return Form(old["MasterLabel"] if old else "New Duplicate Rule", "Duplicate Rule", sections, values)


def _actions_asked() -> list[Input]:
    asked = []
    for moment, word in _MOMENTS:
        asked.append(Input(f"actionOn{moment}", f"Action On {word}", "picklist", choices=ACTIONS, none=False))
        asked += [Input(f"{one}{moment}", f"{one} On {word}", "checkbox") for one in _OPERATIONS]
    return asked


def _matching_asked(org: Org, kind: SObject) -> tuple[Input, ...]:
    """Return the choice of matching rules: active ones of the object, and of people where it is one of those."""
    people = ("Contact", "Lead")
    compared = people if kind.name in people else (kind.name,)
    rows = [row for row in org.rows("MatchingRule", RuleStatus="Active") if row["SobjectType"] in compared]
    rows.sort(key=lambda row: (row["SobjectType"] != kind.name, row["MasterLabel"]))
    offered = tuple(
        Choice(
            _name(row),
            f"Compare {kind.plural} With {org.schema[row['SobjectType']].plural}: {row['MasterLabel']}",
        )
        for row in rows
    )
    return tuple(
        Input(f"matching{number}", f"Matching Rule {number}", "picklist", number == 1, offered)
        for number in range(1, MATCHING + 1)
    )


def _actions(page: SetupVisit, row: Record) -> list[Action]:
    ask = f"Are you sure you want to delete the duplicate rule {row['MasterLabel']}?"
    return [
        Action("Edit", page.link(f"/{row['Id']}/e")),
        Action("Del", page.link(f"/{row['Id']}/delete"), post=True, confirm=ask),
    ]
