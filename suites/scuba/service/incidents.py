"""Incidents and change requests: what the tasks want to be true."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_cuabench.task import Case
from pytest_cuabench.verdict import Milestone

from ..judging import ASKED, Work, exists, holds, judged, listed

Milestones = Iterator[Milestone]

# What the status of an incident says of it beside its name.
INCIDENT_STATUS = (
    "Status",
    "StatusCode",
    "IsClosed",
    "EndDateTime",
    "ResolutionDateTime",
    "ResolvedById",
    "IsStopped",
)


@judged
def service_013(work: Work, case: Case) -> Milestones:
    """Have the incident, related to exactly these products."""
    identity = {
        "Subject": case["subject"],
        "Urgency": case["urgency"],
        "Impact": case["impact"],
        "Priority": case["priority"],
    }
    incident = work.closest("Incident", identity)
    attempt = incident or next(iter(work.made("Incident")), None)
    items = work.made("IncidentRelatedItem", IncidentId=attempt["Id"]) if attempt else []
    work.claim(*items)
    found = sorted((str(row.get("Product2Id") or ""), str(row.get("ImpactType") or "")) for row in items)
    impacts = [entry["impact"] for entry in case["products"]]
    wanted = sorted(zip(case["product_ids"], impacts, strict=True))
    tried = [" / ".join(str(made.get(name)) for name in identity) for made in work.made("Incident")]
    seen = listed(f"{work.after.name('Product2', id)} ({impact or 'no impact type'})" for id, impact in found)
    yield Milestone("incident", incident is not None, 0.5, " / ".join(identity.values()), listed(tried))
    yield Milestone("products", found == wanted, 0.5, case["products_words"], seen)


@judged
def service_014(work: Work, case: Case) -> Milestones:
    """Have the change request, its link to the incident, and the incident's status."""
    work.may_change("Incident", case["incident_id"], *INCIDENT_STATUS)
    identity = {
        "Subject": case["subject"],
        "Priority": case["priority"],
        "Impact": case["impact"],
        "RiskLevel": case["risk"],
    }
    request = work.closest("ChangeRequest", identity, Description=case["description"])
    attempt = request or next(iter(work.made("ChangeRequest")), None)
    links = work.made("ChangeRequestRelatedIssue", ChangeRequestId=attempt["Id"]) if attempt else []
    ours = [row for row in links if row["RelatedIssueId"] == case["incident_id"]]
    work.claim(*ours[:1])
    seen = listed(work.after.name("Incident", row["RelatedIssueId"]) for row in links)
    yield exists("change_request", 0.4, request, " / ".join(identity.values()))
    yield Milestone("linked", bool(ours), 0.4, f"linked to '{case['incident']}'", seen)
    incident = work.after.get("Incident", case["incident_id"])
    yield holds("incident_status", 0.2, incident, "Status", case["status"])
    yield holds("description", ASKED, request, "Description", case["description"])
