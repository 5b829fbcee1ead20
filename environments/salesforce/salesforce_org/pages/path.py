"""The path of a record: its stages, which are done, and what the button beside them does."""

from __future__ import annotations

from dataclasses import dataclass, replace

from starlette.responses import Response

from salesforce_org import record_types
from salesforce_org.pages.dialogs import dialog, found
from salesforce_org.pages.formats import record_href
from salesforce_org.pages.layout import Layout, layout_of
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.store import Org, PicklistValue, Record
from salesforce_org.store.errors import OrgError

CLOSED = "__Closed"  # the last step while a record is open, where several stages close it


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage; `state` is complete, current, incomplete, won or lost."""

    value: str
    label: str
    state: str

    @property
    def said(self) -> str:
        """The state for those who do not see it."""
        return {"complete": "Stage Complete", "current": "Current Stage"}.get(self.state, "")


@dataclass(frozen=True, slots=True)
class Path:
    """A record's path as shown; `next` is the stage that the button sets, `flow` the dialog it opens instead."""

    stages: tuple[Stage, ...]
    selected: str
    next: str
    button: str
    marks_complete: bool
    problem: str = ""
    flow: str = ""


def path_of(org: Org, layout: Layout, row: Record, selected: str = "", problem: str = "") -> Path:
    """Return the path of a record with one of its stages selected."""
    field = layout.object.field(layout.path)
    assert field is not None
    entries = list(record_types.entries(org, layout.object.name, field, row))
    now = str(row.get(layout.path) or "")
    shown, ends = _shown(entries, now)
    values = [one.value for one in shown]
    wins = any(one.more.get("won") for one in entries)
    at = values.index(now) if now in values else -1
    stages = tuple(
        Stage(one.value, one.label, _state(index, at, one, now, wins)) for index, one in enumerate(shown)
    )
    chosen = selected if selected in values else now
    follows = values[at + 1] if at + 1 < len(values) else ""
    following = chosen if chosen != now else "" if now in ends else follows
    if now in ends and chosen == now and len(ends) > 1:
        return Path(stages, chosen, "", f"Change Closed {field.label}", False, problem, "close")
    if following == CLOSED:
        return Path(stages, chosen, following, f"Select Closed {field.label}", False, problem, "close")
    flow = _flow(layout, row, following, shown)
    if flow:
        return Path(stages, chosen, following, "Select Converted Status", False, problem, flow)
    button = f"Mark as Current {field.label}" if chosen != now else f"Mark {field.label} as Complete"
    return Path(stages, chosen, following, button, chosen == now, problem)


@page("GET", "/lightning/r/{object}/{id}/path")
def select(visit: Visit) -> Response:
    """Select a stage."""
    return _part(visit, visit.query.get("stage", ""))


@page("POST", "/lightning/r/{object}/{id}/path")
def mark(visit: Visit) -> Response:
    """Give the record a stage."""
    kind, row = found(visit)
    layout = layout_of(kind)
    field = kind.field(layout.path)
    if field is None:
        raise NotHere
    try:
        with visit.org.transaction():
            visit.org.update(row["Id"], **{layout.path: visit.field("stage") or row[layout.path]})
    except OrgError as problem:
        return _part(visit, visit.field("stage"), problem.message)
    return visit.go(record_href(kind.name, row["Id"]), f"{field.label} changed successfully.")


@page("GET", "/lightning/r/{object}/{id}/close")
def ask_closed(visit: Visit) -> Response:
    """Ask in which of the closed stages a record ends."""
    return _ask_closed(visit)


@page("POST", "/lightning/r/{object}/{id}/close")
def close(visit: Visit) -> Response:
    """Close a record in one of its closed stages."""
    kind, row = found(visit)
    layout = layout_of(kind)
    stage = visit.field("stage")
    if stage not in dict(_closing(visit.org, layout, row)):
        return _ask_closed(visit, "Complete this field.")
    try:
        with visit.org.transaction():
            visit.org.update(row["Id"], **{layout.path: stage})
    except OrgError as problem:
        return _ask_closed(visit, problem.message)
    return visit.go(record_href(kind.name, row["Id"]), f"{_label(layout)} changed successfully.")


def _ask_closed(visit: Visit, error: str = "") -> Response:
    kind, row = found(visit)
    layout = layout_of(kind)
    stages = _closing(visit.org, layout, row)
    if not stages:
        raise NotHere
    context = {"stages": stages, "stage": visit.field("stage"), "label": _label(layout), "error": error}
    title = f"Close This {kind.label}"
    return dialog(visit, kind, "record/close.html", title, action=visit.path, **context)


def _closing(org: Org, layout: Layout, row: Record) -> list[tuple[str, str]]:
    field = layout.object.field(layout.path)
    entries = record_types.entries(org, layout.object.name, field, row) if field else ()
    return [(one.value, one.label) for one in entries if one.more.get("closed")]


def _label(layout: Layout) -> str:
    field = layout.object.field(layout.path)
    return field.label if field else ""


def _part(visit: Visit, stage: str, problem: str = "") -> Response:
    kind, row = found(visit)
    layout = layout_of(kind)
    if not layout.path:
        raise NotHere
    path = path_of(visit.org, layout, row, stage, problem)
    return visit.render("record/path.html", path=path, base=f"/lightning/r/{kind.name}/{row['Id']}")


def _flow(layout: Layout, row: Record, stage: str, shown: list[PicklistValue]) -> str:
    """A lead reaches a converted status by being converted."""
    converted = any(one.value == stage and one.more.get("converted") for one in shown)
    return next(
        (one.flow for one in layout.actions if one.flow == "convert" and converted and one.offered(row)), ""
    )


def _shown(entries: list[PicklistValue], now: str) -> tuple[list[PicklistValue], set[str]]:
    """Of several stages that close a record only the one it has is shown, or else `Closed` as the last step.

    What a lead has once it is converted comes last.
    """
    converted = [replace(one, label="Converted") for one in entries if one.more.get("converted")]
    entries = [one for one in entries if not one.more.get("converted")] + converted
    closing = [one for one in entries if one.more.get("closed")]
    keep = [one for one in closing if one.value == now or len(closing) == 1]
    shown = [one for one in entries if one not in closing or one in keep]
    if closing and not keep:
        shown.append(PicklistValue(CLOSED, "Closed"))
    return shown, {one.value for one in closing}


def _state(index: int, at: int, entry: PicklistValue, now: str, wins: bool) -> str:
    """Return the state of a stage; `wins` says whether some of the stages are won, so that others are lost."""
    if entry.value == now and entry.more.get("closed"):
        return "lost" if wins and not entry.more.get("won") else "won"
    if index == at:
        return "current"
    return "complete" if index < at else "incomplete"
