"""Validation rule."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.building import full_name
from ..toolkit.formulas import Formula, records
from ..toolkit.groups import save_form
from ..toolkit.judging import Findings, holds, judged
from ..toolkit.kinds import place
from ..toolkit.lightning import PAGE, enter, named, open_object, press, tick
from ..toolkit.records import Records, Row, same
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

_RULES = "metadata/ValidationRule"


def case(state: State, random: Random, values: Given) -> Values:
    """See that there is no such rule yet, and choose a name for it."""
    if any(_of(row, values["object"]) for row in Records(state).all(_RULES)):
        raise LookupError(f"{values['object']} has validation rules already")
    return {"rule": f"Rule_{random.randint(10, 99)}", "active": True}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have an active rule with the condition and the message."""
    rule = _rule(work, case)
    work.claim(rule, "errorConditionFormula", "errorMessage", active=True)
    formula = str((rule or {}).get("errorConditionFormula") or "none")
    yield Milestone(
        "rule", rule is not None, 0.2, f"a new rule of {case['object']}", full_name(rule) or "none"
    )
    at = place((rule or {}).get("Id"), "errorConditionFormula")
    right = Formula(records(case["samples"])).same(formula, case["formula"], at)
    yield Milestone("condition", right, 0.5, f"what {case['formula']} means", formula)
    yield holds("message", 0.3, rule, "errorMessage", case["message"])


def _means(case: Case, formula: str) -> bool:
    return Formula(records(case["samples"])).matches(formula, case["formula"])


def _rule(work: Work, case: Case) -> Row | None:
    """Return the new rule of the object that is most like the one asked for."""

    def likeness(row: Row) -> tuple[bool, bool]:
        formula, message = row["errorConditionFormula"], row["errorMessage"]
        return _means(case, formula), same(message, case["message"])

    made = [row for row in work.made(_RULES) if _of({"Id": full_name(row)}, case["object"])]
    return max(made, key=likeness, default=None)


def _of(row: Row, object: str) -> bool:
    return str(row["Id"]).startswith(f"{object}.")


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A rule of the object with this formula, letter by letter, and this message."""
    rules = [row for row in Records(evidence.after).all(_RULES) if _of(row, case["object"])]
    yield fact("rule", 0.2, bool(rules))
    yield fact("formula", 0.5, any(row["errorConditionFormula"] == case["formula"] for row in rules))
    yield fact("message", 0.3, any(row["errorMessage"] == case["message"] for row in rules))


async def solve(pilot: Pilot, case: Case) -> None:
    """Fill in the form of a new rule."""
    await open_object(pilot, case["object"], "Validation Rules")
    await press(pilot, "New", PAGE)
    await enter(pilot, "Rule Name", case["rule"], PAGE)
    if not case["active"]:
        await tick(pilot, "Active", PAGE)
    await pilot.fill(f"{PAGE} >> textarea[name=errorConditionFormula]", case["formula"])
    await press(pilot, "Check Syntax", PAGE)
    await pilot.fill(f"{PAGE} >> textarea[name=errorMessage]", case["message"])
    await pilot.click(named("radio", "Top of Page", PAGE))
    await save_form(pilot)


@slip("milestone:condition", 0.5)
def refused_other_records(case: Case) -> Case:
    """The formula is true of other records."""
    return misread(case, formula=case["mistake"])


@slip("milestone:message", 0.7)
def worded_the_message_otherwise(case: Case) -> Case:
    """The message says something else."""
    return misread(case, message=f"Please note: {case['message']}")


@slip("record_integrity/major", 1.0)
def left_the_rule_inactive(case: Case) -> Case:
    """The rule is right and does nothing."""
    return misread(case, active=False)
