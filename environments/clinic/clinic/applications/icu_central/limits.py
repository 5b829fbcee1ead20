"""Alarm limits of one bed: impossible ones are refused, those beyond the policy have to be confirmed."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.icu_central import alarming, bed
from clinic.applications.icu_central.choices import PARAMETERS
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit


@dataclass(frozen=True)
class Setting:
    """Limits of one parameter as somebody wants them."""

    parameter: str
    low: float
    high: float
    alarm_on: bool


def show(visit: Visit) -> Response:
    """Show the limits of the bed."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    patient = bed.load(visit)
    rules = visit.fixtures.load("icu_central/limits")
    usual = alarming.usual_limits(visit.fixtures, patient["age_class"], patient["profile"])
    policy = rules["policy"][patient["age_class"]]
    return bed.render(visit, "limits", problems, warnings, usual=usual, policy=policy)


def save(visit: Visit) -> Response:
    """Store what was changed, and compare what the monitor shows with it."""
    patient = bed.load(visit)
    mrn = patient["mrn"]
    old = {row["parameter"]: row for row in visit.db.execute(bed.LIMITS, (mrn,))}
    rules = visit.fixtures.load("icu_central/limits")
    problems = Problems()
    wanted = [_read(visit, parameter, rules, problems) for parameter in PARAMETERS]
    if problems:
        return _render(visit, problems)
    changed = [each for each in wanted if each is not None and _differs(each, old[each.parameter])]
    if not changed:
        return _render(visit, Problems({"": "Nothing was changed."}))
    odd = {each.parameter: _oddities(each, rules["policy"][patient["age_class"]]) for each in changed}
    if any(odd.values()) and not visit.field("confirmed"):
        return _render(visit, warnings=[text for texts in odd.values() for text in texts])
    at = clock.text(visit.now)
    for each in changed:
        values: dict[str, Any] = {"low": each.low, "high": each.high, "alarm_on": each.alarm_on}
        values |= {"beyond_policy": bool(odd[each.parameter]), "changed_by": visit.user_id, "changed_at": at}
        rows.update(visit.db, "limits", {"mrn": mrn, "parameter": each.parameter}, **values)
    alarming.evaluate(visit.db, visit.fixtures, mrn, at)
    names = ", ".join(PARAMETERS[each.parameter].label for each in changed)
    return visit.go(f"/bed/{patient['number']}/limits", f"Limits saved: {names}.")


def _read(visit: Visit, parameter: str, rules: Mapping[str, Any], problems: Problems) -> Setting | None:
    """Return what was entered for a parameter; what cannot be is added to the problems."""
    whole = PARAMETERS[parameter].whole
    low, high = (read_number(visit.field(f"{parameter}_{end}"), whole) for end in ("low", "high"))
    least, most = rules["settable"][parameter]
    if low is None or high is None:
        problems.add(parameter, "Enter whole numbers." if whole else "Enter numbers, for example 38.5.")
    elif not least <= low <= most or not least <= high <= most:
        problems.add(parameter, f"The monitor takes {least:g} to {most:g}.")
    elif high - low < rules["gap"][parameter]:
        problems.add(parameter, f"Low and high must be {rules['gap'][parameter]:g} apart at least.")
    else:
        return Setting(parameter, low, high, visit.field(f"{parameter}_alarm") != "off")
    return None


def _differs(wanted: Setting, stored: sqlite3.Row) -> bool:
    before = (stored["low"], stored["high"], bool(stored["alarm_on"]))
    return (wanted.low, wanted.high, wanted.alarm_on) != before


def _oddities(wanted: Setting, policy: Mapping[str, list[float]]) -> list[str]:
    label = PARAMETERS[wanted.parameter].label
    if not wanted.alarm_on:
        return [f"{label}: the alarm will be switched off"]
    least, most = policy[wanted.parameter]
    found = []
    if wanted.low < least:
        found.append(f"{label}: low limit {wanted.low:g} is below {least:g}")
    if wanted.high > most:
        found.append(f"{label}: high limit {wanted.high:g} is above {most:g}")
    return found
