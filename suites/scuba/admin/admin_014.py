"""Matching rule."""

from __future__ import annotations

from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.components import entries, others
from ..toolkit.groups import save_form
from ..toolkit.judging import ASKED, Findings, exists, holds, judged, listed
from ..toolkit.lightning import PAGE, choose, choose_far, enter, open_setup, press, press_first, tick
from ..toolkit.records import Records, Row, same
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

_RULES = "metadata/MatchingRules"
_METHODS = {
    "Exact": "Exact",
    "LastName": "Fuzzy: Last Name",
    "Phone": "Fuzzy: Phone",
    "Street": "Fuzzy: Street",
}


def case(state: State, random: Random, values: Given) -> Values:
    """Say the method as the page calls it."""
    return {"method_words": _METHODS[values["method"]]}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have one new rule, inactive, with exactly one criterion."""
    changed = entries(
        work, "MatchingRules", case["object"], "matchingRules", lambda old, new: _asked(case, old, new)
    )
    rules = [new for old, new in changed if old is None and same(new.get("label"), case["rule"])]
    rule = rules[0] if len(rules) == len(changed) == 1 and _asked(case, None, rules[0]) else None
    if rule:
        for row in work.made(_RULES):
            work.claim(row if row["Id"] == f"{_RULES}/{case['object']}" else None, "matchingRules")
        for row in work.made("MatchingRule", SobjectType=case["object"], DeveloperName=rule["fullName"])[:1]:
            work.claim(row, "MasterLabel", "DeveloperName", "SobjectType", "RuleStatus", "Description")
    items = (rule or {}).get("matchingRuleItems") or []
    right = len(items) == 1 and not others(items[0], **_item(case))
    yield exists("rule", 0.5, rule, f"a new matching rule '{case['rule']}' on {case['object_label']}")
    told = f"only {case['field_label']} by {case['method_words']}, blank fields unmatched"
    yield Milestone("criterion", right, 0.5, told, listed(_told(item) for item in items))
    yield holds("inactive", ASKED, rule, "ruleStatus", "Inactive")


def _asked(case: Case, old: Any, new: Any) -> bool:
    more = new is not None and others(new, "fullName", "label", "matchingRuleItems", "ruleStatus")
    return old is None and same(new["label"], case["rule"]) and not more


def _item(case: Case) -> dict[str, str]:
    return {
        "blankValueBehavior": "NullNotAllowed",
        "fieldName": case["field"],
        "matchingMethod": case["method"],
    }


def _told(item: Row) -> str:
    return f"{item.get('fieldName')} by {item.get('matchingMethod')}, {item.get('blankValueBehavior')}"


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A rule of the label, its first one; others beside it are not looked at."""
    found = Records(evidence.after).get(_RULES, case["object"]) or {}
    rules = [one for one in found.get("matchingRules") or [] if one.get("label") == case["rule"]]
    items = rules[0].get("matchingRuleItems") or [] if rules else []
    yield fact("rule", 0.5, bool(rules))
    yield fact("criterion", 0.5, len(items) == 1 and not others(items[0], **_item(case)))


async def solve(pilot: Pilot, case: Case) -> None:
    """Make the rule for its object, with its criteria."""
    await open_setup(pilot, "Matching Rules")
    await press(pilot, "New Rule", PAGE)
    await choose_far(pilot, "Object", case["object_label"])
    await press_first(pilot, "Next")
    await enter(pilot, "Rule Name", case["rule"], PAGE)
    await choose_far(pilot, "Field 1", case["field_label"])
    await choose(pilot, "Matching Method 1", case["method_words"])
    if case.values.get("blanks"):
        await tick(pilot, "Match Blank Fields 1", PAGE)
    if case.values.get("more"):
        await choose_far(pilot, "Field 2", case["other_label"])
        await choose(pilot, "Matching Method 2", "Exact")
    await save_form(pilot)
    if case.values.get("activate"):
        await press(pilot, "Activate", PAGE)


@slip("milestone:criterion", 0.545)
def let_blank_fields_match(case: Case) -> Case:
    """Records without a value would be taken for the same."""
    return misread(case, blanks=True)


@slip("milestone:criterion", 0.545)
def compared_one_field_more(case: Case) -> Case:
    """Fewer duplicates are found."""
    return misread(case, more=True)


@slip("milestone:inactive", 0.909)
def activated_it(case: Case) -> Case:
    """The rule is in use already."""
    return misread(case, activate=True)
