"""The allergies tab: list, review, and declaring that there are none."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.emergency_triage import chart
from clinic.applications.emergency_triage.choices import SEVERITIES
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

LONGEST_TEXT = 60
LISTED = """
    SELECT allergies.*, users.name AS by_name FROM allergies LEFT JOIN users ON users.user_id = added_by
    WHERE mrn = ? ORDER BY id
"""


def show(visit: Visit) -> Response:
    """Show the tab."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    listed = visit.db.execute(LISTED, (visit.params["mrn"],)).fetchall()
    offered = visit.fixtures.load("emergency_triage/substances")
    return chart.render(
        visit,
        "allergies",
        problems,
        listed=listed,
        substances=offered["substances"],
        reactions=offered["reactions"],
    )


def _back(visit: Visit, notice: str) -> Response:
    return visit.go(f"/chart/{visit.params['mrn']}/allergies", notice)


def add(visit: Visit) -> Response:
    """Put a substance on the list."""
    patient = chart.load(visit)
    substance, reaction, severity = (visit.field(name) for name in ("substance", "reaction", "severity"))
    problems = _problems(visit, patient["mrn"], substance, reaction, severity)
    if problems:
        return _render(visit, problems)
    rows.insert(
        visit.db,
        "allergies",
        mrn=patient["mrn"],
        substance=substance,
        reaction=reaction,
        severity=severity,
        added_by=visit.user_id,
        added_at=clock.text(visit.now),
    )
    chart.update(visit, patient["mrn"], no_known_allergies=False)
    return _back(visit, f"Allergy added: {substance}.")


def _problems(visit: Visit, mrn: str, substance: str, reaction: str, severity: str) -> Problems:
    problems = Problems()
    problems.add_if(not substance, "substance", "Enter or choose a substance.")
    for name, text in (("substance", substance), ("reaction", reaction)):
        if len(text) > LONGEST_TEXT:
            problems.add(name, f"At most {LONGEST_TEXT} characters.")
    problems.add_if(severity not in SEVERITIES, "severity", "Choose a severity.")
    listed = {row["substance"].casefold() for row in chart.active_allergies(visit, mrn)}
    if substance.casefold() in listed:
        problems.add("substance", f"{substance} is already on the list.")
    return problems


def review(visit: Visit) -> Response:
    """Record that the list was gone through with the patient."""
    patient = chart.load(visit)
    if not patient["no_known_allergies"] and not chart.active_allergies(visit, patient["mrn"]):
        text = "The list is empty: add an allergy, or declare that there are no known allergies."
        return _render(visit, Problems({"": text}))
    _reviewed(visit, patient["mrn"])
    return _back(visit, "Allergies marked as reviewed.")


def declare_none(visit: Visit) -> Response:
    """Record that the patient has no known allergies, which is a review too."""
    patient = chart.load(visit)
    if chart.active_allergies(visit, patient["mrn"]):
        text = "Allergies are on the list; no known allergies cannot be declared."
        return _render(visit, Problems({"": text}))
    chart.update(visit, patient["mrn"], no_known_allergies=True)
    _reviewed(visit, patient["mrn"])
    return _back(visit, "No known allergies declared.")


def _reviewed(visit: Visit, mrn: str) -> None:
    chart.update(visit, mrn, allergies_reviewed_by=visit.user_id, allergies_reviewed_at=clock.text(visit.now))


def mark_in_error(visit: Visit) -> Response:
    """Strike an entry of the list through."""
    mrn = chart.load(visit)["mrn"]
    entry = {"id": visit.params["id"], "mrn": mrn, "in_error": False}
    visit.change("allergies", entry, in_error=True)
    return _back(visit, "The allergy was marked as entered in error.")
