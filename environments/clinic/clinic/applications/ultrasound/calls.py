"""Critical results: who was told what, how, and when."""

import re
from datetime import datetime

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.ultrasound import exam as exams
from clinic.applications.ultrasound.choices import CATEGORIES, METHODS
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

CLOCK_TIME = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", re.ASCII)
RECEIVERS = ("clinician", "ward_nurse")


def show(visit: Visit) -> Response:
    """Show the page."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    return exams.render(visit, "calls", problems, receivers=_receivers(visit))


def _receivers(visit: Visit) -> dict[str, str]:
    query = "SELECT user_id, name, credentials FROM users WHERE role IN (?, ?) ORDER BY name"
    found = visit.db.execute(query, RECEIVERS)
    return {row["user_id"]: f"{row['name']}, {row['credentials']}" for row in found}


def document(visit: Visit) -> Response:
    """Record that somebody was told of a result."""
    exam = exams.load(visit)
    category, person, method = (visit.field(name) for name in ("category", "person", "method"))
    problems = Problems()
    if exam["status"] in ("scheduled", "cancelled"):
        problems.add("", "There is no result yet: the exam was not done.")
    problems.add_if(category not in CATEGORIES, "category", "Choose a category.")
    problems.add_if(person not in _receivers(visit), "person", "Choose who was told.")
    if method not in METHODS:
        problems.add("method", "Choose how.")
    elif method == "message" and category == "red":
        problems.add("method", "A red result is told by voice.")
    told = _told_at(visit, problems)
    if problems or told is None:
        return _render(visit, problems)
    rows.insert(
        visit.db,
        "calls",
        accession=exam["accession"],
        mrn=exam["mrn"],
        category=category,
        person=person,
        method=method,
        told_at=clock.text(told),
        read_back=visit.field("read_back") == "yes",
        by=visit.user_id,
        at=clock.text(visit.now),
    )
    return exams.back(visit, "calls", "Communication saved.")


def _told_at(visit: Visit, problems: Problems) -> datetime | None:
    match = CLOCK_TIME.fullmatch(visit.field("told_at"))
    if not match:
        problems.add("told_at", "Enter a time such as 14:05.")
        return None
    told = visit.now.replace(hour=int(match[1]), minute=int(match[2]))
    problems.add_if(told > visit.now, "told_at", "This time has not come yet.")
    return told


def strike(visit: Visit) -> Response:
    """Mark an entry as made in error."""
    exams.strike(visit, "calls")
    return exams.back(visit, "calls", "The entry was marked as made in error.")
