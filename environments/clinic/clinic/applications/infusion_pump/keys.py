"""The hard keys and what follows from them: start, hold, off, silence, the volume, clearing an alarm."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.infusion_pump import gates, rack
from clinic.applications.infusion_pump.choices import ALARMS, CAUSES
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.words import number
from clinic.visit import NotHere, Visit

NOT_STARTED = {
    "off": "Nothing is programmed on this channel.",
    "infusing": "The channel is infusing already.",
    "alarm": "Clear the alarm before restarting the infusion.",
}
LARGEST_VOLUME = 9999.0
BLANK = ("entry", "weight_kg", "dose", "rate", "vtbi_ml", "infused_ml")


def show(visit: Visit) -> Response:
    """Show the channel."""
    return rack.render(visit, "status")


def start(visit: Visit) -> Response:
    """Begin or go on infusing; a new programme may need a second nurse."""
    channel = rack.channel(visit)
    if reason := NOT_STARTED.get(channel["status"]):
        return rack.refuse(visit, reason)
    if channel["status"] == "kvo" and not channel["vtbi_ml"]:
        return rack.refuse(visit, "The volume is infused: set a new VTBI first.")
    entry = rack.entry(visit, channel["entry"])
    fresh = channel["status"] == "ready"
    if fresh and (question := gates.double_check(visit, entry, channel["dose"], channel["rate"], "start")):
        return question
    rack.change(visit, "Started" if fresh else "Restarted", status="infusing")
    _clear(visit, "complete", "new_volume")
    return rack.back(visit, f"Channel {channel['letter']} is infusing.")


def hold(visit: Visit) -> Response:
    """Stop infusing, and keep the programme."""
    channel = rack.channel(visit)
    if channel["status"] not in ("infusing", "kvo"):
        return rack.refuse(visit, "The channel is not infusing.")
    rack.change(visit, "Put on hold", status="hold")
    return rack.back(visit, f"Channel {channel['letter']} is on hold.")


def off(visit: Visit) -> Response:
    """Forget the programme of a channel that does not infuse."""
    channel = rack.channel(visit)
    if channel["status"] in ("infusing", "kvo", "alarm"):
        return rack.refuse(visit, "Press HOLD, or clear the alarm, before switching the channel off.")
    if channel["status"] == "off":
        return rack.refuse(visit, "The channel is off already.")
    rack.change(visit, "Switched off", status="off", **dict.fromkeys(BLANK))
    return rack.back(visit, f"Channel {channel['letter']} is off.")


def silence(visit: Visit) -> Response:
    """Pause the sound of a pump; what it warns of goes on."""
    sounding = [row for row in rack.alarms(visit, rack.channel(visit)["mrn"]) if row["silenced_at"] is None]
    if not sounding:
        return rack.refuse(visit, "No alarm is sounding.")
    for row in sounding:
        at = clock.text(visit.now)
        rows.update(visit.db, "alarms", {"id": row["id"]}, silenced_by=visit.user_id, silenced_at=at)
    rack.log(visit, "Alarm sound paused")
    return rack.back(visit, "Alarm sound paused for two minutes.")


def clear(visit: Visit) -> Response:
    """Clear an alarm whose cause was dealt with; a stopped channel is then on hold."""
    channel = rack.channel(visit)
    row = visit.db.execute(
        f"{rack.ACTIVE_ALARMS} AND id = ? AND mrn = ? AND letter = ?",
        (visit.params["id"], channel["mrn"], channel["letter"]),
    ).fetchone()
    if row is None:
        raise NotHere
    kind, cause = row["kind"], visit.field("cause")
    if kind == "complete":
        return rack.refuse(visit, "Set a new VTBI and press START: that clears this alarm.")
    if cause not in CAUSES[kind]:
        return rack.render(visit, "status", Problems({"cause": "Choose what was done about it."}))
    _clear(visit, kind, cause)
    notice = f"{ALARMS[kind][0]} cleared."
    if channel["status"] == "alarm":
        rack.change(visit, f"Alarm cleared: {CAUSES[kind][cause].lower()}", status="hold")
        return rack.back(visit, f"{notice} The channel is on hold: press START to go on.")
    rack.log(visit, f"Alarm cleared: {CAUSES[kind][cause].lower()}")
    return rack.back(visit, notice)


def _clear(visit: Visit, kind: str, cause: str) -> None:
    mark = {"cause": cause, "cleared_by": visit.user_id, "cleared_at": clock.text(visit.now)}
    for row in rack.alarms(visit, visit.params["mrn"]):
        if (row["letter"], row["kind"]) == (visit.params["letter"], kind):
            rows.update(visit.db, "alarms", {"id": row["id"]}, **mark)


def show_volume(visit: Visit) -> Response:
    """Show the volume to be infused, to be changed."""
    if rack.channel(visit)["rate"] is None:
        return rack.refuse(visit, "Nothing is programmed on this channel.")
    return rack.render(visit, "volume")


def save_volume(visit: Visit) -> Response:
    """Set the volume still to be infused."""
    if rack.channel(visit)["rate"] is None:
        return rack.refuse(visit, "Nothing is programmed on this channel.")
    volume = read_number(visit.field("vtbi"), whole=False)
    if volume is None or not 0.1 <= volume <= LARGEST_VOLUME:
        return rack.render(visit, "volume", Problems({"vtbi": "Enter 0.1 to 9999 mL."}))
    rack.change(visit, f"VTBI set to {number(volume)} mL", vtbi_ml=volume)
    return rack.back(visit, f"VTBI {number(volume)} mL is set.")
