"""Cases and entitlements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from salesforce_org.rules.registry import RULES, means
from salesforce_org.store import values
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change, Org, Record


@RULES.on("before", "Case")
def status(change: Change) -> None:
    """A case is closed when its status says so, and notes when."""
    new = change.new
    closed = means(change.org, "Case", "Status", new["Status"], "closed")
    if closed and not new["ClosedDate"]:
        new["ClosedDate"] = values.moment(change.org.now)
    elif not closed:
        new["ClosedDate"] = None
    new["IsClosed"] = closed


@RULES.on("before", "Case")
def account_of_contact(change: Change) -> None:
    """A case of a contact is of the contact's account, unless another is given."""
    new = change.new
    contact = change.org.get("Contact", new["ContactId"])
    if contact and change.turned("ContactId") and "AccountId" not in change.given:
        new["AccountId"] = contact["AccountId"]


@RULES.on("before", "Case")
def business_hours(change: Change) -> None:
    """A case is worked on in the default business hours, unless others are given."""
    if change.new["BusinessHoursId"] is None:
        default = next(change.org.rows("BusinessHours", IsDefault=True), None)
        change.new["BusinessHoursId"] = default["Id"] if default else None


def _of_contact(name: str) -> Callable[[Org, Record], Any]:
    def value(org: Org, row: Record) -> Any:
        return (org.get("Contact", row["ContactId"]) or {}).get(name)

    return value


for _computed, _field in (("phone", "Phone"), ("mobile", "MobilePhone"), ("email", "Email"), ("fax", "Fax")):
    RULES.compute(f"case_contact_{_computed}")(_of_contact(_field))


@RULES.on("before", "Entitlement", "ServiceContract")
def in_order(change: Change) -> None:
    """Nothing ends before it starts."""
    new = change.new
    if new["StartDate"] and new["EndDate"] and new["EndDate"] < new["StartDate"]:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION", "End Date: must not be before the start date.", ("EndDate",)
        )


@RULES.on("before", "Entitlement")
def per_incident(change: Change) -> None:
    """What is limited to a number of cases begins with all of them."""
    new = change.new
    if new["IsPerIncident"] and new["RemainingCases"] is None:
        new["RemainingCases"] = new["CasesPerEntitlement"]


@RULES.compute("entitlement_status")
@RULES.compute("service_contract_status")
def running(org: Org, row: Record) -> str:
    """Inactive before its start, active, expired after its end."""
    today = org.today().isoformat()
    if row["EndDate"] and row["EndDate"] < today:
        return "Expired"
    begun = row["StartDate"] is not None and row["StartDate"] <= today
    return "Active" if begun else "Inactive"


@RULES.on("before", "BusinessHours")
def one_default(change: Change) -> None:
    """The default business hours are active."""
    if change.new["IsDefault"] and not change.new["IsActive"]:
        raise DmlError("FIELD_INTEGRITY_EXCEPTION", "Default business hours must be active", ("IsActive",))
