"""The command board, the map of one ward, and the card of one bed."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.bed_management import house
from clinic.applications.bed_management.chart import start
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.toolkit.words import moment
from clinic.visit import Visit, required


def show(visit: Visit) -> Response:
    """Show all wards and the worklist."""
    workstation.show(visit, "board")
    people = house.by_number(visit.db)
    waiting = house.waiting(people.values())
    minutes = {row["mrn"]: _minutes(visit, row["requested_at"]) for row in waiting}
    wards = house.wards(visit.db)
    return visit.render("board.html", wards=wards, people=people, waiting=waiting, minutes=minutes)


def _minutes(visit: Visit, since: str) -> int:
    return int((visit.now - moment(since)).total_seconds() // 60)


def ward(visit: Visit) -> Response:
    """Show the bed map of one ward."""
    found = required(
        next((each for each in house.wards(visit.db) if each.row["code"] == visit.params["code"]), None)
    )
    workstation.show(visit, f"ward {found.row['code']}")
    return visit.render("ward.html", ward=found, people=house.by_number(visit.db))


def bed(visit: Visit) -> Response:
    """Show the card of one bed."""
    return _bed(visit)


def _bed(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    found = required(house.bed(visit.db, visit.params["label"]))
    workstation.show(visit, "bed")
    return visit.render(
        "bed.html",
        **said(visit, problems, warnings),
        bed=found,
        people=house.by_number(visit.db),
    )


def release(visit: Visit) -> Response:
    """Take a bed out of cleaning; without housekeeping's word this asks first."""
    problems = start(visit)
    found = required(house.bed(visit.db, visit.params["label"]))
    problems.add_if(found["state"] != "cleaning", "", "Only a bed that is being cleaned can be released.")
    if problems:
        return _bed(visit, problems)
    if not visit.field("confirmed"):
        return _bed(visit, warnings=["Housekeeping has not reported this bed as clean."])
    now = clock.text(visit.now)
    rows.update(visit.db, "beds", {"label": found["label"]}, condition="ready", reason="", since=now)
    return visit.go(f"/bed/{found['label']}", f"Bed {found['label']} is available.")
