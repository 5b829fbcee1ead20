"""Change request for an incident."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.following import ANY
from ..toolkit.judging import ASKED, Findings, exists, holds, judged, listed
from ..toolkit.kinds import PROSE
from ..toolkit.lightning import (
    PAGE,
    enter,
    look_up,
    new_related,
    open_app,
    open_list,
    open_tab,
    pick,
    press,
    row_of,
    save,
    start,
)
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Find the incident, and another one."""
    org = Records(state)
    incident = org.one("Incident", values["incident"])
    return {
        "incident_id": incident["Id"],
        "incident_number": incident.get("IncidentNumber", ""),
        "other_incident": shared.other(org, random, "Incident", incident),
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the change request, its link to the incident, and the incident's status."""
    incident = work.after.get("Incident", case["incident_id"]) or {}
    work.free("Incident", ResolutionDateTime="Salesforce marks the time at which it was closed")
    resolved = {"ResolutionDateTime": ANY} if incident.get("IsClosed") else {}
    work.may_change("Incident", case["incident_id"], "Status", **resolved)
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
    for link in ours[:1]:
        work.claim(link, "ChangeRequestId", "RelatedIssueId")
    seen = listed(work.after.name("Incident", row["RelatedIssueId"]) for row in links)
    yield exists("change_request", 0.4, request, " / ".join(identity.values()))
    yield Milestone("linked", bool(ours), 0.4, f"linked to '{case['incident']}'", seen)
    yield holds("incident_status", 0.2, incident, "Status", case["status"])
    yield holds("description", ASKED, request, "Description", case["description"], PROSE)


def upstream(evidence: Evidence, case: Case) -> Findings:
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


async def solve(pilot: Pilot, case: Case) -> None:
    """Enter the change request, then link it from the incident, and set that one's status."""
    await open_app(pilot, "Service")
    await open_tab(pilot, "Change Requests")
    await press(pilot, "New", PAGE)
    await enter(pilot, "Subject", case["subject"])
    await pick(pilot, "Priority", case["priority"])
    await pick(pilot, "Impact", case["impact"])
    await pick(pilot, "Risk Level", case["risk"])
    await enter(pilot, "Description", case["description"])
    await save(pilot)
    number = await pilot.read(f"{PAGE} >> h1 >> .slds-page-header__title")
    await _open_incident(pilot, case)
    if case.values.get("link", True):
        await new_related(pilot, "Change Request Related Issues")
        await look_up(pilot, "Change Request", number.strip())
        await save(pilot)
    await start(pilot, "Edit")
    await pick(pilot, "Status", case["status"])
    await save(pilot)


async def _open_incident(pilot: Pilot, case: Case) -> None:
    await open_list(pilot, "Incidents", "All Incidents")
    row = row_of(case["incident"], PAGE)
    await pilot.click(f"{row} >> th[scope=row] >> a")


@slip("milestone:linked", 0.64)
def forgot_the_link(case: Case) -> Case:
    """The change stands alone."""
    return misread(case, link=False)


@slip("record_integrity/critical", 0.45)
def took_another_incident(case: Case) -> Case:
    """Another incident was changed."""
    return misread(case, incident=case["other_incident"])
