"""The alarm list, and what is done about one alarm: acknowledge it, pause its sound, let it sound again."""

import sqlite3
from datetime import timedelta

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.icu_central import bed, overview
from clinic.applications.icu_central.choices import ALARM_FILTERS, DURATIONS, SILENCE_REASONS
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.visit import Visit, required

LONGEST_NOTE = 200
LONGEST_CRISIS_SILENCE = 2


def show(visit: Visit) -> Response:
    """Show the list, filtered."""
    workstation.show(visit, "alarms")
    chosen = visit.query.get("show", "all")
    chosen = chosen if chosen in ALARM_FILTERS else "all"
    listed = overview.list_alarms(visit, chosen)
    return overview.render(visit, "alarms.html", listed=listed, show=chosen)


def _load(visit: Visit) -> sqlite3.Row:
    found = (row for row in overview.list_alarms(visit, "all") if str(row["id"]) == visit.params["id"])
    return required(next(found, None))


def one(visit: Visit) -> Response:
    """Show one alarm with what the monitor shows now."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    alarm = _load(visit)
    workstation.show(visit, "alarm", alarm["mrn"])
    numerics = visit.db.execute(bed.NUMERICS, (alarm["mrn"],)).fetchone()
    limit = visit.db.execute(
        "SELECT * FROM limits WHERE mrn = ? AND parameter = ?", (alarm["mrn"], alarm["parameter"])
    ).fetchone()
    return overview.render(
        visit,
        "alarm.html",
        **said(visit, problems, warnings),
        alarm=alarm,
        numerics=numerics,
        limit=limit,
    )


def acknowledge(visit: Visit) -> Response:
    """Record who has seen the alarm; the note may be left out."""
    alarm, note = _load(visit), visit.field("note")
    if alarm["acknowledged_at"] is not None:
        return _render(visit, Problems({"": "This alarm has been acknowledged already."}))
    if len(note) > LONGEST_NOTE:
        return _render(visit, Problems({"note": f"At most {LONGEST_NOTE} characters."}))
    seen = {"acknowledged_by": visit.user_id, "acknowledged_at": clock.text(visit.now), "note": note}
    rows.update(visit.db, "alarms", {"id": alarm["id"]}, **seen)
    shown = visit.field("show")
    back = f"/alarms?show={shown}" if shown in ALARM_FILTERS else f"/alarms/{alarm['id']}"
    return visit.go(back, f"Bed {alarm['bed']}: {alarm['label']} acknowledged.")


def silence(visit: Visit) -> Response:
    """Pause the sound of an alarm; long pauses of a crisis alarm have to be confirmed."""
    alarm = _load(visit)
    duration, reason = visit.field("duration"), visit.field("reason")
    problems = _silence_problems(alarm, duration, reason)
    if problems:
        return _render(visit, problems)
    minutes = None if duration == "off" else int(duration)
    warning = _silence_warning(alarm, minutes)
    if warning and not visit.field("confirmed"):
        return _render(visit, warnings=[warning])
    # The clock moves on by the minute in which this is saved; that minute is not part of the pause.
    until = None if minutes is None else clock.text(visit.now + timedelta(minutes=minutes + 1))
    rows.insert(
        visit.db,
        "silences",
        mrn=alarm["mrn"],
        alarm_id=alarm["id"],
        minutes=minutes,
        reason=reason,
        silenced_by=visit.user_id,
        silenced_at=clock.text(visit.now),
        until=until,
    )
    return visit.go(f"/alarms/{alarm['id']}", f"Sound paused: {DURATIONS[duration].lower()}.")


def _silence_problems(alarm: sqlite3.Row, duration: str, reason: str) -> Problems:
    problems = Problems()
    problems.add_if(not alarm["active"], "", "The cause of this alarm is over; it makes no sound.")
    problems.add_if(alarm["silent"], "", "The sound is paused already.")
    problems.add_if(duration not in DURATIONS, "duration", "Choose how long.")
    problems.add_if(reason not in SILENCE_REASONS, "reason", "Choose a reason.")
    return problems


def _silence_warning(alarm: sqlite3.Row, minutes: int | None) -> str | None:
    if minutes is None:
        return f"{alarm['label']} will stay silent until somebody lets it sound again."
    if alarm["priority"] == "high" and minutes > LONGEST_CRISIS_SILENCE:
        return f"The policy allows {LONGEST_CRISIS_SILENCE} minutes at most for an alarm of high priority."
    return None


def resume(visit: Visit) -> Response:
    """Let the alarm sound again."""
    alarm = _load(visit)
    if not alarm["silent"]:
        return _render(visit, Problems({"": "The sound is not paused."}))
    query = "UPDATE silences SET resumed_at = ? WHERE alarm_id = ? AND resumed_at IS NULL"
    visit.db.execute(query, (clock.text(visit.now), alarm["id"]))
    return visit.go(f"/alarms/{alarm['id']}", "The alarm sounds again.")
