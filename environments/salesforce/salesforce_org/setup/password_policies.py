"""Password Policies: what passwords must be like, kept in the settings of the area Security."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salesforce_org.metadata.trees import ordered
from salesforce_org.passwords import LENGTHS, policies
from salesforce_org.setup.area import HOME, Area, SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import Form, Input, Section, form_at
from salesforce_org.store import DmlError, Org

POLICIES = Area("SecurityPolicies")
INTRO = "Set the password restrictions and login lockout policies for all users."
EXPIRATIONS = {
    "ThirtyDays": "30 days",
    "SixtyDays": "60 days",
    "NinetyDays": "90 days",
    "SixMonths": "180 days",
    "OneYear": "One year",
    "Never": "Never expires",
}
HISTORY = {
    "0": "No passwords remembered",
    "1": "1 password remembered",
    **{str(number): f"{number} passwords remembered" for number in range(2, 25)},
}
COMPLEXITIES = {
    "NoRestriction": "No restriction",
    "AlphaNumeric": "Must include alpha and numeric characters",
    "SpecialCharacters": "Must include alpha, numeric, and special characters",
    "UpperLowerCaseNumeric": "Must include numbers and uppercase and lowercase letters",
    "UpperLowerCaseNumericSpecialCharacters": "Must include numbers, uppercase and lowercase letters, and special "
    "characters",
    "Any3UpperLowerCaseNumericSpecialCharacters": "Must include 3 of the following: numbers, uppercase letters, "
    "lowercase letters, special characters",
}
QUESTIONS = {"None": "None", "DoesNotContainPassword": "Cannot contain password"}
ATTEMPTS = {"NoLimit": "No Limit", "ThreeAttempts": "3", "FiveAttempts": "5", "TenAttempts": "10"}
LOCKOUTS = {
    "FifteenMinutes": "15 minutes",
    "ThirtyMinutes": "30 minutes",
    "SixtyMinutes": "60 minutes",
    "Forever": "Forever (must be reset by admin)",
}


def _pick(name: str, label: str, told: Mapping[str, str]) -> Input:
    choices = tuple(Choice(value, text) for value, text in told.items())
    return Input(name, label, "picklist", choices=choices, none=False)


SECTIONS = (
    Section(
        "Password Policies",
        (
            _pick("expiration", "User passwords expire in", EXPIRATIONS),
            _pick("historyRestriction", "Enforce password history", HISTORY),
            Input("minimumPasswordLength", "Minimum password length", "number", required=True, length=2),
            _pick("complexity", "Password complexity requirement", COMPLEXITIES),
            _pick("questionRestriction", "Password question requirement", QUESTIONS),
            _pick("maxLoginAttempts", "Maximum invalid login attempts", ATTEMPTS),
            _pick("lockoutInterval", "Lockout effective period", LOCKOUTS),
            Input("obscureSecretAnswer", "Obscure secret answer for password resets", "checkbox"),
            Input("minimumPasswordLifetime", "Require a minimum 1 day password lifetime", "checkbox"),
        ),
    ),
    Section(
        "Forgot Password / Locked Account Assistance",
        (
            Input("passwordAssistanceMessage", "Message", length=125),
            Input("passwordAssistanceURL", "Help link", length=2000),
        ),
    ),
    Section(
        "API Only User Settings", (Input("apiOnlyUserHomePageURL", "Alternative Home Page", length=2000),)
    ),
)


@form_at(POLICIES, HOME, lambda page: _form(page.org))
def save(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store the policies; other settings of the area stay as they are."""
    least = str(values["minimumPasswordLength"])
    if not least.isdecimal() or int(least) not in LENGTHS:
        told = f"Minimum password length must be between {LENGTHS[0]} and {LENGTHS[-1]}"
        raise DmlError("FIELD_INTEGRITY_EXCEPTION", told, ("minimumPasswordLength",))
    kept = {name: value for name, value in values.items() if value != ""}
    security = page.org.component("Settings", "Security") or {}
    tree = ordered("SecuritySettings", {**security, "passwordPolicies": kept})
    page.org.put_component("Settings", "Security", tree)
    page.visit.toast("Your settings have been saved.")
    return HOME


def _form(org: Org) -> Form:
    return Form("Password Policies", "Password Policies", SECTIONS, policies(org), intro=INTRO)
