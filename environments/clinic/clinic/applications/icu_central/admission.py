"""Putting an expected patient on the monitor of a free bed."""

import sqlite3

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.icu_central import alarming, overview, patient
from clinic.applications.icu_central.choices import AGE_CLASSES, PROFILES
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.toolkit.words import age_years, moment
from clinic.visit import Visit

EXPECTED = """
    SELECT mrn, family_name, given_name, sex, birth_date, diagnosis, physician, pacemaker FROM patients
    WHERE status = 'expected' ORDER BY family_name, given_name
"""
NEONATE_DAYS, CHILD_YEARS = 28, 18


def _bed(visit: Visit) -> sqlite3.Row:
    """Return the bed of the address, which nobody lies in."""
    return visit.one("SELECT * FROM beds WHERE number = ? AND mrn IS NULL", (visit.params["number"],))


def show(visit: Visit) -> Response:
    """Show who is expected; `mrn` in the address chooses one of them."""
    return _render(visit, visit.query.get("mrn", ""))


def _render(visit: Visit, mrn: str, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    bed = _bed(visit)
    expected = visit.db.execute(EXPECTED).fetchall()
    chosen = next((row for row in expected if row["mrn"] == mrn), None)
    workstation.show(visit, "admit", chosen["mrn"] if chosen else None)
    return overview.render(
        visit,
        "admit.html",
        **said(visit, problems, warnings),
        bed=bed,
        expected=expected,
        chosen=chosen,
        orders=patient.orders_of(visit, mrn) if chosen else [],
    )


def admit(visit: Visit) -> Response:
    """Connect the monitor: identity, age class, profile and pacing decide what it does from now on."""
    bed, mrn = _bed(visit), visit.field("mrn")
    expected = {row["mrn"]: row for row in visit.db.execute(EXPECTED)}
    problems = _problems(visit, bed, mrn in expected)
    if problems:
        return _render(visit, mrn, problems)
    warnings = _warnings(visit, expected[mrn])
    if warnings and not visit.field("confirmed"):
        return _render(visit, mrn, warnings=warnings)
    age_class, profile, at = visit.field("age_class"), visit.field("profile"), clock.text(visit.now)
    rows.update(
        visit.db,
        "patients",
        {"mrn": mrn},
        status="monitored",
        age_class=age_class,
        profile=profile,
        paced=visit.field("paced") == "yes",
        identity_checked=visit.field("identity") == "yes",
        admitted_by=visit.user_id,
        admitted_at=at,
    )
    rows.update(visit.db, "beds", {"number": bed["number"]}, state="occupied", mrn=mrn)
    alarming.set_limits(visit.db, mrn, alarming.usual_limits(visit.fixtures, age_class, profile))
    alarming.evaluate(visit.db, visit.fixtures, mrn, at)
    return visit.go(f"/bed/{bed['number']}/limits", f"Admitted to bed {bed['number']}. Check the limits.")


def _problems(visit: Visit, bed: sqlite3.Row, known: bool) -> Problems:
    problems = Problems()
    problems.add_if(bed["state"] != "ready", "", "This bed is being cleaned; nobody can be admitted to it.")
    problems.add_if(not known, "mrn", "Choose a patient.")
    problems.add_if(visit.field("age_class") not in AGE_CLASSES, "age_class", "Choose an age class.")
    problems.add_if(visit.field("profile") not in PROFILES, "profile", "Choose a profile.")
    if visit.field("paced") not in ("yes", "no"):
        problems.add("paced", "Choose whether the patient is paced.")
    return problems


def _warnings(visit: Visit, row: sqlite3.Row) -> list[str]:
    found = []
    if visit.field("identity") != "yes":
        found.append("The identity band has not been checked with two identifiers.")
    if visit.field("age_class") != age_class(visit, row["birth_date"]):
        found.append(f"{AGE_CLASSES[visit.field('age_class')]} does not fit the date of birth.")
    return found


def age_class(visit: Visit, birth_date: str) -> str:
    """Return the age class that a date of birth means."""
    today = visit.now.date()
    if (today - moment(birth_date).date()).days <= NEONATE_DAYS:
        return "neonatal"
    return "pediatric" if age_years(birth_date, today) < CHILD_YEARS else "adult"


def clean(visit: Visit) -> Response:
    """Say that a bed may be used again."""
    bed = _bed(visit)
    if not rows.update(visit.db, "beds", {"number": bed["number"], "state": "cleaning"}, state="ready"):
        return _render(visit, "", Problems({"": "The bed is ready already."}))
    return visit.go(f"/bed/{bed['number']}/admit", f"Bed {bed['number']} is ready.")
