"""People's names, and what a user brings along."""

from __future__ import annotations

import re

from salesforce_org.rules.registry import RULES, joined
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change

_USERNAME = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")


@RULES.on("before", "Contact", "Individual", "Lead", "User")
def full_name(change: Change) -> None:
    """A person's name is first and last name."""
    change.new["Name"] = joined(change.new["FirstName"], change.new["LastName"])


@RULES.on("before", "User")
def user_names(change: Change) -> None:
    """A username looks like an email address; alias and nickname are made from names where none are given."""
    new = change.new
    if new["Username"] and not _USERNAME.fullmatch(new["Username"]):
        raise DmlError(
            "INVALID_EMAIL_ADDRESS",
            "Username: The username must be in the form of an email address",
            ("Username",),
        )
    if change.old is None and new["LastName"]:
        initial = (new["FirstName"] or "")[:1]
        new["Alias"] = new["Alias"] or f"{initial}{new['LastName']}".replace(" ", "").lower()[:5]
        new["CommunityNickname"] = new["CommunityNickname"] or (new["Username"] or "").partition("@")[0][:40]


@RULES.on("before", "User")
def not_oneself(change: Change) -> None:
    """Nobody deactivates the user as whom they work."""
    if (
        change.old
        and change.turned("IsActive")
        and not change.new["IsActive"]
        and change.id == change.org.user_id
    ):
        raise DmlError("FIELD_INTEGRITY_EXCEPTION", "You can't deactivate your own user.", ("IsActive",))


@RULES.on("after", "User")
def login(change: Change) -> None:
    """Every user has one login, which can be frozen."""
    if change.old is None:
        with change.org.unchecked():
            change.org.insert("UserLogin", UserId=change.id)


@RULES.on("before", "UserLogin")
def not_frozen_by_oneself(change: Change) -> None:
    """Nobody freezes the login with which they work."""
    if change.new["IsFrozen"] and change.turned("IsFrozen") and change.new["UserId"] == change.org.user_id:
        raise DmlError("FIELD_INTEGRITY_EXCEPTION", "You can't freeze your own user.", ("IsFrozen",))
