"""Nursing notes: drafts, signed notes, and striking a note out."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.icu_bedside import bedside
from clinic.applications.icu_bedside.choices import CATEGORIES
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

LONGEST_NOTE = 1000


def show(visit: Visit) -> Response:
    """Show notes, the newest first, and a form for another one."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    query = "SELECT * FROM notes WHERE mrn = ? ORDER BY written_at DESC, id DESC"
    listed = visit.db.execute(query, (bedside.load(visit)["mrn"],)).fetchall()
    return bedside.render(visit, "notes", problems, listed=listed)


def save(visit: Visit) -> Response:
    """Keep a note, signed or as a draft that others do not rely on."""
    mrn, category, text = bedside.load(visit)["mrn"], visit.field("category"), visit.field("text")
    problems = Problems()
    problems.add_if(category not in CATEGORIES, "category", "Choose a category.")
    problems.add_if(not text, "text", "Write something first.")
    problems.add_if(len(text) > LONGEST_NOTE, "text", f"At most {LONGEST_NOTE} characters.")
    if problems:
        return _render(visit, problems)
    at, signing = clock.text(visit.now), visit.field("sign") == "yes"
    rows.insert(
        visit.db,
        "notes",
        mrn=mrn,
        category=category,
        text=text,
        written_by=visit.user_id,
        written_at=at,
        signed_at=at if signing else None,
    )
    return bedside.back(visit, "notes", "Note signed." if signing else "Draft saved. It is not signed yet.")


def sign(visit: Visit) -> Response:
    """Sign a draft of one's own."""
    mine = {"id": visit.params["id"], "mrn": bedside.load(visit)["mrn"], "user": visit.user_id}
    query = "SELECT id FROM notes WHERE id = :id AND mrn = :mrn AND written_by = :user AND signed_at IS NULL"
    draft = visit.one(f"{query} AND NOT in_error", mine)
    rows.update(visit.db, "notes", {"id": draft["id"]}, signed_at=clock.text(visit.now))
    return bedside.back(visit, "notes", "Note signed.")


def mark_in_error(visit: Visit) -> Response:
    """Strike a note of one's own out."""
    note = {"id": visit.params["id"], "mrn": bedside.load(visit)["mrn"], "in_error": False}
    visit.change("notes", note | {"written_by": visit.user_id}, in_error=True)
    return bedside.back(visit, "notes", "The note was marked as entered in error.")
