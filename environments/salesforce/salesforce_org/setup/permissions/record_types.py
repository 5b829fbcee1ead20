"""Record types of an object in a profile: which ones its users may choose, and which one new records get."""

from __future__ import annotations

from typing import Any

from salesforce_org.metadata.profiles import full_name
from salesforce_org.metadata.visibility import entry, show_record_types
from salesforce_org.pages.visit import NotHere
from salesforce_org.record_types import SECTION, full_name_of, supports, types
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import Form, Input, Section, form_at
from salesforce_org.setup.permissions.profiles import PROFILES
from salesforce_org.store import DmlError, SObject

MASTER = "--Master--"


@form_at(
    PROFILES,
    "/{id}/objects/{object}/recordtypes",
    lambda page: _form(page),
    back=lambda page: f"/{page.params['id']}/objects/{page.params['object']}",
)
def save(page: SetupVisit, given: dict[str, Any]) -> str:
    """Store which record types of an object a profile offers."""
    if given["default"] and given["default"] not in given["visible"]:
        raise DmlError("INVALID_FIELD", "The default is one of the assigned record types", ("default",))
    profile = full_name(page.record("Profile")["Name"])
    show_record_types(page.org, profile, page.params["object"], given["visible"], given["default"])
    return f"/{page.params['id']}/objects/{page.params['object']}"


def _object(page: SetupVisit) -> SObject:
    found = page.org.schema.get(page.params["object"])
    if found is None or not supports(found):
        raise NotHere
    return found


def _form(page: SetupVisit) -> Form:
    row, kind = page.record("Profile"), _object(page)
    found = types(page.org, kind.name)
    said = {
        full_name_of(one): entry(page.org, full_name(row["Name"]), SECTION, full_name_of(one))
        for one in found
    }
    offered = [Choice(full_name_of(one), one["Name"]) for one in found]
    inputs = (
        Input(
            "visible", "Record Types", "dual", choices=offered, titles=("Available", "Assigned Record Types")
        ),
        Input(
            "default", "Default Record Type", "picklist", choices=(Choice("", MASTER), *offered), none=False
        ),
    )
    values = {
        "visible": [name for name, one in said.items() if one and one["visible"]],
        "default": next((name for name, one in said.items() if one and one["default"]), ""),
    }
    return Form(str(row["Name"]), "Profile", (Section(f"{kind.label} Record Types", inputs),), values)
