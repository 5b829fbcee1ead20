"""What stands between a dose and the patient: the soft limit with its reason, the second nurse."""

import sqlite3

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.infusion_pump import dosing, rack
from clinic.applications.infusion_pump.choices import OVERRIDE_REASONS, SECOND_NURSES
from clinic.toolkit import second_person
from clinic.toolkit.entry import Problems
from clinic.visit import Visit


def soft_limit(visit: Visit, entry: sqlite3.Row | None, dose: float | None, action: str) -> Response | None:
    """Ask why a dose beyond a soft limit is meant; None when there is nothing to ask, or a reason is given."""
    limit = dosing.crossed(entry, dose)
    if limit is None or visit.field("reason") in OVERRIDE_REASONS:
        return None
    asked = Problems({"reason": "Choose a reason, or go back."} if "override" in visit.form else {})
    return rack.render(visit, "override", asked, entry=entry, dose=dose, limit=limit, action=action)


def double_check(
    visit: Visit, entry: sqlite3.Row | None, dose: float | None, rate: float, action: str
) -> Response | None:
    """Ask for the second nurse where the library demands one; None once signed, or passed over."""
    if entry is None or not entry["double_check"]:
        return None
    problems, second = Problems(), None
    asked = "second_user" in visit.form
    if asked and not visit.field("skip"):
        second = second_person.read(visit, SECOND_NURSES, problems)
    if problems or not (asked or visit.field("skip")):
        return rack.render(visit, "double_check", problems, entry=entry, dose=dose, rate=rate, action=action)
    signer = second["user_id"] if second else None
    _keep(visit, "double_checks", entry, dose, rate=rate, second=signer)
    return None


def keep_override(visit: Visit, entry: sqlite3.Row | None, dose: float | None) -> None:
    """Write down that a soft limit was passed, and why."""
    limit = dosing.crossed(entry, dose)
    if entry is not None and limit is not None:
        _keep(
            visit,
            "overrides",
            entry,
            dose,
            crossed=limit,
            limit_value=entry[limit],
            reason=visit.field("reason"),
        )


def _keep(visit: Visit, table: str, entry: sqlite3.Row, dose: float | None, **values: object) -> None:
    place = {"mrn": visit.params["mrn"], "letter": visit.params["letter"]}
    signed = {"by": visit.user_id, "at": clock.text(visit.now)}
    rows.insert(visit.db, table, **place, entry=entry["id"], dose=dose, **values, **signed)
