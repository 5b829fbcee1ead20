"""Telling somebody of a critical finding, with a record of who was told."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.ecg_workstation import study
from clinic.applications.ecg_workstation.choices import CRITICAL
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

LONGEST_NOTE = 200
SENT = """
    SELECT alerts.*, contacts.name AS told, users.name AS by_name
    FROM alerts JOIN contacts USING (contact_id) JOIN users ON users.user_id = alerts.by
    WHERE study_id = ? ORDER BY id DESC
"""


def show(visit: Visit) -> Response:
    """Show the panel."""
    return _render(visit)


def _contacts(visit: Visit) -> dict[str, str]:
    listed = visit.db.execute("SELECT contact_id, name, service, hours FROM contacts ORDER BY contact_id")
    return {str(row["contact_id"]): f"{row['name']} · {row['service']} · {row['hours']}" for row in listed}


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    return study.render(
        visit,
        "alert",
        problems,
        contacts=_contacts(visit),
        findings={code: study.library(visit)[code] for code in CRITICAL},
        sent=visit.db.execute(SENT, (visit.params["study_id"],)).fetchall(),
    )


def send(visit: Visit) -> Response:
    """Record who was told of what."""
    recording = study.load(visit)
    finding, contact, note = (visit.field(name) for name in ("finding", "contact", "note"))
    problems = Problems()
    problems.add_if(finding not in CRITICAL, "finding", "Choose the finding.")
    problems.add_if(contact not in _contacts(visit), "contact", "Choose who was told.")
    problems.add_if(len(note) > LONGEST_NOTE, "note", f"At most {LONGEST_NOTE} characters.")
    if problems:
        return _render(visit, problems)
    rows.insert(
        visit.db,
        "alerts",
        study_id=recording["study_id"],
        mrn=recording["mrn"],
        finding=finding,
        contact_id=int(contact),
        read_back=visit.field("read_back") == "yes",
        note=note,
        by=visit.user_id,
        at=clock.text(visit.now),
    )
    return visit.go(study.address(recording["study_id"], "alert"), "Alert recorded.")
