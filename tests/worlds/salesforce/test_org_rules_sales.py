"""What the org does by itself in sales: opportunities, prices, quotes, contracts, orders, leads, campaigns."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org.rules.leads import convert_lead, converted_statuses
from salesforce_org.rules.quotes import copy_products
from salesforce_org.store import DmlError, Org

from .org_building import fresh, id_of


@pytest.fixture
def org() -> Org:
    """An org of its own for every test."""
    return fresh()


def refused(code: str, work: Any, *given: Any, **named: Any) -> DmlError:
    """Return the refusal, which has the code."""
    with pytest.raises(DmlError) as problem:
        work(*given, **named)
    assert problem.value.code == code
    return problem.value


def value(org: Org, id: str, field: str) -> Any:
    """Return a field's value, computed or stored."""
    object, row = org.record(id)
    found = object.field(field)
    assert found is not None
    return org.value(object, row, found)


def deal(org: Org, **more: Any) -> str:
    """Return a new opportunity."""
    return org.insert(
        "Opportunity", **{"Name": "Deal", "StageName": "Prospecting", "CloseDate": "2026-05-20", **more}
    )


def standard(org: Org, product: str = "PowerCell X1") -> dict[str, Any]:
    """Return a product's standard price."""
    return dict(org.one("PricebookEntry", Name=product))


def test_a_stage_brings_probability_forecast_and_end(org: Org) -> None:
    """A new stage sets what it means; a probability that is given stays."""
    id = deal(org, Amount=1000)
    row = org.get("Opportunity", id)
    assert row is not None
    assert (row["Probability"], row["ForecastCategoryName"], row["IsClosed"]) == (10, "Pipeline", False)
    assert value(org, id, "ExpectedRevenue") == 100
    org.update(id, StageName="Closed Won")
    row = org.get("Opportunity", id)
    assert row is not None
    assert (row["Probability"], row["ForecastCategory"], row["IsClosed"], row["IsWon"]) == (
        100,
        "Closed",
        True,
        True,
    )
    assert row["LastStageChangeDate"]
    org.update(id, StageName="Negotiation/Review", Probability=42)
    assert value(org, id, "Probability") == 42
    assert value(org, id, "IsClosed") is False
    org.update(id, StageName="Closed Lost")
    assert (value(org, id, "IsWon"), value(org, id, "ForecastCategoryName")) == (False, "Omitted")


def test_fiscal_periods_follow_the_close_date(org: Org) -> None:
    """Quarter and year are those of the close date."""
    id = deal(org)
    assert [value(org, id, name) for name in ("FiscalYear", "FiscalQuarter", "Fiscal")] == [2026, 2, "2026 2"]


def test_products_make_the_amount(org: Org) -> None:
    """Lines sum up to the amount, which is not typed over then; without lines it stays."""
    id, price = deal(org, Amount=5), standard(org)
    line = org.insert(
        "OpportunityLineItem", OpportunityId=id, PricebookEntryId=price["Id"], Quantity=4, Discount=25
    )
    assert value(org, line, "TotalPrice") == price["UnitPrice"] * 3
    assert value(org, id, "Amount") == price["UnitPrice"] * 3
    assert value(org, id, "HasOpportunityLineItem") is True
    assert value(org, id, "Pricebook2Id") == price["Pricebook2Id"]
    org.update(id, Amount=1)
    assert value(org, id, "Amount") == price["UnitPrice"] * 3
    org.update(line, Quantity=1, Discount=None)
    assert value(org, id, "Amount") == price["UnitPrice"]
    org.delete(line)
    assert value(org, id, "HasOpportunityLineItem") is False
    org.update(id, Amount=7)
    assert value(org, id, "Amount") == 7


def test_lines_and_their_opportunity_are_of_one_price_book(org: Org) -> None:
    """A price of another book is refused, and so is another book while there are lines."""
    id, price = deal(org), standard(org)
    book = org.insert("Pricebook2", Name="Holiday", IsActive=True)
    other = org.insert(
        "PricebookEntry", Pricebook2Id=book, Product2Id=price["Product2Id"], UnitPrice=3, IsActive=True
    )
    org.insert("OpportunityLineItem", OpportunityId=id, PricebookEntryId=price["Id"], Quantity=1)
    add = {"OpportunityId": id, "PricebookEntryId": other, "Quantity": 1}
    refused("FIELD_INTEGRITY_EXCEPTION", org.insert, "OpportunityLineItem", **add)
    refused("FIELD_INTEGRITY_EXCEPTION", org.update, id, Pricebook2Id=book)


