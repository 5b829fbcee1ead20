"""Intake and output: hours across, kinds down, totals; and the correction of an entry."""

import sqlite3
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.nursing_documentation import sheet
from clinic.applications.nursing_documentation.choices import ERROR_REASONS, INTAKE, KINDS, OUTPUT
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import Warnings
from clinic.toolkit.words import moment
from clinic.visit import Visit, required

HOURS = 12
ENTRIES = """
    SELECT fluids.*, users.name AS by_name FROM fluids JOIN users ON users.user_id = fluids.by
    WHERE mrn = ? ORDER BY at, fluids.id
"""


@dataclass(frozen=True)
class Totals:
    """What went in and out during a time, in ml."""

    kinds: dict[str, int]

    @property
    def intake(self) -> int:
        """Everything that went in."""
        return sum(self.kinds[kind] for kind in INTAKE)

    @property
    def output(self) -> int:
        """Everything that came out."""
        return sum(self.kinds[kind] for kind in OUTPUT)

    @property
    def balance(self) -> int:
        """Intake less output."""
        return self.intake - self.output


def entries(visit: Visit, mrn: str) -> list[sqlite3.Row]:
    """Return all entries of a patient, struck ones included."""
    return visit.db.execute(ENTRIES, (mrn,)).fetchall()


def total(found: list[sqlite3.Row], since: datetime, until: datetime | None = None) -> Totals:
    """Add up the valid entries of a time."""
    kinds = dict.fromkeys(KINDS, 0)
    for row in found:
        if (
            not row["in_error"]
            and since <= moment(row["at"])
            and (until is None or moment(row["at"]) < until)
        ):
            kinds[row["kind"]] += row["volume"]
    return Totals(kinds)


def show(visit: Visit) -> Response:
    """Show the sheet."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    mrn = sheet.patient(visit)["mrn"]
    found, started = entries(visit, mrn), moment(sheet.shift(visit)["started_at"])
    hours = [started + timedelta(hours=hour) for hour in range(HOURS)]
    cells: dict[tuple[str, datetime], list[sqlite3.Row]] = defaultdict(list)
    for row in found:
        at = moment(row["at"])
        if at >= started:
            cells[row["kind"], hours[min(int((at - started) / timedelta(hours=1)), HOURS - 1)]].append(row)
    return sheet.render(
        visit,
        "fluids",
        problems,
        warnings,
        hours=hours,
        cells_by_hour=cells,
        columns=[total(found, hour, hour + timedelta(hours=1)) for hour in hours],
        this_shift=total(found, started),
        last_shift=total(found, started - timedelta(hours=12), started),
        slips=visit.db.execute("SELECT * FROM slips WHERE mrn = ? ORDER BY at DESC", (mrn,)).fetchall(),
    )


def save(visit: Visit) -> Response:
    """Store what was typed into the new column, an entry for each kind."""
    mrn = sheet.patient(visit)["mrn"]
    problems = Problems()
    sheet.only_nurses(visit, problems)
    volumes = {kind: _volume(visit, kind, problems) for kind in KINDS if visit.field(kind)}
    problems.add_if(not volumes, "", "Nothing to save: enter at least one volume.")
    if problems:
        return _render(visit, problems)
    odd = {kind: f"{KINDS[kind]} {volume} ml" for kind, volume in volumes.items() if _large(visit, volume)}
    if odd and not visit.field("confirmed"):
        return _render(visit, warnings=list(odd.values()))
    for kind, volume in volumes.items():
        _insert(visit, mrn, kind, volume, warned=kind in odd)
    return visit.go(f"/beds/{mrn}/fluids", f"Intake and output of {visit.now:%H:%M} saved.")


def _volume(visit: Visit, name: str, problems: Problems) -> int:
    low, high = visit.fixtures.load("nursing_documentation/limits")["fluids"]["possible"]
    value = read_number(visit.field(name), whole=True)
    if value is None or not low <= value <= high:
        problems.add(name, f"{KINDS.get(name, 'Volume')}: enter whole millilitres, {low} to {high}.")
        return 0
    return int(value)


def _large(visit: Visit, volume: int) -> bool:
    return volume > int(visit.fixtures.load("nursing_documentation/limits")["fluids"]["usual"][1])


def _insert(visit: Visit, mrn: str, kind: str, volume: int, **more: Any) -> None:
    values = {"at": clock.text(visit.now), "by": visit.user_id} | more
    rows.insert(visit.db, "fluids", mrn=mrn, kind=kind, volume=volume, **values)


def _entry(visit: Visit) -> sqlite3.Row:
    mrn, number = sheet.patient(visit)["mrn"], visit.params["id"]
    return required(next((row for row in entries(visit, mrn) if str(row["id"]) == number), None))


def show_entry(visit: Visit) -> Response:
    """Show one entry and the ways to correct it."""
    return _render_entry(visit)


def _render_entry(visit: Visit, problems: Problems | None = None) -> Response:
    return sheet.render(visit, "fluids", problems, template="entry.html", entry=_entry(visit))


def correct(visit: Visit) -> Response:
    """Strike an entry, replace it by a right one for the same time, or overwrite its volume."""
    entry, way = _entry(visit), visit.field("way")
    problems = Problems()
    sheet.only_nurses(visit, problems)
    problems.add_if(entry["in_error"], "", "The entry is struck already.")
    problems.add_if(way not in ("strike", "replace", "overwrite"), "", "Choose how to correct the entry.")
    if way != "overwrite" and visit.field("error_reason") not in ERROR_REASONS:
        problems.add("error_reason", "Choose the reason.")
    volume = _volume(visit, "volume", problems) if way != "strike" else 0
    if problems:
        return _render_entry(visit, problems)
    if way == "overwrite":
        rows.update(visit.db, "fluids", {"id": entry["id"]}, volume=volume)
        return visit.go(f"/beds/{entry['mrn']}/fluids", "The volume was overwritten.")
    mark = {"in_error": True, "error_reason": visit.field("error_reason"), "error_by": visit.user_id}
    rows.update(visit.db, "fluids", {"id": entry["id"]}, **mark)
    if way == "replace":
        _insert(visit, entry["mrn"], entry["kind"], volume, at=entry["at"], replaces=entry["id"])
    done = "The entry was struck" + (" and replaced." if way == "replace" else ".")
    return visit.go(f"/beds/{entry['mrn']}/fluids", done)
