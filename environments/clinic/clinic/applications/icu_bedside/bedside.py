"""What all screens share: the patient switcher, the monitor strip, how to answer; and the orders."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.visit import Visit

PATIENT = """
    SELECT mrn, family_name, given_name, sex, birth_date, bed, weight_kg, height_cm, diagnosis, physician,
           allergies, admitted_at
    FROM patients WHERE mrn = ?
"""
SWITCHER = """
    SELECT patients.mrn, family_name, given_name, bed, diagnosis, numerics.*,
           (SELECT count(*) FROM alarms WHERE alarms.mrn = patients.mrn AND active) AS alarms,
           EXISTS (SELECT 1 FROM alarms WHERE alarms.mrn = patients.mrn AND active AND priority = 'high') AS urgent
    FROM patients JOIN numerics USING (mrn) ORDER BY bed
"""
ACTIVE_ALARMS = """
    SELECT * FROM alarms WHERE mrn = ? AND active
    ORDER BY CASE priority WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END, id
"""
ORDERS = """
    SELECT title, text, ordered_by, ordered_at, status FROM orders WHERE mrn = ?
    ORDER BY status, ordered_at DESC
"""


def load(visit: Visit) -> sqlite3.Row:
    """Return the patient of the address, without the columns that no page may show."""
    return visit.one(PATIENT, (visit.params["mrn"],))


def unit(visit: Visit) -> Response:
    """Show who lies where, before a patient is chosen."""
    workstation.show(visit, "unit")
    return visit.render("unit.html", beds=visit.db.execute(SWITCHER).fetchall(), patient=None)


def back(visit: Visit, tab: str, notice: str) -> Response:
    """Return to a tab of the patient of the address."""
    return visit.go(f"/patient/{visit.params['mrn']}/{tab}", notice)


def render(
    visit: Visit, tab: str, problems: Problems | None = None, warnings: Warnings = None, **context: Any
) -> Response:
    """Answer with a tab: as it is, with refusals (422), or with a dialog asking to confirm."""
    patient = load(visit)
    workstation.show(visit, tab, patient["mrn"])
    return visit.render(
        f"{tab}.html",
        **said(visit, problems, warnings),
        beds=visit.db.execute(SWITCHER).fetchall(),
        patient=patient,
        tab=tab,
        numerics=visit.db.execute("SELECT * FROM numerics WHERE mrn = ?", (patient["mrn"],)).fetchone(),
        sounding=visit.db.execute(ACTIVE_ALARMS, (patient["mrn"],)).fetchall(),
        staff=visit.staff(),
        **context,
    )


def orders(visit: Visit) -> Response:
    """Show the written orders, those that count first."""
    listed = visit.db.execute(ORDERS, (load(visit)["mrn"],)).fetchall()
    return render(visit, "orders", listed=listed)
