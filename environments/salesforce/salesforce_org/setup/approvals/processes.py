"""The lists of approval processes, a process in detail, and its activation."""

from __future__ import annotations

from starlette.responses import Response

from salesforce_org.approvals.processes import Process
from salesforce_org.setup.approvals import actions, approvers
from salesforce_org.setup.approvals.area import APPROVALS
from salesforce_org.setup.approvals.components import (
    address,
    criteria_words,
    objects,
    process_of,
    processes,
    put,
)
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.tables import Action, Cell, Column, Table, related
from salesforce_org.store import Org
from salesforce_org.store.org import Tree

_EDITABLE = {
    "AdminOnly": "Administrators ONLY can edit records during the approval process.",
    "AdminOrCurrentApprover": "Administrators OR the currently assigned approver can edit records.",
}


@APPROVALS.get("/home")
def home(page: SetupVisit) -> Response:
    """Show the processes of one object, the active ones apart."""
    known = objects(page.org)
    named = page.query.get("object", "")
    kind = next((one for one in known if one.name == named), known[0])
    found = processes(page.org, kind.name)
    return page.render(
        "setup/approval_processes.html",
        kind=kind,
        objects=known,
        active=_listed(page, "Active Approval Processes", found, on=True),
        inactive=_listed(page, "Inactive Approval Processes", found, on=False),
    )


@APPROVALS.get("/process/{process}")
def detail(page: SetupVisit) -> Response:
    """Show a process with its steps and actions."""
    full, tree = process_of(page)
    object, _, unique = full.partition(".")
    next_one = tree.get("nextAutomatedApprover", {}).get("userHierarchyField", "")
    pairs = [
        ("Process Name", Cell(tree["label"])),
        ("Active", Cell(checked=bool(tree["active"]))),
        ("Unique Name", Cell(unique)),
        ("Next Automated Approver Determined By", Cell(next_one)),
        ("Description", Cell(tree.get("description", ""))),
        ("Object", Cell(page.org.schema[object].label)),
        ("Entry Criteria", Cell(criteria_words(page.org, tree))),
        ("Record Editability", Cell(_EDITABLE[tree["recordEditability"]])),
        ("Approval Assignment Email Template", Cell(tree.get("emailTemplate", ""))),
        ("Allow Submitters to Recall Approval Requests", Cell(checked=bool(tree.get("allowRecall")))),
        ("Initial Submitters", Cell(", ".join(_submitter(one) for one in tree.get("allowedSubmitters", ())))),
    ]
    return page.render(
        "setup/approval_process.html",
        full=full,
        tree=tree,
        name=tree["label"],
        pairs=pairs,
        steps=_steps(page, tree),
        blocks=[(one, actions.listed(page, full, tree, one)) for one in actions.blocks(tree)],
    )


@APPROVALS.post("/process/{process}/activate")
def activate(page: SetupVisit) -> Response:
    """Let records be submitted; a process without steps approves nothing."""
    full, tree = process_of(page)
    if not tree.get("approvalStep"):
        page.visit.toast("An approval process needs an approval step before it is activated.", "error")
        return page.go(address(full))
    others = [one for one in processes(page.org, full.partition(".")[0]).values() if one["active"]]
    put(page.org, full, {**tree, "active": True, "processOrder": str(len(others) + 1)})
    return page.go(address(full))


@APPROVALS.post("/process/{process}/deactivate")
def deactivate(page: SetupVisit) -> Response:
    """Let no more records be submitted."""
    full, tree = process_of(page)
    put(page.org, full, {**{key: one for key, one in tree.items() if key != "processOrder"}, "active": False})
    return page.go(address(full))


@APPROVALS.post("/process/{process}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a process that is not active."""
    full, tree = process_of(page)
    object = full.partition(".")[0]
    if tree["active"]:
        page.visit.toast("Deactivate the approval process before you delete it.", "error")
        return page.go(address(full))
    if next(page.org.rows("ProcessInstance", ProcessDefinitionId=Process(full, tree).id), None):
        page.visit.toast(
            "Records were submitted for approval in this process, so it cannot be deleted.", "error"
        )
        return page.go(address(full))
    page.org.put_component("ApprovalProcess", full, None)
    return page.go(object=object)


def _listed(page: SetupVisit, title: str, found: dict[str, Tree], *, on: bool) -> Table:
    columns: tuple[Column, ...] = (
        Column("Approval Process Name", lambda full: Cell(found[full]["label"], page.link(address(full)))),
        Column("Description", lambda full: found[full].get("description", "")),
    )
    if on:
        columns = (Column("Process Order", lambda full: found[full].get("processOrder", "")), *columns)
    chosen = [full for full, tree in found.items() if bool(tree["active"]) == on]
    return related(title, columns, chosen, lambda full: _actions(page, full, found[full]))


def _actions(page: SetupVisit, full: str, tree: Tree) -> list[Action]:
    here = address(full)
    if tree["active"]:
        return [Action("Deactivate", page.link(f"{here}/deactivate"), post=True)]
    ask = f"Are you sure you want to delete {tree['label']}?"
    return [
        Action("Edit", page.link(f"{here}/e")),
        Action("Del", page.link(f"{here}/delete"), post=True, confirm=ask),
        Action("Activate", page.link(f"{here}/activate"), post=True),
    ]


def _steps(page: SetupVisit, tree: Tree) -> Table:
    org: Org = page.org
    steps = list(enumerate(tree.get("approvalStep", ()), 1))
    columns = (
        Column("Step Number", lambda one: str(one[0])),
        Column("Name", lambda one: Cell(one[1]["label"], page.link(f"{page.path}/step/{one[0]}"))),
        Column("Description", lambda one: one[1].get("description", "")),
        Column("Criteria", lambda one: criteria_words(org, one[1])),
        Column("Assigned Approver", lambda one: approvers.words(org, one[1]["assignedApprover"])),
        Column("Reject Behavior", lambda one: _rejection(one[0], one[1])),
    )

    def made(one: tuple[int, Tree]) -> list[Action]:
        here = f"{page.path}/step/{one[0]}"
        ask = f"Are you sure you want to delete the step {one[1]['label']}?"
        return [
            Action("Edit", page.link(here)),
            Action("Del", page.link(f"{here}/delete"), post=True, confirm=ask),
        ]

    return related("Approval Steps", columns, steps, None if tree["active"] else made)


def _rejection(number: int, step: Tree) -> str:
    if number == 1:
        return "Final Rejection"
    back = step.get("rejectBehavior", {}).get("type") == "BackToPrevious"
    return "Go to Previous Step" if back else "Final Rejection"


def _submitter(one: Tree) -> str:
    words = {"owner": "Record Owner", "creator": "Record Creator", "allInternalUsers": "All Internal Users"}
    return words.get(one["type"]) or f"{one['type'].capitalize()}: {one.get('submitter', '')}"
