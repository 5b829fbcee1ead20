"""Takes the calls of tools, finds out whose they are, and has them answered in one transaction."""

from __future__ import annotations

import re
import sys
import traceback
import zlib
from collections.abc import Callable
from xml.etree.ElementTree import Element

from starlette.requests import Request
from starlette.responses import Response

from salesforce_org.access import Refused, admit
from salesforce_org.api import bulk1, oauth, refusals, routing, soap, versions
from salesforce_org.api.call import ApiError, Call, Reply
from salesforce_org.api.limits import CALLS_A_DAY
from salesforce_org.sessions import Session, Sessions
from salesforce_org.store.errors import NotThere, OrgError

LONGEST_BODY = 50_000_000
_DATA = re.compile(r"/services/data/v([^/]+)(/.*)?")
_ASYNC = re.compile(r"/services/async/([^/]+)(/.*)")
_SOAP = re.compile(r"/services/Soap/([a-zA-Z]+)(?:/([^/]+))?(?:/.*)?")


def answer(sessions: Sessions, request: Request, body: bytes) -> Response:
    """Answer a tool's call."""
    path = request.url.path.rstrip("/")
    try:
        body = _unpacked(request, body)
    except (OrgError, zlib.error):
        return Reply("The body cannot be unpacked\n", 400, media_type="text/plain").response()
    if oauth.speaks(path):
        return oauth.answer(sessions, request, path, body)
    if found := _SOAP.fullmatch(path):
        return _soap(sessions, request, body, found[1], found[2] or "")
    if path == "/services/data":
        return Reply(versions.listed()).response()
    try:
        return _rest(sessions, request, body, path)
    except OrgError as problem:
        if path.startswith("/services/async/"):
            return bulk1.refused(request.headers, problem, refusals.status(problem)).response()
        return refusals.reply(problem).response()


def _unpacked(request: Request, body: bytes) -> bytes:
    """Return a body as it was before it was compressed.

    Raises:
        OrgError: It is longer than anybody may send.
        zlib.error: It is not compressed.
    """
    if request.headers.get("content-encoding", "") not in ("gzip", "deflate"):
        return body
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
    whole = unpacking.decompress(body, LONGEST_BODY)
    if unpacking.unconsumed_tail:
        raise OrgError("REQUEST_TOO_LARGE", "The body is too long")
    return whole


def _rest(sessions: Sessions, request: Request, body: bytes, path: str) -> Response:
    found = _DATA.fullmatch(path) or _ASYNC.fullmatch(path)
    if found is None or not versions.known(found[1]):
        raise NotThere
    token = request.headers.get("x-sfdc-session") or oauth.bearer(request)
    session, user_id = _who(sessions, token)
    prefix = "/async" if path.startswith("/services/async") else ""
    call = Call(
        session=session,
        user_id=user_id,
        method=request.query_params.get("_HttpMethod", request.method)
        if request.method == "POST"
        else request.method,
        path=prefix + (found[2] or ""),
        version=found[1],
        origin=oauth.origin(request),
        query=request.query_params,
        headers=request.headers,
        body=body,
    )
    told = request.headers.get("sforce-duplicate-rule-header", "")
    session.org.saves_duplicates = "allowsave=true" in told.replace(" ", "").casefold()
    return _logged(call, lambda: _in_transaction(call)).response()


def _who(sessions: Sessions, token: str) -> tuple[Session, str]:
    session = sessions.of_token(token) if token else None
    if session is None:
        raise ApiError(401, "INVALID_SESSION_ID", "Session expired or invalid")
    user_id = session.access.tokens[token]
    user = session.org.get("User", user_id)
    try:
        if user is None:
            raise Refused("wrong")
        admit(session.org, user)
    except Refused:
        raise ApiError(401, "INVALID_SESSION_ID", "The user of this session may not log in") from None
    return session, user_id


def _logged(call: Call, work: Callable[[], Reply]) -> Reply:
    entry = call.session.calls.begin(call.method, call.path, call.query.items(), ())
    reply = work()
    entry["status"] = reply.status
    used = f"api-usage={len(call.session.calls.entries)}/{CALLS_A_DAY}"
    return Reply(reply.body, reply.status, {"Sforce-Limit-Info": used, **reply.headers}, reply.media_type)


def _in_transaction(call: Call) -> Reply:
    try:
        with call.org.transaction(), call.org.acting(call.user_id):
            return routing.dispatch(call)
    except OrgError as problem:
        return _refused(call, problem)
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return _refused(call, OrgError("UNKNOWN_EXCEPTION", "An unexpected error occurred"))


def _refused(call: Call, problem: OrgError) -> Reply:
    if not call.path.startswith("/async/"):
        return refusals.reply(problem)
    return bulk1.refused(call.headers, problem, refusals.status(problem))


def _soap(sessions: Sessions, request: Request, body: bytes, letter: str, version: str) -> Response:
    service = soap.SERVICES.get(letter)
    if service is None or request.method != "POST":
        return Reply("Not found\n", 404, media_type="text/plain").response()
    try:
        envelope = soap.read(body)
        if version and not versions.known(version if "." in version else f"{version}.0"):
            raise soap.SoapFault("UNSUPPORTED_API_VERSION", "Invalid Api version specified on URL")
        session, user_id = _entering(sessions, envelope)
        call = soap.SoapCall(
            session, user_id, version or f"{versions.NEWEST}.0", oauth.origin(request), envelope, letter
        )
        entry = session.calls.begin("POST", request.url.path, [("operation", envelope.operation)], ())
        entry["status"] = 500
        told = envelope.headers.get("DuplicateRuleHeader", Element("DuplicateRuleHeader"))
        session.org.saves_duplicates = soap.text(told, "allowSave").strip() in ("true", "1")
        with call.org.transaction(), call.org.acting(user_id):
            response = soap.wrapped(service.handler(call), service.namespace)
        entry["status"] = 200
        return response
    except OrgError as problem:
        return soap.refused(problem, service)
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return soap.refused(OrgError("UNKNOWN_EXCEPTION", "An unexpected error occurred"), service)


def _entering(sessions: Sessions, envelope: soap.Envelope) -> tuple[Session, str]:
    """Return session and user of a call, which for a login stand in its body."""
    if envelope.operation != "login":
        try:
            return _who(sessions, envelope.session_id)
        except ApiError as problem:
            told = "Invalid Session ID found in SessionHeader: Illegal Session"
            raise soap.SoapFault(problem.code, told) from None
    username, password = (soap.text(envelope.body, name) for name in ("username", "password"))
    for session in sessions.of_user(username):
        try:
            return session, session.access.sign_in(session.org, username, password, tool=True)["Id"]
        except Refused:
            continue
    raise soap.SoapFault("INVALID_LOGIN", "Invalid username, password, security token; or user locked out.")
