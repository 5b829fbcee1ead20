"""What each task of sales is about in the org at hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Any

from pytest_cuabench.evidence import State

from .. import dates
from ..records import Records, Row, called, same

Values = dict[str, Any]
Given = Mapping[str, Any]


def sales_001(state: State, chance: random.Random, values: Given) -> Values:
    """Nothing has to be there; the person who is only mentioned is another one than the contact."""
    first, _, last = values["mentioned"].partition(" ")
    return {"other_first": first, "other_last": last}


def sales_002(state: State, chance: random.Random, values: Given) -> Values:
    """Say which account is below which."""
    return {"tree_words": "; ".join(_branch(branch) for branch in values["tree"])}


def _branch(branch: Given) -> str:
    below = " and ".join(f'"{name}"' for name in branch["children"])
    return f'"{branch["parent"]}"' + (f", and below it {below}" if below else ", with nothing below it")


def sales_003(state: State, chance: random.Random, values: Given) -> Values:
    """Choose what a careless reader may have heard."""
    ratings = [name for name in ("Hot", "Warm", "Cold") if name != values["rating"]]
    return {"other_rating": chance.choice(ratings)}


def sales_004(state: State, chance: random.Random, values: Given) -> Values:
    """Find the lead, and the account of its company where there is one."""
    org = Records(state)
    lead = org.one("Lead", values["lead"], IsConverted=False)
    accounts = org.named("Account", lead["Company"])
    others = [row for row in org.where("Lead", IsConverted=False) if row["Id"] != lead["Id"]]
    return {
        "lead_id": lead["Id"],
        "company": lead["Company"],
        "account_ids": [row["Id"] for row in accounts],
        "other_lead": _alone(org, chance, "Lead", others),
    }


def sales_005(state: State, chance: random.Random, values: Given) -> Values:
    """Find the opportunity, and another stage and open opportunity; what was chosen wrongly must show."""
    org = Records(state)
    found = org.one("Opportunity", values["opportunity"])
    open_ones = [row for row in org.where("Opportunity", IsClosed=False) if row["Id"] != found["Id"]]
    stages = {row["StageName"] for row in open_ones} - {values["stage"], found["StageName"]}
    elsewhere = [row for row in open_ones if not same(row["StageName"], values["stage"])]
    return {
        "opportunity_id": found["Id"],
        "other_opportunity": _alone(org, chance, "Opportunity", elsewhere),
        "other_stage": chance.choice(sorted(stages)),
    }


def sales_006(state: State, chance: random.Random, values: Given) -> Values:
    """Say what the products are."""
    return {"products_words": "; ".join(_product(entry) for entry in values["products"])}


def _product(entry: Given) -> str:
    code = f"product code {entry['code']}, " if entry["code"] else ""
    return f'{entry["name"]} ({code}product description "{entry["description"]}")'


def sales_007(state: State, chance: random.Random, values: Given) -> Values:
    """Find the product, and another one."""
    org = Records(state)
    product = org.one("Product2", values["product"])
    first, second = values["books"]
    return {
        "product_id": product["Id"],
        "other_product": _other(org, chance, "Product2", product),
        "first_book": first["name"],
        "first_price": f"{first['price']:,}",
        "second_book": second["name"],
        "second_price": f"{second['price']:,}",
    }


def sales_008(state: State, chance: random.Random, values: Given) -> Values:
    """Find the opportunity and the product, and work out the date."""
    org = Records(state)
    opportunity = org.one("Opportunity", values["opportunity"])
    product = org.one("Product2", values["product"])
    return {
        "opportunity_id": opportunity["Id"],
        "product_id": product["Id"],
        "list_price": _list_price(org, product),
        "other_opportunity": _other(org, chance, "Opportunity", opportunity),
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


def sales_009(state: State, chance: random.Random, values: Given) -> Values:
    """Find the account, and work out the dates."""
    org = Records(state)
    account = org.one("Account", values["account"])
    starts = dates.after(org.today, values["starts"])
    return {
        "account_id": account["Id"],
        "other_account": _other(org, chance, "Account", account),
        "starts_on": starts.isoformat(),
        "order_starts_on": dates.after(starts, values["order_starts"]).isoformat(),
        "next_day": date.fromordinal(starts.toordinal() + 1).isoformat(),
    }


def sales_012(state: State, chance: random.Random, values: Given) -> Values:
    """Find the leads, and work out the date."""
    org = Records(state)
    leads = [org.one("Lead", name, IsConverted=False) for name in values["leads"]]
    ids = [row["Id"] for row in leads]
    others = [row for row in org.where("Lead", IsConverted=False) if row["Id"] not in ids]
    return {
        "lead_ids": ids,
        "leads_words": " and ".join(values["leads"]),
        "other_lead": _alone(org, chance, "Lead", others),
        "starts_on": dates.after(org.today, values["starts"]).isoformat(),
        "starts_words": dates.words(values["starts"]),
    }


FACTORS = ("Budget", "Authority", "Need", "Timeline", "Qualified")


def sales_013(state: State, chance: random.Random, values: Given) -> Values:
    """Find the lead's latest call."""
    org = Records(state)
    lead = org.one("Lead", values["lead"])
    calls = org.where("VoiceCallTranscript__c", LeadId__c=lead["Id"])
    latest = max(calls, key=lambda row: str(row.get("EndTime__c") or row.get("CreatedDate__c")))
    others = [name for name in FACTORS if name != values["answer"]]
    return {"call": called(latest), "other_answer": chance.choice(others)}


STAGES = (
    "Prospecting",
    "Qualification",
    "Needs Analysis",
    "Value Proposition",
    "Id. Decision Makers",
    "Perception Analysis",
    "Proposal/Price Quote",
    "Negotiation/Review",
    "Closed Won",
    "Closed Lost",
)


def sales_014(state: State, chance: random.Random, values: Given) -> Values:
    """Find the opportunity; its stage must be right just where that is the answer."""
    org = Records(state)
    found = org.one("Opportunity", values["opportunity"])
    tasks = org.where("Task", WhatId=found["Id"])
    if not tasks:
        raise LookupError(f"the opportunity {values['opportunity']} has no tasks")
    if same(found["StageName"], values["answer"]):
        raise LookupError(f"the stage of {values['opportunity']} is {values['answer']} already")
    return {
        "stage": found["StageName"],
        "subjects": sorted({called(row) for row in tasks}),
        "stages_words": ", ".join(STAGES),
        "other_answer": "Correct" if values["answer"] != "Correct" else "Closed Lost",
    }


def sales_015(state: State, chance: random.Random, values: Given) -> Values:
    """Find the one call between the two."""
    call = Records(state).one("VoiceCallTranscript__c", " and ".join(values["people"]))
    return {"call": called(call), "other_answer": values["wrong_answer"]}


def _other(org: Records, chance: random.Random, object: str, row: Row) -> str:
    """Return the name of another record of an object that stands for itself."""
    return _alone(org, chance, object, [each for each in org.all(object) if called(each) != called(row)])


def _alone(org: Records, chance: random.Random, object: str, rows: list[Row]) -> str:
    """Return the name of one of these records whose name no other record of the object has."""
    count = Counter(map(called, org.all(object)))
    return chance.choice(sorted(name for name in map(called, rows) if name and count[name] == 1))