def test_an_opportunity_with_lines_can_be_deleted(org: Org) -> None:
    """Lines, quotes and contact roles go along and come back."""
    id = deal(org)
    org.insert("OpportunityLineItem", OpportunityId=id, PricebookEntryId=standard(org)["Id"], Quantity=1)
    quote = org.insert("Quote", Name="Offer", OpportunityId=id)
    org.delete(id)
    assert org.get("Quote", quote) is None
    org.undelete(id)
    assert org.get("Quote", quote) is not None


def test_one_contact_of_an_opportunity_is_primary(org: Org) -> None:
    """The newest primary contact is the only one; a contact is there once."""
    id, david, emily = deal(org), id_of(org, "Contact", "David Kim"), id_of(org, "Contact", "Emily Johnson")
    first = org.insert("OpportunityContactRole", OpportunityId=id, ContactId=david, IsPrimary=True)
    org.insert("OpportunityContactRole", OpportunityId=id, ContactId=emily, IsPrimary=True)
    assert value(org, first, "IsPrimary") is False
    refused("DUPLICATE_VALUE", org.insert, "OpportunityContactRole", OpportunityId=id, ContactId=emily)


def test_a_custom_price_needs_a_standard_price(org: Org) -> None:
    """A product enters a price book of one's own only after it has a standard price, and once."""
    product = org.insert("Product2", Name="ChillRun", IsActive=True)
    book = org.insert("Pricebook2", Name="Holiday Sale", IsActive=True)
    given = {"Pricebook2Id": book, "Product2Id": product, "UnitPrice": 150, "IsActive": True}
    refused("STANDARD_PRICE_NOT_DEFINED", org.insert, "PricebookEntry", **given)
    usual = {**given, "Pricebook2Id": id_of(org, "Pricebook2", "Standard Price Book"), "UnitPrice": 200}
    first = org.insert("PricebookEntry", **usual)
    entry = org.insert("PricebookEntry", **given)
    assert value(org, entry, "Name") == "ChillRun"
    refused("DUPLICATE_VALUE", org.insert, "PricebookEntry", **given)
    refused("DELETE_FAILED", org.delete, first)
    refused("NUMBER_OUTSIDE_VALID_RANGE", org.update, entry, UnitPrice=-1)
    org.delete(product)
    assert org.get("PricebookEntry", entry) is None


def test_prices_follow_the_standard_price_and_the_products_name(org: Org) -> None:
    """An entry that uses the standard price changes with it; names are the product's."""
    price = standard(org)
    book = org.insert("Pricebook2", Name="Partners", IsActive=True)
    entry = org.insert(
        "PricebookEntry",
        Pricebook2Id=book,
        Product2Id=price["Product2Id"],
        UnitPrice=1,
        UseStandardPrice=True,
        IsActive=True,
    )
    assert value(org, entry, "UnitPrice") == price["UnitPrice"]
    org.update(price["Id"], UnitPrice=61)
    assert value(org, entry, "UnitPrice") == 61
    org.update(price["Product2Id"], Name="PowerCell X1b")
    assert {row["Name"] for row in org.rows("PricebookEntry", Product2Id=price["Product2Id"])} == {
        "PowerCell X1b"
    }


def test_the_standard_price_book_stays(org: Org) -> None:
    """It cannot be deleted, and there is no second one."""
    refused("INSUFFICIENT_ACCESS_OR_READONLY", org.delete, id_of(org, "Pricebook2", "Standard Price Book"))
    with org.unchecked():
        refused("DUPLICATE_VALUE", org.insert, "Pricebook2", Name="Another", IsStandard=True)


