"""Matching Rules: by which fields, and how, two records are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.trees import ordered
from salesforce_org.pages.lists.logic import LogicError, parsed
from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.apinames import check_name
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import CANCEL, Button, Form, Input, Section, form_at, submit
from salesforce_org.setup.objects.shown import field_label
from salesforce_org.setup.permissions.access import governed
from salesforce_org.setup.shown import stamped
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, letters, listing, show_list
from salesforce_org.store import DmlError, Field, Org, Record, SObject
from salesforce_org.store.org import Tree
from salesforce_org.store.schema import AUDIT

RULES = Area("MatchingRules")
RULE = TYPES["MatchingRule"].source
INTRO = (
    "Use matching rules to determine how two records are compared and identified as duplicates. Duplicate rules say "
    "what happens then."
)
LINES = 5
METHODS = {
    "Exact": "Exact",
    "FirstName": "Fuzzy: First Name",
    "LastName": "Fuzzy: Last Name",
    "CompanyName": "Fuzzy: Company Name",
    "Phone": "Fuzzy: Phone",
    "City": "Fuzzy: City",
    "Street": "Fuzzy: Street",
    "Zip": "Fuzzy: ZIP",
    "Title": "Fuzzy: Title",
}
_FUZZY = {"FirstName": "FirstName", "LastName": "LastName", "Company": "CompanyName", "Title": "Title"}
_ENDINGS = {"City": "City", "Street": "Street", "PostalCode": "Zip"}
_BLANK = "blankValueBehavior"
_LOGIC = Input("logic", "Filter Logic", help="Such as 1 AND (2 OR 3); without it all conditions must hold.")
_NEVER = AUDIT | {"Id", "IsDeleted"}


@RULES.get("/home")
def rules(page: SetupVisit) -> Response:
    """Show all matching rules."""
    org = page.org
    columns = (
        Column("Rule Name", lambda row: Cell(row["MasterLabel"], page.link(f"/{row['Id']}"))),
        Column("Description", lambda row: row["Description"]),
        Column("Object", lambda row: org.schema[row["SobjectType"]].label),
        Column("Status", lambda row: row["RuleStatus"]),
        Column("Last Modified", lambda row: stamped(org, row, "LastModifiedById", "LastModifiedDate")),
    )
    table = listing(
        page, "Matching Rules", columns, org.rows("MatchingRule"), lambda row: _actions(page, row)
    )
    new = Action("New Rule", page.link("/new"))
    views = (("all", "All Matching Rules"),)
    return show_list(page, ListPage("Matching Rules", table, INTRO, (new,), views, "all", letters(page)))


@form_at(RULES, "/new", lambda page: object_form(page, "New Matching Rule", "Matching Rule"))
def chosen(page: SetupVisit, values: dict[str, Any]) -> str:
    """Go on to the rule itself."""
    return f"/new/{values['object']}"


def object_form(page: SetupVisit, title: str, kind: str) -> Form:
    """Return the question for which object a rule is."""
    offered = tuple(Choice(one.name, one.label) for one in governed(page.org))
    asked = Input(
        "object",
        "Object",
        "picklist",
        required=True,
        choices=tuple(sorted(offered, key=lambda one: one.label)),
    )
    return Form(title, kind, (Section("Select Object", (asked,)),), buttons=(Button("Next", "save"), CANCEL))


@form_at(RULES, "/new/{object}", lambda page: _form(governed_object(page, page.params["object"]), None))
def create(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store a new rule; it is not active yet."""
    return _store(page.org, governed_object(page, page.params["object"]), None, values)


@RULES.get("/{id}/e")
def edit(page: SetupVisit) -> Response:
    """Ask what to change about a rule that is not active."""
    row, tree = _own(page)
    if tree["ruleStatus"] == "Active":
        page.visit.toast("Deactivate the matching rule before you edit it.", "error")
        return page.go(f"/{row['Id']}")
    return _form(page.org.schema[row["SobjectType"]], {**tree, "fullName": row["DeveloperName"]}).show(page)


@RULES.post("/{id}/e")
def save(page: SetupVisit) -> Response:
    """Store what was changed about a rule."""
    row, tree = _own(page)
    kind = page.org.schema[row["SobjectType"]]
    old = {**tree, "fullName": row["DeveloperName"]}
    return submit(
        page, _form(kind, old), lambda values: _store(page.org, kind, old, values), back=f"/{row['Id']}"
    )


