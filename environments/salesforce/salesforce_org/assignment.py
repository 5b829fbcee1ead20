"""Assignment rules of cases and leads: the active rule's first entry that a record meets names its owner."""

from __future__ import annotations

from collections.abc import Mapping

from salesforce_org.criteria import fits
from salesforce_org.store import Org
from salesforce_org.store.org import Tree

KIND = "AssignmentRules"
ASSIGNED = ("Case", "Lead")


def active_rule(org: Org, object: str) -> Tree | None:
    """Return the active rule of an object."""
    rules = (org.component(KIND, object) or {}).get("assignmentRule", ())
    return next((rule for rule in rules if rule.get("active")), None)


def assign(org: Org, object: str, id: str) -> None:
    """Give a record the owner that the active rule names; without a fitting entry it keeps its own."""
    row, rule = org.get(object, id), active_rule(org, object)
    if row is None or rule is None:
        return
    for entry in rule.get("ruleEntry", ()):
        if fits(org, object, row, entry, "criteriaItems", "booleanFilter", "formula"):
            owner = owner_of(org, entry)
            if owner is not None and owner != row["OwnerId"]:
                org.update(id, OwnerId=owner)
            return


def asked_for(headers: Mapping[str, str], object: str) -> bool:
    """Whether a call of a tool lets the active rule assign a new record: unless `Sforce-Auto-Assign` is false."""
    return object in ASSIGNED and headers.get("sforce-auto-assign", "true").casefold() != "false"


def owner_of(org: Org, entry: Tree) -> str | None:
    """Return the id of the user or queue that an entry names; None where it leaves the owner."""
    name = entry.get("assignedTo")
    queue = entry.get("assignedToType") == "Queue"
    rows = org.rows("Group", Type="Queue", DeveloperName=name) if queue else org.rows("User", Username=name)
    return next((str(row["Id"]) for row in rows), None) if name else None
