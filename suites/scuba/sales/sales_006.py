"""Product family with products."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import lightning as hands
from ..toolkit.components import others
from ..toolkit.judging import ASKED, Findings, exists, holds, judged, listed
from ..toolkit.records import Records, Row, same, same_text
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import Given, Milestones

FAMILIES = "Product2Family"


def case(state: State, random: Random, values: Given) -> Values:
    """Say what the products are."""
    return {"products_words": "; ".join(_product_text(entry) for entry in values["products"])}


def _product_text(entry: Given) -> str:
    code = f"product code {entry['code']}, " if entry["code"] else ""
    return f'{entry["name"]} ({code}product description "{entry["description"]}")'


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have every product in the family, with the family among the values of the field."""
    _allow_family(work, case["family"])
    entries, family = case["products"], case["family"]
    share = 0.8 / (2 * len(entries))
    rows = [work.closest("Product2", {"Name": entry["name"]}, **_facts(entry, family)) for entry in entries]
    families = [str(row.get("Family") or "none") for row in rows if row]
    yield Milestone(
        "family", any(same(name, family) for name in families), 0.2, f"products in {family}", listed(families)
    )
    for number, (entry, row) in enumerate(zip(entries, rows, strict=True), 1):
        yield exists(f"product_{number}", share, row, f"a new product '{entry['name']}'")
        yield holds(f"family_{number}", share, row, "Family", family)
    yield _all_hold("descriptions", rows, [entry["description"] for entry in entries], "Description")
    if all(entry["code"] for entry in entries):
        yield _all_hold("codes", rows, [entry["code"] for entry in entries], "ProductCode")


def _facts(entry: Mapping[str, str], family: str) -> dict[str, str]:
    code = {"ProductCode": entry["code"]} if entry["code"] else {}
    return {"Family": family, "Description": entry["description"], **code}


def _allow_family(work: Work, family: str) -> None:
    """Account for one new ordinary value of the picklist; whatever else is different in it stays unasked."""
    before = work.before.get("metadata/StandardValueSet", FAMILIES)
    after = work.after.get("metadata/StandardValueSet", FAMILIES)
    if before and after:
        left = [entry for entry in after["standardValue"] if not same(_label(entry), family)]
        new = [entry for entry in after["standardValue"] if same(_label(entry), family)]
        if left == list(before["standardValue"]) and len(new) == 1 and _ordinary(new[0]):
            work.may_change("metadata/StandardValueSet", FAMILIES, "standardValue")


def _ordinary(entry: Mapping[str, Any]) -> bool:
    """Whether a value is one as the form makes it: active, not the default, with its label as its name."""
    names = {str(entry[name]) for name in ("label", "fullName", "value") if entry.get(name)}
    given = {name: str(value).lower() for name, value in entry.items() if value is not None}
    return (
        len(names) == 1
        and given.get("default", "false") == "false"
        and given.get("isActive", given.get("active", "true")) == "true"
        and not others(entry, "label", "fullName", "value", "default", "isActive", "active")
    )


def _label(entry: Mapping[str, Any]) -> str:
    return str(entry.get("label") or entry.get("fullName") or entry.get("value") or "")


def _all_hold(name: str, rows: list[Row | None], wanted: list[str], field: str) -> Milestone:
    found = [str((row or {}).get(field) or "nothing") for row in rows]
    right = all(row and same_text(row.get(field), value) for row, value in zip(rows, wanted, strict=True))
    return Milestone(name, right, ASKED, "; ".join(wanted), "; ".join(found))


def upstream(evidence: Evidence, case: Case) -> Findings:
    """Products of these names; codes and descriptions are not looked at."""
    org, family = Records(evidence.after), case["family"]
    share = 0.8 / (2 * len(case["products"]))
    yield fact("family", 0.2, bool(org.where("Product2", Family=family)))
    for number, entry in enumerate(case["products"], 1):
        row = first(org.named("Product2", entry["name"]))
        yield fact(f"product_{number}", share, bool(row))
        yield fact(f"family_{number}", share, row.get("Family") == family)


async def solve(pilot: Pilot, case: Case) -> None:
    """Add the family to the picklist in Object Manager, then create the products."""
    await hands.open_object(pilot, "Product", "Fields & Relationships")
    await hands.follow(pilot, "Product Family")
    await hands.press(pilot, "New", hands.PAGE)
    await hands.enter_values(pilot, "Product Family", [case["family"]])
    await hands.open_item(pilot, "Products")
    for number, entry in enumerate(case["products"]):
        if number == 0:
            await hands.press(pilot, "New", hands.PAGE)
        await _product(pilot, entry, case["family"])
        last = number == len(case["products"]) - 1
        await hands.save(pilot, "Save" if last else "Save & New")


async def _product(pilot: Pilot, entry: Mapping[str, Any], family: str) -> None:
    await hands.enter(pilot, "Product Name", entry["name"])
    if entry["code"]:
        await hands.enter(pilot, "Product Code", entry["code"])
    await hands.pick(pilot, "Product Family", family)
    if entry["description"]:
        await hands.enter(pilot, "Product Description", entry["description"])


@slip("milestone:product_1")
def forgot_the_first_product(case: Case) -> Case:
    """One product is missing."""
    return misread(case, products=case["products"][1:])


@slip("milestone:descriptions")
def left_the_descriptions_out(case: Case) -> Case:
    """The products say nothing of themselves."""
    return misread(case, products=[{**entry, "description": ""} for entry in case["products"]])