@RULES.post("/{id}/activate")
def activate(page: SetupVisit) -> Response:
    """Let a rule be used, or no more where it is in use."""
    row, tree = _own(page)
    active = tree["ruleStatus"] == "Active"
    if active and (users := _users(page.org, row, active=True)):
        page.visit.toast(f"Deactivate the duplicate rules that use this rule first: {users}.", "error")
    else:
        RULE.write(page.org, _name(row), {**tree, "ruleStatus": "Inactive" if active else "Active"})
    return page.go(f"/{row['Id']}")


@RULES.post("/{id}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a rule that is neither active nor used."""
    row, tree = _own(page)
    if tree["ruleStatus"] == "Active":
        page.visit.toast("Deactivate the matching rule before you delete it.", "error")
    elif users := _users(page.org, row):
        page.visit.toast(f"The matching rule is used by duplicate rules: {users}.", "error")
    else:
        RULE.delete(page.org, _name(row))
    return page.go()


@RULES.get("/{id}")
def show(page: SetupVisit) -> Response:
    """Show a rule."""
    row = page.record("MatchingRule")
    tree = RULE.read(page.org, _name(row))
    kind = page.org.schema[row["SobjectType"]]
    told = (
        told_items(kind, tree)
        if tree
        else "A standard rule of Salesforce, which compares names and addresses"
    )
    pairs = [
        ("Object", Cell(kind.label)),
        ("Rule Name", Cell(row["MasterLabel"])),
        ("Unique Name", Cell(row["DeveloperName"])),
        ("Description", Cell(row["Description"] or "")),
        ("Matching Criteria", Cell(told)),
        ("Status", Cell(row["RuleStatus"])),
        ("Created By", stamped(page.org, row, "CreatedById", "CreatedDate")),
        ("Last Modified By", stamped(page.org, row, "LastModifiedById", "LastModifiedDate")),
    ]
    active = row["RuleStatus"] == "Active"
    return page.render(
        "setup/rule.html", kind="Matching Rule", row=row, own=bool(tree), active=active, pairs=pairs
    )


def told_items(kind: SObject, tree: Tree) -> str:
    """Return the criteria of a rule in one line, as `(Contact: Email EXACT MatchBlank = FALSE)`."""
    told = []
    for one in tree["matchingRuleItems"]:
        field = kind.field(one["fieldName"])
        name = field_label(field) if field else one["fieldName"]
        blank = "TRUE" if one.get(_BLANK) == "MatchBlanks" else "FALSE"
        told.append(f"({kind.label}: {name} {METHODS[one['matchingMethod']].upper()} MatchBlank = {blank})")
    logic = tree.get("booleanFilter", "")
    return " AND ".join(told) if not logic else f"{logic}: " + ", ".join(told)


def methods(field: Field) -> list[str]:
    """Return the methods by which a field can be compared: exactly, and as what it is."""
    if field.custom and field.type in ("string", "textarea"):
        return list(METHODS)
    ending = next((method for end, method in _ENDINGS.items() if field.name.endswith(end)), None)
    fuzzy = "Phone" if field.type == "phone" else _FUZZY.get(field.name, ending)
    return ["Exact", fuzzy] if fuzzy else ["Exact"]


def _own(page: SetupVisit) -> tuple[Record, Tree]:
    """Return a rule that is no standard one."""
    row = page.record("MatchingRule")
    tree = RULE.read(page.org, _name(row))
    if tree is None:
        raise NotHere
    return row, tree


def _name(row: Record) -> str:
    return f"{row['SobjectType']}.{row['DeveloperName']}"


def governed_object(page: SetupVisit, name: str) -> SObject:
    """Return an object for which rules may be.

    Raises:
        NotHere: No object of this name can have rules.
    """
    kind = page.org.schema.get(name)
    if kind is None or kind not in governed(page.org):
        raise NotHere
    return kind


def _users(org: Org, row: Record, *, active: bool = False) -> str:
    """Return the names of the duplicate rules that use a matching rule."""
    used = [
        tree["masterLabel"]
        for tree in org.components("DuplicateRule").values()
        if (tree["isActive"] or not active)
        and any(
            (one["matchRuleSObjectType"], one["matchingRule"]) == (row["SobjectType"], row["DeveloperName"])
            for one in tree.get("duplicateRuleMatchRules", ())
        )
    ]
    return ", ".join(sorted(used))


def _store(org: Org, kind: SObject, old: Tree | None, values: Mapping[str, Any]) -> str:
    check_name(values["name"], "Unique Name", "name")
    full = f"{kind.name}.{values['name']}"
    renamed = old is None or old["fullName"] != values["name"]
    if renamed and any(org.rows("MatchingRule", SobjectType=kind.name, DeveloperName=values["name"])):
        raise DmlError("DUPLICATE_DEVELOPER_NAME", "Another matching rule has this unique name", ("name",))
    items = _items(kind, values)
    _check_logic(values["logic"], len(items))
    told = {
        "booleanFilter": values["logic"] or None,
        "description": values["description"] or None,
        "label": values["label"],
        "matchingRuleItems": items,
        "ruleStatus": "Inactive",
    }
    if old is not None and renamed:
        RULE.delete(org, f"{kind.name}.{old['fullName']}")
    RULE.write(org, full, ordered("MatchingRule", told))
    return f"/{org.one('MatchingRule', SobjectType=kind.name, DeveloperName=values['name'])['Id']}"


def _items(kind: SObject, values: Mapping[str, Any]) -> list[dict[str, str]]:
    items = []
    for line in range(1, LINES + 1):
        name, method = values[f"field{line}"], values[f"method{line}"]
        if not name and not values[f"blank{line}"]:
            continue
        field = kind.field(name)
        if field is None or not method:
            raise DmlError(
                "FIELD_INTEGRITY_EXCEPTION",
                "You must enter a value",
                (f"{'method' if name else 'field'}{line}",),
            )
        if method not in methods(field):
            told = f"{field_label(field)} cannot be compared by this method"
            raise DmlError("FIELD_INTEGRITY_EXCEPTION", told, (f"method{line}",))
        blank = "MatchBlanks" if values[f"blank{line}"] else "NullNotAllowed"
        items.append({_BLANK: blank, "fieldName": name, "matchingMethod": method})
    if not items:
        raise DmlError("FIELD_INTEGRITY_EXCEPTION", "Enter at least one matching criterion", ("field1",))
    return items


def _form(kind: SObject, old: Tree | None) -> Form:
    known = _fields(kind)
    offered = tuple(Choice(one.name, field_label(one)) for one in known)
    exact = Choice("Exact", METHODS["Exact"])
    fuzzy = [Choice(method, METHODS[method], one.name) for one in known for method in methods(one)[1:]]
    lines = (
        (
            Input(f"field{line}", "Field", "picklist", choices=offered),
            Input(
                f"method{line}",
                "Matching Method",
                "picklist",
                choices=(exact, *fuzzy),
                depends=f"field{line}",
            ),
            Input(f"blank{line}", "Match Blank Fields", "checkbox"),
        )
        for line in range(1, LINES + 1)
    )
    sections = (
        Section(
            "Rule Details",
            (
                Input("object", "Object", "shown"),
                Input("label", "Rule Name", required=True, length=80, fills="name"),
                Input("name", "Unique Name", required=True, length=80),
                Input("description", "Description", "textarea"),
            ),
        ),
        Section("Matching Criteria", tuple(one for line in lines for one in line), 3),
        Section("", (_LOGIC,)),
    )
    values: dict[str, Any] = {"object": kind.label}
    if old is not None:
        values |= {"label": old["label"], "name": old["fullName"], "description": old.get("description", "")}
        values["logic"] = old.get("booleanFilter", "")
        for line, one in enumerate(old["matchingRuleItems"], 1):
            values |= {f"field{line}": one["fieldName"], f"method{line}": one["matchingMethod"]}
            values[f"blank{line}"] = one.get(_BLANK) == "MatchBlanks"
    return Form(old["label"] if old else "New Matching Rule", "Matching Rule", sections, values)


def _actions(page: SetupVisit, row: Record) -> list[Action]:
    if RULE.read(page.org, _name(row)) is None:
        return []
    ask = f"Are you sure you want to delete the matching rule {row['MasterLabel']}?"
    return [
        Action("Edit", page.link(f"/{row['Id']}/e")),
        Action("Del", page.link(f"/{row['Id']}/delete"), post=True, confirm=ask),
    ]


def _fields(kind: SObject) -> list[Field]:
    """Return the fields that criteria may look at, by label."""
    found = (one for one in kind.fields if one.name not in _NEVER and one.stored)
    return sorted(found, key=lambda one: field_label(one).casefold())


def _check_logic(logic: str, count: int) -> None:
    """Make sure that logic combines so many conditions.

    Raises:
        DmlError: It does not.
    """
    try:
        if logic:
            parsed(logic, count)
    except LogicError as problem:
        raise DmlError("FIELD_INTEGRITY_EXCEPTION", str(problem), ("logic",)) from None