def test_a_quote_sums_up_its_lines(org: Org) -> None:
    """Subtotal, discount, total and grand total come from the lines, tax and shipping."""
    account = id_of(org, "Account", "Tech Giants")
    quote = org.insert("Quote", Name="Offer", OpportunityId=deal(org, AccountId=account), Tax=10)
    assert value(org, quote, "AccountId") == account
    price = standard(org)
    given = {
        "QuoteId": quote,
        "PricebookEntryId": price["Id"],
        "Quantity": 10,
        "UnitPrice": 50,
        "Discount": 3.5,
    }
    line = org.insert("QuoteLineItem", **given)
    assert [value(org, line, name) for name in ("ListPrice", "Subtotal", "TotalPrice")] == [
        price["UnitPrice"],
        500,
        482.5,
    ]
    names = ("LineItemCount", "Subtotal", "Discount", "TotalPrice", "GrandTotal")
    assert [value(org, quote, name) for name in names] == [1, 500, 3.5, 482.5, 492.5]
    assert value(org, quote, "Pricebook2Id") == price["Pricebook2Id"]
    assert value(org, quote, "QuoteNumber").isdigit()
    refused("NUMBER_OUTSIDE_VALID_RANGE", org.update, line, Discount=101)
    refused("NUMBER_OUTSIDE_VALID_RANGE", org.update, line, Quantity=0)
    book = org.insert("Pricebook2", Name="Holiday", IsActive=True)
    refused("FIELD_INTEGRITY_EXCEPTION", org.update, quote, Pricebook2Id=book)


def test_a_quote_may_begin_with_the_opportunitys_products(org: Org) -> None:
    """The products of the opportunity are copied where that is asked for."""
    id = deal(org)
    org.insert(
        "OpportunityLineItem",
        OpportunityId=id,
        PricebookEntryId=standard(org)["Id"],
        Quantity=3,
        UnitPrice=40,
    )
    quote = org.insert("Quote", Name="Offer", OpportunityId=id)
    copy_products(org, quote)
    assert value(org, quote, "TotalPrice") == 120


@pytest.mark.parametrize(
    ("start", "months", "end"),
    [("2026-03-03", 12, "2027-03-02"), ("2026-01-31", 1, "2026-02-27"), ("2024-02-29", 12, "2025-02-27")],
)
def test_a_contract_ends_the_day_before_its_term_is_over(org: Org, start: str, months: int, end: str) -> None:
    """End date is start date and term."""
    account = id_of(org, "Account", "Knight LLC")
    id = org.insert("Contract", AccountId=account, StartDate=start, ContractTerm=months)
    assert value(org, id, "EndDate") == end
    org.update(id, ContractTerm=None)
    assert value(org, id, "EndDate") is None


def test_contracts_and_orders_begin_as_drafts(org: Org) -> None:
    """Nothing is activated at once; activation is noted, final, and keeps the contract."""
    account = id_of(org, "Account", "Knight LLC")
    refused("FAILED_ACTIVATION", org.insert, "Contract", AccountId=account, Status="Activated")
    id = org.insert("Contract", AccountId=account, StartDate="2026-03-03", ContractTerm=12)
    assert value(org, id, "StatusCode") == "Draft"
    org.update(id, Status="Activated")
    assert value(org, id, "ActivatedById") == org.user_id
    refused("INVALID_STATUS", org.update, id, Status="Draft")
    refused("DELETE_FAILED", org.delete, id)
    refused("DELETE_FAILED", org.delete, account)


def test_an_order_lies_within_its_contract(org: Org) -> None:
    """Account and time of an order are those of its contract; without either it needs an account."""
    account, other = id_of(org, "Account", "Knight LLC"), id_of(org, "Account", "Tech Giants")
    contract = org.insert("Contract", AccountId=account, StartDate="2026-03-03", ContractTerm=6)
    id = org.insert("Order", ContractId=contract, EffectiveDate="2026-03-06")
    assert value(org, id, "AccountId") == account
    for given in ({"EffectiveDate": "2026-03-02"}, {"EffectiveDate": "2026-09-03"}):
        refused("FIELD_INTEGRITY_EXCEPTION", org.insert, "Order", ContractId=contract, **given)
    refused(
        "FIELD_INTEGRITY_EXCEPTION",
        org.insert,
        "Order",
        ContractId=contract,
        AccountId=other,
        EffectiveDate="2026-03-06",
    )
    refused("REQUIRED_FIELD_MISSING", org.insert, "Order", EffectiveDate="2026-03-06")
    refused("REQUIRED_FIELD_MISSING", org.insert, "Order", ContractId=contract)
    refused("FIELD_INTEGRITY_EXCEPTION", org.update, id, EndDate="2026-03-05")


