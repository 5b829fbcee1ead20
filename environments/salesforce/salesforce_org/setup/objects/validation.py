"""Validation Rules in Object Manager: the list of an object's rules, and each rule's page and form."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.formulas import Use
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.trees import ordered
from salesforce_org.pages.routing import page as address_of_page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.setup.apinames import check_name
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import CANCEL, SAVE, SAVE_AND_NEW, Form, Input, Section, submit
from salesforce_org.setup.formulas import editor
from salesforce_org.setup.objects.manager import BUILT, MANAGER, address, in_manager, object_of, show_tab
from salesforce_org.setup.objects.shown import field_label
from salesforce_org.setup.tables import Action, Cell, Column, listing
from salesforce_org.store import DmlError, SObject
from salesforce_org.store.org import Tree
from salesforce_org.store.schema import AUDIT

KIND = "ValidationRule"
TAB = "ValidationRules"
TOP = "Top of Page"
_INTRO = (
    "Define a validation rule by specifying an error condition and a corresponding error message. The error condition "
    "is written as a Boolean formula expression that returns true or false. When the formula expression returns true, "
    "the save will be aborted and the error message will be displayed. The user can correct the error and try again."
)


def _rules(page: SetupVisit, kind: SObject) -> dict[str, object]:
    start = f"{kind.name}."
    rules = {
        name.removeprefix(start): tree
        for name, tree in page.org.components(KIND).items()
        if name.startswith(start)
    }
    columns = (
        Column("Rule Name", lambda name: Cell(name, address(kind, TAB, name))),
        Column("Error Location", lambda name: _location(kind, rules[name])),
        Column("Error Message", lambda name: rules[name]["errorMessage"]),
        Column("Active", lambda name: bool(rules[name]["active"])),
    )

    def actions(name: str) -> list[Action]:
        base = f"/{kind.name}/rules/{name}"
        return [
            Action("Edit", page.link(f"{base}/edit")),
            Action("Del", page.link(f"{base}/delete"), post=True, confirm="Are you sure?"),
        ]

    return {"table": listing(page, "Validation Rules", columns, rules, actions)}


BUILT[TAB] = _rules


def _location(kind: SObject, rule: Tree) -> str:
    field = kind.field(rule.get("errorDisplayField", ""))
    return field_label(field) if field else TOP


@address_of_page("GET", "/lightning/setup/ObjectManager/{object}/ValidationRules/{rule}/view")
def detail(visit: Visit) -> Response:
    """Show a rule."""
    page = in_manager(visit)
    kind = object_of(page)
    return show_tab(page, kind, TAB, "setup/object_rule.html", _told)


def _told(page: SetupVisit, kind: SObject) -> dict[str, object]:
    rule, name = _named(page, kind), page.params["rule"]
    pairs = [
        ("Rule Name", Cell(name)),
        ("Active", Cell(checked=bool(rule["active"]))),
        ("Error Condition Formula", Cell(rule["errorConditionFormula"])),
        ("Error Message", Cell(rule["errorMessage"])),
        ("Error Location", Cell(_location(kind, rule))),
        ("Description", Cell(rule.get("description", ""))),
    ]
    return {"name": name, "pairs": pairs, "base": f"/{kind.name}/rules/{name}"}


@MANAGER.get("/{object}/rules/new")
def new(page: SetupVisit) -> Response:
    """Ask about a new rule."""
    return _form(page, {"active": True, "errorDisplayField": ""}).show(page)


@MANAGER.post("/{object}/rules/new")
def create(page: SetupVisit) -> Response:
    """Store a new rule."""
    return _submit(page, None)


@MANAGER.get("/{object}/rules/{rule}/edit")
def edit(page: SetupVisit) -> Response:
    """Ask what to change about a rule, or what a copy of it is to be."""
    rule = _named(page, object_of(page))
    return _form(page, {**rule, "name": page.params["rule"]}).show(page)


@MANAGER.get("/{object}/rules/{rule}/clone")
def clone(page: SetupVisit) -> Response:
    """Ask about a new rule that begins as a copy."""
    return _form(page, dict(_named(page, object_of(page)))).show(page)


@MANAGER.post("/{object}/rules/{rule}/clone")
def copy(page: SetupVisit) -> Response:
    """Store a new rule that began as a copy."""
    return _submit(page, None)


@MANAGER.post("/{object}/rules/{rule}/edit")
def save(page: SetupVisit) -> Response:
    """Store what was changed about a rule."""
    _named(page, object_of(page))
    return _submit(page, page.params["rule"])


@MANAGER.post("/{object}/rules/{rule}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a rule."""
    kind = object_of(page)
    _named(page, kind)
    TYPES[KIND].source.delete(page.org, f"{kind.name}.{page.params['rule']}")
    return page.visit.go(address(kind, TAB))


