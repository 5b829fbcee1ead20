"""Approval processes in Setup: both wizards, steps, actions and activation."""

from __future__ import annotations

from typing import Any

import pytest

from .setup_browser import Browser, browser, writes

HOME = "/lightning/setup/ApprovalProcesses/home"
RICH = {
    "criteria:field": ["Opportunity.Amount"],
    "criteria:operator": ["greaterThan"],
    "criteria:value": ["1,200"],
}


@pytest.fixture
def setup() -> Browser:
    """A browser in an org of its own."""
    return browser()


def process(one: Browser, full: str) -> dict[str, Any]:
    """Return an approval process as metadata has it."""
    return dict(one.org.component("ApprovalProcess", full) or {})


def jump(one: Browser, object: str, label: str, **more: Any) -> Browser:
    """Make a process with the Jump Start Wizard."""
    one.go(f"{HOME}?object={object}").open("Use Jump Start Wizard")
    return one.send("Save", label=label, unique=label.replace(" ", "_"), **more)


def test_the_jump_start_wizard(setup: Browser) -> None:
    """One page makes a process with criteria and one step; it is not active, and locks what is approved."""
    jump(setup, "Opportunity", "Big deals", **RICH)
    found = process(setup, "Opportunity.Big_deals")
    condition = {"field": "Opportunity.Amount", "operation": "greaterThan", "value": "1200"}
    assert found["entryCriteria"] == {"criteriaItems": [condition]}
    assert found["approvalStep"][0]["assignedApprover"] == {"approver": [{"type": "adhoc"}]}
    assert (found["active"], found["finalApprovalRecordLock"]) == (False, True)
    assert "Opportunity: Amount greater than 1200" in setup.text
    assert [row[1] for row in setup.go(f"{HOME}?object=Opportunity").rows("Inactive Approval Processes")] == [
        "Big deals"
    ]
    assert writes(setup) == [("metadata/ApprovalProcess", "insert")]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"label": ""}, "You must enter a value"),
        ({"unique": "2nd try"}, "must begin with a letter"),
        ({"how": "user"}, "You must enter a value"),
        ({**RICH, "criteria:value": ["lots"]}, "Invalid number"),
    ],
)
def test_processes_that_do_not_do(setup: Browser, more: dict[str, Any], message: str) -> None:
    """What is wrong with a process stands beside it, and nothing is stored."""
    setup.go(f"{HOME}?object=Opportunity").open("Use Jump Start Wizard")
    setup.send("Save", **{"label": "Big", "unique": "Big", **more})
    assert message in setup.text
    assert not writes(setup)


def test_the_standard_wizard(setup: Browser) -> None:
    """Six steps ask for all that a process has but for its steps; the same steps change it later."""
    setup.go(f"{HOME}?object=Opportunity").open("Use Standard Setup Wizard")
    setup.send("Next", label="Deals", unique="Deals", description="All of them").send("Next", **RICH)
    setup.send("Next", next="Manager").send("Next").send("Next", fields=["Name", "Amount"])
    setup.send("Save", submitters=["owner", "allInternalUsers"], allowRecall="true")
    found = process(setup, "Opportunity.Deals")
    assert found["nextAutomatedApprover"] == {
        "useApproverFieldOfRecordOwner": False,
        "userHierarchyField": "Manager",
    }
    assert found["allowedSubmitters"] == [{"type": "owner"}, {"type": "allInternalUsers"}]
    assert (found["allowRecall"], found["approvalPageFields"]) == (True, {"field": ["Name", "Amount"]})
    setup.open("Edit").send("Next", label="Trades")
    for _ in range(4):
        setup.send("Next")
    setup.send("Save")
    assert process(setup, "Opportunity.Deals") == {**found, "label": "Trades"}


def test_steps(setup: Browser) -> None:
    """Steps are added one after another, each with its approvers; a later one may send back."""
    jump(setup, "Account", "Check")
    queue = "queue:billing_support_queue"
    setup.open("New Approval Step").send(
        "Save", how="user", approvers=[queue], rejected="BackToPrevious", description="Bills"
    )
    second = process(setup, "Account.Check")["approvalStep"][1]
    assert second["assignedApprover"]["approver"] == [{"name": "billing_support_queue", "type": "queue"}]
    assert second["rejectBehavior"] == {"type": "BackToPrevious"}
    assert [row[-1] for row in setup.rows("Approval Steps")] == ["Final Rejection", "Go to Previous Step"]
    setup.send("Del 2")
    assert len(process(setup, "Account.Check")["approvalStep"]) == 1


