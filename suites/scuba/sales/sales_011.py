"""Territory model with an assignment rule of accounts."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import lightning as hands
from ..toolkit.criteria import Conditions, enter_criteria, means, words
from ..toolkit.groups import save_form
from ..toolkit.judging import API_NAME, ASKED, Findings, exists, judged
from ..toolkit.kinds import place
from ..toolkit.records import Records, Row
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import Given, Milestones

MODEL, RULE, ITEM = "Territory2Model", "ObjectTerritory2AssignmentRule", "ObjectTerritory2AssignmentRuleItem"
SETTINGS = "metadata/Settings"


def case(state: State, random: Random, values: Given) -> Values:
    """Say the criteria."""
    return {"criteria_words": words(values["criteria"])}


def _enabled(org: Records) -> bool:
    return bool((org.get(SETTINGS, "Territory2") or {}).get("enableTerritoryManagement2"))


def _conditions(org: Records, rule: Row | None) -> Conditions:
    """Return the conditions of a rule, in their order."""
    rows = org.where(ITEM, RuleId=rule["Id"]) if rule else []
    rows.sort(key=lambda row: row.get("SortOrder") or 0)
    found = [{"field": row["Field"], "operation": row["Operation"], "value": row["Value"]} for row in rows]
    return Conditions(found, lambda number: place(rows[number]["Id"], "Value"))


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have territories on, the model and its one rule with exactly these conditions."""
    work.free(MODEL, DeveloperName=API_NAME)
    work.free(RULE, DeveloperName=API_NAME)
    work.free(ITEM, SortOrder="the order of conditions means nothing")
    work.may_change(SETTINGS, "Territory2", enableTerritoryManagement2=True)
    model = work.closest(MODEL, {"Name": case["model"]})
    rule = work.closest(RULE, {"Name": case["rule"], "Territory2ModelId": model["Id"] if model else "-"})
    work.claim(rule, "MasterLabel", "BooleanFilter", ObjectType="Account", IsActive=False)
    for row in work.made(ITEM, RuleId=rule["Id"]) if rule else ():
        work.claim(row, "RuleId", "Field", "Operation", "Value")
    found, rows = _conditions(work.after, rule), case["criteria"]
    on = _enabled(work.after)
    yield Milestone("enabled", on, 0.1, "sales territories are enabled", str(on))
    yield exists("model", 0.2, model, f"a new territory model '{case['model']}'")
    yield exists("rule", 0.1, rule, f"a new rule '{case['rule']}' of it")
    for number, row in enumerate(rows, 1):
        told = str(found.found or "none")
        yield Milestone(f"filter_{number}", found.has(row), 0.6 / len(rows), words([row]), told)
    logic, at = (rule or {}).get("BooleanFilter"), place((rule or {}).get("Id"), "BooleanFilter")
    only = len(found) == len(rows) and found.connected(logic, rows, "", at)
    what = "these filters only, all of which have to be met"
    yield Milestone("no_others", only, ASKED, what, str(found.found))


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A model of the name and its rule; the filters may be in any order and more than these."""
    org = Records(evidence.after)
    model = first(org.named(MODEL, case["model"]))
    rules = org.where(RULE, MasterLabel=case["rule"], Territory2ModelId=model.get("Id", "-"))
    found = _conditions(org, first(rules) or None)
    yield fact("enabled", 0.1, _enabled(org))
    yield fact("model", 0.2, bool(model))
    yield fact("rule", 0.1, bool(rules))
    for number, row in enumerate(case["criteria"], 1):
        met = any(means(one, row) for one in found.found)
        yield fact(f"filter_{number}", 0.6 / len(case["criteria"]), met)


async def solve(pilot: Pilot, case: Case) -> None:
    """Turn territories on, then make the model and its rule."""
    await hands.open_setup(pilot, "Territory Settings")
    await hands.press(pilot, "Enable Sales Territories", hands.PAGE)
    await hands.open_setup(pilot, "Territory Models")
    await pilot.click(hands.named("button", "New Territory Model", hands.PAGE))
    await hands.enter(pilot, "Label", case["model"], hands.PAGE)
    await save_form(pilot)
    await pilot.click(hands.named("button", "New Rule", hands.PAGE))
    await hands.enter(pilot, "Rule Name", case["rule"], hands.PAGE)
    if case.values.get("active"):
        await pilot.click(hands.named("checkbox", "Active", hands.PAGE))
    await enter_criteria(pilot, case["criteria"])
    await save_form(pilot)


@slip("milestone:model")
def misspelt_the_model(case: Case) -> Case:
    """The model has another name."""
    return misread(case, model=f"{case['model']} model")


@slip("milestone:filter_1")
def turned_the_first_filter_round(case: Case) -> Case:
    """The first condition means the opposite."""
    turned = {"greaterThan": "lessThan", "lessOrEqual": "greaterOrEqual", "equals": "notEqual"}
    one, *rest = case["criteria"]
    return misread(case, criteria=[{**one, "operator": turned[one["operator"]]}, *rest])


@slip("record_integrity/major")
def activated_the_rule(case: Case) -> Case:
    """The rule is in force at once."""
    return misread(case, active=True)
