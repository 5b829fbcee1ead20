"""Who may enter an org: passwords, access tokens, one-time tickets, and the reasons to refuse."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field

from salesforce_org.passwords import fault
from salesforce_org.store import DmlError, Org, Record

ADMINISTRATOR = "System Administrator"
_ALL = "PermissionsModifyAllData"


class Refused(Exception):
    """Somebody may not enter; `kind` is wrong, inactive or frozen."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass
class Access:
    """The keys of one org.

    Attributes:
        password: Of all users who were not given one of their own; the same for the same seed, so that it can
            be told in a briefing.
        security_token: What tools append to a password.
        client: Key and secret of the connected app through which tools get a token.
        tokens: User ids by access token; each begins with the org's id and `!`.
        tickets: User ids by one-time token of a front-door link.
        own_passwords: By user all passwords that were given, the one that counts last.
    """

    password: str
    security_token: str = field(default_factory=lambda: secrets.token_hex(12))
    client: tuple[str, str] = field(
        default_factory=lambda: (f"3MVG9{secrets.token_hex(20)}", secrets.token_hex(32).upper())
    )
    tokens: dict[str, str] = field(default_factory=dict)
    tickets: dict[str, str] = field(default_factory=dict)
    own_passwords: dict[str, list[str]] = field(default_factory=dict)

    def password_of(self, user_id: str) -> str:
        """Return the password of a user."""
        return self.own_passwords.get(user_id, [self.password])[-1]

    def set_password(self, org: Org, user: Record, wanted: str) -> None:
        """Give a user a password, which the journal notes.

        Raises:
            DmlError: The password policies do not allow it.
        """
        past = self.own_passwords.get(user["Id"], [self.password])
        if problem := fault(org, user, wanted, past):
            raise DmlError("INVALID_NEW_PASSWORD", problem)
        self.own_passwords[user["Id"]] = [*past, wanted]
        org.note("PasswordReset", {"UserId": user["Id"]})

    def sign_in(self, org: Org, username: str, password: str, *, tool: bool = False) -> Record:
        """Return the user whose name and password are right; a tool appends the security token.

        Raises:
            Refused: They are wrong, or the user may not enter.
        """
        user = find_user(org, username)
        right = self.password_of(user["Id"]) if user else secrets.token_hex()
        right += self.security_token if tool else ""
        if not hmac.compare_digest(right.encode(), password.encode()) or user is None:
            raise Refused("wrong")
        admit(org, user)
        return user

    def issue(self, org_id: str, user_id: str) -> str:
        """Return a new access token."""
        token = f"{org_id}!AQ{secrets.token_urlsafe(66)}"
        self.tokens[token] = user_id
        return token

    def ticket(self, user_id: str) -> str:
        """Return a token that opens the front door once."""
        token = secrets.token_urlsafe(32)
        self.tickets[token] = user_id
        return token

    def redeem(self, token: str) -> str | None:
        """Return the user whom a front-door token lets in: a ticket, used up by this, or an access token."""
        return self.tickets.pop(token, None) or self.tokens.get(token)


def password_of_seed(seed: int) -> str:
    """Return the password that all users of a seed's org have."""
    return f"Cloud-{hashlib.sha256(f'org {seed}'.encode()).hexdigest()[:8]}"


def find_user(org: Org, username: str) -> Record | None:
    """Return the user of a username in any case."""
    wanted = username.strip().casefold()
    return next((one for one in org.rows("User") if str(one.get("Username")).casefold() == wanted), None)


def admit(org: Org, user: Record) -> None:
    """Let a user in.

    Raises:
        Refused: The user is inactive or frozen.
    """
    if not user.get("IsActive", True):
        raise Refused("inactive")
    if is_frozen(org, user["Id"]):
        raise Refused("frozen")


def is_frozen(org: Org, user_id: str) -> bool:
    """Tell whether a user's login is frozen."""
    if org.schema.get("UserLogin") is None:
        return False
    return any(row.get("IsFrozen") for row in org.rows("UserLogin", UserId=user_id))


def is_administrator(org: Org, user_id: str | None) -> bool:
    """Whether a user may modify all data, by profile or permission set."""
    user = org.get("User", user_id)
    profile = org.get("Profile", user["ProfileId"]) if user else None
    if profile is not None and (profile[_ALL] or profile["Name"] == ADMINISTRATOR):
        return True
    given = org.rows("PermissionSetAssignment", AssigneeId=user_id)
    return any((org.get("PermissionSet", one["PermissionSetId"]) or {}).get(_ALL) for one in given)


def administrator(org: Org) -> Record:
    """Return the first active system administrator.

    Raises:
        LookupError: The org has none.
    """
    profiles = {row["Id"] for row in org.rows("Profile", Name=ADMINISTRATOR)}
    for user in org.rows("User", IsActive=True):
        if user.get("ProfileId") in profiles:
            return user
    raise LookupError(f"no active user has the profile {ADMINISTRATOR}")
