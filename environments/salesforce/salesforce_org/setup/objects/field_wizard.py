"""New Custom Field: choose a type, say what it is, then the steps of `field_steps`.

A type of field is a `FieldType` in `OFFERED`; its own steps come between the choice and field-level security:

    offer(FieldType("Lookup", "Lookup Relationship", "Creates a relationship ...", (TARGET, DETAILS), tree))

`tree` makes the custom field's component of the finished draft; its rights and layouts are stored here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from starlette.responses import Response

from salesforce_org.metadata.fields import KIND as CUSTOM_FIELD
from salesforce_org.metadata.registry import TYPES
from salesforce_org.setup import wizard
from salesforce_org.setup.apinames import check_name
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.forms import Form
from salesforce_org.setup.objects.field_steps import LAYOUTS, SECURITY, begin, head, place
from salesforce_org.setup.objects.manager import MANAGER, address, object_of
from salesforce_org.setup.wizard import Draft, Step, Wizard
from salesforce_org.store import DmlError, SObject

PATH = "/{object}/fields/new"
# As Salesforce sorts them; those that nobody has offered are left out.
_ORDER = (
    "AutoNumber",
    "Formula",
    "Summary",
    "Lookup",
    "MasterDetail",
    "Checkbox",
    "Currency",
    "Date",
    "DateTime",
    "Email",
    "Number",
    "Percent",
    "Phone",
    "Picklist",
    "MultiselectPicklist",
    "Text",
    "TextArea",
    "LongTextArea",
    "Html",
    "EncryptedText",
    "Time",
    "Url",
)


@dataclass(frozen=True, slots=True)
class FieldType:
    """A type that a new field may have.

    Attributes:
        name: What metadata calls it; `label` and `help` are shown in the first step.
        steps: What is asked between the choice of the type and field-level security.
        tree: Returns the component of the finished draft, without its full name.
        fits: Whether an object may have such a field.
        last: What is asked after the page layouts, if anything; `then` stores it.
    """

    name: str
    label: str
    help: str
    steps: Sequence[Step]
    tree: Callable[[SetupVisit, Draft], dict[str, Any]]
    fits: Callable[[SetupVisit, SObject], bool] = lambda page, kind: True
    last: Step | None = None
    then: Callable[[SetupVisit, Draft], None] = lambda page, draft: None


OFFERED: dict[str, FieldType] = {}


def offer(type: FieldType) -> None:
    """Let the wizard's first step offer a type."""
    OFFERED[type.name] = type


def form_step(
    title: str,
    build: Callable[[SetupVisit, Draft], Form],
    check: Callable[[SetupVisit, Draft], None] = lambda page, draft: None,
) -> Step:
    """Return a step of this wizard that is a form, as `wizard.form_step` does."""

    def more(page: SetupVisit, draft: Draft) -> dict[str, Any]:
        return head(page, draft) | {"told": []}

    return wizard.form_step(title, build, check, "setup/field_form.html", more)


def check_new_name(page: SetupVisit, draft: Draft) -> None:
    """Make sure that the object may have a field of the draft's name.

    Raises:
        DmlError: It is no API name, or is taken.
    """
    check_name(draft["name"], "Field Name", "name")
    if object_of(page).field(f"{draft['name']}__c") is not None:
        raise DmlError(
            "DUPLICATE_DEVELOPER_NAME",
            f"There is already a field named {draft['name']} on {object_of(page).label}.",
            ("name",),
        )


def _take_type(page: SetupVisit, draft: Draft) -> str:
    chosen = page.field("type")
    if chosen not in _fitting(page):
        return "You must select a data type for the field."
    if chosen != draft["type"]:
        draft.clear()
        draft |= _begin(page) | {"type": chosen, "kind": OFFERED[chosen].label}
    return ""


def _show_type(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    return head(page, {}) | {"types": _fitting(page).values()}


def _fitting(page: SetupVisit) -> dict[str, FieldType]:
    kind = object_of(page)
    return {name: OFFERED[name] for name in _ORDER if name in OFFERED and OFFERED[name].fits(page, kind)}


TYPE = Step("Choose the field type", "setup/field_type.html", _take_type, _show_type)


def _steps(draft: Draft) -> Sequence[Step]:
    if not draft["type"]:
        return (TYPE, SECURITY, LAYOUTS)
    chosen = OFFERED[draft["type"]]
    if chosen.last is None:
        return (TYPE, *chosen.steps, SECURITY, LAYOUTS)
    return (TYPE, *chosen.steps, SECURITY, replace(LAYOUTS, next="Next", again=False), chosen.last)


def _begin(page: SetupVisit) -> Draft:
    object_of(page)
    return begin(page.org) | {"type": "", "access": ""}


def _finish(page: SetupVisit, draft: Draft) -> Response:
    kind, name = object_of(page), f"{draft['name']}__c"
    TYPES[CUSTOM_FIELD].source.write(
        page.org, f"{kind.name}.{name}", OFFERED[draft["type"]].tree(page, draft)
    )
    field = page.org.schema[kind.name].field(name)
    assert field is not None
    place(page.org, kind.name, field, draft)
    OFFERED[draft["type"]].then(page, draft)
    if page.field("do") == "again":
        return page.go(PATH.format(object=kind.name))
    return page.visit.go(address(kind, "FieldsAndRelationships"))


def _cancel(page: SetupVisit) -> str:
    return address(object_of(page), "FieldsAndRelationships")


Wizard("New Custom Field", PATH, _steps, _begin, _finish, _cancel).register(MANAGER)
