"""How the benchmark's authors score the tasks of service."""

from __future__ import annotations

from pytest_cuabench.evidence import Evidence
from pytest_cuabench.task import Case

from ..judging import Findings
from ..records import Records, plain
from ..upstream import answer as upstream_service_011
from ..upstream import fact, first

__all__ = ["upstream_service_011"]


def upstream_service_001(evidence: Evidence, case: Case) -> Findings:
    """A queue of the developer name; members may be more, and an address that nobody asked for is free."""
    org = Records(evidence.after)
    queue = first(org.where("Group", Type="Queue", DeveloperName="_".join(case["queue"].split())))
    object = first(org.where("QueueSobject", QueueId=queue["Id"]) if queue else [])
    members = org.where("GroupMember", GroupId=queue["Id"]) if queue else []
    ids = {row["UserOrGroupId"] for row in members}
    yield fact("queue", 0.3, bool(queue))
    yield fact("object", 0.2, object.get("SobjectType") == case["object"])
    yield fact("email", 0.25, not case["email"] or queue.get("Email") == case["email"])
    yield fact("members", 0.25, set(case["member_ids"]) <= ids)


def upstream_service_003(evidence: Evidence, case: Case) -> Findings:
    """The first case of subject, status and origin."""
    org = Records(evidence.after)
    identity = {"Subject": case["subject"], "Status": case["status"], "Origin": case["origin"]}
    row = first(org.where("Case", **identity))
    yield fact("case", 0.4, bool(row))
    yield fact("priority", 0.15, row.get("Priority") == case["priority"])
    yield fact("type", 0.15, row.get("Type") == case["type"])
    yield fact("reason", 0.15, row.get("Reason") == case["reason"])
    yield fact("contact", 0.15, org.name("Contact", row.get("ContactId")) == case["contact"])


def upstream_service_004(evidence: Evidence, case: Case) -> Findings:
    """The first case of the subject; its owner is not looked at."""
    row = first(Records(evidence.after).where("Case", Subject=case["subject"]))
    yield fact("status", 0.5, row.get("Status") == case["status"])
    for name, wanted in case["updates"].items():
        yield fact(name.removesuffix("__c").lower(), 0.5 / len(case["updates"]), row.get(name) == wanted)


def upstream_service_005(evidence: Evidence, case: Case) -> Findings:
    """The first entitlement of the name and account."""
    org = Records(evidence.after)
    row = first(org.where("Entitlement", Name=case["entitlement"], AccountId=case["account_id"]))
    dates = [row.get("StartDate"), row.get("EndDate")]
    yield fact("entitlement", 0.4, bool(row))
    yield fact("type", 0.3, row.get("Type") == case["type"])
    yield fact("dates", 0.3, dates == [case["starts_on"], case["ends_on"]])


def upstream_service_006(evidence: Evidence, case: Case) -> Findings:
    """Each milestone with its recurrence, if there are as many as were asked for."""
    rows = Records(evidence.after).all("MilestoneType")
    known = {(row["Name"], row.get("RecurrenceType")) for row in rows}
    entries = case["milestones"]
    for number, entry in enumerate(entries, 1):
        there = (entry["name"], entry["recurrence"]) in known and len(rows) >= len(entries)
        yield fact(f"milestone_{number}", 1 / len(entries), there)


def upstream_service_010(evidence: Evidence, case: Case) -> Findings:
    """The first article of the title."""
    row = first(Records(evidence.after).where("Knowledge__kav", Title=case["title"]))
    texts = [plain(row.get("Question__c")), plain(row.get("Answer__c"))]
    yield fact("article", 0.3, bool(row))
    yield fact("published", 0.3, row.get("PublishStatus") == "Online")
    yield fact("texts", 0.4, texts == [plain(case["question"]), plain(case["text"])])


def upstream_service_013(evidence: Evidence, case: Case) -> Findings:
    """The first incident of these fields, related to these products whatever else."""
    org = Records(evidence.after)
    fields = {"Subject": "subject", "Urgency": "urgency", "Impact": "impact", "Priority": "priority"}
    row = first(org.where("Incident", **{name: case[key] for name, key in fields.items()}))
    items = org.where("IncidentRelatedItem", IncidentId=row["Id"]) if row else []
    found = {(org.name("Product2", item.get("Product2Id")), item.get("ImpactType")) for item in items}
    wanted = {(entry["name"], entry["impact"]) for entry in case["products"]}
    yield fact("incident", 0.5, bool(row))
    yield fact("products", 0.5, wanted <= found)


def upstream_service_014(evidence: Evidence, case: Case) -> Findings:
    """The first change request of the subject; its description is not looked at."""
    org = Records(evidence.after)
    row = first(org.where("ChangeRequest", Subject=case["subject"]))
    links = org.where("ChangeRequestRelatedIssue", ChangeRequestId=row["Id"]) if row else []
    incident = first(org.where("Incident", Subject=case["incident"]))
    fields = {"Priority": "priority", "Impact": "impact", "RiskLevel": "risk"}
    right = bool(row) and all(row.get(name) == case[key] for name, key in fields.items())
    yield fact("change_request", 0.4, right)
    yield fact("linked", 0.4, incident.get("Id") in [link["RelatedIssueId"] for link in links])
    yield fact("incident_status", 0.2, incident.get("Status") == case["status"])
