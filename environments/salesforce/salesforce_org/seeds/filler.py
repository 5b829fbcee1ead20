"""What else there is in an org: other people, companies and records, different for every seed."""

from __future__ import annotations

import random
from typing import Any

from salesforce_org.rules.quotes import copy_products
from salesforce_org.seeds.making import Filler
from salesforce_org.seeds.reading import Book


def fill(book: Book, chance: random.Random) -> None:
    """Add some dozens of records of each kind."""
    administrator = next(book.org.rows("User"))["Id"]
    makes = Filler(book, chance, [administrator])
    makes.owners += [_user(makes) for _ in range(chance.randrange(3, 6))]
    accounts = [_account(makes) for _ in range(chance.randrange(16, 26))]
    contacts = [_contact(makes, chance.choice(accounts)) for _ in range(chance.randrange(20, 32))]
    leads = [_lead(makes) for _ in range(chance.randrange(12, 20))]
    opportunities = [_opportunity(makes, chance.choice(accounts)) for _ in range(chance.randrange(14, 22))]
    for subject in chance.sample(makes.pools["cases"], 9):
        _case(makes, subject, chance.choice(contacts))
    for name, type in chance.sample(makes.pools["campaigns"], 3):
        _campaign(makes, name, type, chance.sample(leads, 3))
    for name, code, price in chance.sample(makes.pools["products"], 5):
        _product(makes, name, code, price)
    for subject in makes.pools["tasks"]:
        _task(makes, subject, chance.choice(opportunities), chance.choice(contacts))
    for subject in makes.pools["events"]:
        _event(makes, subject, chance.choice(opportunities), chance.choice(contacts))
    for account in chance.sample(accounts, 5):
        _agreements(makes, account)
    open_ones = [id for id in opportunities if not book.org.record(id)[1]["IsClosed"]]
    for opportunity in chance.sample(open_ones, min(2, len(open_ones))):
        _quote(makes, opportunity)
    for subject in chance.sample(makes.pools["changes"], 2):
        _change(makes, subject)


def _user(makes: Filler) -> str:
    first, last = makes.person()
    domain = str(next(makes.book.org.rows("User"))["Username"]).partition("@")[2]
    mail = f"{first}.{last}@{domain}".lower()
    roles = [row["Id"] for row in makes.book.org.rows("UserRole") if "Team" in row["Name"]]
    return makes.book.enter(
        "User",
        {
            "FirstName": first,
            "LastName": last,
            "Username": mail,
            "Email": mail,
            "Title": makes.chance.choice(makes.pools["titles"]),
            "ProfileId": "@Profile/Standard User",
            "UserRoleId": makes.chance.choice(roles),
        },
        makes.then(),
    )


def _account(makes: Filler) -> str:
    chance = makes.chance
    return makes.enter(
        "Account",
        Name=makes.company(),
        Industry=makes.pick("Account", "Industry"),
        Type=makes.pick("Account", "Type"),
        Rating=makes.pick("Account", "Rating"),
        Phone=makes.phone(),
        AnnualRevenue=chance.randrange(1, 900) * 100_000,
        NumberOfEmployees=chance.randrange(5, 4000),
        SLA__c=makes.pick("Account", "SLA__c"),
        CustomerPriority__c=makes.pick("Account", "CustomerPriority__c"),
        Active__c="Yes",
        **makes.address("Billing"),
    )


def _contact(makes: Filler, account: str) -> str:
    first, last = makes.person()
    company = makes.book.org.name_of(account) or ""
    return makes.enter(
        "Contact",
        FirstName=first,
        LastName=last,
        AccountId=account,
        Title=makes.chance.choice(makes.pools["titles"]),
        Phone=makes.phone(),
        Email=f"{first}.{last}@{company.replace(' ', '')}.example".lower(),
        LeadSource=makes.pick("Contact", "LeadSource"),
        **makes.address("Mailing"),
    )


def _lead(makes: Filler) -> str:
    first, last = makes.person()
    company = makes.company()
    return makes.enter(
        "Lead",
        FirstName=first,
        LastName=last,
        Company=company,
        Title=makes.chance.choice(makes.pools["titles"]),
        Status=makes.chance.choice(["Open - Not Contacted", "Working - Contacted"]),
        Rating=makes.pick("Lead", "Rating"),
        Industry=makes.pick("Lead", "Industry"),
        LeadSource=makes.pick("Lead", "LeadSource"),
        Phone=makes.phone(),
        Email=f"{first}.{last}@{company.replace(' ', '')}.example".lower(),
        **makes.address(""),
    )


def _opportunity(makes: Filler, account: str) -> str:
    chance, stage = makes.chance, makes.pick("Opportunity", "StageName")
    closed = stage.startswith("Closed")
    days = -chance.randrange(5, 120) if closed else chance.randrange(5, 120)
    return makes.enter(
        "Opportunity",
        Name=f"{makes.book.org.name_of(account)} {chance.choice(makes.pools['opportunities'])}",
        AccountId=account,
        StageName=stage,
        Amount=chance.randrange(10, 900) * 250,
        CloseDate=makes.book.day(days),
        Type=makes.pick("Opportunity", "Type"),
        LeadSource=makes.pick("Opportunity", "LeadSource"),
    )