def test_an_order_has_a_product_before_it_is_activated(org: Org) -> None:
    """Its amount is that of its lines."""
    id = org.insert("Order", AccountId=id_of(org, "Account", "Knight LLC"), EffectiveDate="2026-03-06")
    refused("FAILED_ACTIVATION", org.update, id, Status="Activated")
    org.insert("OrderItem", OrderId=id, PricebookEntryId=standard(org)["Id"], Quantity=2, UnitPrice=30)
    assert value(org, id, "TotalAmount") == 60
    org.update(id, Status="Activated")
    assert value(org, id, "StatusCode") == "Activated"


def test_a_lead_becomes_account_contact_and_opportunity(org: Org) -> None:
    """Fields go along, and the lead knows what it became."""
    id = id_of(org, "Lead", "Grace King")
    org.update(id, Phone="(415) 555-0100", City="Reno")
    made = convert_lead(org, id, opportunity_name="King Innovations Opportunity")
    account, contact = org.get("Account", made.account_id), org.get("Contact", made.contact_id)
    lead, sold = org.get("Lead", id), org.get("Opportunity", made.opportunity_id)
    assert account is not None
    assert contact is not None
    assert lead is not None
    assert sold is not None
    assert (account["Name"], account["Industry"], account["BillingCity"]) == (
        "King Innovations",
        "Energy",
        "Reno",
    )
    assert (contact["Name"], contact["AccountId"], contact["Phone"]) == (
        "Grace King",
        account["Id"],
        "(415) 555-0100",
    )
    assert (sold["Name"], sold["AccountId"], sold["StageName"]) == (
        "King Innovations Opportunity",
        account["Id"],
        "Prospecting",
    )
    assert sold["CloseDate"] == "2026-03-31"
    assert (lead["IsConverted"], lead["Status"], lead["ConvertedDate"]) == (
        True,
        "Closed - Converted",
        "2026-03-03",
    )
    assert lead["ConvertedOpportunityId"] == sold["Id"]
    assert org.one("OpportunityContactRole", OpportunityId=sold["Id"])["IsPrimary"] is True


def test_a_lead_joins_what_exists(org: Org) -> None:
    """An existing account, contact or opportunity is used, and none need be made."""
    id, account = id_of(org, "Lead", "Frank Knight"), id_of(org, "Account", "Knight LLC")
    before = len(list(org.rows("Account"))), len(list(org.rows("Opportunity")))
    contact = org.insert("Contact", LastName="Knight")
    made = convert_lead(org, id, account, contact, create_opportunity=False)
    assert (made.account_id, made.contact_id, made.opportunity_id) == (account, contact, None)
    assert value(org, contact, "AccountId") == account
    assert (len(list(org.rows("Account"))), len(list(org.rows("Opportunity")))) == before


def test_a_conversion_that_does_not_fit_leaves_no_trace(org: Org) -> None:
    """A contact of another account, a status that is none and a second conversion are refused."""
    id, account = id_of(org, "Lead", "Frank Knight"), id_of(org, "Account", "Knight LLC")
    other = id_of(org, "Contact", "Emily Johnson")
    before = org.collections()
    refused("INVALID_CROSS_REFERENCE_KEY", convert_lead, org, id, account, other)
    refused("INVALID_CROSS_REFERENCE_KEY", convert_lead, org, id, None, other)
    refused("INVALID_STATUS", convert_lead, org, id, status="Working - Contacted")
    assert org.collections() == before
    convert_lead(org, id)
    refused("CANNOT_UPDATE_CONVERTED_LEAD", convert_lead, org, id)
    refused("CANNOT_UPDATE_CONVERTED_LEAD", org.update, id, City="Reno")


def test_activities_and_campaigns_move_to_the_contact(org: Org) -> None:
    """What was about the lead is about the contact, and the member is both."""
    id = id_of(org, "Lead", "Frank Knight")
    task = org.insert("Task", WhoId=id, Subject="Call")
    campaign = org.insert("Campaign", Name="Fair")
    member = org.insert("CampaignMember", CampaignId=campaign, LeadId=id)
    made = convert_lead(org, id)
    assert (value(org, task, "WhoId"), value(org, task, "WhatId")) == (made.contact_id, made.opportunity_id)
    assert value(org, member, "ContactId") == made.contact_id
    assert value(org, campaign, "NumberOfConvertedLeads") == 1
    assert converted_statuses(org) == ["Closed - Converted"]


