"""Lookup and master-detail relationships in the New Custom Field wizard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.trees import ordered
from salesforce_org.rules.registry import developer_name
from salesforce_org.setup.apinames import check_name
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import Form, Input, Section
from salesforce_org.setup.objects.field_steps import head
from salesforce_org.setup.objects.field_types import REQUIRED, common, details
from salesforce_org.setup.objects.field_wizard import FieldType, check_new_name, form_step, offer
from salesforce_org.setup.objects.manager import managed, object_of
from salesforce_org.setup.wizard import Draft, Step
from salesforce_org.store import DmlError, SObject

LOOKUP, MASTER = "Lookup", "MasterDetail"
CLEAR, KEEP = "SetNull", "Restrict"
MOST_MASTERS = 2


def _related(page: SetupVisit, draft: Draft) -> Form:
    choices = [Choice(one.name, one.label) for one in managed(page.org)]
    target = Input("to", "Related To", "picklist", True, choices)
    intro = "Select the other object to which this object is related."
    return Form("Choose the related object", "Custom Field", (Section("", (target,)),), intro=intro)


_CHILD = Input("child", "Child Relationship Name", required=True, length=40)
_ON_DELETE = Input(
    "on_delete",
    "What to do if the lookup record is deleted?",
    "radio",
    True,
    (
        Choice(
            CLEAR,
            "Clear the value of this field. You can't choose this option if you make this field required.",
        ),
        Choice(KEEP, "Don't allow deletion of the lookup record that's part of a lookup relationship."),
    ),
)
_SHARING = Input(
    "sharing",
    "Sharing Setting",
    "radio",
    True,
    (
        Choice(
            "read",
            "Read Only: Allows users with at least Read access to the Master record to create, edit, "
            "or delete related Detail records.",
        ),
        Choice(
            "write",
            "Read/Write: Allows users with at least Read/Write access to the Master record to create, "
            "edit, or delete related Detail records.",
        ),
    ),
)
_MOVE = Input(
    "move",
    "Allow reparenting",
    "checkbox",
    help="Child records can be reparented to other parent records after they are created.",
)


def _named(*more: Input, **first: str) -> Callable[[SetupVisit, Draft], Form]:
    """Return the function that builds the form of label and names, proposed from the objects."""

    def build(page: SetupVisit, draft: Draft) -> Form:
        form = details((), (_CHILD, *more), **first)(page, draft)
        target = page.org.schema[draft["to"]]
        form.values |= {"label": target.label, "name": developer_name(target.label)}
        form.values["child"] = developer_name(object_of(page).plural)
        return form

    return build


def _check(page: SetupVisit, draft: Draft) -> None:
    check_new_name(page, draft)
    check_name(draft["child"], "Child Relationship Name", "child")
    if page.org.schema.child(draft["to"], f"{draft['child']}__r") is not None:
        raise DmlError(
            "DUPLICATE_DEVELOPER_NAME",
            "There is already a Child Relationship with this name on the related object.",
            ("child",),
        )
    if draft["type"] == LOOKUP and draft["required"] and draft["on_delete"] == CLEAR:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION", "You can't clear the value of a required field.", ("on_delete",)
        )
    draft["access"] = "required" if draft["type"] == MASTER or draft["required"] else ""


def _lookup(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    told = _relationship(draft) | {"deleteConstraint": draft["on_delete"], "required": draft["required"]}
    return ordered("CustomField", told | {"externalId": False})


def _master(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    told = {
        "relationshipOrder": str(len(_masters(object_of(page)))),
        "reparentableMasterDetail": draft["move"],
        "writeRequiresMasterRead": draft["sharing"] == "read",
        "externalId": False,
    }
    return ordered("CustomField", _relationship(draft) | told)


def _relationship(draft: Draft) -> dict[str, Any]:
    return common(draft) | {
        "type": draft["type"],
        "referenceTo": draft["to"],
        "relationshipLabel": draft["list"],
        "relationshipName": draft["child"],
    }


def _masters(kind: SObject) -> list[str]:
    return [one.name for one in kind.fields if one.custom and one.cascade and one.required]


def _may_be_detail(page: SetupVisit, kind: SObject) -> bool:
    """Whether an object may have a master: a custom one without records, with one master at most."""
    return kind.custom and not any(page.org.rows(kind.name)) and len(_masters(kind)) < MOST_MASTERS


# The last step: related lists on the layouts of the other object


def _layouts(page: SetupVisit, draft: Draft) -> list[str]:
    return sorted(name for name in page.org.components("Layout") if name.startswith(f"{draft['to']}-"))


def _show_lists(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    names = _layouts(page, draft)
    chosen = names if draft.get("lists") is None else draft["lists"]
    return head(page, draft) | {
        "title": draft.get("list") or object_of(page).plural,
        "other": page.org.schema[draft["to"]].label,
        "layouts": [(name, name.partition("-")[2], name in chosen) for name in names],
    }


def _take_lists(page: SetupVisit, draft: Draft) -> str:
    draft["list"] = page.field("list")
    draft["lists"] = [name for name in page.fields("lists") if name in _layouts(page, draft)]
    return "" if draft["list"] else "Related List Label: You must enter a value"


def _put_lists(page: SetupVisit, draft: Draft) -> None:
    entry = {"fields": ["NAME"], "relatedList": f"{page.params['object']}.{draft['name']}__c"}
    for name in draft["lists"]:
        tree = TYPES["Layout"].source.read(page.org, name) or {}
        lists = [*tree.get("relatedLists", ()), entry]
        TYPES["Layout"].source.write(page.org, name, ordered("Layout", {**tree, "relatedLists": lists}))


_LISTS = Step("Add custom related lists", "setup/field_lists.html", _take_lists, _show_lists, "Save", True)
_TARGET = form_step("Choose the related object", _related)

offer(
    FieldType(
        LOOKUP,
        "Lookup Relationship",
        "Creates a relationship that links this object to another object. Users choose the other object's records in a "
        "lookup.",
        (
            _TARGET,
            form_step(
                "Enter the label and name for the lookup field",
                _named(REQUIRED, _ON_DELETE, on_delete=CLEAR),
                _check,
            ),
        ),
        _lookup,
        last=_LISTS,
        then=_put_lists,
    )
)
offer(
    FieldType(
        MASTER,
        "Master-Detail Relationship",
        "Creates a special type of parent-child relationship between this object (the child, or detail) and another "
        "object (the parent, or master): records have a master always, and go with it.",
        (
            _TARGET,
            form_step(
                "Enter the label and name for the lookup field",
                _named(_SHARING, _MOVE, sharing="write"),
                _check,
            ),
        ),
        _master,
        _may_be_detail,
        last=_LISTS,
        then=_put_lists,
    )
)
