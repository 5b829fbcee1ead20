"""Written documents: nursing notes, handovers, rapid response records. Drafts go on until they are signed."""

import re
import sqlite3
from dataclasses import dataclass

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.nursing_documentation import sheet
from clinic.applications.nursing_documentation.choices import FOCI, OUTCOMES, TRIGGERS
from clinic.toolkit.entry import Problems, read_number
from clinic.visit import Visit, required

LONGEST_TEXT = 600
TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)


@dataclass(frozen=True)
class Field:
    """One part of a document; `kind` is `text`, `choice`, `receiver`, `time` or `score`."""

    name: str
    label: str
    kind: str = "text"
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Document:
    """A kind of document."""

    table: str
    title: str
    hint: str
    fields: tuple[Field, ...]


DOCUMENTS = {
    "notes": Document(
        "notes",
        "Nursing note",
        "Focus charting: what was there, what was done, what came of it",
        (
            Field("focus", "Focus", "choice", tuple(FOCI)),
            Field("data", "Condition"),
            Field("action", "Intervention"),
            Field("response", "Response"),
        ),
    ),
    "handover": Document(
        "handovers",
        "Handover",
        "SBAR for the nurse who takes over",
        (
            Field("receiver", "Handed over to", "receiver"),
            Field("situation", "Situation"),
            Field("background", "Background"),
            Field("assessment", "Assessment"),
            Field("recommendation", "Recommendation"),
        ),
    ),
    "rapid": Document(
        "rapid_responses",
        "Rapid response record",
        "For every call of the critical care team",
        (
            Field("trigger", "Trigger", "choice", tuple(TRIGGERS)),
            Field("news2", "NEWS2 at the call", "score"),
            Field("called_at", "Team called at", "time"),
            Field("arrived_at", "Team arrived at", "time"),
            Field("actions", "Actions taken"),
            Field("outcome", "Outcome", "choice", tuple(OUTCOMES)),
        ),
    ),
}


def _document(visit: Visit) -> Document:
    return required(DOCUMENTS.get(visit.params["document"]))


def _written(visit: Visit, document: Document) -> list[sqlite3.Row]:
    return visit.db.execute(
        f"SELECT doc.*, users.name AS by_name FROM {document.table} AS doc "  # noqa: S608 - a known table
        "JOIN users ON users.user_id = doc.by WHERE mrn = ? ORDER BY at DESC, id DESC",
        (sheet.patient(visit)["mrn"],),
    ).fetchall()


def _own_draft(visit: Visit, document: Document) -> sqlite3.Row | None:
    rows_ = _written(visit, document)
    return next((row for row in rows_ if row["status"] == "draft" and row["by"] == visit.user_id), None)


def receivers(visit: Visit) -> dict[str, str]:
    """Return the nurses who may take over, by name."""
    query = (
        "SELECT name FROM users WHERE role IN ('staff_nurse', 'charge_nurse') AND user_id <> ? ORDER BY name"
    )
    return {row["name"]: row["name"] for row in visit.db.execute(query, (visit.user_id,))}


def show(visit: Visit) -> Response:
    """Show the document to write, with the draft of this user in it, and those written before."""
    document = _document(visit)
    draft = _own_draft(visit, document)
    filled = {field.name: draft[field.name] for field in document.fields} if draft else {}
    return _render(visit, document, filled)


def _render(
    visit: Visit, document: Document, filled: dict[str, str], problems: Problems | None = None
) -> Response:
    return sheet.render(
        visit,
        visit.params["document"],
        problems,
        template="document.html",
        document=document,
        filled=filled,
        written=_written(visit, document),
        draft=_own_draft(visit, document),
        receivers=receivers(visit),
    )


def save(visit: Visit) -> Response:
    """Keep the document as a draft, or sign it when nothing is missing."""
    document, mrn = _document(visit), sheet.patient(visit)["mrn"]
    signing = visit.field("do") == "sign"
    problems = Problems()
    sheet.only_nurses(visit, problems)
    values = {field.name: visit.field(field.name) for field in document.fields}
    for field in document.fields:
        _check(visit, field, values[field.name], signing, problems)
    if not problems and values.get("arrived_at", "") < values.get("called_at", "") and signing:
        problems.add("arrived_at", "The team cannot arrive before it is called.")
    if problems:
        return _render(visit, document, dict(visit.form), problems)
    draft = _own_draft(visit, document)
    written = values | {"status": "signed" if signing else "draft", "at": clock.text(visit.now)}
    if draft is None:
        rows.insert(visit.db, document.table, mrn=mrn, by=visit.user_id, **written)
    else:
        rows.update(visit.db, document.table, {"id": draft["id"]}, **written)
    done = "signed" if signing else "saved as a draft, not signed yet"
    return visit.go(f"/beds/{mrn}/{visit.params['document']}", f"{document.title} {done}.")


def _check(visit: Visit, field: Field, text: str, signing: bool, problems: Problems) -> None:
    if not text:
        if signing:
            problems.add(field.name, f"{field.label}: must not be empty.")
        return
    choices = {"choice": field.choices, "receiver": tuple(receivers(visit))}.get(field.kind)
    if choices is not None and text not in choices:
        problems.add(field.name, f"{field.label}: choose from the list.")
    if field.kind == "time" and (not TIME.fullmatch(text) or text > f"{visit.now:%H:%M}"):
        problems.add(field.name, f"{field.label}: enter a time of today as HH:MM, not later than now.")
    if field.kind == "score" and not 0 <= (read_number(text, whole=True) or -1) <= 20:
        problems.add(field.name, f"{field.label}: enter the total, 1 to 20.")
    if len(text) > LONGEST_TEXT:
        problems.add(field.name, f"{field.label}: at most {LONGEST_TEXT} characters.")
