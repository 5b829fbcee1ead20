"""Products on Lightning's pages: prices in price books, and lines of opportunities, quotes and orders."""

from __future__ import annotations

from typing import Any

import pytest

from .pages_client import PageBrowser, signed_in, words

STANDARD = "Standard Price Book"


@pytest.fixture
def browser() -> PageBrowser:
    """The administrator, on an org of its own."""
    return signed_in()


def book(browser: PageBrowser, name: str, **more: Any) -> str:
    """Make a price book."""
    return browser.org.insert("Pricebook2", Name=name, IsActive=True, **more)


def path(browser: PageBrowser, object: str, id: str, flow: str) -> str:
    """Return the address of a flow."""
    return f"/lightning/r/{object}/{id}/{flow}"


def price(browser: PageBrowser, product: str, name: str = STANDARD) -> Any:
    """Return a product's price in a price book, or None."""
    return next(
        browser.org.rows(
            "PricebookEntry",
            Product2Id=browser.id("Product2", product),
            Pricebook2Id=browser.id("Pricebook2", name),
        ),
        None,
    )


def quote(browser: PageBrowser, opportunity: str = "Product Development") -> str:
    """Make a quote of an opportunity on its page, and return its id."""
    sold = browser.id("Opportunity", opportunity)
    browser.goes("/lightning/o/Quote/new", Name="First offer", OpportunityId=sold, then="record")
    return browser.id("Quote", "First offer")


def test_products_are_added_to_a_price_book(browser: PageBrowser) -> None:
    """What is ticked gets a table of prices; saved, it is in the price book, and offered no more."""
    flow = path(browser, "Pricebook2", book(browser, "Spring Sale"), "add-products")
    product = browser.id("Product2", "ThermalMax Pro")
    offered = words(browser.part(flow))
    assert "Add Products" in offered
    assert "Price Book: Spring Sale" in offered
    assert "ThermalMax Pro" in offered
    table = words(browser.send(flow, chosen=product).text)
    assert "Edit Selected Price Book Entries" in table
    browser.goes(flow, **{"chosen": product, "step": "save", "UnitPrice:1": "$1,150", "IsActive:1": "true"})
    made = price(browser, "ThermalMax Pro", "Spring Sale")
    assert (made["UnitPrice"], made["IsActive"], made["UseStandardPrice"]) == (1150, True, False)
    assert "ThermalMax Pro" not in words(browser.part(flow))


def test_products_are_found_by_words_and_stay_ticked(browser: PageBrowser) -> None:
    """The table follows what is typed; what is ticked stays in it, at the top."""
    flow = path(browser, "Pricebook2", book(browser, "Spring Sale"), "add-products")
    ticked = browser.id("Product2", "ThermalMax Pro")
    address = f"{flow}?q=coolbreeze&chosen={ticked}"
    rows = browser.client.get(address, headers={"hx-request": "true", "hx-target": "offered"}).text
    assert "ThermalMax Pro" in rows
    assert "CoolBreeze Elite" in rows
    assert "Titanium Pro Laptop" not in rows
    assert "1 item selected" in words(rows)


def test_nothing_chosen_is_no_step(browser: PageBrowser) -> None:
    """Without a product there is nothing to price."""
    flow = path(browser, "Pricebook2", book(browser, "Spring Sale"), "add-products")
    assert "Select at least one product." in words(browser.send(flow).text)


def test_a_product_without_standard_price_is_refused(browser: PageBrowser) -> None:
    """Another price needs a standard price, which the product's page adds."""
    product = browser.org.insert("Product2", Name="Fern Lamp", IsActive=True)
    flow = path(browser, "Pricebook2", book(browser, "Spring Sale"), "add-products")
    given = {"chosen": product, "step": "save", "UnitPrice:1": "12", "IsActive:1": "true"}
    refused = words(browser.send(flow, **given).text)
    assert "We hit a snag." in refused
    assert "Fern Lamp: No standard price defined for this product" in refused
    standard = path(browser, "Product2", product, "add-standard-price")
    browser.goes(standard, **{"step": "save", "UnitPrice:1": "15", "IsActive:1": "true"})
    assert price(browser, "Fern Lamp")["UnitPrice"] == 15
    browser.goes(flow, **given)
    assert price(browser, "Fern Lamp", "Spring Sale")["UnitPrice"] == 12


def test_a_price_that_follows_the_standard_price(browser: PageBrowser) -> None:
    """On a product's page a price book is chosen first; the standard price may be taken over."""
    sale, product = book(browser, "Spring Sale"), browser.id("Product2", "CoolBreeze Elite")
    flow = path(browser, "Product2", product, "add-to-price-book")
    assert "Spring Sale" in words(browser.part(flow))
    assert "Complete this field." in words(browser.send(flow).text)
    assert "$149.00" in words(browser.send(flow, Pricebook2Id=sale).text)
    browser.goes(flow, **{"Pricebook2Id": sale, "step": "save", "UseStandardPrice:1": "true"})
    made = price(browser, "CoolBreeze Elite", "Spring Sale")
    assert (made["UnitPrice"], made["UseStandardPrice"]) == (149, True)


