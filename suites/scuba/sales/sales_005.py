"""Stage and activity of an opportunity."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values
from pytest_cuabench.task.answer import Message

from ..toolkit.following import OneOf, of_stage
from ..toolkit.judging import ASKED, Findings, exists, holds, judged, listed
from ..toolkit.kinds import EXACT, SUBJECT
from ..toolkit.lightning import PAGE, named, open_record, press, save, told
from ..toolkit.records import Records, Row, fold, plain, same
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones

_SUBTYPE = {"Event": "EventSubtype", "Task": "TaskSubtype"}
_TIMES = (
    "StartDateTime",
    "EndDateTime",
    "ActivityDate",
    "ActivityDateTime",
    "DurationInMinutes",
    "IsAllDayEvent",
)


async def _compose(pilot: Pilot, tab: str, **texts: str) -> None:
    await pilot.click(named("tab", tab, PAGE))
    form = f'{PAGE} >> form[aria-label="{tab}"]'
    for field, text in texts.items():
        await pilot.fill(f"{form} >> [name={field}]", text)
    await save(pilot, "Send" if tab == "Email" else "Save", form)


async def _event(pilot: Pilot, case: Case) -> None:
    await _compose(pilot, "New Event", Subject=case["text"])


async def _task(pilot: Pilot, case: Case) -> None:
    await _compose(pilot, "New Task", Subject=case["text"])


async def _call(pilot: Pilot, case: Case) -> None:
    await _compose(pilot, "Log a Call", **{case["field"]: case["text"]})


async def _email(pilot: Pilot, case: Case) -> None:
    words = {"To": case["recipient"], "Subject": case["text"], "Body": "Please have a look. Thank you!"}
    await _compose(pilot, "Email", **words)


_ACTIVITIES = {"Event": _event, "Task": _task, "Call": _call, "Email": _email}


def case(state: State, random: Random, values: Given) -> Values:
    """Find the opportunity, and another stage and open opportunity; what was chosen wrongly must show."""
    org = Records(state)
    found = org.one("Opportunity", values["opportunity"])
    open_ones = [row for row in org.where("Opportunity", IsClosed=False) if row["Id"] != found["Id"]]
    stages = {row["StageName"] for row in open_ones} - {values["stage"], found["StageName"]}
    elsewhere = [row for row in open_ones if not same(row["StageName"], values["stage"])]
    return {
        "opportunity_id": found["Id"],
        "other_opportunity": shared.alone(org, random, "Opportunity", elsewhere),
        "other_stage": random.choice(sorted(stages)),
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the stage, and one activity of the kind with its text."""
    opportunity = work.after.get("Opportunity", case["opportunity_id"])
    work.may_change(
        "Opportunity", case["opportunity_id"], "StageName", **of_stage(opportunity or {}, work.after)
    )
    _declare_free(work, case["activity"])
    object = "Event" if case["activity"] == "Event" else "Task"
    identity = {"WhatId": case["opportunity_id"], _SUBTYPE[object]: case["activity"]}
    activity = work.closest(object, identity, **{case["field"]: case["text"]})
    if case["activity"] in ("Call", "Email"):
        today = work.before.today.isoformat()
        work.claim(activity, Status="Completed", ActivityDate=today)
    letters = [*work.made("EmailMessage", RelatedToId=case["opportunity_id"])]
    for letter in letters[:1] if case["activity"] == "Email" else ():
        held = {"ActivityId": OneOf((None, (activity or {}).get("Id"))), "Status": "3"}
        work.claim(letter, "RelatedToId", "ToAddress", Subject=case["text"], **held)
    kind = SUBJECT if case["activity"] == "Email" else EXACT
    yield holds("stage", 0.4, opportunity, "StageName", case["stage"])
    yield exists(
        "activity", 0.3, activity, f"an activity of the kind {case['activity']} on {case['opportunity']}"
    )
    yield holds("text", 0.3, activity, case["field"], case["text"], kind)
    if case["activity"] == "Email":
        yield _sent_to(case, letters)


def _declare_free(work: Work, activity: str) -> None:
    """Declare what an activity may hold beside what the task says."""
    if activity == "Event":
        work.free("Event", **dict.fromkeys(_TIMES, "the task leaves its time open"))
    elif activity == "Call":
        work.free("Task", Subject="any subject will do", CompletedDateTime="when the call was logged")
    elif activity == "Email":
        text = "the task leaves the text open"
        work.free("Task", Description=text, CompletedDateTime="when it was sent")
        sender = "who sends, as the org knows the user"
        work.free("EmailMessage", TextBody=text, HtmlBody=text, FromAddress=sender, FromName=sender)


def _sent_to(case: Case, letters: list[Row]) -> Milestone:
    addresses = [str(row.get("ToAddress") or "") for row in letters]
    right = len(addresses) == 1 and fold(addresses[0]) == fold(case["recipient"])
    texts = [plain(row.get("HtmlBody") or row.get("TextBody")) for row in letters]
    denied = [said for text in texts if (said := Message(told=case["text"]).denial(text, case.goal))]
    wanted = f"one email to {case['recipient']} that does not take its subject back"
    return Milestone("recipient", right and not denied, ASKED, wanted, listed([*addresses, *denied]))


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first activity of the opportunity, its text letter by letter."""
    org = Records(evidence.after)
    opportunity = first(org.named("Opportunity", case["opportunity"]))
    object = "Event" if case["activity"] == "Event" else "Task"
    activity = first(org.where(object, WhatId=opportunity.get("Id")))
    text = f"Email: {case['text']}" if case["activity"] == "Email" else case["text"]
    yield fact("stage", 0.4, opportunity.get("StageName") == case["stage"])
    yield fact("activity", 0.3, activity.get(f"{object}Subtype") == case["activity"])
    yield fact("text", 0.3, activity.get(case["field"]) == text)


async def solve(pilot: Pilot, case: Case) -> None:
    """Write the activity in the composer, then move the stage on the path."""
    await open_record(pilot, "Opportunities", case["opportunity"])
    await _ACTIVITIES[case["activity"]](pilot, case)
    await pilot.click(f"{PAGE} >> [data-path] a[data-title='{case['stage']}']")
    await press(pilot, "Mark as Current Stage", PAGE)
    await told(pilot)


@slip("milestone:stage")
def set_another_stage(case: Case) -> Case:
    """The opportunity is further than it is."""
    return misread(case, stage=case["other_stage"])


@slip("record_integrity/critical", 0.0)
def took_another_opportunity(case: Case) -> Case:
    """The stage and the activity are somebody else's."""
    return misread(case, opportunity=case["other_opportunity"])


@slip("milestone:activity")
def took_another_kind(case: Case) -> Case:
    """The text is right, in an activity of another kind."""
    return misread(case, activity="Task" if case["activity"] != "Task" else "Call", field="Subject")
