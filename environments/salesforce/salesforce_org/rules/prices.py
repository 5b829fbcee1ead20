"""Products, price books and the prices in them."""

from __future__ import annotations

from salesforce_org.rules.registry import RULES, alone, settle
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change, Org, Record


def standard_book(org: Org) -> Record:
    """Return the standard price book."""
    return org.one("Pricebook2", IsStandard=True)


@RULES.on("before", "PricebookEntry")
def price(change: Change) -> None:
    """A product's standard price comes first, it has one price in a book, and its name and code go along."""
    org, new = change.org, change.new
    product = org.get("Product2", new["Product2Id"])
    book = org.get("Pricebook2", new["Pricebook2Id"])
    if product is None or book is None:
        return
    new["Name"], new["ProductCode"] = product["Name"], product["ProductCode"]
    alone(
        change,
        "This price definition already exists in this price book",
        ("Pricebook2Id", "Product2Id"),
        Pricebook2Id=book["Id"],
        Product2Id=product["Id"],
    )
    if book["IsStandard"]:
        if new["UseStandardPrice"]:
            raise DmlError(
                "FIELD_INTEGRITY_EXCEPTION", "The standard price cannot follow itself", ("UseStandardPrice",)
            )
    else:
        _beside_standard(change, product)
    if new["UnitPrice"] is not None and new["UnitPrice"] < 0:
        raise DmlError("NUMBER_OUTSIDE_VALID_RANGE", "List Price: a price cannot be negative", ("UnitPrice",))


def _beside_standard(change: Change, product: Record) -> None:
    org, new = change.org, change.new
    standard = next(
        org.rows("PricebookEntry", Pricebook2Id=standard_book(org)["Id"], Product2Id=product["Id"]), None
    )
    if standard is None or (new["IsActive"] and not standard["IsActive"]):
        raise DmlError(
            "STANDARD_PRICE_NOT_DEFINED", "No standard price defined for this product", ("Product2Id",)
        )
    if new["UseStandardPrice"]:
        new["UnitPrice"] = standard["UnitPrice"]


@RULES.on("after", "PricebookEntry")
def followers(change: Change) -> None:
    """Prices that follow the standard price change with it."""
    org, new = change.org, change.new
    if change.old is None or not change.turned("UnitPrice"):
        return
    if new["Pricebook2Id"] != standard_book(org)["Id"]:
        return
    for row in org.rows("PricebookEntry", Product2Id=new["Product2Id"], UseStandardPrice=True):
        settle(org, row["Id"], UnitPrice=new["UnitPrice"])


@RULES.on("deleting", "PricebookEntry")
def standard_stays(change: Change) -> None:
    """A standard price stays while other books have the product."""
    org, row = change.org, change.new
    if row["Pricebook2Id"] != standard_book(org)["Id"] or org.deleting(row["Product2Id"]):
        return
    others = [
        one for one in org.rows("PricebookEntry", Product2Id=row["Product2Id"]) if one["Id"] != change.id
    ]
    if others:
        raise DmlError("DELETE_FAILED", "The product is in other price books; remove it from them first")


@RULES.on("after", "Product2")
def renamed(change: Change) -> None:
    """Prices are called as their product is."""
    if change.old is None or not (change.turned("Name") or change.turned("ProductCode")):
        return
    for row in change.org.rows("PricebookEntry", Product2Id=change.id):
        settle(change.org, row["Id"], Name=change.new["Name"], ProductCode=change.new["ProductCode"])


@RULES.on("deleting", "Pricebook2")
def standard_book_stays(change: Change) -> None:
    """The standard price book cannot be deleted."""
    if change.new["IsStandard"]:
        raise DmlError("INSUFFICIENT_ACCESS_OR_READONLY", "The standard price book cannot be deleted")


@RULES.on("before", "Pricebook2")
def one_standard(change: Change) -> None:
    """There is one standard price book, and it keeps being it."""
    if change.turned("IsStandard") and change.new["IsStandard"]:
        alone(change, "There is a standard price book already", ("IsStandard",), IsStandard=True)