def test_lines_of_a_quote(browser: PageBrowser) -> None:
    """Lines begin with the list price; the editor changes all of them at once."""
    id = quote(browser)
    flow = path(browser, "Quote", id, "add-products")
    entry = price(browser, "ThermalMax Pro")
    table = browser.send(flow, chosen=entry["Id"]).text
    assert f'value="{entry["UnitPrice"]:,.2f}"' in table
    browser.goes(
        flow,
        **{
            "chosen": entry["Id"],
            "step": "save",
            "UnitPrice:1": "4,000",
            "Quantity:1": "3",
            "Discount:1": "10",
        },
    )
    line = browser.org.one("QuoteLineItem", QuoteId=id)
    assert (line["Quantity"], line["UnitPrice"], line["Discount"]) == (3, 4000, 10)
    assert line["Product2Id"] == entry["Product2Id"]
    editor = path(browser, "Quote", id, "edit-products")
    assert "ThermalMax Pro" in words(browser.part(editor))
    browser.goes(editor, **{"UnitPrice:1": "4,000", "Quantity:1": "5", "Discount:1": "", "step": "save"})
    line = browser.org.one("QuoteLineItem", QuoteId=id)
    assert (line["Quantity"], line["Discount"]) == (5, None)


def test_a_line_says_what_is_wrong_with_it(browser: PageBrowser) -> None:
    """A missing quantity, what is no number and a discount beyond all are told in their cells; nothing is made."""
    id = quote(browser)
    flow = path(browser, "Quote", id, "add-products")
    given = {"chosen": price(browser, "ThermalMax Pro")["Id"], "step": "save", "UnitPrice:1": "9"}
    assert "Complete this field." in words(browser.send(flow, **given).text)
    assert "Enter a valid value." in words(browser.send(flow, **given, **{"Quantity:1": "many"}).text)
    too_much = {"Quantity:1": "1", "Discount:1": "120"}
    assert "must be between 0 and 100" in words(browser.send(flow, **given, **too_much).text)
    assert not list(browser.org.rows("QuoteLineItem", QuoteId=id))


def test_of_several_price_books_one_is_chosen_first(browser: PageBrowser) -> None:
    """Where several price books are active, products come from the one that is chosen, and stay with it."""
    sale = book(browser, "Spring Sale")
    id = quote(browser)
    flow = path(browser, "Quote", id, "add-products")
    assert "Choose Price Book" in words(browser.part(flow))
    choosing = path(browser, "Quote", id, "choose-price-book")
    assert "Complete this field." in words(browser.send(choosing, Pricebook2Id="").text)
    offered = words(browser.send(choosing, Pricebook2Id=sale, then="add").text)
    assert "Price Book: Spring Sale" in offered
    assert browser.org.get("Quote", id)["Pricebook2Id"] == sale
    assert "Add Products" in words(browser.part(flow))


def test_a_price_book_with_lines_stays(browser: PageBrowser) -> None:
    """With lines the price book cannot be another one; the dialog says so."""
    sold = browser.id("Opportunity", "Product Development")
    flow = path(browser, "Opportunity", sold, "add-products")
    entry = price(browser, "ThermalMax Pro")
    browser.goes(flow, **{"chosen": entry["Id"], "step": "save", "UnitPrice:1": "10", "Quantity:1": "2"})
    choosing = path(browser, "Opportunity", sold, "choose-price-book")
    refused = browser.send(choosing, Pricebook2Id=book(browser, "Spring Sale")).text
    assert "cannot be changed while the opportunity has products" in words(refused)


def test_a_new_quote_has_the_products_of_its_opportunity(browser: PageBrowser) -> None:
    """Made by hand, a quote begins with the lines of its opportunity."""
    sold = browser.id("Opportunity", "Product Development")
    entry = price(browser, "ThermalMax Pro")
    browser.org.insert(
        "OpportunityLineItem", OpportunityId=sold, PricebookEntryId=entry["Id"], Quantity=4, UnitPrice=7
    )
    line = browser.org.one("QuoteLineItem", QuoteId=quote(browser))
    assert (line["Quantity"], line["UnitPrice"]) == (4, 7)


def test_lines_of_an_order(browser: PageBrowser) -> None:
    """An order takes products as well; its page offers to edit them."""
    account = browser.id("Account", "Knight LLC")
    id = browser.org.insert("Order", AccountId=account, EffectiveDate="2027-01-04", Status="Draft")
    flow = path(browser, "Order", id, "add-products")
    entry = price(browser, "CoolBreeze Elite")
    browser.goes(flow, **{"chosen": entry["Id"], "step": "save", "UnitPrice:1": "149", "Quantity:1": "2"})
    assert browser.org.get("Order", id)["Pricebook2Id"] == entry["Pricebook2Id"]
    page = words(browser.page(f"/lightning/r/Order/{id}/view"))
    assert "CoolBreeze Elite" in page
    assert "Edit Products" in page


@pytest.mark.parametrize(
    "address", ["/lightning/r/Account/{}/add-products", "/lightning/r/Quote/0Q0/add-products"]
)
def test_what_has_no_lines_has_no_such_page(browser: PageBrowser, address: str) -> None:
    """Only opportunities, quotes and orders have lines."""
    found = browser.client.get(address.format(browser.id("Account", "Knight LLC")))
    assert found.status_code == 404
