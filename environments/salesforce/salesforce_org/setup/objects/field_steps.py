"""The last steps of every New Custom Field wizard: field-level security for profiles, then page layouts.

A wizard puts `SECURITY` and `LAYOUTS` after its own steps, begins its draft with `begin`, and lets `place` store both:

    Wizard("New Custom Field", path, (*own_steps, SECURITY, LAYOUTS), begin_mine, finish_mine, cancel)

The wizard's inner address has an `{object}`. Its draft holds what the steps show: `label`, `name` (without `__c`),
`kind` (the data type) and `description`; and `access`: `required` where the field must always have a value, `read`
where nobody can edit it, else empty.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from salesforce_org.metadata.registry import TYPES
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.objects.manager import object_of
from salesforce_org.setup.permissions.access import allow_field, set_of_profile
from salesforce_org.setup.tables import Cell
from salesforce_org.setup.wizard import Draft, Step
from salesforce_org.store import Field, Org, Record


def begin(org: Org) -> Draft:
    """Return what the steps begin with: every profile sees the field and may edit it, every layout gets it."""
    return {"visible": [row["Id"] for row in profiles(org)], "readonly": [], "layouts": None}


def place(org: Org, object: str, field: Field, draft: Draft) -> None:
    """Give profiles the rights on a new field, and put it on layouts, as chosen in the steps."""
    secure(org, object, field, draft["visible"], draft["readonly"])
    behavior = "Required" if field.required else "Edit" if field.updateable else "Readonly"
    for name in draft["layouts"] or ():
        _put_on(org, name, {"behavior": behavior, "field": field.name})


def head(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    """Return what `field_step.html` shows above a step: the object, and the field as far as it is known."""
    told = {
        "Field Label": draft.get("label"),
        "Data Type": draft.get("kind"),
        "Field Name": draft.get("name"),
        "Description": draft.get("description"),
    }
    return {
        "kind_label": object_of(page).label,
        "told": [(name, Cell(value)) for name, value in told.items() if value] if draft.get("name") else [],
    }


def secure(org: Org, object: str, field: Field, visible: Collection[str], readonly: Collection[str]) -> None:
    """Let the profiles see a field that are among the visible, and edit it unless they only read it."""
    for row in profiles(org) if not field.required else ():
        parent = set_of_profile(org, row["Id"])
        if parent is not None:
            seen = row["Id"] in visible
            edit = seen and field.updateable and row["Id"] not in readonly
            allow_field(org, parent, object, field.name, seen, edit)


def profiles(org: Org) -> list[Record]:
    """Return all profiles, by name."""
    return sorted(org.rows("Profile"), key=lambda row: str(row["Name"]).casefold())


def _layouts(page: SetupVisit) -> list[str]:
    start = f"{page.params['object']}-"
    return sorted(name for name in page.org.components("Layout") if name.startswith(start))


def _put_on(org: Org, layout: str, item: dict[str, Any]) -> None:
    tree = TYPES["Layout"].source.read(org, layout) or {}
    first, *others = tree.get("layoutSections") or [{"style": "TwoColumnsTopToBottom"}]
    *columns, last = first.get("layoutColumns") or [{}]
    last = {**last, "layoutItems": [*last.get("layoutItems", ()), item]}
    first = {**first, "layoutColumns": [*columns, last]}
    TYPES["Layout"].source.write(org, layout, {**tree, "layoutSections": [first, *others]})


def _take_security(page: SetupVisit, draft: Draft) -> str:
    if draft.get("access") != "required":
        draft["visible"] = page.fields("visible")
        draft["readonly"] = page.fields("readonly")
    return ""


def _show_security(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    return head(page, draft) | {"profiles": [(row["Id"], row["Name"]) for row in profiles(page.org)]}


def _take_layouts(page: SetupVisit, draft: Draft) -> str:
    draft["layouts"] = [name for name in page.fields("layouts") if name in _layouts(page)]
    return ""


def _show_layouts(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    names = _layouts(page)
    chosen = names if draft["layouts"] is None else draft["layouts"]
    shown = [(name, name.partition("-")[2], name in chosen) for name in names]
    return head(page, draft) | {"layouts": shown}


SECURITY = Step("Establish field-level security", "setup/field_security.html", _take_security, _show_security)
LAYOUTS = Step("Add to page layouts", "setup/field_layouts.html", _take_layouts, _show_layouts, "Save", True)
