"""Approval processes as Setup's pages read and write them: which objects have them, what new ones hold, their order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salesforce_org.approvals import processes as definitions
from salesforce_org.approvals.processes import KIND
from salesforce_org.metadata.records import api_name, said
from salesforce_org.metadata.trees import ordered
from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.criteria import Criteria, of_tree, sentence, stored
from salesforce_org.store import DmlError, Org, SObject
from salesforce_org.store.org import Tree


def objects(org: Org) -> list[SObject]:
    """Return the objects whose records can be approved, by label."""
    return sorted(
        (org.schema[name] for name in definitions.objects(org)), key=lambda one: one.label.casefold()
    )


def processes(org: Org, object: str) -> dict[str, Tree]:
    """Return the processes of an object by full name, in their order."""
    return {one.full: one.tree for one in definitions.processes(org, object)}


def process_of(page: SetupVisit) -> tuple[str, Tree]:
    """Return full name and tree of the process that an inner address names.

    Raises:
        NotHere: There is none.
    """
    full = page.params["process"]
    tree = page.org.component(KIND, full)
    if tree is None:
        raise NotHere
    return full, tree


def address(full: str) -> str:
    """Return the inner address of a process."""
    return f"/process/{full}"


def put(org: Org, full: str, tree: Mapping[str, Any]) -> None:
    """Store a process with its elements in order."""
    org.put_component(KIND, full, ordered(KIND, tree))


def claim(org: Org, object: str, given: Mapping[str, Any], old: str = "") -> str:
    """Return the full name of a process of a unique name.

    Raises:
        DmlError: The name is none, or taken.
    """
    full = f"{object}.{name_given(given['unique'])}"
    taken = {one.casefold() for one in org.components(KIND) if one != old}
    if full.casefold() in taken:
        raise DmlError("DUPLICATE_DEVELOPER_NAME", "This unique name is already in use", ("unique",))
    return full


def name_given(name: str) -> str:
    """Return a unique name that may be given.

    Raises:
        DmlError: It may not.
    """
    try:
        return api_name(name)
    except Exception as problem:
        raise DmlError("INVALID_FIELD", str(problem), ("unique",)) from None


def criteria_tree(org: Org, criteria: Criteria) -> dict[str, Any]:
    """Return criteria as the entry criteria of a process or step; nothing where there are none."""
    found = stored(org, criteria, "criteriaItems", "booleanFilter")
    return {"entryCriteria": found} if found else {}


def criteria_of(tree: Tree) -> Criteria:
    """Return the entry criteria of a process or step as rows."""
    found = tree.get("entryCriteria", {})
    return of_tree(found.get("criteriaItems", ()), found.get("booleanFilter"))


def criteria_words(org: Org, tree: Tree) -> str:
    """Return the entry criteria of a process or step in words."""
    found = tree.get("entryCriteria", {})
    formula = str(found.get("formula", ""))
    return formula or sentence(org, found.get("criteriaItems", ()), found.get("booleanFilter"))


def templates(org: Org) -> tuple[Choice, ...]:
    """Return the email templates of the org."""
    return tuple(Choice(one, one) for one in sorted(org.components("EmailTemplate")))


def new_process(label: str, **more: Any) -> dict[str, Any]:
    """Return a process as the Jump Start Wizard makes it, but for criteria and steps."""
    return said(
        active=False,
        allowRecall=False,
        allowedSubmitters=[{"type": "owner"}],
        approvalPageFields={"field": ["Name", "Owner"]},
        enableMobileDeviceAccess=False,
        finalApprovalRecordLock=True,
        finalRejectionRecordLock=False,
        label=label,
        recordEditability="AdminOnly",
        showApprovalHistory=True,
        **more,
    )
