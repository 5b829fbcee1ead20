"""Prices: products into a price book, a product's standard price, a product into a price book."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.pages.dialogs import back, dialog
from salesforce_org.pages.flows.choosing import NOTHING, Choice, choose, chosen
from salesforce_org.pages.flows.grids import Grid, Line
from salesforce_org.pages.formats import EMPTY, Shown, link, record_href, show
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.rules.prices import standard_book
from salesforce_org.store import Org, Record

OFFERED = ("Name", "ProductCode", "Description", "Family")


@page("GET", "/lightning/r/Pricebook2/{id}/add-products")
def ask_products(visit: Visit) -> Response:
    """Offer the active products that the price book does not have."""
    return choose(visit, _offered(visit.org, _book(visit)), _kept(visit))


@page("POST", "/lightning/r/Pricebook2/{id}/add-products")
def add_products(visit: Visit) -> Response:
    """Ask for the prices of the chosen products, or save them."""
    book = _book(visit)
    offered = _offered(visit.org, book)
    products = chosen(visit, offered)
    if visit.field("step") == "back" or not products:
        problem = "" if visit.field("step") == "back" else NOTHING
        return choose(visit, offered, _kept(visit), problem)
    grid = _grid(visit.org, book, products)
    if visit.field("step") == "save" and _saved(visit, grid, [(book, one) for one in products]):
        address = visit.field("back") or record_href("Pricebook2", book["Id"])
        return visit.go(address, f'The products of Price Book "{book["Name"]}" were saved.')
    return _edit(visit, grid, "Edit Selected Price Book Entries", [("chosen", one["Id"]) for one in products])


@page("GET", "/lightning/r/Product2/{id}/add-standard-price")
def ask_standard_price(visit: Visit) -> Response:
    """Ask for the price of a product in the standard price book."""
    product = _product(visit)
    grid = _grid(visit.org, standard_book(visit.org), [product])
    return _edit(visit, grid, "Add Standard Price", [])


@page("POST", "/lightning/r/Product2/{id}/add-standard-price")
def add_standard_price(visit: Visit) -> Response:
    """Save the standard price of a product."""
    product, book = _product(visit), standard_book(visit.org)
    grid = _grid(visit.org, book, [product])
    if _saved(visit, grid, [(book, product)]):
        return _priced(visit, product)
    return _edit(visit, grid, "Add Standard Price", [])


@page("GET", "/lightning/r/Product2/{id}/add-to-price-book")
def ask_book(visit: Visit) -> Response:
    """Ask into which price book a product goes."""
    return _ask_book(visit, _product(visit), "")


@page("POST", "/lightning/r/Product2/{id}/add-to-price-book")
def add_to_book(visit: Visit) -> Response:
    """Ask for the price in the chosen price book, or save it."""
    product = _product(visit)
    book = visit.org.get("Pricebook2", visit.field("Pricebook2Id"))
    if book is None:
        return _ask_book(visit, product, "Complete this field.")
    grid = _grid(visit.org, book, [product])
    if visit.field("step") == "back":
        return _ask_book(visit, product, "")
    if visit.field("step") == "save" and _saved(visit, grid, [(book, product)]):
        return _priced(visit, product)
    return _edit(visit, grid, f"Add to {book['Name']}", [("Pricebook2Id", book["Id"])])


def _book(visit: Visit) -> Record:
    return _one(visit, "Pricebook2")


def _product(visit: Visit) -> Record:
    return _one(visit, "Product2")


def _one(visit: Visit, object: str) -> Record:
    row = visit.org.get(object, visit.params["id"])
    if row is None:
        raise NotHere
    return row


def _kept(visit: Visit) -> dict[str, str]:
    return {"back": visit.field("back") or visit.query.get("back", "") or back(visit)}


def _offered(org: Org, book: Record) -> Choice:
    there = {row["Product2Id"] for row in org.rows("PricebookEntry", Pricebook2Id=book["Id"])}
    products = [row for row in org.rows("Product2", IsActive=True) if row["Id"] not in there]
    return Choice(org.schema["Product2"], OFFERED, products, f"Price Book: {book['Name']}")


def _grid(org: Org, book: Record, products: list[Record]) -> Grid:
    kind = org.schema["PricebookEntry"]
    columns = (
        ("UnitPrice", "IsActive") if book["IsStandard"] else ("UnitPrice", "UseStandardPrice", "IsActive")
    )
    shown = ("Product",) if book["IsStandard"] else ("Product", "Standard Price")
    grid = Grid(org, kind, columns, shown, frozenset({"UnitPrice"}))
    for one in products:
        standard = _standard_price(org, one)
        told = [link(org, one["Id"]), *([standard] if not book["IsStandard"] else [])]
        grid.add(one["Id"], told, {"IsActive": True})
    return grid


def _standard_price(org: Org, product: Record) -> Shown:
    price = next(
        org.rows("PricebookEntry", Pricebook2Id=standard_book(org)["Id"], Product2Id=product["Id"]), None
    )
    field = org.schema["PricebookEntry"].field("UnitPrice")
    return show(org, field, price["UnitPrice"]) if price and field else EMPTY


def _saved(visit: Visit, grid: Grid, prices: list[tuple[Record, Record]]) -> bool:
    """Write all prices, or none where the org refuses one of them."""
    entered = grid.submit(visit.form)
    for line, values in entered:
        if values.get("UseStandardPrice") and values.get("UnitPrice") is None:
            line.errors.pop("UnitPrice", None)  # the rule takes it from the standard price book
            values["UnitPrice"] = 0
    products = {product["Id"]: (book, product) for book, product in prices}

    def write(line: Line, values: dict[str, Any]) -> None:
        book, product = products[line.key]
        visit.org.insert("PricebookEntry", Pricebook2Id=book["Id"], Product2Id=product["Id"], **values)

    return grid.write(entered, write)


def _ask_book(visit: Visit, product: Record, problem: str) -> Response:
    org = visit.org
    there = {row["Pricebook2Id"] for row in org.rows("PricebookEntry", Product2Id=product["Id"])}
    books = [row for row in org.rows("Pricebook2", IsActive=True) if row["Id"] not in there]
    context: dict[str, Any] = {
        "books": [(one["Id"], one["Name"]) for one in books],
        "now": visit.field("Pricebook2Id"),
        "action": visit.path,
        "keep": _kept(visit),
        "problem": problem,
        "button": "Next",
    }
    return dialog(
        visit, org.schema["Product2"], "flows/choose_price_book.html", "Add to Price Book", **context
    )


def _edit(visit: Visit, grid: Grid, title: str, given: list[tuple[str, str]]) -> Response:
    context = {"grid": grid, "action": visit.path, "keep": _kept(visit), "given": given}
    return dialog(visit, grid.kind, "flows/edit_lines.html", title, **context)


def _priced(visit: Visit, product: Record) -> Response:
    address = visit.field("back") or record_href("Product2", product["Id"])
    return visit.go(address, f'The price of Product "{product["Name"]}" was saved.')
