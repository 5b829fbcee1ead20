"""Products of opportunities, quotes and orders: choosing the price book, adding lines, changing all of them at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from salesforce_org.pages import fields
from salesforce_org.pages.dialogs import back, dialog, found
from salesforce_org.pages.flows.choosing import NOTHING, Choice, choose, chosen
from salesforce_org.pages.flows.grids import Grid, Line
from salesforce_org.pages.formats import record_href
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.store import Org, Record, SObject
from salesforce_org.store.errors import OrgError

OFFERED = ("Name", "ProductCode", "UnitPrice", "Product2.Description", "Product2.Family")
NEEDED = frozenset({"Quantity", "UnitPrice"})


@dataclass(frozen=True, slots=True)
class Sold:
    """How an object has lines: their object, the reference to it, and what is entered for a line."""

    lines: str
    reference: str
    columns: tuple[str, ...]


SELLS = {
    "Opportunity": Sold(
        "OpportunityLineItem", "OpportunityId", ("Quantity", "UnitPrice", "ServiceDate", "Description")
    ),
    "Quote": Sold(
        "QuoteLineItem", "QuoteId", ("UnitPrice", "Quantity", "Discount", "ServiceDate", "Description")
    ),
    "Order": Sold("OrderItem", "OrderId", ("Quantity", "UnitPrice", "ServiceDate", "EndDate", "Description")),
}


@page("GET", "/lightning/r/{object}/{id}/choose-price-book")
def ask_book(visit: Visit) -> Response:
    """Ask from which price book the products come."""
    _, row, _ = _seller(visit)
    return _ask_book(visit, row, then="")


@page("POST", "/lightning/r/{object}/{id}/choose-price-book")
def choose_book(visit: Visit) -> Response:
    """Set the price book, and go on to the products where they were wanted."""
    kind, row, _ = _seller(visit)
    book = visit.org.get("Pricebook2", visit.field("Pricebook2Id"))
    if book is None:
        return _ask_book(visit, row, visit.field("then"), "Complete this field.")
    try:
        with visit.org.transaction():
            visit.org.update(row["Id"], Pricebook2Id=book["Id"])
    except OrgError as problem:
        return _ask_book(visit, row, visit.field("then"), problem.message)
    if visit.field("then") == "add":
        return choose(visit, _offered(visit.org, book), _kept(visit))
    return visit.go(_kept(visit)["back"] or record_href(kind.name, row["Id"]), "The price book was saved.")


@page("GET", "/lightning/r/{object}/{id}/add-products")
def ask_products(visit: Visit) -> Response:
    """Offer the products of the price book, which is asked for first where several may be meant."""
    _, row, _ = _seller(visit)
    book = _book(visit.org, row)
    if book is None:
        return _ask_book(visit, row, then="add")
    return choose(visit, _offered(visit.org, book), _kept(visit))


@page("POST", "/lightning/r/{object}/{id}/add-products")
def add_products(visit: Visit) -> Response:
    """Ask for the figures of the chosen products, or save the lines."""
    kind, row, sold = _seller(visit)
    book = _book(visit.org, row)
    if book is None:
        return _ask_book(visit, row, then="add")
    offered = _offered(visit.org, book)
    prices = chosen(visit, offered)
    if visit.field("step") == "back" or not prices:
        problem = "" if visit.field("step") == "back" else NOTHING
        return choose(visit, offered, _kept(visit), problem)
    grid = _new_grid(visit.org, sold, prices)
    if visit.field("step") == "save":
        given = {sold.reference: row["Id"]}

        def write(line: Line, values: dict[str, Any]) -> None:
            visit.org.insert(sold.lines, PricebookEntryId=line.key, **given, **values)

        if grid.write(grid.submit(visit.form), write):
            return _done(visit, kind, row)
    title = f"Edit Selected {visit.org.schema[sold.lines].label}s"
    return _edit(visit, grid, title, [("chosen", one["Id"]) for one in prices])


@page("GET", "/lightning/r/{object}/{id}/edit-products")
def ask_lines(visit: Visit) -> Response:
    """Open the editor of all lines."""
    _, row, sold = _seller(visit)
    return _edit(visit, _grid_of(visit.org, sold, row), _editor_title(visit.org, sold))


@page("POST", "/lightning/r/{object}/{id}/edit-products")
def change_lines(visit: Visit) -> Response:
    """Save all lines."""
    kind, row, sold = _seller(visit)
    grid = _grid_of(visit.org, sold, row)

    def write(line: Line, values: dict[str, Any]) -> None:
        visit.org.update(line.key, **values)

    if grid.write(grid.submit(visit.form), write):
        return _done(visit, kind, row)
    return _edit(visit, grid, _editor_title(visit.org, sold))


def _seller(visit: Visit) -> tuple[SObject, Record, Sold]:
    kind, row = found(visit)
    if kind.name not in SELLS:
        raise NotHere
    return kind, row, SELLS[kind.name]


def _kept(visit: Visit) -> dict[str, str]:
    return {"back": visit.field("back") or visit.query.get("back", "") or back(visit)}


def _books(org: Org) -> list[Record]:
    """Return the active price books, the standard one first."""
    active = [row for row in org.rows("Pricebook2") if row["IsActive"]]
    return sorted(active, key=lambda row: (not row["IsStandard"], str(row["Name"]).casefold()))


def _book(org: Org, row: Record) -> Record | None:
    """Return the price book of a record; where there is only one, it is meant."""
    books = _books(org)
    return org.get("Pricebook2", row["Pricebook2Id"]) or (books[0] if len(books) == 1 else None)


def _ask_book(visit: Visit, row: Record, then: str, problem: str = "") -> Response:
    books = _books(visit.org)
    now = visit.field("Pricebook2Id") or row["Pricebook2Id"] or (books[0]["Id"] if books else "")
    context: dict[str, Any] = {
        "books": [(one["Id"], one["Name"]) for one in books],
        "now": now,
        "action": visit.path.rpartition("/")[0] + "/choose-price-book",
        "keep": _kept(visit) | {"then": then},
        "problem": problem,
        "button": "Save",
    }
    kind = visit.org.schema[visit.params["object"]]
    return dialog(visit, kind, "flows/choose_price_book.html", "Choose Price Book", **context)


def _offered(org: Org, book: Record) -> Choice:
    prices = [
        row
        for row in org.rows("PricebookEntry", Pricebook2Id=book["Id"], IsActive=True)
        if (org.get("Product2", row["Product2Id"]) or {}).get("IsActive")
    ]
    return Choice(org.schema["PricebookEntry"], OFFERED, prices, f"Price Book: {book['Name']}")


def _grid(org: Org, sold: Sold) -> Grid:
    return Grid(org, org.schema[sold.lines], sold.columns, ("Product", "List Price"), NEEDED)


def _new_grid(org: Org, sold: Sold, prices: list[Record]) -> Grid:
    grid, kind = _grid(org, sold), org.schema["PricebookEntry"]
    for one in prices:
        shown = [fields.shown(org, kind, one, name) for name in ("Product2Id", "UnitPrice")]
        grid.add(one["Id"], shown, {"UnitPrice": one["UnitPrice"]})
    return grid


def _grid_of(org: Org, sold: Sold, row: Record) -> Grid:
    grid = _grid(org, sold)
    for one in org.rows(sold.lines, **{sold.reference: row["Id"]}):
        shown = [fields.shown(org, grid.kind, one, name) for name in ("Product2Id", "ListPrice")]
        grid.add(one["Id"], shown, one)
    return grid


def _editor_title(org: Org, sold: Sold) -> str:
    return f"Edit {org.schema[sold.lines].label}s"


def _edit(visit: Visit, grid: Grid, title: str, given: list[tuple[str, str]] | None = None) -> Response:
    kind = visit.org.schema[visit.params["object"]]
    context = {"grid": grid, "action": visit.path, "keep": _kept(visit), "given": given or []}
    return dialog(visit, kind, "flows/edit_lines.html", title, **context)


def _done(visit: Visit, kind: SObject, row: Record) -> Response:
    name = visit.org.name_of(row["Id"])
    address = visit.field("back") or record_href(kind.name, row["Id"])
    return visit.go(address, f'The products of {kind.label} "{name}" were saved.')
