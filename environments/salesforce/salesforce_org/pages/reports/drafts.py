"""What a report builder holds before anything is saved: the steps of each draft, kept with the browser."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.reports import definition, stored
from salesforce_org.reports.definition import Report
from salesforce_org.reports.editing import without_gone
from salesforce_org.reports.types import ReportType
from salesforce_org.store import Record

_KEPT = 50


@dataclass
class Draft:
    """A report that is being built.

    Attributes:
        key: Its part of the address: the record's id, or `new-1` and so on.
        steps: The trees that undo and redo go through; `at` is the one that is shown.
        saved: The tree as it is stored.
        live: Whether the preview follows each change; `shown` is the tree that it shows.
        panel: The open tab of the left panel.
        fields: Whether the list of fields is open.
    """

    key: str
    steps: list[dict[str, Any]]
    saved: dict[str, Any]
    at: int = 0
    live: bool = True
    shown: dict[str, Any] = field(default_factory=dict)
    panel: str = "outline"
    fields: bool = False

    @property
    def id(self) -> str:
        """The record's id; empty for a new report."""
        return "" if self.key.startswith("new-") else self.key

    @property
    def tree(self) -> dict[str, Any]:
        """The report as it is now."""
        return self.steps[self.at]

    @property
    def dirty(self) -> bool:
        """Whether something is not saved."""
        return self.tree != self.saved

    def step(self, tree: dict[str, Any]) -> None:
        """Go on to another tree; what was undone is forgotten."""
        if tree != self.tree:
            self.steps = [*self.steps[: self.at + 1], tree][-_KEPT:]
            self.at = len(self.steps) - 1


def begin(visit: Visit, type: ReportType) -> Draft:
    """Begin a new report."""
    drafts = _drafts(visit)
    number = next(n for n in range(1, len(drafts) + 2) if f"report new-{n}" not in drafts)
    tree = definition.new(type)
    made = Draft(f"new-{number}", [tree], tree, shown=tree)
    drafts[f"report {made.key}"] = made
    return made


def opened(visit: Visit, *, again: bool = False) -> Draft:
    """Return the draft at the address; `again` begins anew from what is stored.

    Raises:
        NotHere: There is neither a draft nor a report.
    """
    key, drafts = visit.params["id"], _drafts(visit)
    found = drafts.get(f"report {key}")
    if isinstance(found, Draft) and (found.dirty or not again or not found.id):
        return found
    row = record(visit)
    tree = without_gone(report_of(visit, dict(stored.tree_of(visit.org, "Report", row))))
    made = Draft(row["Id"], [tree], tree, shown=tree)
    drafts[f"report {made.key}"] = made
    return made


def forget(visit: Visit, draft: Draft) -> None:
    """Drop a draft."""
    _drafts(visit).pop(f"report {draft.key}", None)


def report_of(visit: Visit, tree: dict[str, Any]) -> Report:
    """Return what a tree says.

    Raises:
        NotHere: Its report type is gone.
    """
    found = definition.read(visit.org, tree)
    if found is None:
        raise NotHere
    return found


def record(visit: Visit, kind: str = "Report") -> Record:
    """Return the report at the address.

    Raises:
        NotHere: There is none that the user may see.
    """
    wanted = visit.params["id"][:15]
    row = next((one for one in stored.visible(visit.org, kind) if one["Id"][:15] == wanted), None)
    if row is None:
        raise NotHere
    return row


def looked_at(visit: Visit, id: str) -> None:
    """Put a report or dashboard first among the recent ones."""
    if visit.login is not None:
        visit.login.recent = [id, *(one for one in visit.login.recent if one != id)][:50]


def _drafts(visit: Visit) -> dict[str, Any]:
    if visit.login is None:
        raise NotHere
    return visit.login.drafts
