"""Safety checks before anything is written to an org."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from pytest_cuabench.errors import SettingError

_DOMAINS = (
    "{name}.{part}my.salesforce.com",
    "{name}.{part}lightning.force.com",
    "{name}.{part}my.salesforce-setup.com",
    "{name}--c.{part}vf.force.com",
    "{name}.{part}file.force.com",
)
_MY_DOMAIN = ".my.salesforce.com"


def require_sandbox(org: Mapping[str, Any], address: str) -> None:
    """Check that an org is a sandbox, a scratch or trial org, or a Developer Edition.

    Raises:
        SettingError: It is a production org.
    """
    kind = org.get("OrganizationType")
    if org.get("IsSandbox") is True or kind == "Developer Edition" or org.get("TrialExpirationDate"):
        return
    raise SettingError(
        f"the org at {address} is a production org ({kind}, not a sandbox); use a sandbox, scratch org or "
        "Developer Edition"
    )


def require_permission(allowed: bool, address: str) -> None:
    """Check that the user allowed writes to an org.

    Raises:
        SettingError: Writing is not allowed.
    """
    if not allowed:
        raise SettingError(
            f"agents would write to the org at {address}, and their changes are reverted afterwards; to allow this, "
            "add --cua-allow-reset"
        )


def org_hosts(address: str) -> tuple[str, ...]:
    """Return the hosts of an org's own pages: its My Domain in all its forms."""
    host = urlsplit(address).hostname or ""
    if not host.endswith(_MY_DOMAIN):
        return (host,)
    name, _, kind = host.removesuffix(_MY_DOMAIN).partition(
        "."
    )  # `kind` is sandbox, develop, scratch or nothing
    part = f"{kind}." if kind else ""
    return tuple(domain.format(name=name, part=part) for domain in _DOMAINS)
