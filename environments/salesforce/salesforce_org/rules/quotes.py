"""Quotes and their lines."""

from __future__ import annotations

from salesforce_org.rules.registry import RULES, number
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change, Org, Record


@RULES.on("before", "Quote")
def of_opportunity(change: Change) -> None:
    """A quote takes account and price book from its opportunity; a book that has lines stays."""
    org, new = change.org, change.new
    sold = org.get("Opportunity", new["OpportunityId"])
    if sold is None:
        return
    new["AccountId"] = sold["AccountId"]
    if change.old is None:
        new["Pricebook2Id"] = new["Pricebook2Id"] or sold["Pricebook2Id"]
    elif change.turned("Pricebook2Id") and next(org.rows("QuoteLineItem", QuoteId=change.id), None):
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION",
            "The price book cannot be changed while the quote has line items",
            ("Pricebook2Id",),
        )


@RULES.on("before", "QuoteLineItem")
def line(change: Change) -> None:
    """A line's price is of the quote's price book, and brings product and list price."""
    org, new = change.org, change.new
    price = org.get("PricebookEntry", new["PricebookEntryId"])
    quote = org.get("Quote", new["QuoteId"])
    if price is None or quote is None:
        return
    if quote["Pricebook2Id"] is None:
        org.update(quote["Id"], Pricebook2Id=price["Pricebook2Id"])  # before the line is there
    elif quote["Pricebook2Id"] != price["Pricebook2Id"]:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION",
            "The price book entry is in a different price book than the one assigned to the quote",
            ("PricebookEntryId",),
        )
    new["Product2Id"], new["ListPrice"] = price["Product2Id"], price["UnitPrice"]
    _in_range(new)


def _in_range(new: Record) -> None:
    if not 0 <= number(new, "Discount") <= 100:
        raise DmlError("NUMBER_OUTSIDE_VALID_RANGE", "Discount: must be between 0 and 100", ("Discount",))
    if number(new, "Quantity") <= 0 and new["Quantity"] is not None:
        raise DmlError("NUMBER_OUTSIDE_VALID_RANGE", "Quantity: must be more than 0", ("Quantity",))


def copy_products(org: Org, quote_id: str) -> None:
    """Give a quote the products of its opportunity, as the New Quote button does."""
    quote = org.get("Quote", quote_id)
    assert quote is not None
    for row in org.rows("OpportunityLineItem", OpportunityId=quote["OpportunityId"]):
        kept = ("PricebookEntryId", "Quantity", "UnitPrice", "Discount", "Description", "ServiceDate")
        org.insert(
            "QuoteLineItem",
            QuoteId=quote_id,
            OpportunityLineItemId=row["Id"],
            **{name: row[name] for name in kept},
        )


@RULES.compute("quote_line_subtotal")
def line_subtotal(org: Org, row: Record) -> float:
    """Price by quantity, before discount."""
    return round(number(row, "Quantity") * number(row, "UnitPrice"), 2)


@RULES.compute("quote_line_total")
def line_total(org: Org, row: Record) -> float:
    """What a line costs."""
    return round(number(row, "Quantity") * number(row, "UnitPrice") * (1 - number(row, "Discount") / 100), 2)


@RULES.compute("quote_line_count")
def line_count(org: Org, row: Record) -> int:
    """Number of lines."""
    return sum(1 for _ in org.rows("QuoteLineItem", QuoteId=row["Id"]))


@RULES.compute("quote_subtotal")
def subtotal(org: Org, row: Record) -> float:
    """All lines before discount."""
    return round(sum(line_subtotal(org, one) for one in org.rows("QuoteLineItem", QuoteId=row["Id"])), 2)


@RULES.compute("quote_total")
def total(org: Org, row: Record) -> float:
    """All lines after discount."""
    return round(sum(line_total(org, one) for one in org.rows("QuoteLineItem", QuoteId=row["Id"])), 2)


@RULES.compute("quote_discount")
def discount(org: Org, row: Record) -> float:
    """The discount of all lines together, in percent."""
    before = subtotal(org, row)
    return round(100 * (1 - total(org, row) / before), 2) if before else 0.0


@RULES.compute("quote_grand_total")
def grand_total(org: Org, row: Record) -> float:
    """The total with tax and shipping."""
    return round(total(org, row) + number(row, "Tax") + number(row, "ShippingHandling"), 2)
