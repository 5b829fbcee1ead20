"""Opportunities: what a stage means, amounts from products, fiscal periods."""

from __future__ import annotations

from datetime import date
from typing import Any

from salesforce_org.rules.mirrors import FORECASTS
from salesforce_org.rules.registry import RULES, entry, number, related, settle
from salesforce_org.store import values
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change, Org, Record

SINGLE_WORDS = {label: name for name, label in FORECASTS.items()}


@RULES.on("before", "Opportunity")
def stage(change: Change) -> None:
    """A new stage brings its probability and forecast category, unless others are given, and closes or opens."""
    new = change.new
    found = entry(change.org, "Opportunity", "StageName", new["StageName"])
    more = found.more if found else {}
    if change.turned("StageName"):
        if "Probability" not in change.given or new["Probability"] is None:
            new["Probability"] = more.get("probability", 0)
        if "ForecastCategoryName" not in change.given:
            forecast = more.get("forecastCategory", "Pipeline")
            new["ForecastCategoryName"] = FORECASTS.get(forecast, forecast)
        if change.old:
            new["LastStageChangeDate"] = values.moment(change.org.now)
    label = new["ForecastCategoryName"]
    new["ForecastCategory"] = SINGLE_WORDS.get(label, label)
    new["IsClosed"], new["IsWon"] = bool(more.get("closed")), bool(more.get("won"))


@RULES.on("before", "Opportunity")
def amount(change: Change) -> None:
    """With products, the amount is their total, and the price book stays."""
    if change.old is None or not change.old["HasOpportunityLineItem"]:
        return
    if change.turned("Amount") and change.org.checked:
        change.new["Amount"] = change.old["Amount"]
    if change.turned("Pricebook2Id") and next(
        change.org.rows("OpportunityLineItem", OpportunityId=change.id), None
    ):
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION",
            "The price book cannot be changed while the opportunity has products",
            ("Pricebook2Id",),
        )


@RULES.on("before", "OpportunityLineItem")
def line(change: Change) -> None:
    """A line takes product, name and list price from its price book entry, and its total from its figures."""
    org, new = change.org, change.new
    price = org.get("PricebookEntry", new["PricebookEntryId"])
    sold = org.get("Opportunity", new["OpportunityId"])
    if price is None or sold is None:
        return
    if sold["Pricebook2Id"] is None:
        settle(org, sold["Id"], Pricebook2Id=price["Pricebook2Id"])
    elif sold["Pricebook2Id"] != price["Pricebook2Id"]:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION",
            "The price book entry is in a different price book than the one assigned to the opportunity",
            ("PricebookEntryId",),
        )
    new |= {
        "Product2Id": price["Product2Id"],
        "ProductCode": price["ProductCode"],
        "ListPrice": price["UnitPrice"],
    }
    new["Name"] = f"{sold['Name']} {price['Name']}"
    _line_total(change)


def _line_total(change: Change) -> None:
    new, count = change.new, number(change.new, "Quantity")
    rest = 1 - number(new, "Discount") / 100
    if "TotalPrice" in change.given and "UnitPrice" not in change.given and count and rest:
        new["UnitPrice"] = round(number(new, "TotalPrice") / count / rest, 2)
    if new["UnitPrice"] is None:
        new["UnitPrice"] = new["ListPrice"]
    new["TotalPrice"] = round(count * number(new, "UnitPrice") * rest, 2)


@RULES.on("after", "OpportunityLineItem")
def line_counts(change: Change) -> None:
    """The opportunity's amount and quantity follow its lines."""
    _sum_up(change.org, change.new["OpportunityId"], without=None)


@RULES.on("deleting", "OpportunityLineItem")
def line_goes(change: Change) -> None:
    """A line that is deleted counts no longer."""
    if not change.org.deleting(change.new["OpportunityId"]):
        _sum_up(change.org, change.new["OpportunityId"], without=change.id)


def _sum_up(org: Org, id: str, without: str | None) -> None:
    lines = [row for row in org.rows("OpportunityLineItem", OpportunityId=id) if row["Id"] != without]
    figures: dict[str, Any] = {"HasOpportunityLineItem": bool(lines)}
    if lines:
        figures["Amount"] = round(sum(number(row, "TotalPrice") for row in lines), 2)
        figures["TotalOpportunityQuantity"] = sum(number(row, "Quantity") for row in lines)
    settle(org, id, **figures)


@RULES.compute("opportunity_line_subtotal")
def line_subtotal(org: Org, row: Record) -> float:
    """Price by quantity, before discount."""
    return round(number(row, "Quantity") * number(row, "UnitPrice"), 2)


@RULES.compute("expected_revenue")
def expected_revenue(org: Org, row: Record) -> float | None:
    """Amount by probability."""
    return None if row["Amount"] is None else round(row["Amount"] * number(row, "Probability") / 100, 2)


@RULES.compute("fiscal_quarter")
def fiscal_quarter(org: Org, row: Record) -> int:
    """The quarter in which it closes."""
    return (date.fromisoformat(row["CloseDate"]).month + 2) // 3


@RULES.compute("fiscal_year")
def fiscal_year(org: Org, row: Record) -> int:
    """The year in which it closes."""
    return date.fromisoformat(row["CloseDate"]).year


@RULES.compute("fiscal")
def fiscal(org: Org, row: Record) -> str:
    """Year and quarter, such as `2026 1`."""
    return f"{fiscal_year(org, row)} {fiscal_quarter(org, row)}"


@RULES.on("before", "OpportunityContactRole")
def primary_contact(change: Change) -> None:
    """A contact has one role in an opportunity."""
    new = change.new
    for row in change.org.rows("OpportunityContactRole", OpportunityId=new["OpportunityId"]):
        if row["Id"] != change.id and row["ContactId"] == new["ContactId"]:
            raise DmlError(
                "DUPLICATE_VALUE", "The contact has a role in this opportunity already", ("ContactId",)
            )


@RULES.on("after", "OpportunityContactRole")
def one_primary(change: Change) -> None:
    """At most one contact is the primary one; the newest wins."""
    if not change.new["IsPrimary"]:
        return
    for row in change.org.rows(
        "OpportunityContactRole", OpportunityId=change.new["OpportunityId"], IsPrimary=True
    ):
        if row["Id"] != change.id:
            change.org.update(row["Id"], IsPrimary=False)


@RULES.on("before", "Opportunity")
def synced_quote(change: Change) -> None:
    """A synced quote is one of the opportunity's own."""
    quote = related(change.org, change.new, "SyncedQuoteId")
    if quote and change.turned("SyncedQuoteId") and quote["OpportunityId"] != change.id:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION", "The quote belongs to another opportunity", ("SyncedQuoteId",)
        )
