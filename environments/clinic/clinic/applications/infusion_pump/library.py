"""The drug library: entries of a care area, and one entry with its limits."""

import sqlite3

from starlette.responses import Response

from clinic.applications.infusion_pump.choices import CARE_AREAS, DRUG_GROUPS, PROFILE
from clinic.toolkit import workstation
from clinic.visit import Visit

ENTRIES = "SELECT * FROM library WHERE care_area = ? ORDER BY drug COLLATE NOCASE, amount"


def area_of(visit: Visit) -> str:
    """Return the care area that the address asks for, or the unit's own."""
    asked = visit.query.get("area", "")
    return asked if asked in CARE_AREAS else PROFILE


def group_of(visit: Visit) -> str:
    """Return the letters that the address asks for."""
    asked = visit.query.get("letters", "")
    return asked if asked in DRUG_GROUPS else next(iter(DRUG_GROUPS))


def entries(visit: Visit, area: str, group: str | None = None) -> list[sqlite3.Row]:
    """Return the entries of a care area, of one group of first letters if asked."""
    found = visit.db.execute(ENTRIES, (area,)).fetchall()
    if group is None:
        return found
    first, last = group.split("-")
    return [row for row in found if first <= row["drug"][0].casefold() <= last]


def show(visit: Visit) -> Response:
    """Show the entries that match the search."""
    area, search = area_of(visit), visit.query.get("q", "").strip()
    found = [row for row in entries(visit, area) if search.casefold() in row["drug"].casefold()]
    workstation.show(visit, "library")
    return visit.render("library.html", area=area, search=search, entries=found, page="library")


def show_entry(visit: Visit) -> Response:
    """Show one entry with its limits."""
    row = visit.one("SELECT * FROM library WHERE id = ?", (visit.params["id"],))
    workstation.show(visit, "library entry")
    return visit.render("entry.html", entry=row, page="library")
