"""What each task is about on a given seed: which bed, which alarm, and with which values."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any

from pytest_cuabench.evidence import State
from pytest_cuabench.library import FIXTURES

from .station import CRISIS_CONTACTS, PARAMETERS, PROFILES, RANKS, RECIPIENTS, SILENCE_REASONS

Values = dict[str, Any]
Row = Mapping[str, Any]

_SAMPLES_PER_HOUR = 4
_EXTREMES = {"spo2": "lowest", "heart_rate": "highest", "abp_mean": "lowest"}


@cache
def _unit() -> Mapping[str, Any]:
    return tomllib.loads((FIXTURES / "clinic" / "icu_central" / "unit.toml").read_text(encoding="utf-8"))


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the central station."""
    nurse = state.row("users", role="monitor_nurse")
    return {"user_id": nurse["user_id"], "password": nurse["password"], "nurse": nurse["name"]}


def view_overview(state: State, chance: random.Random) -> Values:
    """Find the beds with an active alarm of high priority, acknowledged or not."""
    high = [row for row in state.rows("alarms", priority="high") if row["active"]]
    fresh = [row["bed"] for row in high if row["acknowledged_at"] is None]
    alarmed = {row["bed"] for row in state.rows("alarms") if row["active"] and row["priority"] != "low"}
    beds = sorted({row["bed"] for row in high})
    return login(state, chance) | {
        "beds": beds,
        "fresh": fresh,
        "alarmed": sorted(alarmed),
        "other": _alarm(state, _unseen(state, "high")[0]),
    }


def read_vitals(state: State, chance: random.Random) -> Values:
    """Read the numerics of a patient whose name is like another one's."""
    patient, other = _patient(state, "stable"), _patient(state, "ordered_limits")
    values = _about(state, chance, patient, other)
    return values | {"now": _numerics(state, patient), "not_now": _numerics(state, other)}


def view_alarm_list(state: State, chance: random.Random) -> Values:
    """Count the alarms that nobody has acknowledged."""
    rows = state.rows("alarms")
    unseen = [row for row in rows if row["acknowledged_at"] is None]
    return login(state, chance) | {
        "count": len(unseen),
        "active": sum(row["active"] for row in rows),
        "still_present": sum(row["active"] for row in unseen),
        "alarm": _alarm(state, _unseen(state, "high")[0]),
    }


def acknowledge_alarm(state: State, chance: random.Random) -> Values:
    """Acknowledge one of two alarms of a patient with a note; a namesake has the same alarm."""
    patient, namesake = _patient(state, "hypoxia"), _patient(state, "hypoxia_other")
    values = _about(state, chance, patient, namesake)
    return values | {
        "alarm": _alarm_of(state, patient, "spo2_low"),
        "second": _alarm_of(state, patient, "respiratory_rate_high"),
        "other": values["other"] | {"alarm": _alarm_of(state, namesake, "spo2_low")},
        "note": chance.choice(_unit()["notes"]),
        "label": "SpO2 low",
    }


def set_thresholds(state: State, chance: random.Random) -> Values:
    """Set the alarm limits that were ordered today; an older order is still to be seen."""
    patient, other = _patient(state, "ordered_limits"), _patient(state, "stable")
    wanted = _ordered(state, patient, "active")
    return _about(state, chance, patient, other) | {
        "wanted": wanted,
        "outdated": _ordered(state, patient, "discontinued"),
        "spoken": _spoken(wanted),
    }


def silence_alarm_safely(state: State, chance: random.Random) -> Values:
    """Pause the sound of a medium alarm for a given time, for a reason."""
    patient = _patient(state, "agitation")
    reason = chance.choice(sorted(SILENCE_REASONS))
    minutes = chance.choice((1, 2, 3, 5))
    other = _patient(state, "hypoxia")
    values = _about(state, chance, patient, other)
    return values | {
        "alarm": _alarm_of(state, patient, "heart_rate_high"),
        "crisis": _alarm(state, _unseen(state, "high")[0]),
        "other": values["other"] | {"alarm": _alarm_of(state, other, "respiratory_rate_high")},
        "label": "HR high",
        "minutes": minutes,
        "duration": f"{minutes} min",
        "spoken_minutes": f"{minutes} minute" + "s" * (minutes > 1),
        "reason": reason,
        "reason_words": SILENCE_REASONS[reason][0],
        "told": SILENCE_REASONS[reason][1],
    }


def view_trend(state: State, chance: random.Random) -> Values:
    """Find the extreme of one parameter over a window that is not the one shown first."""
    patient = _patient(state, "past_episode")
    parameter = chance.choice(sorted(_EXTREMES))
    hours = chance.choice((12, 24, 72))
    extreme = _EXTREMES[parameter]
    found = {each: _extreme(state, patient, parameter, each, extreme) for each in (4, 12, 24, 72)}
    label, unit = PARAMETERS[parameter]
    return _about(state, chance, patient, _patient(state, "stable")) | {
        "parameter": parameter,
        "parameter_words": label,
        "unit": unit,
        "hours": hours,
        "extreme": extreme,
        "value": found[hours],
        "in_other_windows": [value for each, value in found.items() if each != hours],
    }


