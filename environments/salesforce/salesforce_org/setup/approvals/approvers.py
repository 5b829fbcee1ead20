"""Who approves: the choice that the Jump Start Wizard and the form of a step offer, and how metadata has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import Input
from salesforce_org.setup.shown import named
from salesforce_org.store import DmlError, Org
from salesforce_org.store.org import Tree

HIERARCHY = "Manager"
MANUAL, BY_HIERARCHY, BY_NAME = "adhoc", "userHierarchyField", "user"
_HOW = (
    Choice(MANUAL, "Let the submitter choose the approver manually."),
    Choice(BY_HIERARCHY, "Automatically assign an approver using the hierarchy field Manager."),
    Choice(BY_NAME, "Automatically assign to approver(s)."),
)
_WHEN = (
    Choice("FirstResponse", "Approve or reject based on the FIRST response."),
    Choice("Unanimous", "Require UNANIMOUS approval from all selected approvers."),
)


def inputs(org: Org) -> tuple[Input, ...]:
    """Return the controls that ask for the approver."""
    users = [
        Choice(row["Username"], named(org, row["Id"]), "Users") for row in org.rows("User", IsActive=True)
    ]
    queues = [
        Choice(f"queue:{row['DeveloperName']}", f"Queue: {row['Name']}", "Queues")
        for row in org.rows("Group", Type="Queue")
    ]
    offered = tuple(sorted((*users, *queues), key=lambda choice: choice.label.casefold()))
    return (
        Input("how", "Select Approver", "radio", True, _HOW),
        Input(
            "approvers",
            "Approvers",
            "dual",
            choices=offered,
            titles=("Available Approvers", "Selected Approvers"),
            help="Only for automatic assignment to approvers.",
        ),
        Input("when", "When multiple approvers are selected", "radio", choices=_WHEN),
    )


def values(tree: Tree) -> dict[str, Any]:
    """Return what stands in the controls for a step's approvers."""
    found = tree.get("approver", ())
    kind = found[0]["type"] if found else MANUAL
    named = [_value(one) for one in found if "name" in one and one["type"] in ("user", "queue")]
    how = kind if kind in (MANUAL, BY_HIERARCHY) else BY_NAME
    return {"how": how, "approvers": named, "when": tree.get("whenMultipleApprovers", "FirstResponse")}


def tree_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step's approvers as metadata has them.

    Raises:
        DmlError: Nobody was chosen.
    """
    if given["how"] == BY_NAME:
        if not given["approvers"]:
            raise DmlError("REQUIRED_FIELD_MISSING", "You must enter a value", ("approvers",))
        found = [_approver(one) for one in given["approvers"]]
        return {"approver": found, "whenMultipleApprovers": given["when"] or "FirstResponse"}
    named = {"name": HIERARCHY} if given["how"] == BY_HIERARCHY else {}
    return {"approver": [{**named, "type": given["how"]}]}


def words(org: Org, tree: Tree) -> str:
    """Return a step's approvers in words."""
    told = []
    for one in tree.get("approver", ()):
        if one["type"] == "user":
            row = next(org.rows("User", Username=one.get("name")), None)
            told.append(f"User: {named(org, row['Id']) if row else one.get('name')}")
        elif one["type"] == "queue":
            told.append(f"Queue: {one.get('name')}")
        else:
            told.append("Manually Chosen" if one["type"] == MANUAL else str(one.get("name")))
    return ", ".join(told)


def _value(one: Tree) -> str:
    return f"queue:{one['name']}" if one["type"] == "queue" else str(one["name"])


def _approver(value: str) -> dict[str, str]:
    kind, _, name = value.rpartition(":")
    return {"name": name, "type": kind or "user"}
