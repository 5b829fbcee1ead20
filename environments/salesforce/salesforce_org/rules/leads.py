"""Leads: what is converted changes no more. The conversion itself is in `lead_conversion`."""

from __future__ import annotations

from collections.abc import Mapping

from salesforce_org.lead_conversion import Conversion, Converted, convert, converted_statuses
from salesforce_org.rules.registry import RULES
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change, Org

__all__ = ["Converted", "convert_lead", "converted_statuses", "converted_stays"]


@RULES.on("before", "Lead")
def converted_stays(change: Change) -> None:
    """A converted lead changes no more."""
    if change.old and change.old["IsConverted"] and change.org.checked:
        raise DmlError("CANNOT_UPDATE_CONVERTED_LEAD", "cannot reference converted lead")


def convert_lead(
    org: Org,
    lead_id: str,
    account_id: str | None = None,
    contact_id: str | None = None,
    opportunity_name: str | None = None,
    *,
    opportunity_id: str | None = None,
    account_name: str | None = None,
    contact: Mapping[str, str | None] | None = None,
    status: str | None = None,
    owner_id: str | None = None,
    create_opportunity: bool = True,
) -> Converted:
    """Convert a lead, into what exists where ids are given.

    Args:
        contact: Salutation, FirstName and LastName of a new contact, if other than the lead's.

    Raises:
        OrgError: It cannot be done; nothing is then changed.
    """
    wanted = Conversion(
        lead_id,
        status=status or "",
        account_id=account_id or "",
        account_name=account_name or "",
        contact_id=contact_id or "",
        contact_names=contact or {},
        opportunity_id=opportunity_id or "",
        opportunity_name=opportunity_name or "",
        with_opportunity=create_opportunity,
        owner_id=owner_id or "",
    )
    return convert(org, wanted)
