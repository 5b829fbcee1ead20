"""New case."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.judging import Findings, holds, judged, listed
from ..toolkit.lightning import PAGE, enter, look_up, open_app, open_tab, pick, press, save
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Find the contact, and another one."""
    org = Records(state)
    contact = org.one("Contact", values["contact"])
    return {"contact_id": contact["Id"], "other_contact": shared.other(org, random, "Contact", contact)}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the case with all that was told of it."""
    identity = {"Subject": case["subject"], "Status": case["status"], "Origin": case["origin"]}
    facts = {"Priority": case["priority"], "Type": case["type"], "Reason": case["reason"]}
    row = work.closest("Case", identity, ContactId=case["contact_id"], **facts)
    words = f"a case '{case['subject']}', {case['status']}, {case['origin']}"
    attempts = [" / ".join(str(made.get(name)) for name in identity) for made in work.made("Case")]
    yield Milestone("case", row is not None, 0.4, words, listed(attempts))
    for name, wanted in facts.items():
        yield holds(name.lower(), 0.15, row, name, wanted)
    contact = work.after.name("Contact", row.get("ContactId")) if row else "no such case"
    right = bool(row and row.get("ContactId") == case["contact_id"])
    yield Milestone("contact", right, 0.15, f"contact {case['contact']}", contact or "nobody")


async def solve(pilot: Pilot, case: Case) -> None:
    """Enter the case in the console's list of cases."""
    await open_app(pilot, "Service")
    await open_tab(pilot, "Cases")
    await press(pilot, "New", PAGE)
    await look_up(pilot, "Contact Name", case["contact"])
    await pick(pilot, "Status", case["status"])
    await pick(pilot, "Priority", case["priority"])
    await pick(pilot, "Case Origin", case["origin"])
    await pick(pilot, "Type", case["type"])
    await pick(pilot, "Case Reason", case["reason"])
    await enter(pilot, "Subject", case["subject"])
    await save(pilot)


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first case of subject, status and origin."""
    org = Records(evidence.after)
    identity = {"Subject": case["subject"], "Status": case["status"], "Origin": case["origin"]}
    row = first(org.where("Case", **identity))
    yield fact("case", 0.4, bool(row))
    yield fact("priority", 0.15, row.get("Priority") == case["priority"])
    yield fact("type", 0.15, row.get("Type") == case["type"])
    yield fact("reason", 0.15, row.get("Reason") == case["reason"])
    yield fact("contact", 0.15, org.name("Contact", row.get("ContactId")) == case["contact"])


@slip("milestone:contact", 0.85)
def opened_it_for_somebody_else(case: Case) -> Case:
    """Another customer gets the answers."""
    return misread(case, contact=case["other_contact"])


@slip("milestone:priority", 0.85)
def gave_another_priority(case: Case) -> Case:
    """The case waits longer or shorter than it should."""
    return misread(case, priority="Low" if case["priority"] != "Low" else "High")


@slip("milestone:case", 0.0)
def shortened_the_subject(case: Case) -> Case:
    """Nobody finds the case by its subject."""
    return misread(case, subject=case["subject"][:12])
