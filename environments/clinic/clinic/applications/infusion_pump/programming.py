"""Programming a channel: choosing from the library, dose and volume, titration."""

import sqlite3
from dataclasses import dataclass

from starlette.responses import Response

from clinic.applications.infusion_pump import dosing, gates, library, rack
from clinic.applications.infusion_pump.choices import CARE_AREAS, LIMITS
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.words import number
from clinic.visit import NotHere, Visit

LARGEST = {"weight": 350.0, "rate": 999.0, "vtbi": 9999.0}
BUSY = {
    "infusing": "The channel is infusing: press HOLD before programming it anew.",
    "alarm": "Clear the alarm before programming the channel.",
}


@dataclass(frozen=True)
class Setting:
    """What somebody wants a channel to do."""

    weight: float | None
    dose: float | None
    rate: float
    vtbi: float


def choose(visit: Visit) -> Response:
    """Show the drugs of a care area, a few letters at a time."""
    area, group = library.area_of(visit), library.group_of(visit)
    found = library.entries(visit, area, group)
    return rack.render(visit, "drugs", area=area, group=group, entries=found)


def areas(visit: Visit) -> Response:
    """Show the care areas of the library."""
    return rack.render(visit, "areas", areas=CARE_AREAS)


def show(visit: Visit) -> Response:
    """Show the empty programme of an entry, or of a basic infusion."""
    return _form(visit, _wanted(visit, visit.query.get("entry", "")))


def _wanted(visit: Visit, asked: str) -> sqlite3.Row | None:
    """Return the entry asked for; nothing means a basic infusion."""
    if not asked:
        return None
    found = rack.entry(visit, asked)
    if found is None:
        raise NotHere
    return found


def _form(visit: Visit, entry: sqlite3.Row | None, problems: Problems | None = None) -> Response:
    return rack.render(visit, "program", problems, entry=entry)


def save(visit: Visit) -> Response:
    """Keep a programme, ready to be started."""
    channel, entry = rack.channel(visit), _wanted(visit, visit.field("entry"))
    if busy := BUSY.get(channel["status"]):
        return _form(visit, entry, Problems({"": busy}))
    problems = Problems()
    setting = _read(visit, entry, problems)
    if setting is None:
        return _form(visit, entry, problems)
    if question := gates.soft_limit(visit, entry, setting.dose, "program"):
        return question
    gates.keep_override(visit, entry, setting.dose)
    rack.change(
        visit,
        f"Programmed {_words(entry, setting)}, VTBI {number(setting.vtbi)} mL",
        status="ready",
        entry=entry["id"] if entry else None,
        weight_kg=setting.weight,
        dose=setting.dose,
        rate=setting.rate,
        vtbi_ml=setting.vtbi,
        infused_ml=0.0,
    )
    return rack.back(visit, "Programme confirmed. Press START to begin the infusion.")


def show_titration(visit: Visit) -> Response:
    """Show what runs, to be changed."""
    channel = rack.channel(visit)
    if channel["rate"] is None:
        return rack.refuse(visit, "There is nothing to titrate on this channel.")
    return rack.render(visit, "titrate", entry=rack.entry(visit, channel["entry"]))


def titrate(visit: Visit) -> Response:
    """Change the dose of what is programmed; it takes effect at once."""
    channel = rack.channel(visit)
    if channel["rate"] is None:
        return rack.refuse(visit, "There is nothing to titrate on this channel.")
    entry, problems = rack.entry(visit, channel["entry"]), Problems()
    setting = _read(visit, entry, problems, channel)
    if setting is None:
        return rack.render(visit, "titrate", problems, entry=entry)
    if question := gates.soft_limit(visit, entry, setting.dose, "titrate"):
        return question
    runs = channel["status"] != "ready"  # a programme that was not started is checked at the start
    if runs and (question := gates.double_check(visit, entry, setting.dose, setting.rate, "titrate")):
        return question
    gates.keep_override(visit, entry, setting.dose)
    rack.change(visit, f"Titrated to {_words(entry, setting)}", dose=setting.dose, rate=setting.rate)
    return rack.back(visit, f"{_words(entry, setting)} is set.")


def _words(entry: sqlite3.Row | None, setting: Setting) -> str:
    if entry is None:
        return f"basic infusion, {number(setting.rate)} mL/h"
    return f"{entry['drug']} {number(setting.dose)} {entry['dosing_unit']} ({number(setting.rate)} mL/h)"


def _read(
    visit: Visit, entry: sqlite3.Row | None, problems: Problems, running: sqlite3.Row | None = None
) -> Setting | None:
    """Read a setting; what runs keeps its weight and volume."""
    if running is None:
        weight = _number(visit, "weight", problems) if entry and dosing.weight_based(entry) else None
        vtbi = _number(visit, "vtbi", problems)
    else:
        weight, vtbi = running["weight_kg"], running["vtbi_ml"]
    by_dose = entry is not None and not (visit.field("leading") == "rate" and visit.field("rate"))
    value = _number(visit, "dose" if by_dose else "rate", problems)
    if problems or value is None or vtbi is None:
        return None
    kilos = weight or 1.0
    if entry is None:
        return Setting(weight, None, round(value, 1), vtbi)
    dose = value if by_dose else dosing.dose_of(entry, value, kilos)
    rate = dosing.rate_of(entry, value, kilos) if by_dose else round(value, 1)
    _check(entry, dose, rate, problems)
    return None if problems else Setting(weight, dose, rate, vtbi)


def _check(entry: sqlite3.Row, dose: float, rate: float, problems: Problems) -> None:
    limit = dosing.crossed(entry, dose)
    if limit and dosing.is_hard(limit):
        side = "above" if limit == "hard_high" else "below"
        unit = entry["dosing_unit"]
        problems.add("dose", f"{number(dose)} {unit} is {side} the {LIMITS[limit]}.")
        problems.add("hard", f"{LIMITS[limit]}: {number(entry[limit])} {unit}")
    elif not 0.1 <= rate <= LARGEST["rate"]:
        problems.add("dose", f"That makes {number(rate)} mL/h; the pump runs 0.1 to 999 mL/h.")


def _number(visit: Visit, name: str, problems: Problems) -> float | None:
    text = visit.field(name)
    value = _precise(text)
    if value is None or value <= 0:
        problems.add(name, "Enter a number.")
        return None
    if value > LARGEST.get(name, 99999):
        problems.add(name, f"At most {number(LARGEST[name])}.")
    return value


def _precise(text: str) -> float | None:
    """Read up to three decimals, as doses per kilogram need."""
    whole, point, decimals = text.partition(".")
    if len(decimals) == 3 and decimals.isascii() and decimals.isdigit():
        value = read_number(whole or "0", whole=True)
        return None if value is None else float(f"{value:g}{point}{decimals}")
    return read_number(text, whole=False)
