"""Records that repeat what metadata components say: list views, matching and duplicate rules, and picklists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salesforce_org.rules.registry import RULES
from salesforce_org.store.org import Org, Tree
from salesforce_org.store.schema import PicklistValue, read_value

STANDARD_MATCHING = (
    "Standard_Account_Match_Rule_v1_0",
    "Standard_Contact_Match_Rule_v1_1",
    "Standard_Lead_Match_Rule_v1_0",
)
FORECASTS = {"BestCase": "Best Case", "MostLikely": "Most Likely", "Forecast": "Commit"}


@RULES.on_component("ListView")
def list_view(org: Org, name: str, tree: Tree | None) -> None:
    """For every list view there is a record; it goes with its component, and so do its charts."""
    object, _, developer = name.partition(".")
    row = next(org.rows("ListView", SobjectType=object, DeveloperName=developer), None)
    with org.unchecked():
        if tree is None:
            if row:
                org.delete(row["Id"])
        elif row is None:
            org.insert("ListView", Name=tree["label"], DeveloperName=developer, SobjectType=object)
        else:
            org.update(row["Id"], Name=tree["label"])


@RULES.on_component("DuplicateRule")
def duplicate_rule(org: Org, name: str, tree: Tree | None) -> None:
    """For every duplicate rule there is a record."""
    object, _, developer = name.partition(".")
    told = (
        {}
        if tree is None
        else {developer: {"MasterLabel": tree["masterLabel"], "IsActive": tree["isActive"]}}
    )
    _repeat(org, "DuplicateRule", told, SobjectType=object, DeveloperName=developer)


@RULES.on_component("MatchingRules")
def matching_rules(org: Org, name: str, tree: Tree | None) -> None:
    """For every matching rule there is a record; those of the standard rules have no component."""
    told = {
        one["fullName"]: {
            "MasterLabel": one["label"],
            "RuleStatus": one["ruleStatus"],
            "Description": one.get("description"),
        }
        for one in (tree or {}).get("matchingRules", ())
    }
    _repeat(org, "MatchingRule", told, SobjectType=name)


def _repeat(org: Org, object: str, told: Mapping[str, dict[str, Any]], **among: str) -> None:
    """Make records what components tell of them by developer name; none of them is a standard matching rule's."""
    rows = {row["DeveloperName"]: row for row in org.rows(object, **among)}
    with org.unchecked():
        for name, row in rows.items():
            if name not in told and not (object == "MatchingRule" and name in STANDARD_MATCHING):
                org.delete(row["Id"])
        for name, fields in told.items():
            if name in rows:
                org.update(rows[name]["Id"], **fields)
            else:
                org.insert(object, **{**among, "DeveloperName": name}, **fields)


@RULES.on_component("StandardValueSet")
def value_set(org: Org, name: str, tree: Tree | None) -> None:
    """The records of a picklist that can be queried are as its component says.

    The record of a value that is renamed stays, and that of one which was deleted comes back with the value.
    """
    describe = _DESCRIBE.get(name)
    if describe is None or tree is None:
        return
    values = [read_value(given) for given in tree["standardValue"]]
    rows = {row["ApiName"]: row for row in org.rows(name)}
    deleted = {row["ApiName"]: row for object, row in org.deleted() if object == name}
    kept = {value.value for value in values}
    gone = {row["SortOrder"]: row for name, row in rows.items() if name not in kept}
    with org.unchecked():
        for order, value in enumerate(values, 1):
            fields = {
                "MasterLabel": value.label,
                "ApiName": value.value,
                "SortOrder": order,
                **describe(value),
            }
            row = rows.pop(value.value, None)
            if row is None and value.value in deleted:
                row = deleted[value.value]
                org.undelete(row["Id"])
            elif row is None and order in gone:
                row = rows.pop(gone[order]["ApiName"])
            if row is None:
                org.insert(name, **fields)
            else:
                org.update(row["Id"], **fields)
        for row in rows.values():
            org.delete(row["Id"])


def _lead_status(value: PicklistValue) -> dict[str, Any]:
    return {"IsDefault": value.default, "IsConverted": bool(value.more.get("converted"))}


def _case_status(value: PicklistValue) -> dict[str, Any]:
    return {"IsDefault": value.default, "IsClosed": bool(value.more.get("closed"))}


def _stage(value: PicklistValue) -> dict[str, Any]:
    forecast = value.more.get("forecastCategory", "Pipeline")
    return {
        "IsActive": value.active,
        "IsClosed": bool(value.more.get("closed")),
        "IsWon": bool(value.more.get("won")),
        "ForecastCategory": forecast,
        "ForecastCategoryName": FORECASTS.get(forecast, forecast),
        "DefaultProbability": value.more.get("probability", 0),
    }


_DESCRIBE = {"LeadStatus": _lead_status, "CaseStatus": _case_status, "OpportunityStage": _stage}
