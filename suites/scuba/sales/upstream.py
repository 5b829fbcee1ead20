"""How the benchmark's authors score the tasks of sales."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from pytest_cuabench.evidence import Evidence
from pytest_cuabench.task import Case

from ..judging import Findings
from ..records import Records, Row, called
from ..upstream import answer as upstream_sales_013
from ..upstream import answer as upstream_sales_014
from ..upstream import answer as upstream_sales_015
from ..upstream import fact, first

__all__ = ["upstream_sales_013", "upstream_sales_014", "upstream_sales_015"]


def upstream_sales_001(evidence: Evidence, case: Case) -> Findings:
    """The first account of the name, and the first contact of it."""
    org = Records(evidence.after)
    account = first(org.named("Account", case["company"]))
    contact = first(org.where("Contact", AccountId=account["Id"]) if account else [])
    both = bool(case["phone"] and case["email"])
    phones = [contact.get(name) for name in ("Phone", "MobilePhone", "HomePhone")]
    yield fact("account", 0.2, bool(account))
    yield fact("contact_on_account", 0.2 if both else 0.3, bool(contact))
    yield fact("contact_name", 0.2 if both else 0.3, called(contact) == case["contact"])
    if case["email"]:
        yield fact("email", 0.2, contact.get("Email") == case["email"])
    if case["phone"]:
        yield fact("phone", 0.2, case["phone"] in phones)


def upstream_sales_002(evidence: Evidence, case: Case) -> Findings:
    """Accounts of these names; the last one of several counts."""
    rows = {called(row): row for row in Records(evidence.after).all("Account")}
    share = 1 / sum(1 + 2 * len(branch["children"]) for branch in case["tree"])
    number = 0
    for place, branch in enumerate(case["tree"], 1):
        parent = rows.get(branch["parent"])
        yield fact(f"parent_{place}", share, parent is not None)
        for name in branch["children"]:
            number += 1
            child = rows.get(name)
            yield fact(f"child_{number}", share, child is not None)
            yield fact(f"below_{number}", share, _below(child, parent))


def _below(child: Row | None, parent: Row | None) -> bool:
    return child is not None and parent is not None and child.get("ParentId") == parent["Id"]


def upstream_sales_003(evidence: Evidence, case: Case) -> Findings:
    """The first lead of the name; the industry is not looked at."""
    lead = first(Records(evidence.after).named("Lead", case["lead"]))
    yield fact("lead", 0.3, bool(lead))
    yield fact("company", 0.2, lead.get("Company") == case["company"])
    yield fact("lead_source", 0.3, lead.get("LeadSource") == case["source"])
    yield fact("rating", 0.2, lead.get("Rating") == case["rating"])


def upstream_sales_004(evidence: Evidence, case: Case) -> Findings:
    """The first lead of the name; any account will do."""
    org = Records(evidence.after)
    lead = first(org.named("Lead", case["lead"]))
    opportunity = org.get("Opportunity", lead.get("ConvertedOpportunityId"))
    yield fact("converted", 0.3, lead.get("IsConverted") is True)
    yield fact("opportunity", 0.1, opportunity is not None)
    yield fact("opportunity_name", 0.3, (opportunity or {}).get("Name") == case["opportunity"])
    yield fact("account", 0.3, org.get("Account", lead.get("ConvertedAccountId")) is not None)


def upstream_sales_005(evidence: Evidence, case: Case) -> Findings:
    """The first activity of the opportunity, its text letter by letter."""
    org = Records(evidence.after)
    opportunity = first(org.named("Opportunity", case["opportunity"]))
    object = "Event" if case["activity"] == "Event" else "Task"
    activity = first(org.where(object, WhatId=opportunity.get("Id")))
    text = f"Email: {case['text']}" if case["activity"] == "Email" else case["text"]
    yield fact("stage", 0.4, opportunity.get("StageName") == case["stage"])
    yield fact("activity", 0.3, activity.get(f"{object}Subtype") == case["activity"])
    yield fact("text", 0.3, activity.get(case["field"]) == text)


def upstream_sales_006(evidence: Evidence, case: Case) -> Findings:
    """Products of these names; codes and descriptions are not looked at."""
    org, family = Records(evidence.after), case["family"]
    share = 0.8 / (2 * len(case["products"]))
    yield fact("family", 0.2, bool(org.where("Product2", Family=family)))
    for number, entry in enumerate(case["products"], 1):
        row = first(org.named("Product2", entry["name"]))
        yield fact(f"product_{number}", share, bool(row))
        yield fact(f"family_{number}", share, row.get("Family") == family)


def upstream_sales_007(evidence: Evidence, case: Case) -> Findings:
    """Books of these names with the first of their entries."""
    org = Records(evidence.after)
    for number, entry in enumerate(case["books"], 1):
        book = first(org.named("Pricebook2", entry["name"]))
        price = first(org.where("PricebookEntry", Pricebook2Id=book["Id"]) if book else [])
        yield fact(f"book_{number}", 0.1, bool(book))
        yield fact(f"product_{number}", 0.2, org.name("Product2", price.get("Product2Id")) == case["product"])
        yield fact(f"price_{number}", 0.2, price.get("UnitPrice") == entry["price"])


def upstream_sales_008(evidence: Evidence, case: Case) -> Findings:
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


def upstream_sales_009(evidence: Evidence, case: Case) -> Findings:
    """The first contract of the account, and the first order of it."""
    org = Records(evidence.after)
    contract = first(org.where("Contract", AccountId=case["account_id"]))
    order = first(org.where("Order", ContractId=contract["Id"]) if contract else [])
    yield fact("contract", 0.2, bool(contract))
    yield fact("start_date", 0.2, contract.get("StartDate") == case["starts_on"])
    yield fact("term", 0.2, contract.get("ContractTerm") == case["term"])
    yield fact("order", 0.2, bool(order))
    yield fact("order_start_date", 0.2, order.get("EffectiveDate") == case["order_starts_on"])


def upstream_sales_012(evidence: Evidence, case: Case) -> Findings:
    """The first campaign of the name, and the names of its members."""
    org = Records(evidence.after)
    campaign = first(org.named("Campaign", case["campaign"]))
    members: list[Any] = org.where("CampaignMember", CampaignId=campaign["Id"]) if campaign else []
    starts = (org.today + timedelta(weeks=int(case["starts"]["weeks"]))).isoformat()
    names = {org.name("Lead", row.get("LeadId")) for row in members}
    yield fact("campaign", 0.1, bool(campaign))
    yield fact("type", 0.1, campaign.get("Type") == case["type"])
    yield fact("start_date", 0.2, campaign.get("StartDate") == starts)
    yield fact("budgeted_cost", 0.2, campaign.get("BudgetedCost") == case["budget"])
    yield fact("expected_revenue", 0.2, campaign.get("ExpectedRevenue") == case["revenue"])
    yield fact("members", 0.2, names == set(case["leads"]))
