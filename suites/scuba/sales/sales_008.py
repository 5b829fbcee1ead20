"""Quote with a discount."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import dates
from ..toolkit import lightning as hands
from ..toolkit.judging import ASKED, Findings, exists, holds, judged, listed
from ..toolkit.lightning import DIALOG
from ..toolkit.records import Records, Row
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Find the opportunity and the product, and work out the date."""
    org = Records(state)
    opportunity = org.one("Opportunity", values["opportunity"])
    product = org.one("Product2", values["product"])
    return {
        "opportunity_id": opportunity["Id"],
        "product_id": product["Id"],
        "list_price": _list_price(org, product),
        "other_opportunity": shared.other(org, random, "Opportunity", opportunity),
        "expires_on": dates.after(org.today, values["expires"]).isoformat(),
        "expires_words": dates.words(values["expires"]),
        "next_day": dates.after(
            org.today, {**values["expires"], "days": _days(values["expires"]) + 1}
        ).isoformat(),
    }


def _days(rule: Given) -> int:
    return int(rule.get("days", 0))


def _list_price(org: Records, product: Row) -> float:
    books = {row["Id"] for row in org.where("Pricebook2", IsStandard=True)}
    entries = org.where("PricebookEntry", Product2Id=product["Id"])
    return next(float(row["UnitPrice"]) for row in entries if row["Pricebook2Id"] in books)


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the quote of the opportunity, and one line of the product."""
    facts = {"ExpirationDate": case["expires_on"], "OpportunityId": case["opportunity_id"]}
    quote = work.closest("Quote", {"Name": case["quote"]}, **facts)
    lines = work.made("QuoteLineItem", QuoteId=quote["Id"]) if quote else []
    line = next((row for row in lines if row.get("Product2Id") == case["product_id"]), None)
    standard, price = shared.standard_book(work), shared.standard_entry(work, case["product_id"])
    work.claim(quote, Pricebook2Id=standard)
    work.claim(line, "QuoteId", "Product2Id", "Discount", "Quantity", "UnitPrice", PricebookEntryId=price)
    work.may_change("Opportunity", case["opportunity_id"], Pricebook2Id=standard)
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


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first quote of the name, and the first line of such quotes; a month has 30 days."""
    org = Records(evidence.after)
    quote = first(org.named("Quote", case["quote"]))
    line = first(org.where("QuoteLineItem", QuoteId=quote["Id"]) if quote else [])
    yield fact("quote", 0.2, bool(quote))
    yield fact("expiration_date", 0.2, quote.get("ExpirationDate") == case["expires_on"])
    yield fact("opportunity", 0.2, org.name("Opportunity", quote.get("OpportunityId")) == case["opportunity"])
    yield fact("product", 0.2, org.name("Product2", line.get("Product2Id")) == case["product"])
    yield fact("discount", 0.1, line.get("Discount") == case["discount"])
    yield fact("quantity", 0.1, line.get("Quantity") == case["quantity"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Create the quote from the opportunity, and add the product in the line editor."""
    await hands.open_record(pilot, "Opportunities", case["opportunity"])
    await hands.new_related(pilot, "Quotes", "New Quote")
    await hands.enter(pilot, "Quote Name", case["quote"])
    await hands.enter_date(pilot, "Expiration Date", case["expires_on"])
    await hands.save(pilot)
    await hands.follow(pilot, case["quote"], hands.related("Quotes"))
    await hands.new_related(pilot, "Quote Line Items", "Add Products")
    if await pilot.sees(hands.named("combobox", "Price Book", DIALOG)):  # asked where there are several
        await hands.pick(pilot, "Price Book", "Standard Price Book")
        await hands.press(pilot, "Save")
    await shared.select(pilot, case["product"])
    await shared.cell(pilot, "Quantity", str(case["quantity"]))
    await shared.cell(pilot, "Discount", str(case["discount"]))
    await hands.save(pilot)


@slip("milestone:quantity", 0.909)
def quoted_one_more(case: Case) -> Case:
    """The quantity is not the one that was agreed."""
    return misread(case, quantity=case["quantity"] + 1)


@slip("milestone:expiration_date", 0.818)
def let_it_expire_a_day_later(case: Case) -> Case:
    """The count began tomorrow."""
    return misread(case, expires_on=case["next_day"])


@slip("milestone:opportunity")
def quoted_for_another_opportunity(case: Case) -> Case:
    """Somebody else gets the quote."""
    return misread(case, opportunity=case["other_opportunity"])
