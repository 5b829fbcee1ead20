"""Activities of a record: the composer (email, task, call, event) and the timeline."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from starlette.responses import Response

from salesforce_org.pages import inputs
from salesforce_org.pages.dialogs import found
from salesforce_org.pages.formats import day, record_href, time_of
from salesforce_org.pages.forms import COMPLETE
from salesforce_org.pages.inputs import Input, NotEntered
from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.store import Field, Org, Record, SObject
from salesforce_org.store.errors import OrgError
from salesforce_org.store.values import moment, read_moment

PEOPLE = ("Contact", "Lead")
Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Composer:
    """One tab of the composer.

    Attributes:
        fields: What one enters; `labels` where the page's word is another.
        begin: The values it begins with.
        complete: What is written beside what one enters.
    """

    name: str
    label: str
    object: str
    fields: tuple[str, ...]
    labels: dict[str, str]
    required: frozenset[str]
    begin: Callable[[Org], Values]
    complete: Callable[[Org, Values], Values]
    button: str = "Save"
    said: str = ""


def _next_hour(org: Org) -> Values:
    local = org.now.astimezone(org.zone).replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    return {"StartDateTime": moment(local), "EndDateTime": moment(local + timedelta(hours=1))}


def _as_task(org: Org, given: Values) -> Values:
    return {"TaskSubtype": "Task"}


def _as_call(org: Org, given: Values) -> Values:
    today = org.today().isoformat()
    return {"TaskSubtype": "Call", "Status": "Completed", "ActivityDate": today}


def _as_event(org: Org, given: Values) -> Values:
    return {"EventSubtype": "Event"}


COMPOSERS = (
    Composer(
        "task",
        "New Task",
        "Task",
        ("Subject", "ActivityDate", "WhoId", "WhatId", "OwnerId", "Status"),
        {"ActivityDate": "Due Date", "WhoId": "Name", "WhatId": "Related To", "OwnerId": "Assigned To"},
        frozenset({"OwnerId", "Status"}),
        lambda org: {"OwnerId": org.user_id, "Status": "Not Started"},
        _as_task,
    ),
    Composer(
        "call",
        "Log a Call",
        "Task",
        ("Subject", "Description", "WhoId", "WhatId"),
        {"Description": "Comments", "WhoId": "Name", "WhatId": "Related To"},
        frozenset(),
        lambda org: {"Subject": "Call"},
        _as_call,
    ),
    Composer(
        "event",
        "New Event",
        "Event",
        ("Subject", "Description", "StartDateTime", "EndDateTime", "WhoId", "WhatId", "OwnerId", "Location"),
        {
            "StartDateTime": "Start",
            "EndDateTime": "End",
            "WhoId": "Name",
            "WhatId": "Related To",
            "OwnerId": "Assigned To",
        },
        frozenset({"StartDateTime", "EndDateTime", "OwnerId"}),
        lambda org: {"OwnerId": org.user_id, **_next_hour(org)},
        _as_event,
    ),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One activity in the timeline."""

    id: str
    kind: str
    icon: str
    subject: str
    href: str
    when: str
    sentence: str
    description: str
    sort: str


def panel(
    org: Org, kind: SObject, row: Record, filled: dict[str, list[Input]] | None = None
) -> dict[str, Any]:
    """Return what the activity panel shows; `filled` are the inputs of tabs that could not be saved."""
    inputs_by_tab = {one.name: _inputs(org, one, _begin(org, one, kind, row), {}) for one in COMPOSERS}
    upcoming, past = timeline(org, row)
    return {
        "composers": COMPOSERS,
        "composer_inputs": inputs_by_tab | (filled or {}),
        "open_composer": next(iter(filled), "") if filled else "",
        "upcoming": upcoming,
        "past": past,
        "kind": kind,
        "row": row,
        "recipients": sorted({one["Email"] for one in _people(org, row) if one.get("Email")}),
    }


@page("POST", "/lightning/r/{object}/{id}/activity/{composer}")
def compose(visit: Visit) -> Response:
    """Save what was composed."""
    kind, row = found(visit)
    composer = next((one for one in COMPOSERS if one.name == visit.params["composer"]), None)
    if composer is None:
        raise NotHere
    texts = dict(visit.form.items())
    given, errors = _given(visit.org, composer, texts)
    if not errors:
        try:
            with visit.org.transaction():
                made = visit.org.insert(composer.object, **given, **composer.complete(visit.org, given))
        except OrgError as problem:
            errors = {(problem.fields or ("Subject",))[0]: problem.message}
        else:
            label = visit.org.schema[composer.object].label
            visit.toast(
                f'{label} "{visit.org.name_of(made) or ""}" was created.',
                href=record_href(composer.object, made),
            )
            return visit.go(record_href(kind.name, row["Id"]))
    filled = {composer.name: _inputs(visit.org, composer, texts, errors)}
    return visit.render("activity/panel.html", **panel(visit.org, kind, row, filled), row_kind=kind)


