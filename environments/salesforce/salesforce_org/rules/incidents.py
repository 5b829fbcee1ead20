"""Incidents, problems and change requests."""

from __future__ import annotations

from salesforce_org.rules.registry import RULES, alone, means
from salesforce_org.store import values
from salesforce_org.store.org import Change

LEVELS = ("Low", "Medium", "High")
# From how urgent (first) and how far-reaching (second) it is.
PRIORITIES = (("Low", "Low", "Moderate"), ("Low", "Moderate", "High"), ("Moderate", "High", "Critical"))


@RULES.on("before", "Incident", "Problem")
def priority(change: Change) -> None:
    """Urgency and impact suggest a priority; one that is given stays."""
    new = change.new
    turned = change.turned("Urgency") or change.turned("Impact")
    if not turned or "Priority" in change.given or (change.old and change.old["Priority"]):
        return
    if new["Urgency"] in LEVELS and new["Impact"] in LEVELS:
        new["Priority"] = PRIORITIES[LEVELS.index(new["Urgency"])][LEVELS.index(new["Impact"])]


@RULES.on("before", "Incident", "Problem", "ChangeRequest")
def status(change: Change) -> None:
    """They are closed when their status says so."""
    new = change.new
    new["IsClosed"] = means(change.org, change.object.name, "Status", new["Status"], "closed")
    if change.object.name == "Incident":
        new["StatusCode"] = "In Progress" if new["Status"] == "Open" else new["Status"]
        if new["IsClosed"] and not new["ResolutionDateTime"]:
            new["ResolutionDateTime"] = values.moment(change.org.now)


@RULES.on("before", "ChangeRequestRelatedIssue")
def issue(change: Change) -> None:
    """A change request names the object of an issue, and has it once."""
    new = change.new
    found = change.org.schema.of_id(new["RelatedIssueId"] or "")
    new["RelatedEntityType"] = found.name if found else None
    _once(change, "ChangeRequestId", "RelatedIssueId")


@RULES.on("before", "ProblemIncident")
def problem_incident(change: Change) -> None:
    """A problem has an incident once."""
    _once(change, "ProblemId", "IncidentId")


@RULES.on("before", "CaseRelatedIssue")
def case_issue(change: Change) -> None:
    """A case has an issue once."""
    _once(change, "CaseId", "RelatedIssueId")


def _once(change: Change, *fields: str) -> None:
    alone(change, "They are linked already", fields, **{name: change.new[name] for name in fields})
