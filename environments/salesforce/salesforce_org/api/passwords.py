"""Passwords of users: set, reset, and whether they have expired, over REST and SOAP."""

from __future__ import annotations

import secrets

from salesforce_org.api.call import NOTHING, Call, Reply
from salesforce_org.api.objects import object_named, record_of
from salesforce_org.api.routing import resource
from salesforce_org.api.soap import SoapCall, text
from salesforce_org.api.soap_partner import operation
from salesforce_org.sessions import Session
from salesforce_org.store.errors import NotThere, OrgError


@resource("POST", "/sobjects/User/{id}/password")
def set_by_rest(call: Call) -> Reply:
    """Give a user a password."""
    _put(call.session, _user(call.session, call.params["id"]), call.table().get("NewPassword"))
    return NOTHING


@resource("DELETE", "/sobjects/User/{id}/password")
def reset_by_rest(call: Call) -> Reply:
    """Give a user a password that nobody knew before, and tell it."""
    return Reply({"NewPassword": _reset(call.session, _user(call.session, call.params["id"]))})


@resource("GET", "/sobjects/User/{id}/password")
def state(call: Call) -> Reply:
    """Tell whether a user's password has expired; here none does."""
    _user(call.session, call.params["id"])
    return Reply({"isExpired": False})


@operation("setPassword")
def set_by_soap(call: SoapCall) -> str:
    """Give a user a password."""
    _put(call.session, _named(call), text(call.envelope.body, "password"))
    return call.result({})


@operation("resetPassword")
def reset_by_soap(call: SoapCall) -> str:
    """Give a user a password that nobody knew before, and tell it."""
    return call.result({"password": _reset(call.session, _named(call))})


@operation("changeOwnPassword")
def change_by_soap(call: SoapCall) -> str:
    """Give the acting user another password."""
    old, new = (text(call.envelope.body, name) for name in ("oldPassword", "newPassword"))
    if call.session.access.password_of(call.user_id) != old:
        raise OrgError("INVALID_OLD_PASSWORD", "Your old password is invalid")
    _put(call.session, call.user_id, new)
    return call.result({})


def _named(call: SoapCall) -> str:
    try:
        told = text(call.envelope.body, "userId") or text(call.envelope.body, "userID")
        return _user(call.session, told.strip())
    except NotThere:
        raise OrgError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id") from None


def _user(session: Session, id: str) -> str:
    return str(record_of(session.org, object_named(session.org, "User"), id)["Id"])


def _put(session: Session, user_id: str, wanted: object) -> None:
    user = record_of(session.org, object_named(session.org, "User"), user_id)
    session.access.set_password(session.org, user, wanted if isinstance(wanted, str) else "")


def _reset(session: Session, user_id: str) -> str:
    made = f"{secrets.token_hex(23)}aA1!"  # as the strictest policies ask
    _put(session, user_id, made)
    return made
