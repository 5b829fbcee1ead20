"""Two price books."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import lightning as hands
from ..toolkit.judging import Findings, exists, holds, judged, listed
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones

_PRICED = ("Pricebook2Id", "Product2Id")


def case(state: State, random: Random, values: Given) -> Values:
    """Find the product, and another one."""
    org = Records(state)
    product = org.one("Product2", values["product"])
    first, second = values["books"]
    return {
        "product_id": product["Id"],
        "other_product": shared.other(org, random, "Product2", product),
        "first_book": first["name"],
        "first_price": f"{first['price']:,}",
        "second_book": second["name"],
        "second_price": f"{second['price']:,}",
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have both price books, each with the product at its price."""
    for number, entry in enumerate(case["books"], 1):
        book = work.closest("Pricebook2", {"Name": entry["name"]})
        work.claim(book, IsActive=True)
        prices = work.made("PricebookEntry", Pricebook2Id=book["Id"]) if book else []
        ours = next((row for row in prices if row["Product2Id"] == case["product_id"]), None)
        work.claim(ours, *_PRICED, "UnitPrice", IsActive=True)
        seen = listed(work.after.name("Product2", row["Product2Id"]) for row in prices)
        yield exists(f"book_{number}", 0.1, book, f"a new price book '{entry['name']}'")
        yield Milestone(
            f"product_{number}", ours is not None, 0.2, f"{case['product']} in {entry['name']}", seen
        )
        yield holds(f"price_{number}", 0.2, ours, "UnitPrice", entry["price"])
    _claim_standard_price(work, case["product_id"])


def _claim_standard_price(work: Work, product: str) -> None:
    """Account for a standard price of any amount, where the product lacks one and cannot have another without it."""
    entries = work.made("PricebookEntry", Product2Id=product, Pricebook2Id=shared.standard_book(work))
    for row in entries if shared.standard_entry(work, product) is None else ():
        work.claim(row, *_PRICED, "UnitPrice", IsActive=True)


def upstream(evidence: Evidence, case: Case) -> Findings:
    """Books of these names with the first of their entries."""
    org = Records(evidence.after)
    for number, entry in enumerate(case["books"], 1):
        book = first(org.named("Pricebook2", entry["name"]))
        price = first(org.where("PricebookEntry", Pricebook2Id=book["Id"]) if book else [])
        yield fact(f"book_{number}", 0.1, bool(book))
        yield fact(f"product_{number}", 0.2, org.name("Product2", price.get("Product2Id")) == case["product"])
        yield fact(f"price_{number}", 0.2, price.get("UnitPrice") == entry["price"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Create each price book and add the product with its price."""
    for book in case["books"]:
        await hands.open_item(pilot, "Price Books")
        await hands.press(pilot, "New", hands.PAGE)
        await hands.enter(pilot, "Price Book Name", book["name"])
        await hands.tick(pilot, "Active")
        await hands.save(pilot)
        await hands.new_related(pilot, "Price Book Entries", "Add Products")
        await shared.select(pilot, case["product"])
        await shared.cell(pilot, "List Price", str(book["price"]))
        await hands.save(pilot)


@slip("milestone:price_1", 0.6)
def swapped_the_prices(case: Case) -> Case:
    """The cheap one is the dear one."""
    first, second = case["books"]
    return misread(case, books=[{**first, "price": second["price"]}, {**second, "price": first["price"]}])


@slip("milestone:product_1", 0.2)
def priced_another_product(case: Case) -> Case:
    """The prices are of something else."""
    return misread(case, product=case["other_product"])


@slip("milestone:book_2", 0.5)
def made_one_book_only(case: Case) -> Case:
    """Half of the work is done."""
    return misread(case, books=case["books"][:1])
