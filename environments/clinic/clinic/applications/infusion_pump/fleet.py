"""The unit dashboard: every pump at a glance, and what sounds."""

from starlette.responses import Response

from clinic.applications.infusion_pump import rack
from clinic.toolkit import workstation
from clinic.visit import Visit

PUMPS = "SELECT mrn, family_name, given_name, bed, pump FROM patients ORDER BY bed"
LOG = """
    SELECT events.*, patients.bed, patients.family_name, patients.given_name, users.name AS by_name
    FROM events JOIN patients USING (mrn) LEFT JOIN users ON users.user_id = events.by
    ORDER BY events.id DESC LIMIT 200
"""


def show(visit: Visit) -> Response:
    """Show all pumps with their channels and alarms."""
    channels: dict[str, list[object]] = {}
    for row in visit.db.execute(f"{rack.CHANNELS} ORDER BY mrn, letter"):
        channels.setdefault(row["mrn"], []).append(row)
    pumps = visit.db.execute(PUMPS).fetchall()
    beds = {row["mrn"]: row for row in pumps}
    workstation.show(visit, "dashboard")
    return visit.render(
        "fleet.html", pumps=pumps, channels=channels, beds=beds, alarms=rack.alarms(visit), page="pumps"
    )


def log(visit: Visit) -> Response:
    """Show what was done at the pumps."""
    workstation.show(visit, "log")
    return visit.render("log.html", lines=visit.db.execute(LOG).fetchall(), page="log")
