"""Approval process with entry criteria, by the Jump Start Wizard."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import lightning as hands
from ..toolkit.components import new_component, others
from ..toolkit.criteria import Conditions, enter_criteria, words
from ..toolkit.groups import save_form
from ..toolkit.judging import Findings, exists, judged
from ..toolkit.kinds import place
from ..toolkit.records import Records, Row
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import Given, Milestones

TYPE = "ApprovalProcess"
# What the wizard fills in.
_STEP = {"allowDelegate": False, "label": "Step 1", "name": "Step_1"}
_MANUAL = {"approver": [{"type": "adhoc"}]}
_PROPOSED = {
    "allowedSubmitters": [{"type": "owner"}],
    "approvalPageFields": {"field": ["Name", "Owner"]},
    "finalApprovalRecordLock": True,
    "recordEditability": "AdminOnly",
    "showApprovalHistory": True,
}


def case(state: State, random: Random, values: Given) -> Values:
    """Say the criteria."""
    return {"criteria_words": words(values["criteria"])}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the process of the object with exactly these criteria, else as the wizard makes it."""
    process = new_component(work, TYPE, case["process"])
    process = process if process and _of(process, case["object"]) else None
    work.claim(process, **_PROPOSED)
    steps = (process or {}).get("approvalStep") or [{}]
    manual = (
        len(steps) == 1
        and not others(steps[0], "assignedApprover", **_STEP)
        and steps[0].get("assignedApprover") == _MANUAL
    )
    entry = (process or {}).get("entryCriteria") or {}
    rows, id = case["criteria"], (process or {}).get("Id")
    found = Conditions(
        entry.get("criteriaItems"),
        lambda number: place(id, "entryCriteria", "criteriaItems", number, "value"),
    )
    work.claim(process, "label", "entryCriteria", "approvalStep", "active")
    yield exists("process", 0.2, process, f"a new process '{case['process']}' of {case['object']}")
    for number, row in enumerate(rows, 1):
        told = str(found.found or "none")
        yield Milestone(f"criterion_{number}", found.has(row), 0.8 / len(rows), words([row]), told)
    logic = found.connected(entry.get("booleanFilter"), rows, "", place(id, "entryCriteria", "booleanFilter"))
    only = len(found) == len(rows) and logic and not others(entry, "criteriaItems", "booleanFilter")
    yield Milestone("no_others", only, 0.1, "these criteria only", str(entry))
    yield Milestone("approver", manual, 0.1, "the submitter chooses the approver", str(steps))
    inactive = process is not None and not process.get("active")
    yield Milestone("inactive", inactive, 0.1, "not active", str((process or {}).get("active")))


def _of(process: Row, object: str) -> bool:
    return str(process["Id"]).startswith(f"metadata/{TYPE}/{object}.")


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first process of the label, whatever its object; half a criterion is its field, a quarter each the rest."""
    entry = first(Records(evidence.after).named(f"metadata/{TYPE}", case["process"]))
    found = entry.get("entryCriteria", {}).get("criteriaItems", ())
    rows = case["criteria"]
    yield fact("process", 0.2, bool(entry))
    for number, row in enumerate(rows):
        one = found[number] if number < len(found) else {}
        share = 0.8 / len(rows)
        yield fact(f"field_{number + 1}", share / 2, one.get("field") == row["field"])
        yield fact(f"operation_{number + 1}", share / 4, one.get("operation") == row["operator"])
        yield fact(f"value_{number + 1}", share / 4, one.get("value") == row["value"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose the object, then fill in the wizard's one page."""
    await hands.open_setup(pilot, "Approval Processes")
    await hands.choose_far(pilot, "Manage Approval Processes For:", case["object_label"])
    await hands.press(pilot, "Create New Approval Process", hands.PAGE)
    await pilot.click(hands.named("menuitem", "Use Jump Start Wizard", hands.PAGE))
    await hands.enter(pilot, "Name", case["process"], hands.PAGE)
    await pilot.press("Tab")
    await enter_criteria(pilot, case["criteria"])
    await save_form(pilot)
    if case.values.get("activate"):
        await hands.press(pilot, "Activate", hands.PAGE)


@slip("milestone:process", 0)
def took_another_object(case: Case) -> Case:
    """Other records are approved."""
    lead = {"field": "Lead.LeadSource", "label": "Lead: Lead Source", "operator": "equals", "value": "Web"}
    return misread(case, object="Lead", object_label="Lead", criteria=[lead])


@slip("milestone:criterion_1")
def turned_the_first_criterion_round(case: Case) -> Case:
    """The first criterion means the opposite."""
    turned = {"greaterThan": "lessThan", "notEqual": "equals", "equals": "notEqual"}
    one, *rest = case["criteria"]
    return misread(case, criteria=[{**one, "operator": turned[one["operator"]]}, *rest])


@slip("milestone:inactive")
def activated_the_process(case: Case) -> Case:
    """Records can be submitted at once."""
    return misread(case, activate=True)