def timeline(org: Org, row: Record) -> tuple[list[Entry], list[tuple[str, list[Entry]]]]:
    """Return what is to come or overdue, and what was, by month, the newest first."""
    upcoming: list[Entry] = []
    past: list[Entry] = []
    for object in ("Task", "Event"):
        for one in _of(org, object, row["Id"]):
            entry = _entry(org, object, one)
            open_one = (
                not one.get("IsClosed")
                if object == "Task"
                else (one.get("EndDateTime") or "") >= moment(org.now)
            )
            (upcoming if open_one else past).append(entry)
    months: dict[str, list[Entry]] = {}
    for entry in sorted(past, key=lambda one: one.sort, reverse=True):
        months.setdefault(_month(entry.sort), []).append(entry)
    return sorted(upcoming, key=lambda one: one.sort), list(months.items())


def _of(org: Org, object: str, id: str) -> Iterator[Record]:
    for one in org.rows(object):
        if id in (one.get("WhatId"), one.get("WhoId"), one.get("AccountId")):
            yield one


def _people(org: Org, row: Record) -> list[Record]:
    account = row.get("AccountId") or row["Id"]
    return [row, *org.rows("Contact", AccountId=account)]


def _entry(org: Org, object: str, row: Record) -> Entry:
    if object == "Event":
        kind, icon, begin = "event", "standard:event", row.get("StartDateTime") or row["CreatedDate"]
        sentence = "had an event" if begin < moment(org.now) else "has an upcoming event"
    else:
        kind = {"Email": "email", "Call": "call"}.get(row.get("TaskSubtype") or "", "task")
        icon = {"email": "standard:email", "call": "standard:log_a_call"}.get(kind, "standard:task")
        begin = row.get("ActivityDate") or ""
        sentence = {"email": "sent an email", "call": "logged a call"}.get(
            kind, "has a task" if not row.get("IsClosed") else "had a task"
        )
    field = org.schema[object].field("StartDateTime" if object == "Event" else "ActivityDate")
    assert field is not None
    when = _when(org, begin)
    mine = row["OwnerId"] == org.user_id
    who = "You" if mine else org.name_of(row["OwnerId"]) or ""
    said = sentence.replace("has ", "have ") if mine else sentence
    return Entry(
        row["Id"],
        kind,
        icon,
        row.get("Subject") or "(no subject)",
        record_href(object, row["Id"]),
        when,
        f"{who} {said}",
        row.get("Description") or "",
        begin,
    )


def _when(org: Org, begin: str) -> str:
    if not begin:
        return "No due date"
    if len(begin) > 10:
        local = read_moment(begin).astimezone(org.zone)
        return f"{time_of(local)} | {_named_day(org, local.date().isoformat())}"
    return _named_day(org, begin)


def _named_day(org: Org, text: str) -> str:
    today = org.today()
    names = {0: "Today", 1: "Tomorrow", -1: "Yesterday"}
    when = today.fromisoformat(text)
    return names.get((when - today).days, day(when))


def _month(text: str) -> str:
    return f"{month_name[int(text[5:7])]} {text[:4]}" if text else "No date"


def _begin(org: Org, composer: Composer, kind: SObject, row: Record) -> dict[str, str]:
    values = composer.begin(org)
    target = "WhoId" if kind.name in PEOPLE else "WhatId"
    field = org.schema[composer.object].field(target)
    if field and kind.name in field.to:
        values[target] = row["Id"]
    return inputs.texts_of(org, _fields(org, composer), values)


def _fields(org: Org, composer: Composer) -> list[Field]:
    found_fields = (org.schema[composer.object].field(name) for name in composer.fields)
    return [one for one in found_fields if one is not None]


def _inputs(org: Org, composer: Composer, texts: dict[str, str], errors: dict[str, str]) -> list[Input]:
    layout = layout_of(org.schema[composer.object])
    made = []
    for field in _fields(org, composer):
        one = inputs.of_field(
            org, layout, field, texts, errors.get(field.name, ""), field.name in composer.required
        )
        made.append(inputs.renamed(one, composer.labels.get(field.name, one.label)))
    return made


def _given(org: Org, composer: Composer, texts: dict[str, str]) -> tuple[Values, dict[str, str]]:
    given: Values = {}
    errors: dict[str, str] = {}
    for field in _fields(org, composer):
        try:
            given[field.name] = inputs.read(org, field, texts)
        except NotEntered as problem:
            errors[field.name] = str(problem)
            continue
        if field.name in composer.required and given[field.name] is None:
            errors[field.name] = COMPLETE
    return given, errors
