"""What all tabs of a chart share: the patient, who may order, how to answer."""

import secrets
import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.doctor_prescription import formulary
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import said
from clinic.visit import NotHere, Visit

PATIENT = """
    SELECT mrn, family_name, given_name, sex, birth_date, phone, seen_at, reason, no_known_allergies
    FROM patients WHERE mrn = ?
"""


def load(visit: Visit) -> sqlite3.Row:
    """Return the patient of the address, without the columns that no page may show."""
    return visit.one(PATIENT, (visit.params["mrn"],))


def listed(visit: Visit, table: str, order: str = "id") -> list[sqlite3.Row]:
    """Return the patient's rows of a table."""
    query = f"SELECT * FROM {table} WHERE mrn = ? ORDER BY {order}"  # noqa: S608 - names from this code only
    return visit.db.execute(query, (visit.params["mrn"],)).fetchall()


def one(visit: Visit, table: str) -> sqlite3.Row:
    """Return the patient's row that the address names."""
    for row in listed(visit, table):
        if str(row["id"]) == visit.params["id"]:
            return row
    raise NotHere


def insert(visit: Visit, table: str, **values: Any) -> None:
    """Add a row to the patient's record."""
    rows.insert(visit.db, table, mrn=visit.params["mrn"], **values)


def stamp(visit: Visit) -> dict[str, Any]:
    """Return who writes, and when."""
    return {"by": visit.user_id, "at": clock.text(visit.now)}


def strike(visit: Visit, table: str) -> None:
    """Mark an entry as entered in error, once."""
    entry = {"id": visit.params["id"], "mrn": load(visit)["mrn"], "in_error": False}
    visit.change(table, entry, in_error=True)


def role_problem(visit: Visit) -> str | None:
    """Return why this user may not order, if so."""
    if visit.user is not None and visit.user["role"] == "prescriber":
        return None
    return "Only a prescriber may order, sign or answer renewal requests."


def signature_problem(visit: Visit) -> str | None:
    """Return why the electronic signature code is not accepted, if so."""
    query = "SELECT code FROM signature_codes WHERE user_id = ?"
    row = visit.db.execute(query, (visit.user_id,)).fetchone()
    given = visit.form.get("code", "").encode()
    if row is not None and secrets.compare_digest(row["code"].encode(), given):
        return None
    return "The electronic signature code is not right."


def pharmacies(visit: Visit) -> list[sqlite3.Row]:
    """Return all pharmacies."""
    return visit.db.execute("SELECT * FROM pharmacies ORDER BY name").fetchall()


def render(visit: Visit, page: str, tab: str, problems: Problems | None = None, **context: Any) -> Response:
    """Answer with a page of the chart: as it is, with refusals (422), or asking to confirm."""
    patient = load(visit)
    workstation.show(visit, page, patient["mrn"])
    return visit.render(
        f"{page}.html",
        **said(visit, problems, context.pop("warnings", None)),
        patient=patient,
        tab=tab,
        base=f"/p/{patient['mrn']}",
        drugs=formulary.drugs(visit),
        staff=visit.staff(),
        allergies=[row for row in listed(visit, "allergies") if not row["in_error"]],
        medications=listed(visit, "medications", "status <> 'active', drug, id"),
        outside=listed(visit, "outside_medications"),
        orders=listed(visit, "orders", "id DESC"),
        unsigned=[row for row in listed(visit, "orders") if row["status"] == "unsigned"],
        preferred=listed(visit, "preferred_pharmacies", "is_default DESC, pharmacy"),
        **context,
    )


def back(visit: Visit, tab: str, notice: str) -> Response:
    """Lead back to a tab after something was stored."""
    return visit.go(f"/p/{visit.params['mrn']}{tab}", notice)
