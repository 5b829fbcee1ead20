"""What happens to knowledge articles: they are published, edited as drafts, archived and restored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from salesforce_org.pages.dialogs import back, dialog
from salesforce_org.pages.formats import record_href
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.rules.knowledge import archive_article, edit_as_draft, publish_article
from salesforce_org.store import Org, Record
from salesforce_org.store.errors import OrgError

OBJECT = "Knowledge__kav"
MOST = 200
CHANNELS = {
    "IsVisibleInApp": "Internal App",
    "IsVisibleInPkb": "Public Knowledge Base",
    "IsVisibleInCsp": "Customer",
    "IsVisibleInPrm": "Partner",
}


@dataclass(frozen=True, slots=True)
class Step:
    """A step that a version takes.

    Attributes:
        act: Does it, and returns the id of the version that is there to be seen then, if it is another one.
        asks: What the dialog says, `done` what the page says afterwards of one article, and `together` of several.
    """

    title: str
    button: str
    asks: str
    done: str
    together: str
    act: Callable[[Org, str], str | None]


STEPS = {
    "publish": Step(
        "Publish Article",
        "Publish",
        "The article can be read in its channels as soon as it is published. A version that is online now is archived.",
        'Knowledge "{name}" was published.',
        "{count} articles were published.",
        publish_article,
    ),
    "archive": Step(
        "Archive Article",
        "Archive",
        "Nobody reads the article any more until it is restored and published again.",
        'Knowledge "{name}" was archived.',
        "{count} articles were archived.",
        archive_article,
    ),
    "edit-as-draft": Step(
        "Edit as Draft",
        "Edit as Draft",
        "A draft of the article is made. The published version stays online until the draft is published.",
        'A draft of Knowledge "{name}" was created.',
        "Drafts of {count} articles were created.",
        edit_as_draft,
    ),
    "restore": Step(
        "Restore Article",
        "Restore",
        "The archived version becomes a draft, which can be edited and published again.",
        'Knowledge "{name}" was restored as a draft.',
        "{count} articles were restored as drafts.",
        edit_as_draft,
    ),
}


def ask(visit: Visit) -> Response:
    """Ask whether the article shall take the step."""
    return _ask(visit, _step(visit), [_version(visit, visit.params["id"])])


def take(visit: Visit) -> Response:
    """Let the article take the step, and show the version that came of it."""
    return _take(visit, _step(visit), [_version(visit, visit.params["id"])])


def ask_for_many(visit: Visit) -> Response:
    """Ask whether the selected articles shall take the step."""
    step = _step(visit)
    rows = _selected(visit, visit.query.get("ids", ""))
    if not rows:
        return dialog(visit, visit.org.schema[OBJECT], "record/nothing.html", step.title)
    return _ask(visit, step, rows)


def take_with_many(visit: Visit) -> Response:
    """Let the selected articles take the step, all or none."""
    return _take(visit, _step(visit), _selected(visit, visit.field("ids")))


def _step(visit: Visit) -> Step:
    return STEPS[visit.path.rpartition("/")[2]]


def _version(visit: Visit, id: str) -> Record:
    row = visit.org.get(OBJECT, id)
    if row is None:
        raise NotHere
    return row


def _selected(visit: Visit, ids: str) -> list[Record]:
    found = (visit.org.get(OBJECT, id) for id in ids.split(",")[:MOST])
    return [row for row in found if row is not None]


def _take(visit: Visit, step: Step, rows: list[Record]) -> Response:
    try:
        with visit.org.transaction():
            shown = [step.act(visit.org, row["Id"]) or row["Id"] for row in rows]
    except OrgError as problem:
        return _ask(visit, step, rows, problem.message)
    if "ids" in visit.form:
        sentence = step.together.format(count=len(rows))
        return visit.go(visit.field("back") or f"/lightning/o/{OBJECT}/list", sentence)
    return visit.go(record_href(OBJECT, shown[0]), step.done.format(name=rows[0]["Title"]))


def _ask(visit: Visit, step: Step, rows: list[Record], problem: str = "") -> Response:
    many = visit.path.startswith("/lightning/o/")
    context: dict[str, Any] = {
        "step": step,
        "articles": [(row["Title"], _channels(row)) for row in rows],
        "ids": ",".join(row["Id"] for row in rows) if many else "",
        "back": visit.field("back") or back(visit),
        "problems": [problem] if problem else [],
        "action": visit.path,
    }
    return dialog(visit, visit.org.schema[OBJECT], "flows/article.html", step.title, **context)


def _channels(row: Record) -> str:
    return ", ".join(label for name, label in CHANNELS.items() if row[name]) or "none"


for _name in STEPS:
    page("GET", f"/lightning/r/{OBJECT}/{{id}}/{_name}")(ask)
    page("POST", f"/lightning/r/{OBJECT}/{{id}}/{_name}")(take)
    page("GET", f"/lightning/o/{OBJECT}/{_name}")(ask_for_many)
    page("POST", f"/lightning/o/{OBJECT}/{_name}")(take_with_many)
