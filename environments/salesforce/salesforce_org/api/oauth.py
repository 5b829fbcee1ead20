"""OAuth: how tools get an access token, and what a token says of its owner."""

from __future__ import annotations

import base64
import binascii
import hmac
import time
from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import Response

from salesforce_org.access import Refused
from salesforce_org.api.call import Reply
from salesforce_org.api.identity import identity, userinfo
from salesforce_org.sessions import Session, Sessions
from salesforce_org.store import Record

SCOPE = "api full"
_FORM_FIELDS = 50
_LASTS = 7200  # seconds that introspection promises; tokens here end with their session


class OauthError(Exception):
    """A refusal in OAuth's words."""

    def __init__(self, error: str, description: str, status: int = 400) -> None:
        super().__init__(description)
        self.reply = Reply({"error": error, "error_description": description}, status)


def speaks(path: str) -> bool:
    """Tell whether an address is one of OAuth's."""
    return path.startswith(("/services/oauth2/", "/id/"))


def origin(request: Request) -> str:
    """Return where the tool reached this program."""
    return str(request.base_url).rstrip("/")


def bearer(request: Request) -> str:
    """Return the access token of a request; empty if the request has no token."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.casefold() in ("bearer", "oauth") else ""


def answer(sessions: Sessions, request: Request, path: str, body: bytes) -> Response:
    """Answer a call under `/services/oauth2` or `/id`."""
    form = dict(request.query_params) | _form(request, body)
    try:
        if path == "/services/oauth2/token":
            return _token(sessions, request, form).response()
        if path == "/services/oauth2/revoke":
            return _revoke(sessions, form).response()
        if path == "/services/oauth2/introspect":
            return _introspect(sessions, request, form).response()
        if path == "/services/oauth2/singleaccess":
            return _front_door(sessions, request, form).response()
        if path == "/services/oauth2/userinfo" or path.startswith("/id/"):
            return _about(sessions, request, path, form).response()
        raise OauthError("unsupported_endpoint", "There is no such endpoint", 404)
    except OauthError as refusal:
        return refusal.reply.response()


def _form(request: Request, body: bytes) -> dict[str, str]:
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return {}
    try:
        return dict(parse_qsl(body.decode("utf-8", "replace"), True, max_num_fields=_FORM_FIELDS))
    except ValueError:
        return {}


def _token(sessions: Sessions, request: Request, form: dict[str, str]) -> Reply:
    if request.method != "POST":
        raise OauthError("invalid_request", "A token is asked for by POST")
    grant = _GRANTS.get(form.get("grant_type", ""))
    if grant is None:
        raise OauthError("unsupported_grant_type", "grant type not supported")
    session = _client(sessions, request, form)
    user = grant(session, form)
    token = session.access.issue(session.org_id, user["Id"])
    issued = str(int(time.time() * 1000))
    signature = hmac.digest(session.access.client[1].encode(), issued.encode(), "sha256")
    return Reply(
        {
            "access_token": token,
            "signature": base64.b64encode(signature).decode(),
            "scope": SCOPE,
            "instance_url": origin(request),
            "id": f"{origin(request)}/id/{session.org_id}/{user['Id']}",
            "token_type": "Bearer",
            "issued_at": issued,
            "api_instance_url": origin(request),
        }
    )


def _client(sessions: Sessions, request: Request, form: dict[str, str]) -> Session:
    key, secret = _basic(request) or (form.get("client_id", ""), form.get("client_secret", ""))
    session = sessions.of_client(key)
    if session is None:
        raise OauthError("invalid_client_id", "client identifier invalid")
    if not hmac.compare_digest(session.access.client[1].encode(), secret.encode()):
        raise OauthError("invalid_client", "invalid client credentials")
    return session


def _basic(request: Request) -> tuple[str, str] | None:
    scheme, _, told = request.headers.get("authorization", "").partition(" ")
    if scheme.casefold() != "basic":
        return None
    try:
        key, _, secret = base64.b64decode(told, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        raise OauthError("invalid_request", "The Authorization header is malformed") from None
    return key, secret


def _as_administrator(session: Session, form: dict[str, str]) -> Record:
    return session.administrator


def _by_password(session: Session, form: dict[str, str]) -> Record:
    try:
        return session.access.sign_in(
            session.org, form.get("username", ""), form.get("password", ""), tool=True
        )
    except Refused as refusal:
        if refusal.kind == "inactive":
            raise OauthError("inactive_user", "user is inactive") from None
        raise OauthError("invalid_grant", "authentication failure") from None


_GRANTS: dict[str, Callable[[Session, dict[str, str]], Record]] = {
    "client_credentials": _as_administrator,
    "password": _by_password,
}


def _revoke(sessions: Sessions, form: dict[str, str]) -> Reply:
    token = form.get("token", "")
    session = sessions.of_token(token)
    if session is None:
        raise OauthError("unsupported_token_type", "this type of token is not supported")
    del session.access.tokens[token]
    return Reply(status=200)


def _introspect(sessions: Sessions, request: Request, form: dict[str, str]) -> Reply:
    """Tell a connected app whether a token of its org is active, and whose it is."""
    _client(sessions, request, form)
    session = sessions.of_token(form.get("token", ""))
    user = session.org.get("User", session.access.tokens[form["token"]]) if session else None
    if session is None or user is None:
        return Reply({"active": False})
    now = int(time.time())
    who = {"client_id": session.access.client[0], "username": user["Username"], "token_type": "access_token"}
    who["sub"] = f"{origin(request)}/id/{session.org_id}/{user['Id']}"
    return Reply({"active": True, "scope": SCOPE, **who, "iat": now, "nbf": now, "exp": now + _LASTS})


def _front_door(sessions: Sessions, request: Request, form: dict[str, str]) -> Reply:
    """Make a link that signs a browser in once as the token's user."""
    token = bearer(request) or form.get("access_token", "")
    session = sessions.of_token(token)
    if session is None:
        raise OauthError("invalid_grant", "The access token is invalid or has ended", 401)
    ticket = session.access.ticket(session.access.tokens[token])
    query = urlencode({"sid": ticket, "retURL": form.get("redirect_uri", "/")})
    place = f"{session.host}:{request.url.port}" if request.url.port else session.host
    return Reply({"frontdoor_uri": f"{request.url.scheme}://{place}/secur/frontdoor.jsp?{query}"})


def _about(sessions: Sessions, request: Request, path: str, form: dict[str, str]) -> Reply:
    token = bearer(request) or form.get("access_token", "") or form.get("oauth_token", "")
    session = sessions.of_token(token)
    if session is None:
        return Reply("Bad_OAuth_Token", 403, media_type="text/plain")
    user = session.org.get("User", session.access.tokens[token])
    if user is None:
        return Reply("Bad_Id", 403, media_type="text/plain")
    if path == "/services/oauth2/userinfo":
        return Reply(userinfo(session, user, origin(request)))
    if path != f"/id/{session.org_id}/{user['Id']}":
        return Reply("Wrong_Org", 403, media_type="text/plain")
    return Reply(identity(session, user, origin(request)))
