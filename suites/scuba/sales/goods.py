"""Products, price books, quotes, contracts and orders: what the tasks want to be true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_cuabench.task import Case
from pytest_cuabench.verdict import Milestone

from ..judging import ASKED, Work, exists, holds, judged, listed
from ..records import Row, same

Milestones = Iterator[Milestone]
FAMILIES = "Product2Family"


@judged
def sales_006(work: Work, case: Case) -> Milestones:
    """Have every product in the family, with the family among the values of the field."""
    _allow_family(work, case["family"])
    entries, family = case["products"], case["family"]
    share = 0.8 / (2 * len(entries))
    rows = [work.closest("Product2", {"Name": entry["name"]}, Family=family) for entry in entries]
    families = [str(row.get("Family") or "none") for row in rows if row]
    yield Milestone(
        "family", any(same(name, family) for name in families), 0.2, f"products in {family}", listed(families)
    )
    for number, (entry, row) in enumerate(zip(entries, rows, strict=True), 1):
        yield exists(f"product_{number}", share, row, f"a new product '{entry['name']}'")
        yield holds(f"family_{number}", share, row, "Family", family)
    yield _all_hold("descriptions", rows, [entry["description"] for entry in entries], "Description")
    if all(entry["code"] for entry in entries):
        yield _all_hold("codes", rows, [entry["code"] for entry in entries], "ProductCode")


def _allow_family(work: Work, family: str) -> None:
    """Account for the one new value of the picklist; whatever else is different in it stays unasked."""
    before = work.before.get("metadata/StandardValueSet", FAMILIES)
    after = work.after.get("metadata/StandardValueSet", FAMILIES)
    if before and after:
        left = [entry for entry in after["standardValue"] if not same(_label(entry), family)]
        if left == list(before["standardValue"]):
            work.may_change("metadata/StandardValueSet", FAMILIES, "standardValue")


def _label(entry: Mapping[str, Any]) -> str:
    return str(entry.get("label") or entry.get("fullName") or entry.get("value") or "")


def _all_hold(name: str, rows: list[Row | None], wanted: list[str], field: str) -> Milestone:
    found = [str((row or {}).get(field) or "nothing") for row in rows]
    right = all(row and same(row.get(field), value) for row, value in zip(rows, wanted, strict=True))
    return Milestone(name, right, ASKED, "; ".join(wanted), "; ".join(found))


@judged
def sales_007(work: Work, case: Case) -> Milestones:
    """Have both price books, each with the product at its price."""
    for number, entry in enumerate(case["books"], 1):
        book = work.closest("Pricebook2", {"Name": entry["name"]})
        prices = work.made("PricebookEntry", Pricebook2Id=book["Id"]) if book else []
        ours = next((row for row in prices if row["Product2Id"] == case["product_id"]), None)
        work.claim(ours)
        seen = listed(work.after.name("Product2", row["Product2Id"]) for row in prices)
        yield exists(f"book_{number}", 0.1, book, f"a new price book '{entry['name']}'")
        yield Milestone(
            f"product_{number}", ours is not None, 0.2, f"{case['product']} in {entry['name']}", seen
        )
        yield holds(f"price_{number}", 0.2, ours, "UnitPrice", entry["price"])
    _claim_standard_price(work, case["product_id"])


def _claim_standard_price(work: Work, product: str) -> None:
    """Account for a standard price, which a product needs before it can have another one."""
    standard = {row["Id"] for row in work.after.where("Pricebook2", IsStandard=True)}
    entries = work.made("PricebookEntry", Product2Id=product)
    work.claim(*(row for row in entries if row["Pricebook2Id"] in standard))


@judged
def sales_008(work: Work, case: Case) -> Milestones:
    """Have the quote of the opportunity, and one line of the product."""
    facts = {"ExpirationDate": case["expires_on"], "OpportunityId": case["opportunity_id"]}
    quote = work.closest("Quote", {"Name": case["quote"]}, **facts)
    lines = work.made("QuoteLineItem", QuoteId=quote["Id"]) if quote else []
    line = next((row for row in lines if row.get("Product2Id") == case["product_id"]), None)
    work.claim(line)
    work.may_change("Opportunity", case["opportunity_id"], "Pricebook2Id", "LineItemCount")
    place = work.after.name("Opportunity", quote.get("OpportunityId")) if quote else "no such quote"
    on_it = bool(quote and quote.get("OpportunityId") == case["opportunity_id"])
    products = listed(work.after.name("Product2", row.get("Product2Id")) for row in lines)
    yield exists("quote", 0.2, quote, f"a new quote '{case['quote']}'")
    yield holds("expiration_date", 0.2, quote, "ExpirationDate", case["expires_on"])
    yield Milestone("opportunity", on_it, 0.2, f"for {case['opportunity']}", place or "no opportunity")
    yield Milestone("product", line is not None, 0.2, f"a line of {case['product']}", products)
    yield holds("discount", 0.1, line, "Discount", case["discount"])
    yield holds("quantity", 0.1, line, "Quantity", case["quantity"])
    yield holds("sales_price", ASKED, line, "UnitPrice", case["list_price"])


@judged
def sales_009(work: Work, case: Case) -> Milestones:
    """Have the contract of the account, and its order."""
    facts = {"StartDate": case["starts_on"], "ContractTerm": case["term"]}
    contract = work.closest("Contract", {"AccountId": case["account_id"]}, **facts)
    order = work.closest(
        "Order", {"ContractId": (contract or {}).get("Id", "-")}, EffectiveDate=case["order_starts_on"]
    )
    yield exists("contract", 0.2, contract, f"a new contract of {case['account']}")
    yield holds("start_date", 0.2, contract, "StartDate", case["starts_on"])
    yield holds("term", 0.2, contract, "ContractTerm", case["term"])
    yield exists("order", 0.2, order, "a new order of the contract")
    yield holds("order_start_date", 0.2, order, "EffectiveDate", case["order_starts_on"])
    drafts = [row for row in (contract, order) if row and row.get("Status") == "Draft"]
    yield Milestone("drafts", len(drafts) == 2, ASKED, "both are drafts", f"{len(drafts)} of 2 are drafts")