def _named(page: SetupVisit, kind: SObject) -> Tree:
    found = page.org.component(KIND, f"{kind.name}.{page.params['rule']}")
    if found is None:
        raise NotHere
    return found


def _submit(page: SetupVisit, old: str | None) -> Response:
    kind = object_of(page)

    def write(values: dict[str, Any]) -> str:
        name = values.pop("name")
        check_name(name, "Validation Rule Name", "name")
        if name != old and page.org.component(KIND, f"{kind.name}.{name}") is not None:
            raise DmlError(
                "DUPLICATE_DEVELOPER_NAME",
                "The name is already used by another validation rule of this object.",
                ("name",),
            )
        if values.pop("where") != "field":
            values["errorDisplayField"] = ""
        elif not values["errorDisplayField"]:
            raise DmlError("REQUIRED_FIELD_MISSING", "You must enter a value", ("errorDisplayField",))
        tree = {key: value for key, value in values.items() if value != ""}
        source = TYPES[KIND].source
        if old is not None and name != old:
            source.delete(page.org, f"{kind.name}.{old}")
        source.write(page.org, f"{kind.name}.{name}", ordered(KIND, tree))
        return address(kind, TAB, name)

    back = address(kind, TAB, old) if old else address(kind, TAB)
    return submit(page, _form(page, {}), write, back=back, again=f"/{kind.name}/rules/new")


def _form(page: SetupVisit, values: dict[str, Any]) -> Form:
    kind = object_of(page)
    fields = [
        Choice(one.name, field_label(one))
        for one in sorted(kind.fields, key=lambda one: field_label(one).casefold())
        if one.name not in AUDIT and one.name not in ("Id", "IsDeleted") and one.stored
    ]
    rule = (
        Input("name", "Rule Name", required=True, length=40, fills="name"),
        Input("active", "Active", "checkbox"),
        Input("description", "Description", "textarea"),
    )
    condition = Input(
        "errorConditionFormula",
        "Error Condition Formula",
        "formula",
        True,
        help="Example: Discount_Percent__c > 0.30 displays an error if the discount is more than 30%. If this formula "
        "expression is true, the text of Error Message is displayed.",
        editor=editor(page, Use.VALIDATION, "Checkbox"),
    )
    message = (
        Input(
            "errorMessage",
            "Error Message",
            "textarea",
            True,
            help="Example: Discount percent cannot exceed 30%. This message appears when the error condition is true.",
        ),
        Input(
            "where",
            "Error Location",
            "radio",
            choices=(Choice("top", TOP), Choice("field", "Field")),
            help="The message can appear at the top of the page or below a specific field on the page.",
        ),
        Input("errorDisplayField", "Field", "picklist", choices=fields),
    )
    values.setdefault("where", "field" if values.get("errorDisplayField") else "top")
    return Form(
        f"{kind.label} Validation Rule",
        "Validation Rule",
        (
            Section("Validation Rule", rule),
            Section("Error Condition Formula", (condition,)),
            Section("Error Message", message),
        ),
        values,
        (SAVE, SAVE_AND_NEW, CANCEL),
        intro=_INTRO,
    )
