"""Why a metadata component is not read or written, in Salesforce's codes."""

from __future__ import annotations

from salesforce_org.store.errors import OrgError


class MetadataError(OrgError):
    """A component that is refused; the message says what is wrong with it."""


def missing(kind: str, name: str) -> MetadataError:
    """Return the refusal of a name that no component has."""
    return MetadataError("INVALID_CROSS_REFERENCE_KEY", f"no {kind} named {name} found")


def unfit(message: str, *fields: str) -> MetadataError:
    """Return the refusal of a component whose content does not hold together."""
    return MetadataError("FIELD_INTEGRITY_EXCEPTION", message, fields)
