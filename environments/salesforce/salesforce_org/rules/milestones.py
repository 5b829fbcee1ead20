"""Entitlement processes: their records, and the milestones of cases whose entitlement has one."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from salesforce_org.approvals.actions import perform
from salesforce_org.criteria import fits
from salesforce_org.formulas import BOOLEAN, Use, record_formula
from salesforce_org.rules.registry import RULES
from salesforce_org.store import values
from salesforce_org.store.org import Change, Org, Record, Tree

KIND = "EntitlementProcess"
_FIELDS = {
    "Name": "name",
    "Description": "description",
    "SobjectType": "SObjectType",
    "StartDateField": "entryStartDateField",
}
# Elements with criteria: their entries, the filter logic, and a formula in place of both.
_EXIT = ("exitCriteriaFilterItems", "exitCriteriaBooleanFilter", "exitCriteriaFormula")
_BEGIN = ("milestoneCriteriaFilterItems", "criteriaBooleanFilter", "milestoneCriteriaFormula")


@RULES.on_component(KIND)
def check_formulas(org: Org, name: str, tree: Tree | None) -> None:
    """Criteria that are no formula of the records are refused."""
    told = tree or {}
    formulas = (told.get(_EXIT[2]), *(one.get(_BEGIN[2]) for one in told.get("milestones", ())))
    for text in formulas:
        if text:
            record_formula(org.schema, told["SObjectType"], text, Use.WORKFLOW, BOOLEAN)


@RULES.on_component(KIND)
def process(org: Org, name: str, tree: Tree | None) -> None:
    """For every process there is a record, by which entitlements name it."""
    row = next(org.rows("SlaProcess", NameNorm=name), None)
    with org.unchecked():
        if tree is None:
            if row:
                org.delete(row["Id"])
                org.purge(row["Id"])
            return
        given: dict[str, Any] = {field: tree.get(element) for field, element in _FIELDS.items()}
        given |= {"NameNorm": name, "IsActive": bool(tree.get("active"))}
        given |= {"IsVersionDefault": bool(tree.get("isVersionDefault"))}
        given |= {
            "VersionNumber": int(tree.get("versionNumber", 1)),
            "VersionMaster": tree.get("versionMaster"),
        }
        if row is None:
            org.insert("SlaProcess", **given)
        else:
            org.update(row["Id"], **given)


@RULES.on("before", "Case")
def starts_and_exits(change: Change) -> None:
    """A case enters the process of its entitlement when it gets one, and leaves it when it meets the exit criteria."""
    tree = _process_of(change.org, change.new)
    if tree is None:
        return
    new = change.new
    if change.turned("EntitlementId") and not new["SlaStartDate"]:
        field = str(tree.get("entryStartDateField", "")).partition(".")[2]
        new["SlaStartDate"] = new.get(field) or values.moment(change.org.now)
    if not any(tree.get(one) for one in _EXIT) or not fits(change.org, "Case", new, tree, *_EXIT):
        new["SlaExitDate"] = None
    elif not new["SlaExitDate"]:
        new["SlaExitDate"] = values.moment(change.org.now)


@RULES.on("after", "Case")
def milestones(change: Change) -> None:
    """A case in a process has each of its milestones whose criteria it meets, with the time by which it is due."""
    org, case = change.org, change.new
    tree = _process_of(org, case)
    if tree is None or case["SlaExitDate"] or not case["SlaStartDate"]:
        return
    known = {row["MilestoneTypeId"] for row in org.rows("CaseMilestone", CaseId=case["Id"])}
    for item in tree.get("milestones", ()):
        kind = next(org.rows("MilestoneType", Name=item["milestoneName"]), None)
        if kind and kind["Id"] not in known and fits(org, "Case", case, item, *_BEGIN):
            _begin(org, case, kind, item)


def _begin(org: Org, case: Record, kind: Record, item: Tree) -> None:
    by_criteria = item.get("useCriteriaStartTime") and any(item.get(one) for one in _BEGIN)
    start = org.now if by_criteria else values.read_moment(case["SlaStartDate"])
    minutes = int(item.get("minutesToComplete", 0))
    with org.unchecked():
        org.insert(
            "CaseMilestone",
            CaseId=case["Id"],
            MilestoneTypeId=kind["Id"],
            StartDate=values.moment(start),
            TargetDate=values.moment(start + timedelta(minutes=minutes)),
            TargetResponseInMins=minutes,
        )


@RULES.on("after", "CaseMilestone")
def succeeds(change: Change) -> None:
    """The success actions of a milestone are done for its case once it is completed."""
    if change.old is None or change.old["CompletionDate"] or not change.new["CompletionDate"]:
        return
    org, row = change.org, change.new
    tree = _process_of(org, org.get("Case", row["CaseId"]) or {"EntitlementId": None})
    kind = org.get("MilestoneType", row["MilestoneTypeId"]) or {}
    for item in (tree or {}).get("milestones", ()):
        if item["milestoneName"] == kind.get("Name"):
            perform(org, "Case", row["CaseId"], {"action": item.get("successActions", ())})


def _process_of(org: Org, case: Record) -> Tree | None:
    entitlement = org.get("Entitlement", case["EntitlementId"])
    row = org.get("SlaProcess", entitlement["SlaProcessId"]) if entitlement else None
    tree = org.component(KIND, row["NameNorm"]) if row else None
    return tree if tree and tree.get("active") and tree["SObjectType"] == "Case" else None


@RULES.compute("milestone_completed")
def completed(org: Org, row: Record) -> bool:
    """Whether somebody completed a milestone."""
    return row["CompletionDate"] is not None


@RULES.compute("milestone_violated")
def violated(org: Org, row: Record) -> bool:
    """Whether a milestone was completed too late, or is late now."""
    until = row["CompletionDate"] or values.moment(org.now)
    return bool(row["TargetDate"]) and values.read_moment(until) > values.read_moment(row["TargetDate"])
