"""The steps of an approval process: who approves which records, and what a rejection means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from salesforce_org.metadata.records import said
from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.approvals import approvers
from salesforce_org.setup.approvals.area import APPROVALS
from salesforce_org.setup.approvals.components import (
    address,
    criteria_of,
    criteria_tree,
    name_given,
    process_of,
    put,
)
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.criteria import fields
from salesforce_org.setup.forms import Form, Input, Section, submit
from salesforce_org.store import DmlError
from salesforce_org.store.org import Tree

_ELSE = (
    Choice("ApproveRecord", "Approve the record"),
    Choice("RejectRecord", "Reject the record"),
    Choice("GotoNextStep", "Go to the next step"),
)
_REJECTED = (
    Choice("RejectRequest", "Perform all rejection actions for this step AND all final rejection actions."),
    Choice(
        "BackToPrevious", "Perform ONLY the rejection actions for this step and send it to the previous step."
    ),
)


@APPROVALS.get("/process/{process}/step/{number}")
def ask(page: SetupVisit) -> Response:
    """Ask about a step, a new one or one that is there."""
    return _form(page).show(page)


@APPROVALS.post("/process/{process}/step/{number}")
def save(page: SetupVisit) -> Response:
    """Store a step; a new one comes after the others."""
    full, tree = process_of(page)
    steps, at = list(tree.get("approvalStep", ())), _at(page, tree)

    def write(given: Mapping[str, Any]) -> str:
        taken = {one["name"].casefold() for number, one in enumerate(steps) if number != at}
        if name_given(given["unique"]).casefold() in taken:
            raise DmlError("DUPLICATE_DEVELOPER_NAME", "Another step has this unique name", ("unique",))
        kept = steps[at] if at is not None else {}
        actions = {key: one for key, one in kept.items() if key in ("approvalActions", "rejectionActions")}
        step = {
            **actions,
            **criteria_tree(page.org, given["criteria"]),
            **said(description=given["description"] or None),
            "allowDelegate": given["allowDelegate"],
            "assignedApprover": approvers.tree_of(given),
            "label": given["label"],
            "name": given["unique"],
        }
        if "entryCriteria" in step:
            step["ifCriteriaNotMet"] = given["otherwise"] or "ApproveRecord"
        if steps and at != 0:
            step["rejectBehavior"] = {"type": given.get("rejected") or "RejectRequest"}
        told = [*steps, step] if at is None else [*steps[:at], step, *steps[at + 1 :]]
        put(page.org, full, {**tree, "approvalStep": told})
        return address(full)

    return submit(page, _form(page), write, back=address(full))


@APPROVALS.post("/process/{process}/step/{number}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a step of a process that is not active."""
    full, tree = process_of(page)
    at = _at(page, tree)
    if tree["active"] or at is None:
        raise NotHere
    steps = [one for number, one in enumerate(tree["approvalStep"]) if number != at]
    put(page.org, full, {**tree, "approvalStep": steps})
    return page.go(address(full))


def _at(page: SetupVisit, tree: Tree) -> int | None:
    number, count = page.params["number"], len(tree.get("approvalStep", ()))
    if number == "new":
        return None
    if not number.isdecimal() or not 1 <= int(number) <= count:
        raise NotHere
    return int(number) - 1


def _form(page: SetupVisit) -> Form:
    full, tree = process_of(page)
    steps, at = tree.get("approvalStep", ()), _at(page, tree)
    step = steps[at] if at is not None else {}
    criteria = Input(
        "criteria",
        "Step Criteria",
        "criteria",
        choices=fields(page.org, full.partition(".")[0], "User"),
        help="Enter this step if the following criteria are met; without any, all records enter it:",
    )
    sections = [
        Section(
            "Enter Name and Description",
            (
                Input("label", "Name", required=True, length=80, fills="unique"),
                Input("unique", "Unique Name", required=True, length=80),
                Input("description", "Description", "textarea", length=1000),
            ),
        ),
        Section(
            "Specify Step Criteria",
            (
                criteria,
                Input("otherwise", "Else", "picklist", choices=_ELSE[: 2 if not steps else 3], none=False),
            ),
        ),
        Section(
            "Select Approver",
            (
                *approvers.inputs(page.org),
                Input("allowDelegate", "The approver's delegate may also approve this request.", "checkbox"),
            ),
        ),
    ]
    if steps and at != 0:
        sections.append(
            Section("Reject Behavior", (Input("rejected", "Reject Behavior", "radio", choices=_REJECTED),))
        )
    number = len(steps) + 1 if at is None else at + 1
    values = {
        "label": step.get("label", f"Step {number}"),
        "unique": step.get("name", f"Step_{number}"),
        "description": step.get("description", ""),
        "criteria": criteria_of(step),
        "otherwise": step.get("ifCriteriaNotMet", "ApproveRecord"),
        "allowDelegate": bool(step.get("allowDelegate")),
        "rejected": step.get("rejectBehavior", {}).get("type", "RejectRequest"),
        **approvers.values(step.get("assignedApprover", {})),
    }
    title = f"{tree['label']}: Step {number}"
    return Form(title, "Approval Step", tuple(sections), values)
