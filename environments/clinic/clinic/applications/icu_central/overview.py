"""The screen with all beds, the alarm policy, and the bar that stands above every screen."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock
from clinic.applications.icu_central.choices import PRIORITIES, RANKS
from clinic.toolkit import workstation
from clinic.visit import Visit

SECTORS = """
    SELECT beds.number, beds.state, beds.mrn, family_name, given_name, birth_date, age_class, paced, numerics.*
    FROM beds LEFT JOIN patients USING (mrn) LEFT JOIN numerics USING (mrn) ORDER BY beds.number
"""
ALARMS = """
    SELECT alarms.*, family_name, given_name, users.name AS acknowledged_name,
           (SELECT until FROM silences WHERE alarm_id = alarms.id AND resumed_at IS NULL
            AND (until IS NULL OR until > :now) ORDER BY silences.id DESC LIMIT 1) AS silent_until,
           EXISTS (SELECT 1 FROM silences WHERE alarm_id = alarms.id AND resumed_at IS NULL
                   AND (until IS NULL OR until > :now)) AS silent
    FROM alarms JOIN patients USING (mrn) LEFT JOIN users ON users.user_id = alarms.acknowledged_by
    WHERE patients.status = 'monitored' AND (:mrn IS NULL OR mrn = :mrn) ORDER BY raised_at DESC, alarms.id DESC
"""


def list_alarms(visit: Visit, chosen: str, mrn: str | None = None) -> list[sqlite3.Row]:
    """Return the alarms of one filter: active ones first, the most urgent on top."""
    found = visit.db.execute(ALARMS, {"now": clock.text(visit.now), "mrn": mrn}).fetchall()
    kept = [row for row in found if _fits(row, chosen)]
    return sorted(kept, key=lambda row: (not row["active"], RANKS[row["priority"]]))


def _fits(row: sqlite3.Row, chosen: str) -> bool:
    if chosen == "active":
        return bool(row["active"])
    if chosen == "unacknowledged":
        return row["acknowledged_at"] is None
    return chosen not in PRIORITIES or row["priority"] == chosen


def render(visit: Visit, template: str, status: int = 200, **context: Any) -> Response:
    """Answer with a screen below the alarm bar."""
    active = list_alarms(visit, "active")
    sounding = {name: sum(row["priority"] == name for row in active) for name in PRIORITIES}
    return visit.render(template, status=status, sounding=sounding, active=active, **context)


def show(visit: Visit) -> Response:
    """Show all beds, each with its most urgent alarm."""
    workstation.show(visit, "overview")
    urgent: dict[str, sqlite3.Row] = {}
    counts: dict[str, int] = {}
    for row in list_alarms(visit, "active"):
        urgent.setdefault(row["mrn"], row)
        counts[row["mrn"]] = counts.get(row["mrn"], 0) + 1
    sectors = visit.db.execute(SECTORS).fetchall()
    return render(visit, "overview.html", sectors=sectors, urgent=urgent, counts=counts)


def policy(visit: Visit) -> Response:
    """Show the alarm policy of the unit."""
    workstation.show(visit, "policy")
    contacts = visit.fixtures.load("icu_central/unit")["crisis_contacts"]
    return render(visit, "policy.html", contacts=contacts, rules=visit.fixtures.load("icu_central/limits"))
