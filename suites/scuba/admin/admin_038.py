"""Field updates when records are finally approved or rejected."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import lightning as hands
from ..toolkit.components import others
from ..toolkit.formulas import Formula, records
from ..toolkit.groups import save_form
from ..toolkit.judging import ASKED, Findings, judged
from ..toolkit.records import Records, same
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

PROCESS, WORKFLOW = "metadata/ApprovalProcess", "metadata/Workflow"
ENDS = (("approval", "finalApprovalActions", "approved"), ("rejection", "finalRejectionActions", "rejected"))
_FORMULA = Formula(records({"Description": ["", "Known since May"]}))
Tree = Mapping[str, Any]


def case(state: State, random: Random, values: Given) -> Values:
    """Say what the field updates do."""
    return {f"{end}_words": _words(values, values[f"{end}_label"]) for _, _, end in ENDS}


def _words(values: Given, value: str) -> str:
    how = f"by the formula {value}" if values["kind"] == "formula" else f"to {value}"
    return f"sets the field {values['field_label']} {how}"


def _full(case: Case) -> str:
    return f"{case['object']}.{case['process']}"


def _updates(org: Records, case: Case, element: str) -> list[Tree]:
    """Return the field updates at one end of the process."""
    process = org.get(PROCESS, _full(case)) or {}
    ends = process.get(element) or {}
    actions = [] if others(ends, "action") else ends.get("action", ())
    known = (org.get(WORKFLOW, case["object"]) or {}).get("fieldUpdates", ())
    named = {one["name"] for one in actions if not others(one, "name", type="FieldUpdate")}
    return [one for one in known if one["fullName"] in named] if len(actions) == 1 else []


def _value(update: Tree) -> str:
    return str(update.get("formula") or update.get("literalValue") or "")


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have one new field update at each end, and the process else as it was."""
    found = [(_updates(work.after, case, element) or [{}])[0] for _, element, _ in ENDS]
    known = (work.after.get(WORKFLOW, case["object"]) or {}).get("fieldUpdates", ())
    for (name, element, value), update in zip(ENDS, found, strict=True):
        wanted = case[value]
        at = (
            WORKFLOW,
            case["object"],
            "fieldUpdates",
            known.index(update) if update in known else 0,
            "formula",
        )
        right = (
            _FORMULA.same(_value(update), wanted, at)
            if case["kind"] == "formula"
            else _value(update) == wanted
        )
        told = case[name]
        unique = "_".join(told.split())
        named = same(update.get("name"), told) and update.get("fullName") == unique
        yield Milestone(name, bool(update), 0.1, f"one field update as {element}", str(update or "none"))
        yield Milestone(f"{name}_name", named, ASKED, f"{told} ({unique})", str(update.get("name", "none")))
        on = update.get("field")
        yield Milestone(f"{name}_field", on == case["field"], 0.2, f"sets {case['field']}", str(on))
        yield Milestone(f"{name}_value", right, 0.2, f"sets it to {wanted}", _value(update) or "none")
    if all(found):
        _account_for(work, case, found)


def _account_for(work: Work, case: Case, found: list[Tree]) -> None:
    """Account for the two updates and for the process's references to them, if they hold nothing else."""
    operation = "Formula" if case["kind"] == "formula" else "Literal"
    judged = {"fullName", "name", "field", "formula", "literalValue"}
    rest = [{key: value for key, value in one.items() if key not in judged and value} for one in found]
    if any(one != {"operation": operation} for one in rest):
        return
    work.may_change(PROCESS, _full(case), *(element for _, element, _ in ENDS))
    workflow = work.closest(WORKFLOW, {"Id": f"{WORKFLOW}/{case['object']}"})
    made = (workflow or {}).get("fieldUpdates", [])
    if len(made) == len(found):
        work.claim(workflow, "fieldUpdates")


def upstream(evidence: Evidence, case: Case) -> Findings:
    """Exactly one field update at each end, whatever it is called."""
    org = Records(evidence.after)
    for name, element, value in ENDS:
        update = (_updates(org, case, element) or [{}])[0]
        yield fact(name, 0.1, bool(update))
        yield fact(f"{name}_field", 0.2, update.get("field") == case["field"])
        yield fact(f"{name}_value", 0.2, bool(update) and _value(update) == case[value])


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the process and add a field update at each end."""
    await hands.open_setup(pilot, "Approval Processes")
    await hands.choose_far(pilot, "Manage Approval Processes For:", case["object_label"])
    await hands.follow(pilot, case["process"])
    for name, title, value in (
        ("approval", "Final Approval Actions", "approved"),
        ("rejection", "Final Rejection Actions", "rejected"),
    ):
        await hands.press(pilot, f"Add New {title}", hands.PAGE)
        menu = hands.named("menu", f"Add New {title}", hands.PAGE)
        await pilot.click(hands.named("menuitem", "Field Update", menu))
        await _field_update(pilot, case, case[name], case[value], case[f"{value}_label"])


async def _field_update(pilot: Pilot, case: Case, name: str, value: str, label: str) -> None:
    await hands.enter(pilot, "Name", name, hands.PAGE)
    await hands.choose_far(pilot, "Field to Update", case["field_label"])
    if case["kind"] == "formula":
        await pilot.click(hands.named("radio", "Use a formula to set the new value", hands.PAGE))
        await hands.enter(pilot, "Formula", value, hands.PAGE)
    elif case["kind"] == "boolean":
        await pilot.click(hands.named("radio", label, hands.PAGE))
    else:
        await pilot.click(hands.named("radio", "A specific value", hands.PAGE))
        await hands.choose_far(pilot, "Specific Value", label)
    await save_form(pilot)


def _swapped(case: Case) -> Case:
    ends = {"approved": case["rejected"], "rejected": case["approved"]}
    labels = {"approved_label": case["rejected_label"], "rejected_label": case["approved_label"]}
    return misread(case, **ends, **labels)


@slip("milestone:approval_value")
def swapped_the_values(case: Case) -> Case:
    """Approved records get what rejected ones should, and the other way round."""
    return _swapped(case)


@slip("milestone:rejection_name")
def misspelt_the_rejection(case: Case) -> Case:
    """The second action has another name."""
    return misread(case, rejection=f"{case['rejection']} now")


@slip("milestone:approval_value")
def gave_both_ends_one_value(case: Case) -> Case:
    """Approved records get what rejected ones get."""
    return misread(case, approved=case["rejected"], approved_label=case["rejected_label"])
