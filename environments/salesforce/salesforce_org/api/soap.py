"""SOAP envelopes, read and written, and the services that speak them.

A service is a letter of the address `/services/Soap/<letter>/<version>`: `u` partner, `c` enterprise, `T` tooling,
`m` metadata, `s` Apex.
Its module registers a handler, which gets the session and acting user and returns what stands inside the body:

    @service("m", METADATA)
    def metadata(call: SoapCall) -> str:
        return call.result({"asyncResults": [...]})
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, ParseError
from xml.sax.saxutils import escape, quoteattr

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from starlette.responses import Response

from salesforce_org.metadata.trees import transmissible
from salesforce_org.sessions import Session
from salesforce_org.store import Org
from salesforce_org.store.errors import OrgError

ENVELOPE = "http://schemas.xmlsoap.org/soap/envelope/"
INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
METADATA = "http://soap.sforce.com/2006/04/metadata"
_UNSPEAKABLE = re.compile(
    r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)  # XML has no way to say them
# The faults that have a type of their own.
_FAULTS = {
    "INVALID_FIELD": "InvalidFieldFault",
    "INVALID_LOGIN": "LoginFault",
    "INVALID_NEW_PASSWORD": "InvalidNewPasswordFault",
    "INVALID_QUERY_LOCATOR": "InvalidQueryLocatorFault",
    "INVALID_SESSION_ID": "UnexpectedErrorFault",
    "INVALID_TYPE": "InvalidSObjectFault",
    "MALFORMED_ID": "InvalidIdFault",
    "MALFORMED_QUERY": "MalformedQueryFault",
    "MALFORMED_SEARCH": "MalformedSearchFault",
    "UNKNOWN_EXCEPTION": "UnexpectedErrorFault",
}
_NAME = re.compile(r"[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?")


class SoapFault(OrgError):
    """A refusal that becomes a SOAP fault."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """A request: its operation and the session it names.

    Attributes:
        operation: Local name of the body's first element, which is `body`.
        session_id: The access token of the SessionHeader; empty if the header is missing.
    """

    operation: str
    body: Element
    session_id: str
    headers: Mapping[str, Element]


@dataclass(frozen=True, slots=True)
class SoapCall:
    """What a service is asked, and as whom; `letter` is the service's."""

    session: Session
    user_id: str
    version: str
    origin: str
    envelope: Envelope
    letter: str

    @property
    def org(self) -> Org:
        """The session's org."""
        return self.session.org

    @property
    def operation(self) -> str:
        """What is asked for."""
        return self.envelope.operation

    def texts(self, name: str) -> list[str]:
        """Return the texts of the operation's direct children of a name."""
        return [child.text or "" for child in self.envelope.body if local(child.tag) == name]

    def result(self, *results: Any) -> str:
        """Return the response element with one `result` each; dicts, lists, texts and booleans become XML."""
        inside = "".join(xml("result", one) for one in results)
        return f"<{self.operation}Response>{inside}</{self.operation}Response>"


Handler = Callable[[SoapCall], str]


@dataclass(frozen=True, slots=True)
class Service:
    """A handler and the namespaces of its replies and its faults; `detailed` faults have a type of their own."""

    handler: Handler
    namespace: str
    fault: str

    @property
    def detailed(self) -> bool:
        """Whether faults carry details."""
        return self.fault != self.namespace


SERVICES: dict[str, Service] = {}


def service(letter: str, namespace: str, fault: str = "") -> Callable[[Handler], Handler]:
    """Register the handler of a service."""

    def register(handler: Handler) -> Handler:
        SERVICES[letter] = Service(handler, namespace, fault or namespace)
        return handler

    return register


def local(tag: str) -> str:
    """Return a name without its namespace."""
    return tag.rpartition("}")[2]


def children(element: Element, name: str) -> Iterator[Element]:
    """Yield the direct children of a name, whatever namespace they are in."""
    return (child for child in element if local(child.tag) == name)


def text(element: Element, name: str, default: str = "") -> str:
    """Return the text of the first child of a name."""
    found = next(children(element, name), None)
    return default if found is None else (found.text or "")


def read(raw: bytes) -> Envelope:
    """Read a request.

    Raises:
        SoapFault: It is no envelope with one operation.
    """
    try:
        root = fromstring(raw)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise SoapFault("soapenv:Client", f"The request is not well-formed XML: {error}") from None
    body = next(iter(next(children(root, "Body"), Element("Body"))), None)
    if local(root.tag) != "Envelope" or body is None:
        raise SoapFault("soapenv:Client", "The request is no SOAP envelope with an operation in its body")
    headers = {local(one.tag): one for part in children(root, "Header") for one in part}
    session_id = text(headers["SessionHeader"], "sessionId") if "SessionHeader" in headers else ""
    return Envelope(local(body.tag), body, session_id, headers)


def xml(name: str, value: Any) -> str:
    """Return a value as elements of a name: a list as one each, None as nil, a dict with its keys as children.

    Keys that begin with `@` become attributes.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of an element")
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "".join(xml(name, one) for one in value)
    if value is None:
        return f'<{name} xsi:nil="true"/>'
    if isinstance(value, Mapping):
        marks = "".join(f" {key[1:]}={quoteattr(one)}" for key, one in value.items() if key.startswith("@"))
        inside = "".join(xml(key, one) for key, one in value.items() if not key.startswith("@"))
        return f"<{name}{marks}>{inside}</{name}>"
    told = str(value).lower() if isinstance(value, bool) else str(value)
    return f"<{name}>{escape(_UNSPEAKABLE.sub('', told))}</{name}>"


def wrapped(inside: str, namespace: str) -> Response:
    """Return the envelope around a body, whose elements are in a namespace."""
    return _enveloped(inside, {"xmlns": namespace, "xmlns:xsd": "http://www.w3.org/2001/XMLSchema"}, 200)


def refused(problem: OrgError, service: Service) -> Response:
    """Return a fault; its own elements are in no namespace, and its code has the prefix `sf` unless it has another."""
    code = problem.code if ":" in problem.code else f"sf:{problem.code}"
    bare = problem.code.rpartition(":")[2]
    told = escape(_UNSPEAKABLE.sub("", problem.message))
    kind = _FAULTS.get(bare, "ApiFault")
    detail = (
        f'<detail><sf:{kind} xsi:type="sf:{kind}"><sf:exceptionCode>{bare}</sf:exceptionCode>'
        f"<sf:exceptionMessage>{told}</sf:exceptionMessage></sf:{kind}></detail>"
        if service.detailed and code.startswith("sf:")
        else ""
    )
    message = f"{bare}: {told}" if code.startswith("sf:") else told
    inside = f"<soapenv:Fault><faultcode>{code}</faultcode><faultstring>{message}</faultstring>{detail}</soapenv:Fault>"
    return _enveloped(inside, {"xmlns:sf": service.fault}, 500)


def _enveloped(inside: str, namespaces: Mapping[str, str], status: int) -> Response:
    named = {"xmlns:soapenv": ENVELOPE, **namespaces, "xmlns:xsi": INSTANCE}
    marks = "".join(f' {name}="{value}"' for name, value in named.items())
    raw = (
        f'<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope{marks}>'
        f"<soapenv:Body>{transmissible(inside)}</soapenv:Body></soapenv:Envelope>"
    )
    return Response(raw, status, media_type="text/xml;charset=UTF-8")
