"""Tasks and events."""

from __future__ import annotations

from datetime import timedelta

from salesforce_org.rules.registry import RULES, means, missing, related
from salesforce_org.store import values
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change, Org, Record


@RULES.on("before", "Task")
def task_status(change: Change) -> None:
    """A task is closed when its status says so; importance comes from its priority."""
    org, new = change.org, change.new
    new["IsClosed"] = means(org, "Task", "Status", new["Status"], "closed")
    new["IsHighPriority"] = means(org, "Task", "Priority", new["Priority"], "highPriority")
    if new["IsClosed"]:
        new["CompletedDateTime"] = new["CompletedDateTime"] or values.moment(org.now)
    else:
        new["CompletedDateTime"] = None


@RULES.on("before", "Task", "Event")
def about(change: Change) -> None:
    """An activity with a lead is about nothing else; otherwise it is of the account behind what it is about."""
    org, new = change.org, change.new
    who, what = related(org, new, "WhoId"), related(org, new, "WhatId")
    if who and what and new["WhoId"].startswith("00Q") and not who["IsConverted"]:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION",
            "You can't relate an activity with a lead to another record.",
            ("WhatId",),
        )
    new["AccountId"] = _account(what) or _account(who)


def _account(row: Record | None) -> str | None:
    if row is None:
        return None
    return row["Id"] if row["Id"].startswith("001") else row.get("AccountId")


@RULES.on("before", "Event")
def event_time(change: Change) -> None:
    """An event has a start and an end; either of end and duration gives the other."""
    new = change.new
    start = new["ActivityDateTime"] if change.turned("ActivityDateTime") else new["StartDateTime"]
    if start is None and new["ActivityDate"]:
        start = f"{new['ActivityDate']}T00:00:00.000+0000"
    if start is None:
        raise missing("StartDateTime", "EndDateTime")
    begin = values.read_moment(start)
    by_length = change.turned("DurationInMinutes") and not change.turned("EndDateTime")
    if new["EndDateTime"] is None or by_length or (change.old and not change.turned("EndDateTime")):
        minutes = new["DurationInMinutes"] if new["DurationInMinutes"] is not None else 60
        end = begin + timedelta(minutes=minutes)
    else:
        end = values.read_moment(new["EndDateTime"])
    if end < begin:
        raise DmlError("FIELD_INTEGRITY_EXCEPTION", "The event ends before it starts.", ("EndDateTime",))
    new["StartDateTime"] = new["ActivityDateTime"] = values.moment(begin)
    new["EndDateTime"] = values.moment(end)
    new["DurationInMinutes"] = round((end - begin).total_seconds() / 60)
    local = begin if new["IsAllDayEvent"] else begin.astimezone(change.org.zone)
    new["ActivityDate"] = local.date().isoformat()


@RULES.compute("last_activity")
def last_activity(org: Org, row: Record) -> str | None:
    """The day of the latest event or completed task that is about a record."""
    days = [
        one["ActivityDate"] or one["CreatedDate"][:10]
        for object, equal in (("Task", {"IsClosed": True}), ("Event", {}))
        for name in ("WhoId", "WhatId")
        for one in org.rows(object, **{name: row["Id"]}, **equal)
    ]
    return max(days, default=None)
