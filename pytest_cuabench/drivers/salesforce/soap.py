"""Salesforce's SOAP: envelopes, replies and faults, and the XML of metadata as plain trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from pytest_cuabench.drivers.salesforce.errors import OrgError
from pytest_cuabench.drivers.salesforce.list_elements import TEXTS, is_list
from pytest_cuabench.errors import EnvironmentFailure

ENVELOPE = "http://schemas.xmlsoap.org/soap/envelope/"
PARTNER = "urn:partner.soap.sforce.com"
METADATA = "http://soap.sforce.com/2006/04/metadata"
INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"


def envelope(body: str, token: str | None = None, namespace: str = PARTNER) -> str:
    """Return a message; the token goes into its header."""
    header = (
        f'<soapenv:Header><h:SessionHeader xmlns:h="{namespace}"><h:sessionId>{escape(token)}</h:sessionId>'
        "</h:SessionHeader></soapenv:Header>"
        if token
        else ""
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        f'<soapenv:Envelope xmlns:soapenv="{ENVELOPE}" xmlns:xsi="{INSTANCE}">'
        f"{header}<soapenv:Body>{body}</soapenv:Body></soapenv:Envelope>"
    )


def element(name: str, value: Any) -> str:
    """Return plain data as XML; a list repeats the element, None is left out."""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return "".join(element(name, entry) for entry in value)
    if isinstance(value, Mapping):
        return f"<{name}>{elements(value)}</{name}>"
    return f"<{name}>{escape(_text(value))}</{name}>"


def elements(values: Mapping[str, Any]) -> str:
    """Return the elements of a mapping in its order."""
    return "".join(element(name, value) for name, value in values.items())


def read_reply(content: bytes, status: int, doing: str) -> Any:
    """Return the result of a reply: a tree, a list of several trees, or None.

    Raises:
        OrgError: It is a fault; the message begins with `doing`.
        EnvironmentFailure: It is not SOAP.
    """
    root = parse(content, doing, status)
    body = root.find(f"{{{ENVELOPE}}}Body")
    if body is None or not len(body):
        raise EnvironmentFailure(f"{doing}: the reply is not a SOAP message (status {status})")
    if local(body[0].tag) == "Fault":
        code = (body[0].findtext("faultcode") or "UNKNOWN_EXCEPTION").rpartition(":")[2]
        # Salesforce repeats the code in front of the message.
        text = (body[0].findtext("faultstring") or code).removeprefix(f"{code}: ")
        raise OrgError(f"{doing}: {code}: {text}", code)
    results = [tree(result) for result in body[0]]
    return results[0] if len(results) == 1 else results or None


def parse(content: bytes | str, doing: str, status: int = 200) -> ET.Element:
    """Parse XML and return its root; document types are rejected.

    Raises:
        EnvironmentFailure: It is not XML.
    """
    raw = content.encode() if isinstance(content, str) else content
    try:
        if b"<!DOCTYPE" in raw:
            raise ET.ParseError("a document type is not allowed")
        return ET.fromstring(raw)  # noqa: S314 - without a document type there are no entities to expand
    except ET.ParseError:
        raise EnvironmentFailure(f"{doing}: the reply is not XML (status {status})") from None


def tree(node: ET.Element) -> Any:
    """Return an element as plain data: text, a boolean, or a mapping of its children; None for `xsi:nil`."""
    if node.get(f"{{{INSTANCE}}}nil") == "true":
        return None
    if not len(node):
        text = node.text or ""
        return text if local(node.tag) in TEXTS else {"true": True, "false": False}.get(text, text)
    found: dict[str, Any] = {}
    for child in node:
        name, value = local(child.tag), tree(child)
        if is_list(name, local(node.tag)):
            found.setdefault(name, []).append(value)
        else:
            found[name] = [*as_list(found[name]), value] if name in found else value
    return found


def as_list(value: Any) -> list[Any]:
    """Return None as [], a list unchanged, and any other value in a list."""
    return [] if value is None else value if isinstance(value, list) else [value]


def local(tag: str) -> str:
    """Return a tag's local name."""
    return tag.rpartition("}")[2]


def document(kind: str, children: Iterable[str]) -> str:
    """Return a metadata file of a type with the given XML children."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<{kind} xmlns="{METADATA}">{"".join(children)}</{kind}>\n'
    )


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
