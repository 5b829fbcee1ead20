"""The work queue: prescriptions by status, and the list of function keys."""

from collections import Counter

from starlette.responses import Response

from clinic.applications.outpatient_pharmacy import formulary
from clinic.applications.outpatient_pharmacy.choices import STATUSES
from clinic.toolkit import workstation
from clinic.toolkit.worklist import chosen, matching
from clinic.visit import Visit

ROWS = """
    SELECT prescriptions.*, family_name, given_name, birth_date, originals.prescriber,
           (SELECT group_concat(severity) FROM alerts
            WHERE alerts.rx_no = prescriptions.rx_no AND action IS NULL) AS open_alerts
    FROM prescriptions JOIN patients USING (mrn) JOIN originals USING (rx_no)
    WHERE (:status = 'all' OR status = :status)
    ORDER BY promised_at, prescriptions.rx_no
"""
WORST_FIRST = ("contraindicated", "major", "moderate", "minor")


def show(visit: Visit) -> Response:
    """Show the prescriptions of one status that match the search."""
    status = chosen(visit, "show", STATUSES)
    search = visit.query.get("q", "").strip()
    rows = visit.db.execute(ROWS, {"status": status}).fetchall()
    workstation.show(visit, "queue")
    return visit.render(
        "queue.html",
        rows=matching(rows, search, "rx_no", "drug"),
        worst={row["rx_no"]: _worst(row["open_alerts"]) for row in rows},
        alike=_alike(visit),
        drugs=formulary.drugs(visit.fixtures),
        show=status,
        search=search,
    )


def keys(visit: Visit) -> Response:
    """Show what the function keys do."""
    workstation.show(visit, "keys")
    return visit.render("keys.html")


def _worst(severities: str | None) -> str | None:
    present = (severities or "").split(",")
    return next((severity for severity in WORST_FIRST if severity in present), None)


def _alike(visit: Visit) -> set[str]:
    """Return the numbers of patients whose family name is that of another one, or easily taken for it."""
    pairs = visit.fixtures.load("names")["similar"]
    sounds = {name: pair[0] for pair in pairs for name in pair}
    people = visit.db.execute("SELECT mrn, family_name FROM patients").fetchall()
    heard = Counter(sounds.get(row["family_name"], row["family_name"]) for row in people)
    return {row["mrn"] for row in people if heard[sounds.get(row["family_name"], row["family_name"])] > 1}
