"""How somebody who knows Salesforce does the tasks about products, price books, quotes, contracts and orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from .. import hands
from ..hands import DIALOG


async def sales_006(hand: Hand, case: Case) -> None:
    """Add the family to the picklist in Object Manager, then create the products."""
    await hands.open_object(hand, "Product", "Fields & Relationships")
    await hands.follow(hand, "Product Family")
    await hands.press(hand, "New", hands.PAGE)
    await hands.enter_values(hand, "Product Family", [case["family"]])
    await hands.open_item(hand, "Products")
    for number, entry in enumerate(case["products"]):
        if number == 0:
            await hands.press(hand, "New", hands.PAGE)
        await _product(hand, entry, case["family"])
        last = number == len(case["products"]) - 1
        await hands.save(hand, "Save" if last else "Save & New")


async def _product(hand: Hand, entry: Mapping[str, Any], family: str) -> None:
    await hands.enter(hand, "Product Name", entry["name"])
    if entry["code"]:
        await hands.enter(hand, "Product Code", entry["code"])
    await hands.pick(hand, "Product Family", family)
    if entry["description"]:
        await hands.enter(hand, "Product Description", entry["description"])


async def sales_007(hand: Hand, case: Case) -> None:
    """Create each price book and add the product with its price."""
    for book in case["books"]:
        await hands.open_item(hand, "Price Books")
        await hands.press(hand, "New", hands.PAGE)
        await hands.enter(hand, "Price Book Name", book["name"])
        await hands.tick(hand, "Active")
        await hands.save(hand)
        await hands.new_related(hand, "Price Book Entries", "Add Products")
        await _select(hand, case["product"])
        await _cell(hand, "List Price", str(book["price"]))
        await hands.save(hand)


async def sales_008(hand: Hand, case: Case) -> None:
    """Create the quote from the opportunity, and add the product in the line editor."""
    await hands.open_record(hand, "Opportunities", case["opportunity"])
    await hands.new_related(hand, "Quotes", "New Quote")
    await hands.enter(hand, "Quote Name", case["quote"])
    await hands.enter_date(hand, "Expiration Date", case["expires_on"])
    await hands.save(hand)
    await hands.follow(hand, case["quote"], hands.related("Quotes"))
    await hands.new_related(hand, "Quote Line Items", "Add Products")
    if await hand.sees(hands.named("combobox", "Price Book", DIALOG)):  # asked where there are several
        await hands.pick(hand, "Price Book", "Standard Price Book")
        await hands.press(hand, "Save")
    await _select(hand, case["product"])
    await _cell(hand, "Quantity", str(case["quantity"]))
    await _cell(hand, "Discount", str(case["discount"]))
    await hands.save(hand)


async def _select(hand: Hand, product: str) -> None:
    """Tick a product among those that can be added, and go on to its figures."""
    await hand.fill(hands.named("searchbox", "Search Products", DIALOG), product)
    await hands.select_row(hand, product, DIALOG)
    await hands.press(hand, "Next")


async def _cell(hand: Hand, column: str, text: str) -> None:
    """Enter a value into the first line of an editor's table."""
    await hands.press(hand, f"Edit {column}: Item 1")
    await hands.enter(hand, f"{column}: Item 1", text)
    await hand.press("Enter")


async def sales_009(hand: Hand, case: Case) -> None:
    """Draw up the contract on the account's page, and the order on the contract's."""
    await hands.open_record(hand, "Accounts", case["account"])
    await hands.new_related(hand, "Contracts")
    await hands.enter_date(hand, "Contract Start Date", case["starts_on"])
    await hands.enter(hand, "Contract Term (months)", str(case["term"]))
    await hands.save(hand)
    await hands.open_saved(hand)
    await hands.new_related(hand, "Orders")
    await hands.enter_date(hand, "Order Start Date", case["order_starts_on"])
    await hands.save(hand)
