"""What the org's password policies ask of a new password; they are the settings of the area Security."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from salesforce_org.store import Org, Record

LENGTHS = range(5, 51)
# The password policies of a new org.
DEFAULTS = {
    "complexity": "AlphaNumeric",
    "expiration": "NinetyDays",
    "historyRestriction": "3",
    "lockoutInterval": "FifteenMinutes",
    "maxLoginAttempts": "TenAttempts",
    "minimumPasswordLength": "8",
    "minimumPasswordLifetime": False,
    "obscureSecretAnswer": False,
    "questionRestriction": "DoesNotContainPassword",
}
# What each complexity asks for: so many of the kinds, and how a refusal calls them.
_KINDS = {
    "letter": "[A-Za-z]",
    "digit": "[0-9]",
    "upper": "[A-Z]",
    "lower": "[a-z]",
    "special": "[^A-Za-z0-9]",
}
_COMPLEXITIES = {
    "AlphaNumeric": (("letter", "digit"), 2, "a mix of letters and numbers"),
    "SpecialCharacters": (
        ("letter", "digit", "special"),
        3,
        "a mix of letters, numbers and special characters",
    ),
    "UpperLowerCaseNumeric": (
        ("digit", "upper", "lower"),
        3,
        "numbers and uppercase and lowercase letters",
    ),
    "UpperLowerCaseNumericSpecialCharacters": (
        ("digit", "upper", "lower", "special"),
        4,
        "numbers, uppercase and lowercase letters, and special characters",
    ),
    "Any3UpperLowerCaseNumericSpecialCharacters": (
        ("digit", "upper", "lower", "special"),
        3,
        "three of these: numbers, uppercase letters, lowercase letters, special characters",
    ),
}


def policies(org: Org) -> dict[str, Any]:
    """Return the password policies; one that nobody set is as in a new org."""
    security = org.component("Settings", "Security") or {}
    return DEFAULTS | dict(security.get("passwordPolicies", {}))


def fault(org: Org, user: Record, wanted: str, past: Sequence[str]) -> str:
    """Return what is wrong with a new password, or nothing; `past` are the user's passwords, the last one last."""
    told = policies(org)
    least, kept = int(told["minimumPasswordLength"]), int(told["historyRestriction"])
    kinds, needed, words = _COMPLEXITIES.get(str(told["complexity"]), ((), 0, ""))
    if len(wanted) < least:
        return f"Your password must be at least {least} characters long."
    if sum(1 for kind in kinds if re.search(_KINDS[kind], wanted)) < needed:
        return f"Your password must include {words}."
    if str(user["Username"]).casefold() in wanted.casefold():
        return "Your password cannot equal or contain your user name."
    if kept and wanted in past[-kept:]:
        return "You cannot reuse this old password."
    return ""