def test_campaigns_count_their_members(org: Org) -> None:
    """Members have a default status, are there once, and are counted when they answer."""
    campaign = org.insert("Campaign", Name="Fair")
    lead, contact = id_of(org, "Lead", "Leo Messi"), id_of(org, "Contact", "David Kim")
    member = org.insert("CampaignMember", CampaignId=campaign, LeadId=lead)
    org.insert("CampaignMember", CampaignId=campaign, ContactId=contact, Status="Responded")
    assert (value(org, member, "Status"), value(org, member, "HasResponded")) == ("Sent", False)
    names = ("NumberOfLeads", "NumberOfContacts", "NumberOfResponses")
    assert [value(org, campaign, name) for name in names] == [1, 1, 1]
    org.update(member, Status="Responded")
    assert value(org, member, "FirstRespondedDate") == "2026-03-03"
    assert value(org, campaign, "NumberOfResponses") == 2
    names = ("Name", "CompanyOrAccount", "Type", "LeadOrContactId")
    assert [value(org, member, name) for name in names] == ["Leo Messi", "Rosario Athletics", "Lead", lead]
    refused("DUPLICATE_VALUE", org.insert, "CampaignMember", CampaignId=campaign, LeadId=lead)
    refused("FIELD_INTEGRITY_EXCEPTION", org.insert, "CampaignMember", CampaignId=campaign)
    refused(
        "FIELD_INTEGRITY_EXCEPTION",
        org.insert,
        "CampaignMember",
        CampaignId=campaign,
        LeadId=lead,
        ContactId=contact,
    )


def test_campaigns_count_their_opportunities(org: Org) -> None:
    """Number and value, all and won."""
    campaign = org.insert("Campaign", Name="Fair")
    deal(org, CampaignId=campaign, Amount=100)
    deal(org, CampaignId=campaign, Amount=50, StageName="Closed Won")
    names = (
        "NumberOfOpportunities",
        "NumberOfWonOpportunities",
        "AmountAllOpportunities",
        "AmountWonOpportunities",
    )
    assert [value(org, campaign, name) for name in names] == [2, 1, 150, 50]


def test_a_stage_that_somebody_adds_can_be_queried(org: Org) -> None:
    """The records of stages are as the picklist's component says."""
    tree = org.component("StandardValueSet", "OpportunityStage")
    assert tree is not None
    new = {"value": "Trial", "label": "Trial", "probability": 40, "forecastCategory": "BestCase"}
    kept = [one for one in tree["standardValue"] if one["value"] != "Perception Analysis"]
    org.put_component("StandardValueSet", "OpportunityStage", {**tree, "standardValue": [*kept, new]})
    row = org.one("OpportunityStage", ApiName="Trial")
    assert (row["DefaultProbability"], row["ForecastCategoryName"], row["SortOrder"]) == (40, "Best Case", 10)
    assert not list(org.rows("OpportunityStage", ApiName="Perception Analysis"))
    assert value(org, deal(org, StageName="Trial"), "Probability") == 40


def test_what_has_a_history_is_not_deleted(org: Org) -> None:
    """An account with cases or won deals, a contact with cases and a price book in use stay."""
    contact = org.one("Contact", Name="David Kim")
    refused("DELETE_FAILED", org.delete, contact["Id"])
    refused("DELETE_FAILED", org.delete, contact["AccountId"])
    account = org.insert("Account", Name="Fresh")
    sold, book = deal(org, AccountId=account), org.insert("Pricebook2", Name="Holiday", IsActive=True)
    org.update(sold, StageName="Closed Won", Pricebook2Id=book)
    refused("DELETE_FAILED", org.delete, account)
    refused("DELETE_FAILED", org.delete, book)
    org.update(sold, StageName="Closed Lost", Pricebook2Id=None)
    org.delete(book)
    org.delete(account)
    assert org.get("Opportunity", sold) is None