def critical_alarm_response(state: State, chance: random.Random) -> Values:
    """Answer the only crisis alarm that nobody has acknowledged."""
    (row,) = _unseen(state, "high")
    patient = state.row("patients", mrn=row["mrn"])
    numerics = state.row("numerics", mrn=row["mrn"])
    (second,) = [each for each in _unseen(state, "medium") if each["mrn"] == row["mrn"]]
    recipient = CRISIS_CONTACTS[row["kind"]]
    label, unit = PARAMETERS[row["parameter"]]
    return _about(state, chance, patient, _patient(state, "hypoxia")) | {
        "alarm": _alarm(state, row),
        "alarm_label": row["label"],
        "second": _alarm(state, second),
        "note": chance.choice(_unit()["handled"]),
        "recipient": recipient,
        "recipient_words": RECIPIENTS[recipient],
        "other_recipient": next(name for name in RECIPIENTS if name != recipient),
        "message": chance.choice(_unit()["pages"]),
        "parameter_words": label,
        "unit": unit,
        "now": numerics[row["parameter"]],
        "at_the_alarm": row["value"],
    }


def trend_deterioration_report(state: State, chance: random.Random) -> Values:
    """Find who has worsened for twelve hours without an alarm, and have the physician come."""
    patient = _patient(state, "drift")
    samples = _samples(state, patient, "spo2")
    sudden = _patient(state, "hypoxia")
    low = _patient(state, "steady_low")
    return _about(state, chance, patient, sudden) | {
        "before": samples[-1 - 12 * _SAMPLES_PER_HOUR],
        "now": samples[-1],
        "steady": {"bed": _bed(state, low), "value": _samples(state, low, "spo2")[-1]},
    }


def multi_bed_monitoring(state: State, chance: random.Random) -> Values:
    """Acknowledge what is present, unseen and of high or medium priority, the most urgent first."""
    rows = sorted(_unseen(state, "high", "medium"), key=lambda row: (RANKS[row["priority"]], row["bed"]))
    return login(state, chance) | {
        "alarms": [_alarm(state, row) for row in rows],
        "low": _alarm_of(state, _patient(state, "agitation"), "technical"),
        "beds_spoken": ", ".join(f"Bed {bed}" for bed in sorted({row["bed"] for row in rows})),
    }


def admit_new_patient(state: State, chance: random.Random) -> Values:
    """Put an expected patient on the monitor of the free bed, with limits as ordered."""
    patient, namesake = _patient(state, "arrival"), _patient(state, "arrival_namesake")
    (bed,) = state.rows("beds", state="ready")
    wanted = _ordered(state, patient, "active")
    profile = chance.choice(sorted(PROFILES))
    born = date.fromisoformat(patient["birth_date"])
    child = born.replace(year=born.year + 18) > date.fromisoformat((state.clock or "")[:10])
    identity = _identity(state, patient)
    return login(state, chance) | {
        **identity,
        "bed": bed["number"],
        "born": f"{born.day} {born:%B} {born.year}",
        "other": _identity(state, namesake) | {"wanted": wanted},
        "profile": profile,
        "profile_words": PROFILES[profile],
        "age_class": "pediatric" if child else "adult",
        "class_words": "Paediatric" if child else "Adult",
        "wrong_class": "Adult" if child else "Paediatric",
        "paced": patient["pacemaker"],
        "paced_words": "Yes" if patient["pacemaker"] else "No",
        "wanted": wanted,
        "spoken": _spoken(wanted),
    }


# Beds, alarms, trends


def _about(state: State, chance: random.Random, patient: Row, other: Row) -> Values:
    return login(state, chance) | _identity(state, patient) | {"other": _identity(state, other)}


def _identity(state: State, patient: Row) -> Values:
    return {
        "mrn": patient["mrn"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "link": f"{patient['family_name']}, {patient['given_name']}",
        "bed": _bed(state, patient),
    }


def _patient(state: State, story: str) -> Row:
    return state.row("patients", story=story)


def _bed(state: State, patient: Row) -> int | None:
    return next((row["number"] for row in state.rows("beds", mrn=patient["mrn"])), None)


def _numerics(state: State, patient: Row) -> Values:
    row = state.row("numerics", mrn=patient["mrn"])
    names = ("heart_rate", "spo2", "abp_systolic", "abp_diastolic", "abp_mean", "respiratory_rate")
    return {name: row[name] for name in names}


def _unseen(state: State, *priorities: str) -> list[dict[str, Any]]:
    """Return the active alarms of some priorities that nobody has acknowledged."""
    rows = [row for row in state.rows("alarms", acknowledged_at=None) if row["priority"] in priorities]
    return [row for row in rows if row["active"]]


def _alarm_of(state: State, patient: Row, kind: str) -> Values:
    return _alarm(state, state.row("alarms", mrn=patient["mrn"], kind=kind, active=True))


def _alarm(state: State, row: Row) -> Values:
    return {
        "id": str(row["id"]),
        "mrn": row["mrn"],
        "bed": row["bed"],
        "priority": row["priority"],
        "row": f"Bed {row['bed']} {row['label']}",
    }


def _ordered(state: State, patient: Row, status: str) -> dict[str, list[float]]:
    order = state.row("orders", mrn=patient["mrn"], status=status)
    lines = state.rows("ordered_limits", order_id=order["id"])
    return {row["parameter"]: [row["low"], row["high"]] for row in lines}


def _spoken(wanted: Mapping[str, list[float]]) -> str:
    """Return limits as a goal says them."""
    return ", ".join(
        f"{PARAMETERS[name][0]} low {low:g} and high {high:g}" for name, (low, high) in wanted.items()
    )


def _samples(state: State, patient: Row, parameter: str) -> list[int]:
    row = state.row("trends", mrn=patient["mrn"], parameter=parameter)
    return [int(text) for text in row["samples"].split(",")]


def _extreme(state: State, patient: Row, parameter: str, hours: int, extreme: str) -> int:
    window = _samples(state, patient, parameter)[-1 - hours * _SAMPLES_PER_HOUR :]
    return min(window) if extreme == "lowest" else max(window)
