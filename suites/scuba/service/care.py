"""Queues, cases, entitlements, milestones and articles: what the tasks want to be true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pytest_cuabench.task import Case
from pytest_cuabench.verdict import Milestone

from ..judging import ASKED, Work, exists, holds, judged, listed
from ..records import Row, called, plain

Milestones = Iterator[Milestone]

# What the status of a case says of it beside its name.
CASE_STATUS = ("Status", "IsClosed", "ClosedDate", "IsEscalated")


@judged
def service_001(work: Work, case: Case) -> Milestones:
    """Have the queue with its address, its one object and exactly its members."""
    queue = work.closest("Group", {"Name": case["queue"], "Type": "Queue"})
    id = queue["Id"] if queue else "-"
    objects, members = work.made("QueueSobject", QueueId=id), work.made("GroupMember", GroupId=id)
    work.claim(*objects, *members)
    kinds = [row["SobjectType"] for row in objects]
    ids = [row["UserOrGroupId"] for row in members]
    names = [*case["users"], *case["roles"]]
    yield exists("queue", 0.3, queue, f"a queue '{case['queue']}'")
    yield Milestone(
        "object", kinds == [case["object"]], 0.2, f"supports {case['object']} only", listed(kinds)
    )
    yield holds("email", 0.25 if case["email"] else ASKED, queue, "Email", case["email"])
    if case["email"]:
        yield holds("silent_members", ASKED, queue, "DoesSendEmailToMembers", False)
    yield Milestone(
        "members",
        sorted(ids) == sorted(case["member_ids"]),
        0.25,
        f"exactly {listed(names)}",
        listed(_member(work, id) for id in ids),
    )


def _member(work: Work, id: str) -> str:
    group = work.after.get("Group", id)
    if group is None:
        return work.after.name("User", id)
    kind = "" if group["Type"] == "Role" else f" ({group['Type']})"
    return (work.after.name("UserRole", group.get("RelatedId")) or called(group)) + kind


@judged
def service_003(work: Work, case: Case) -> Milestones:
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


@judged
def service_004(work: Work, case: Case) -> Milestones:
    """Have the status and the other fields of the case."""
    updates = case["updates"]
    work.may_change("Case", case["case_id"], *CASE_STATUS, *updates)
    row = work.after.get("Case", case["case_id"])
    yield holds("status", 0.5, row, "Status", case["status"])
    for name, wanted in updates.items():
        yield holds(name.removesuffix("__c").lower(), 0.5 / len(updates), row, name, wanted)


@judged
def service_005(work: Work, case: Case) -> Milestones:
    """Have the entitlement of the account with its type and dates."""
    identity = {"Name": case["entitlement"], "AccountId": case["account_id"]}
    facts = {"Type": case["type"], "StartDate": case["starts_on"], "EndDate": case["ends_on"]}
    row = work.closest("Entitlement", identity, **facts)
    dates = [(row or {}).get(name) for name in ("StartDate", "EndDate")]
    wanted = [case["starts_on"], case["ends_on"]]
    yield exists("entitlement", 0.4, row, f"'{case['entitlement']}' of {case['account']}")
    yield holds("type", 0.3, row, "Type", case["type"])
    yield Milestone("dates", dates == wanted, 0.3, " to ".join(wanted), " to ".join(map(str, dates)))


@judged
def service_006(work: Work, case: Case) -> Milestones:
    """Have each milestone with its recurrence."""
    share = 1 / len(case["milestones"])
    for number, entry in enumerate(case["milestones"], 1):
        wanted = {"Name": entry["name"], "RecurrenceType": entry["recurrence"]}
        row = work.closest("MilestoneType", wanted)
        found = next((made for made in work.made("MilestoneType", Name=entry["name"])), {})
        seen = str(found.get("RecurrenceType") or "none of the name") if found else "none of the name"
        yield Milestone(
            f"milestone_{number}", row is not None, share, f"'{entry['name']}', {entry['recurrence']}", seen
        )


@judged
def service_010(work: Work, case: Case) -> Milestones:
    """Have the article online with its two texts."""
    article = work.closest("Knowledge__kav", {"Title": case["title"]}, PublishStatus="Online")
    _claim_versions(work, article)
    question, answer = ((article or {}).get(name) for name in ("Question__c", "Answer__c"))
    right = _reads(question, case["question"]) and _reads(answer, case["text"])
    seen = f"{plain(question) or 'nothing'} / {plain(answer) or 'nothing'}"
    yield exists("article", 0.3, article, f"an article '{case['title']}'")
    yield holds("published", 0.3, article, "PublishStatus", "Online")
    yield Milestone("texts", right, 0.4, f"{case['question']} / {case['text']}", seen)


def _claim_versions(work: Work, article: Row | None) -> None:
    """Account for what belongs to an article: its master, and a draft beside the version that is online."""
    attempt = article or next(iter(work.made("Knowledge__kav")), {})
    if master := attempt.get("KnowledgeArticleId"):
        work.claim(*work.made("Knowledge__kav", KnowledgeArticleId=master))
        work.claim(*(row for row in work.made("Knowledge__ka") if row["Id"] == master))


def _reads(rich: Any, wanted: str) -> bool:
    return plain(rich) == plain(wanted)