def _case(makes: Filler, subject: str, contact: str) -> str:
    return makes.enter(
        "Case",
        Subject=subject,
        ContactId=contact,
        Status=makes.pick("Case", "Status"),
        Priority=makes.pick("Case", "Priority"),
        Origin=makes.pick("Case", "Origin"),
        Reason=makes.pick("Case", "Reason"),
        Type=makes.pick("Case", "Type"),
    )


def _campaign(makes: Filler, name: str, type: str, leads: list[str]) -> None:
    start = makes.chance.randrange(-60, 30)
    id = makes.enter(
        "Campaign",
        Name=name,
        Type=type,
        Status="In Progress" if start < 0 else "Planned",
        IsActive=True,
        StartDate=makes.book.day(start),
        EndDate=makes.book.day(start + 20),
        BudgetedCost=makes.chance.randrange(2, 40) * 500,
    )
    for lead in leads:
        makes.enter("CampaignMember", CampaignId=id, LeadId=lead)


def _product(makes: Filler, name: str, code: str, price: int) -> None:
    product = makes.enter(
        "Product2", Name=name, ProductCode=f"{code}-{makes.chance.randrange(100, 999)}", IsActive=True
    )
    standard = makes.book.id("Pricebook2", "Standard Price Book")
    makes.enter(
        "PricebookEntry",
        Product2Id=product,
        Pricebook2Id=standard,
        UnitPrice=round(price * makes.chance.uniform(0.8, 1.3), 2),
        IsActive=True,
    )


def _task(makes: Filler, subject: str, what: str, who: str) -> None:
    makes.enter(
        "Task",
        Subject=subject,
        WhatId=what,
        WhoId=who,
        ActivityDate=makes.book.day(makes.chance.randrange(-20, 20)),
        Status=makes.pick("Task", "Status"),
    )


def _agreements(makes: Filler, account: str) -> None:
    begun = makes.chance.randrange(-300, 30)
    dates = {"AccountId": account, "StartDate": makes.book.day(begun)}
    active = makes.chance.random() < 0.6
    contract = makes.enter(
        "Contract",
        ContractTerm=makes.chance.choice([12, 24, 36]),
        Status="Activated" if active else "Draft",
        **dates,
    )
    order = makes.enter(
        "Order",
        AccountId=account,
        ContractId=contract,
        EffectiveDate=makes.book.day(begun + makes.chance.randrange(0, 60)),
        Type=makes.pick("Order", "Type"),
    )
    for line in _lines(makes):
        makes.enter("OrderItem", OrderId=order, **line)
    makes.enter(
        "Entitlement",
        Name=f"{makes.book.org.name_of(account)} Support",
        Type=makes.pick("Entitlement", "Type"),
        EndDate=makes.book.day(begun + 365),
        **dates,
    )
    product = makes.chance.choice(list(makes.book.org.rows("Product2")))
    makes.enter(
        "Asset",
        Name=product["Name"],
        AccountId=account,
        Product2Id=product["Id"],
        Status=makes.pick("Asset", "Status"),
    )


def _lines(makes: Filler) -> list[dict[str, Any]]:
    prices = makes.chance.sample(list(makes.book.org.rows("PricebookEntry")), 2)
    return [
        {
            "PricebookEntryId": one["Id"],
            "Quantity": makes.chance.randrange(1, 40),
            "UnitPrice": one["UnitPrice"],
        }
        for one in prices
    ]


def _quote(makes: Filler, opportunity: str) -> None:
    for line in _lines(makes):
        makes.enter("OpportunityLineItem", OpportunityId=opportunity, **line)
    quote = makes.enter(
        "Quote",
        Name=f"{makes.book.org.name_of(opportunity)} Offer",
        OpportunityId=opportunity,
        ExpirationDate=makes.book.day(makes.chance.randrange(-10, 60)),
        Status=makes.pick("Quote", "Status"),
    )
    copy_products(makes.book.org, quote)


def _event(makes: Filler, subject: str, what: str, who: str) -> None:
    day = makes.chance.randrange(-20, 20)
    makes.enter(
        "Event",
        Subject=subject,
        WhatId=what,
        WhoId=who,
        StartDateTime=makes.book.day(day, f"{makes.chance.randrange(9, 17):02}:00"),
        DurationInMinutes=60,
    )


def _change(makes: Filler, subject: str) -> None:
    makes.enter(
        "ChangeRequest",
        Subject=subject,
        Priority=makes.pick("ChangeRequest", "Priority"),
        Impact=makes.pick("ChangeRequest", "Impact"),
        RiskLevel=makes.pick("ChangeRequest", "RiskLevel"),
    )
