"""What approvals do: field updates change the record, tasks become records; alerts and messages are noted, not sent."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from salesforce_org.formulas import EvaluationError, FormulaError, Scope, Use, record_formula
from salesforce_org.formulas.values import stored
from salesforce_org.store import DmlError, Field, Org, Record, SObject
from salesforce_org.store.org import Tree

Action = Callable[[Org, SObject, Record, Tree], None]


def perform(org: Org, object: str, id: str, actions: Tree) -> None:
    """Do the actions of a block, such as the `finalApprovalActions` of a process, for a record.

    Raises:
        DmlError: A field cannot hold what it is set to.
    """
    kind, workflow = org.schema[object], org.component("Workflow", object) or {}
    for told in actions.get("action", ()):
        element, does = _DOES.get(told["type"], ("", _note))
        entry = next((one for one in workflow.get(element, ()) if one["fullName"] == told["name"]), None)
        row = org.get(object, id)
        if entry is not None and row is not None:
            does(org, kind, row, entry)


def _update(org: Org, kind: SObject, row: Record, entry: Tree) -> None:
    """Set a field of the record, or of the parent that `targetObject` leads to."""
    if entry.get("targetObject"):
        reference = _field(kind, entry["targetObject"])
        above = org.schema.of_id(row.get(reference.name) or "")
        target = org.get(above.name, row[reference.name]) if above else None
        if above is None or target is None:
            return
        kind, changed = above, target
    else:
        changed = row
    field = _field(kind, entry["field"])
    with org.unchecked(), org.unvalidated():
        org.update(changed["Id"], **{field.name: _value(org, kind, changed, field, entry)})


def _field(kind: SObject, name: str) -> Field:
    found = kind.field(name) or kind.field(f"{name}Id")
    if found is None:
        raise DmlError("INVALID_FIELD", f"No such column '{name}' on entity '{kind.name}'")
    return found


def _value(org: Org, kind: SObject, row: Record, field: Field, entry: Tree) -> Any:
    match entry["operation"]:
        case "Literal":
            return entry.get("literalValue")
        case "Formula":
            try:
                formula = record_formula(org.schema, kind.name, entry["formula"], Use.WORKFLOW)
                return stored(field, formula.evaluate(Scope(org, kind, row)))
            except (FormulaError, EvaluationError) as problem:
                raise DmlError("FORMULA_EXPRESSION_INVALID", f"{entry['name']}: {problem}") from None
        case "LookupValue":
            return _named(org, str(entry.get("lookupValueType", "User")).casefold(), entry["lookupValue"])
        case "NextValue" | "PreviousValue":
            values = [one.value for one in org.picklist(field) if one.active]
            at = values.index(row[field.name]) if row[field.name] in values else -1
            at += 1 if entry["operation"] == "NextValue" else -1
            return values[min(max(at, 0), len(values) - 1)] if values else None
        case _:
            return None


def _task(org: Org, kind: SObject, row: Record, entry: Tree) -> None:
    owner = _named(org, entry["assignedToType"], entry.get("assignedTo", ""), row)
    due = timedelta(days=int(entry.get("dueDateOffset") or 0))
    start = kind.field(str(entry.get("offsetFromField", "")).rpartition(".")[2])
    begins = date.fromisoformat(str(row[start.name])[:10]) if start and row.get(start.name) else org.today()
    points = (one for one in org.schema["Task"].fields if one.name in ("WhoId", "WhatId"))
    about = {one.name: row["Id"] for one in points if kind.name in one.to}
    org.insert(
        "Task",
        **about,
        Subject=entry["subject"],
        OwnerId=owner if owner and owner.startswith("005") else org.user_id,
        ActivityDate=(begins + due).isoformat(),
        Status=entry["status"],
        Priority=entry["priority"],
        Description=entry.get("description"),
    )


def _named(org: Org, type: str, name: str, row: Record | None = None) -> str | None:
    """Return the id of the user or queue that an action names: by name, by role, or as somebody of the record."""
    match type:
        case "owner":
            return (row or {}).get("OwnerId")
        case "creator":
            return (row or {}).get("CreatedById")
        case "queue":
            rows = org.rows("Group", Type="Queue", DeveloperName=name)
        case "role":
            roles = [role["Id"] for role in org.rows("UserRole", DeveloperName=name)]
            rows = (user for user in org.rows("User", IsActive=True) if user["UserRoleId"] in roles)
        case _:
            rows = org.rows("User", Username=name)
    return next((str(one["Id"]) for one in rows), None)


def _note(org: Org, kind: SObject, row: Record, entry: Tree) -> None:
    """Note in the journal what would be sent."""
    org.note("WorkflowAction", {"name": entry["fullName"], "object": kind.name, "record": row["Id"]})


_DOES: dict[str, tuple[str, Action]] = {
    "FieldUpdate": ("fieldUpdates", _update),
    "Task": ("tasks", _task),
    "Alert": ("alerts", _note),
    "OutboundMessage": ("outboundMessages", _note),
}
