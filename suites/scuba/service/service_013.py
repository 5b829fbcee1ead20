"""Incident with products."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.judging import Findings, judged, listed
from ..toolkit.lightning import PAGE, enter, look_up, new_related, open_app, open_tab, pick, press, save
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Find the products."""
    org = Records(state)
    products = [org.one("Product2", entry["name"]) for entry in values["products"]]
    return {
        "product_ids": [row["Id"] for row in products],
        "products_words": "; ".join(f"{entry['name']} ({entry['impact']})" for entry in values["products"]),
        "other_product": shared.other(org, random, "Product2", products[0]),
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the incident, related to exactly these products."""
    identity = {
        "Subject": case["subject"],
        "Urgency": case["urgency"],
        "Impact": case["impact"],
        "Priority": case["priority"],
    }
    incident = work.closest("Incident", identity)
    attempt = incident or next(iter(work.made("Incident")), None)
    items = work.made("IncidentRelatedItem", IncidentId=attempt["Id"]) if attempt else []
    for item in items:
        work.claim(item, "IncidentId", "Product2Id", "ImpactType")
    found = sorted((str(row.get("Product2Id") or ""), str(row.get("ImpactType") or "")) for row in items)
    impacts = [entry["impact"] for entry in case["products"]]
    wanted = sorted(zip(case["product_ids"], impacts, strict=True))
    tried = [" / ".join(str(made.get(name)) for name in identity) for made in work.made("Incident")]
    seen = listed(f"{work.after.name('Product2', id)} ({impact or 'no impact type'})" for id, impact in found)
    yield Milestone("incident", incident is not None, 0.5, " / ".join(identity.values()), listed(tried))
    yield Milestone("products", found == wanted, 0.5, case["products_words"], seen)


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first incident of these fields, related to these products whatever else."""
    org = Records(evidence.after)
    fields = {"Subject": "subject", "Urgency": "urgency", "Impact": "impact", "Priority": "priority"}
    row = first(org.where("Incident", **{name: case[key] for name, key in fields.items()}))
    items = org.where("IncidentRelatedItem", IncidentId=row["Id"]) if row else []
    found = {(org.name("Product2", item.get("Product2Id")), item.get("ImpactType")) for item in items}
    wanted = {(entry["name"], entry["impact"]) for entry in case["products"]}
    yield fact("incident", 0.5, bool(row))
    yield fact("products", 0.5, wanted <= found)


async def solve(pilot: Pilot, case: Case) -> None:
    """Record the incident, then relate each product to it."""
    await open_app(pilot, "Service")
    await open_tab(pilot, "Incidents")
    await press(pilot, "New", PAGE)
    await enter(pilot, "Subject", case["subject"])
    await pick(pilot, "Urgency", case["urgency"])
    await pick(pilot, "Impact", case["impact"])
    await pick(pilot, "Priority", case["priority"])
    await save(pilot)
    for entry in case["products"]:
        await new_related(pilot, "Incident Related Items")
        await look_up(pilot, "Product", entry["name"])
        await pick(pilot, "Impact Type", entry["impact"])
        await save(pilot)


@slip("milestone:products", 0.5)
def took_the_impact_for_another(case: Case) -> Case:
    """The trouble is called smaller or larger than it is."""
    first, *rest = case["products"]
    other = "Business-Blocking" if first["impact"] != "Business-Blocking" else "Not Business-Blocking"
    return misread(case, products=[{**first, "impact": other}, *rest])


@slip("milestone:incident", 0.5)
def gave_another_priority_to_the_incident(case: Case) -> Case:
    """The wrong people are woken up."""
    return misread(case, priority="Critical")


@slip("milestone:products", 0.5)
def forgot_the_products(case: Case) -> Case:
    """Nobody knows what is broken."""
    return misread(case, products=[])
