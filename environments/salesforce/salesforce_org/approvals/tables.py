"""What is queried of approvals though it is not stored: ProcessDefinition, ProcessNode, and ProcessInstanceHistory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from salesforce_org.approvals.locks import items
from salesforce_org.approvals.processes import all_processes
from salesforce_org.approvals.running import step_of
from salesforce_org.soql.virtual import described, table
from salesforce_org.store import Org, Record

_TEXT: dict[str, Any] = {}


def _reference(*to: str, relationship: str, children: str | None = None) -> dict[str, Any]:
    return {"type": "reference", "to": list(to), "relationship": relationship, "children": children}


_DEFINITION = described(
    "ProcessDefinition",
    "04a",
    dict.fromkeys(
        ("Id", "Name", "DeveloperName", "Type", "Description", "TableEnumOrId", "LockType", "State"), _TEXT
    ),
)
_NODE = described(
    "ProcessNode",
    "04b",
    {
        **dict.fromkeys(("Id", "Name", "DeveloperName", "Description"), _TEXT),
        "ProcessDefinitionId": _reference("ProcessDefinition", relationship="ProcessDefinition"),
    },
)
_HISTORY = described(
    "ProcessInstanceHistory",
    "04h",
    {
        "Id": _TEXT,
        "IsPending": {"type": "boolean"},
        "ProcessInstanceId": _reference(
            "ProcessInstance", relationship="ProcessInstance", children="StepsAndWorkitems"
        ),
        "TargetObjectId": _reference(relationship="TargetObject", children="ProcessSteps"),
        "StepStatus": _TEXT,
        "ProcessNodeId": _reference("ProcessNode", relationship="ProcessNode"),
        "OriginalActorId": _reference("Group", "User", relationship="OriginalActor"),
        "ActorId": _reference("Group", "User", relationship="Actor"),
        "Comments": {"type": "textarea", "length": 255},
        "RemindersSent": {"type": "int"},
        "CreatedDate": {"type": "datetime"},
        "CreatedById": _reference("User", relationship="CreatedBy"),
    },
)


@table(_DEFINITION)
def definitions(org: Org) -> Iterator[Record]:
    """Describe every approval process."""
    for one in all_processes(org):
        yield {
            "Id": one.id,
            "Name": one.tree["label"],
            "DeveloperName": one.name,
            "Type": "Approval",
            "Description": one.tree.get("description"),
            "TableEnumOrId": one.object,
            "LockType": "Admin" if one.tree["recordEditability"] == "AdminOnly" else "Workitem",
            "State": "Active" if one.tree["active"] else "Inactive",
        }


@table(_NODE)
def nodes(org: Org) -> Iterator[Record]:
    """Describe every step of every approval process."""
    for process in all_processes(org):
        for one in process.steps:
            yield {
                "Id": one.id,
                "Name": one.tree["label"],
                "DeveloperName": one.tree["name"],
                "Description": one.tree.get("description"),
                "ProcessDefinitionId": process.id,
            }


@table(_HISTORY)
def history(org: Org) -> Iterator[Record]:
    """Tell what was done with every request, and whose answer it waits for."""
    for instance in org.rows("ProcessInstance"):
        yield from of_instance(org, instance)


def of_instance(org: Org, instance: Record) -> Iterator[Record]:
    """Yield what was done with a request, oldest first, and at last whose answer it waits for."""
    for row in org.rows("ProcessInstanceStep", ProcessInstanceId=instance["Id"]):
        yield _entry(instance, row, row["StepStatus"], row["StepNodeId"])
    step = step_of(org, instance)
    for row in items(org, instance):
        yield _entry(instance, row, "Pending", step.id if step else None)


def _entry(instance: Record, row: Record, status: str, node: str | None) -> Record:
    names = ("Id", "ProcessInstanceId", "OriginalActorId", "ActorId", "CreatedDate", "CreatedById")
    return {
        **{name: row[name] for name in names},
        "IsPending": status == "Pending",
        "TargetObjectId": instance["TargetObjectId"],
        "StepStatus": status,
        "ProcessNodeId": node,
        "Comments": row.get("Comments"),
        "RemindersSent": 0,
    }
