"""Who the owner of an access token is, as the identity addresses tell it."""

from __future__ import annotations

from typing import Any

from salesforce_org.sessions import Session
from salesforce_org.store import Record

_PATHS = {
    "enterprise": "/services/Soap/c/{version}/",
    "metadata": "/services/Soap/m/{version}/",
    "partner": "/services/Soap/u/{version}/",
    "rest": "/services/data/v{version}/",
    "sobjects": "/services/data/v{version}/sobjects/",
    "search": "/services/data/v{version}/search/",
    "query": "/services/data/v{version}/query/",
    "recent": "/services/data/v{version}/recent/",
    "tooling_rest": "/services/data/v{version}/tooling/",
    "profile": "/{user}",
}


def identity(session: Session, user: Record, origin: str) -> dict[str, Any]:
    """Return what `/id/<org>/<user>` says."""
    zone = str(session.org.zone)
    return {
        "id": f"{origin}/id/{session.org_id}/{user['Id']}",
        "asserted_user": True,
        "user_id": user["Id"],
        "organization_id": session.org_id,
        "username": user["Username"],
        "nick_name": user.get("CommunityNickname") or user.get("Alias"),
        "display_name": _name(session, user),
        "email": user.get("Email"),
        "email_verified": True,
        "first_name": user.get("FirstName"),
        "last_name": user.get("LastName"),
        "timezone": user.get("TimeZoneSidKey") or zone,
        "active": bool(user.get("IsActive", True)),
        "user_type": "STANDARD",
        "language": user.get("LanguageLocaleKey") or "en_US",
        "locale": user.get("LocaleSidKey") or "en_US",
        "utcOffset": _offset(session),
        "last_modified_date": user["LastModifiedDate"],
        "is_app_installed": True,
        "urls": _urls(user, origin),
    }


def userinfo(session: Session, user: Record, origin: str) -> dict[str, Any]:
    """Return what `/services/oauth2/userinfo` says, in the words of OpenID Connect."""
    return {
        "sub": f"{origin}/id/{session.org_id}/{user['Id']}",
        "user_id": user["Id"],
        "organization_id": session.org_id,
        "preferred_username": user["Username"],
        "nickname": user.get("CommunityNickname") or user.get("Alias"),
        "name": _name(session, user),
        "email": user.get("Email"),
        "email_verified": True,
        "given_name": user.get("FirstName"),
        "family_name": user.get("LastName"),
        "zoneinfo": user.get("TimeZoneSidKey") or str(session.org.zone),
        "active": bool(user.get("IsActive", True)),
        "user_type": "STANDARD",
        "language": user.get("LanguageLocaleKey") or "en_US",
        "locale": user.get("LocaleSidKey") or "en_US",
        "utcOffset": _offset(session),
        "updated_at": user["LastModifiedDate"],
        "urls": _urls(user, origin),
    }


def _name(session: Session, user: Record) -> str | None:
    return session.org.name_of(user["Id"])


def _offset(session: Session) -> int:
    """Return the milliseconds between UTC and the org's zone."""
    away = session.org.now.astimezone(session.org.zone).utcoffset()
    return int(away.total_seconds() * 1000) if away else 0


def _urls(user: Record, origin: str) -> dict[str, str]:
    """Return addresses of the interfaces; the tool puts its version in."""
    return {name: origin + path.replace("{user}", user["Id"]) for name, path in _PATHS.items()}
