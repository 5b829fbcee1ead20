"""Figures of the house: occupancy now and at the last midnights. And the patient index."""

import sqlite3

from starlette.responses import Response

from clinic.applications.bed_management import house
from clinic.toolkit import workstation
from clinic.toolkit.worklist import matching
from clinic.visit import Visit

SHOWN = 14


def occupancy(visit: Visit) -> Response:
    """Show how full the wards are, as a share of the beds that are open."""
    workstation.show(visit, "occupancy")
    wards = house.wards(visit.db)
    history: dict[str, list[sqlite3.Row]] = {ward.row["code"]: [] for ward in wards}
    for row in visit.db.execute("SELECT * FROM census ORDER BY day"):
        history[row["ward"]].append(row)
    return visit.render("occupancy.html", wards=wards, history=history, percent=percent)


def percent(occupied: int, open_beds: int) -> int:
    """Return a share as a whole per cent, halves rounded up."""
    return (200 * occupied + open_beds) // (2 * open_beds) if open_beds else 0


def index(visit: Visit) -> Response:
    """Search the patient index by name or number."""
    workstation.show(visit, "index")
    search = visit.query.get("q", "").strip()
    found = matching(house.patients(visit.db), search) if search else []
    return visit.render("index.html", found=found[:SHOWN], search=search)
