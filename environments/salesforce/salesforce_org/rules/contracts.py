"""Contracts and orders."""

from __future__ import annotations

import calendar
from datetime import date, timedelta

from salesforce_org.rules.registry import RULES, entry, missing, number
from salesforce_org.store import values
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change, Org, Record


def months_later(start: date, months: int) -> date:
    """Return the same day some months later, or the last day of that month."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return date(year, month + 1, min(start.day, calendar.monthrange(year, month + 1)[1]))


@RULES.on("before", "Contract")
def contract_end(change: Change) -> None:
    """A contract ends the day before its term is over."""
    new = change.new
    new["EndDate"] = None
    if new["StartDate"] and new["ContractTerm"]:
        if new["ContractTerm"] < 1:
            raise DmlError(
                "NUMBER_OUTSIDE_VALID_RANGE", "Contract Term (months): must be 1 or more", ("ContractTerm",)
            )
        after = months_later(date.fromisoformat(new["StartDate"]), int(new["ContractTerm"]))
        new["EndDate"] = (after - timedelta(days=1)).isoformat()


@RULES.on("before", "Contract", "Order")
def status(change: Change) -> None:
    """What begins is a draft; who activates it, and when, is noted."""
    new, label = change.new, change.object.label.lower()
    found = entry(change.org, change.object.name, "Status", new["Status"])
    code = str(found.more.get("code", "Draft")) if found else "Draft"
    if change.old is None and code == "Activated" and change.org.checked:
        raise DmlError(
            "FAILED_ACTIVATION", f"Choose a valid {label} status and save your changes.", ("Status",)
        )
    was = (change.old or {}).get("StatusCode")
    if was == "Activated" and code != "Activated" and change.object.name == "Contract":
        raise DmlError("INVALID_STATUS", f"An activated {label} cannot become a draft again", ("Status",))
    if code == "Activated" and was != "Activated":
        _activate(change)
    new["StatusCode"] = code


def _activate(change: Change) -> None:
    new, org = change.new, change.org
    if (
        change.object.name == "Order"
        and not next(org.rows("OrderItem", OrderId=change.id), None)
        and org.checked
    ):
        raise DmlError("FAILED_ACTIVATION", "An order must have at least one product.", ("Status",))
    new["ActivatedDate"], new["ActivatedById"] = values.moment(org.now), org.user_id


@RULES.on("deleting", "Contract", "Order")
def activated_stays(change: Change) -> None:
    """What is activated cannot be deleted."""
    if change.new["StatusCode"] == "Activated":
        raise DmlError(
            "DELETE_FAILED", f"This {change.object.label.lower()} is activated and cannot be deleted"
        )


@RULES.on("before", "Order")
def order_of_contract(change: Change) -> None:
    """An order is for an account; one that belongs to a contract has its account and lies in its time."""
    org, new = change.org, change.new
    contract = org.get("Contract", new["ContractId"])
    if contract:
        new["AccountId"] = new["AccountId"] or contract["AccountId"]
        new["Pricebook2Id"] = new["Pricebook2Id"] or contract["Pricebook2Id"]
        _fits(new, contract)
    if new["AccountId"] is None:
        raise missing("AccountId")
    if new["EndDate"] and new["EffectiveDate"] and new["EndDate"] < new["EffectiveDate"]:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION", "The order's end date can't be before its start date.", ("EndDate",)
        )


def _fits(new: Record, contract: Record) -> None:
    if new["AccountId"] != contract["AccountId"]:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION",
            "The account of an order must be the account of its contract.",
            ("AccountId", "ContractId"),
        )
    start, begins, ends = new["EffectiveDate"], contract["StartDate"], contract["EndDate"]
    if start and ((begins and start < begins) or (ends and start > ends)):
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION",
            "The order start date must be within the contract's start and end dates.",
            ("EffectiveDate",),
        )


@RULES.on("before", "OrderItem")
def order_line(change: Change) -> None:
    """A line's price is of the order's price book, and brings product and list price."""
    org, new = change.org, change.new
    price, order = org.get("PricebookEntry", new["PricebookEntryId"]), org.get("Order", new["OrderId"])
    if price is None or order is None:
        return
    if order["Pricebook2Id"] is None:
        org.update(order["Id"], Pricebook2Id=price["Pricebook2Id"])
    elif order["Pricebook2Id"] != price["Pricebook2Id"]:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION",
            "The price book entry is in a different price book than the one assigned to the order",
            ("PricebookEntryId",),
        )
    new |= {
        "Product2Id": price["Product2Id"],
        "ListPrice": price["UnitPrice"],
        "AvailableQuantity": new["Quantity"],
    }


@RULES.compute("order_line_total")
def order_line_total(org: Org, row: Record) -> float:
    """What a line costs."""
    return round(number(row, "Quantity") * number(row, "UnitPrice"), 2)


@RULES.compute("order_total")
def order_total(org: Org, row: Record) -> float:
    """What an order costs."""
    return round(sum(order_line_total(org, one) for one in org.rows("OrderItem", OrderId=row["Id"])), 2)