def test_activation(setup: Browser) -> None:
    """A process is activated and takes its place in the order; active ones are not deleted."""
    jump(setup, "Account", "Check").send("Activate")
    assert (process(setup, "Account.Check")["active"], process(setup, "Account.Check")["processOrder"]) == (
        True,
        "1",
    )
    assert "New Approval Step" not in setup.text
    setup.send("Deactivate").send("Delete")
    assert not process(setup, "Account.Check")


def add(one: Browser, block: str, kind: str = "Field Update") -> Browser:
    """Open the form of a new action of a block."""
    places = {
        "Final Approval Actions": "finalApprovalActions",
        "Step 1: Approval Actions": "1-approvalActions",
    }
    name = kind.replace(" ", "").replace("Email", "")
    return one.go(
        f"/lightning/setup/ApprovalProcesses/page?address=/process/Account.Check/new/{places[block]}/{name}"
    )


def test_a_field_update(setup: Browser) -> None:
    """A new field update of a picklist's value is stored with its object's actions, and the process refers to it."""
    jump(setup, "Account", "Check")
    add(setup, "Final Approval Actions").send("Save", field="CleanStatus", name="mark clean")
    assert setup.options("Specific Value")["In Sync"] == "Matched"
    setup.send("Save", unique="mark_clean", operation="Literal", literal="Matched")
    (update,) = (setup.org.component("Workflow", "Account") or {})["fieldUpdates"]
    assert (update["fullName"], update["field"], update["literalValue"]) == (
        "mark_clean",
        "CleanStatus",
        "Matched",
    )
    assert process(setup, "Account.Check")["finalApprovalActions"] == {
        "action": [{"name": "mark_clean", "type": "FieldUpdate"}]
    }
    assert [row[1:] for row in setup.rows("Final Approval Actions")] == [
        ["Record Lock", "Lock the record from being edited"],
        ["Field Update", "mark clean"],
    ]


@pytest.mark.parametrize(
    ("field", "given", "stored"),
    [
        ("Name", {"operation": "Formula", "formula": 'Name & "!"'}, ("formula", 'Name & "!"')),
        ("Phone", {"operation": "Null"}, ("operation", "Null")),
        ("Owner", {"owner": "queue:billing_support_queue"}, ("lookupValueType", "Queue")),
    ],
)
def test_kinds_of_new_values(
    setup: Browser, field: str, given: dict[str, str], stored: tuple[str, str]
) -> None:
    """A field update may empty a field, compute it, or name an owner."""
    jump(setup, "Account", "Check")
    add(setup, "Step 1: Approval Actions").send("Save", field=field)
    setup.send("Save", name="Change", unique="Change", **given)
    (update,) = (setup.org.component("Workflow", "Account") or {})["fieldUpdates"]
    assert update[stored[0]] == stored[1]
    assert process(setup, "Account.Check")["approvalStep"][0]["approvalActions"]["action"]


def test_tasks_and_existing_actions(setup: Browser) -> None:
    """A task is made for one block, added to another, and stays when it is removed from both."""
    jump(setup, "Account", "Check")
    add(setup, "Final Approval Actions", "Task").send(
        "Save", subject="Call", unique="Call", to="owner", offset="3"
    )
    setup.open("Add Existing Final Rejection Actions").send("Save", actions=["Task:Call"])
    assert process(setup, "Account.Check")["finalRejectionActions"] == {
        "action": [{"name": "Call", "type": "Task"}]
    }
    setup.go("/lightning/setup/WorkflowTasks/home").send("Del Call")
    assert (setup.org.component("Workflow", "Account") or {})["tasks"]
    setup.go("/lightning/setup/ApprovalProcesses/page?address=/process/Account.Check")
    setup.send("Remove Task").send("Remove Task")
    setup.go("/lightning/setup/WorkflowTasks/home").send("Del Call")
    assert not setup.org.component("Workflow", "Account")


def test_record_locks(setup: Browser) -> None:
    """Whether a record stays locked after its approval can be chosen."""
    jump(setup, "Account", "Check")
    setup.open("Edit Record Lock").send("Save", lock="unlock")
    assert process(setup, "Account.Check")["finalApprovalRecordLock"] is False
