"""Case assignment rule with one entry."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import lightning as hands
from ..toolkit.components import others
from ..toolkit.criteria import Conditions, enter_criteria, means, words
from ..toolkit.groups import save_form
from ..toolkit.judging import Findings, judged
from ..toolkit.kinds import place
from ..toolkit.records import Records, Row, called, same
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

KIND = "metadata/AssignmentRules"
Entry = Mapping[str, Any]


def case(state: State, random: Random, values: Given) -> Values:
    """Find the assignee's API name, and a queue that may be taken for it."""
    org = Records(state)
    if values["type"] == "Queue":
        name = org.one("Group", values["assignee"], Type="Queue")["DeveloperName"]
    else:
        name = org.one("User", values["assignee"])["Username"]
    supports = {row["QueueId"] for row in org.where("QueueSobject", SobjectType="Case")}
    queues = [row for row in org.where("Group", Type="Queue") if row["Id"] in supports]
    other = random.choice(sorted(called(row) for row in queues if called(row) != values["assignee"]))
    kind = values["type"].lower()
    return {
        "assignee_name": name,
        "assignee_words": f"the {kind} {values['assignee']}",
        "criteria_words": words(values["criteria"], values["logic"]),
        "other_queue": other,
        "other_name": org.one("Group", other, Type="Queue")["DeveloperName"],
    }


def _rule(component: Row | None, case: Case) -> Entry:
    rules = [
        one for one in (component or {}).get("assignmentRule", ()) if same(one["fullName"], case["rule"])
    ]
    return rules[0] if rules else {}


def _entry(rule: Entry) -> Entry:
    entries = rule.get("ruleEntry", ())
    return entries[0] if entries else {}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the rule with this entry, and nothing else in it."""
    component = work.closest(KIND, {"Id": f"{KIND}/Case"})
    rule = _rule(component, case)
    entry, rows = _entry(rule), case["criteria"]
    at = place((component or {}).get("Id"), "assignmentRule", 0, "ruleEntry", 0)
    conditions = Conditions(
        entry.get("criteriaItems"), lambda number: (*at, "criteriaItems", number, "value")
    )
    judged = {"assignedTo", "assignedToType", "criteriaItems", "booleanFilter"}
    alone = len(rule.get("ruleEntry", ())) == 1 and not any(entry[name] for name in entry.keys() - judged)
    as_made = not others(rule, "fullName", "active", "ruleEntry")
    if component and component["assignmentRule"] == [rule] and as_made:
        work.claim(component, "assignmentRule")
    yield Milestone("rule", bool(rule), 0.1, f"a new rule '{case['rule']}'", "there" if rule else "none")
    yield Milestone(
        "inactive", bool(rule) and not rule.get("active"), 0.1, "not active", str(rule.get("active"))
    )
    to = entry.get("assignedToType"), entry.get("assignedTo")
    wanted = case["type"], case["assignee_name"]
    yield Milestone("assignee", to == wanted, 0.2, " ".join(wanted), " ".join(map(str, to)))
    for number, row in enumerate(rows, 1):
        told = str(conditions.found or "none")
        yield Milestone(f"condition_{number}", conditions.has(row), 0.5 / len(rows), words([row]), told)
    logic = entry.get("booleanFilter")
    logic = bool(entry) and conditions.connected(logic, rows, case["logic"], (*at, "booleanFilter"))
    told = str(entry.get("booleanFilter", "all"))
    yield Milestone("connector", logic, 0.2, case["logic"] or "all have to be met", told)
    only = alone and len(conditions) == len(rows)
    yield Milestone(
        "nothing_else", only, 0.1, "one entry with these conditions only", str(rule.get("ruleEntry"))
    )


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first entry of the rule; a user's name has to begin with that of a queue that nobody seeded."""
    rule = _rule(Records(evidence.after).get(KIND, "Case"), case)
    entry, rows = _entry(rule), case["criteria"]
    found = entry.get("criteriaItems", ())
    name = case["assignee_name"] if case["type"] == "Queue" else "security_user"
    assigned = str(entry.get("assignedTo", "")).startswith(name) and entry["assignedToType"] == case["type"]
    yield fact("rule", 0.1, bool(rule))
    yield fact("assignee", 0.2, assigned)
    for number, row in enumerate(rows):
        yield fact(
            f"condition_{number + 1}", 0.5 / len(rows), number < len(found) and means(found[number], row)
        )
    yield fact("connector", 0.2, "OR" not in case["logic"] or "OR" in entry.get("booleanFilter", ""))


async def solve(pilot: Pilot, case: Case) -> None:
    """Make the rule, then its entry."""
    await hands.open_setup(pilot, "Case Assignment Rules")
    await pilot.click(hands.named("button", "New", hands.PAGE))
    await hands.enter(pilot, "Rule Name", case["rule"], hands.PAGE)
    if case.values.get("active"):
        await pilot.click(hands.named("checkbox", "Active", hands.PAGE))
    await save_form(pilot)
    await hands.follow(pilot, case["rule"])
    await pilot.click(hands.named("button", "New", hands.PAGE))
    await enter_criteria(pilot, case["criteria"], case["logic"])
    await hands.choose(pilot, "Assignee Type", case["type"])
    await hands.choose_far(pilot, "Assign To", case["assignee"])
    await save_form(pilot)


@slip("milestone:assignee")
def took_another_queue(case: Case) -> Case:
    """Cases go to somebody else."""
    return misread(case, type="Queue", assignee=case["other_queue"], assignee_name=case["other_name"])


@slip("milestone:connector")
def combined_them_the_other_way(case: Case) -> Case:
    """What has to be met at once is not, or the other way round."""
    count = len(case["criteria"])
    return misread(case, logic="" if case["logic"] else "1 OR 2" if count > 1 else "NOT 1")


@slip("milestone:condition_1")
def turned_the_first_condition_round(case: Case) -> Case:
    """The first condition means the opposite."""
    turned = {"contains": "notContain", "notEqual": "equals"}
    first, *rest = case["criteria"]
    return misread(case, criteria=[{**first, "operator": turned[first["operator"]]}, *rest])


@slip("milestone:inactive")
def activated_the_rule(case: Case) -> Case:
    """New cases are assigned by it at once."""
    return misread(case, active=True)
