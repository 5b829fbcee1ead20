"""What each task is about on a given seed: which patient, and with which values."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from pytest_cuabench.evidence import State

from .bedside import CATEGORIES, DRUGS, PARAMETERS, PERIODS, REASONS, fixture

Values = dict[str, Any]
Row = Mapping[str, Any]

_SHIFT = timedelta(hours=12)
# The extreme that is asked for, and the limit that hours are counted beyond.
_TRENDS = {"abp_mean": ("lowest", 65), "spo2": ("lowest", 92), "heart_rate": ("highest", 110)}
_LOOK_ALIKES = {
    "norepinephrine": "epinephrine",
    "epinephrine": "norepinephrine",
    "dobutamine": "dopamine",
    "dopamine": "dobutamine",
}
_VOLUMES = {"iv_fluid": (250, 750), "oral": (60, 240), "urine": (120, 480), "drain": (20, 90)}


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the bedside."""
    nurse = state.row("users", role="bedside_nurse")
    bystander = _identity(_patient(state, "postop"))
    return {
        "user_id": nurse["user_id"],
        "password": nurse["password"],
        "nurse": nurse["name"],
        "other": bystander,
    }


def view_vitals(state: State, chance: random.Random) -> Values:
    """Read the monitor of a patient who has a namesake; older values stand in the chart."""
    patient, namesake = _patient(state, "ards"), _patient(state, "postop")
    rows = [row for row in state.rows("observations", mrn=patient["mrn"]) if not row["in_error"]]
    charted = max(rows, key=lambda row: row["at"])
    now = _numerics(state, patient)
    return _about(state, chance, patient, namesake) | {
        "now": now,
        "not_now": _numerics(state, namesake),
        "charted": now | {name: charted[name] for name in ("heart_rate", "spo2", "temp_c")},
    }


def view_fluid_balance(state: State, chance: random.Random) -> Values:
    """Add up a period that need not be the one shown first; an entry in error does not count."""
    patient = _patient(state, chance.choice(("postop", "weaning")))
    other = _patient(state, "ards" if patient["story"] == "postop" else "neuro")
    period = chance.choice(sorted(PERIODS))
    sums = {name: _balance(state, patient, name) for name in PERIODS}
    return _about(state, chance, patient, other) | {
        "period": period,
        "period_words": PERIODS[period],
        "spoken_period": {
            "shift": "since the present shift began",
            "previous": "of the previous shift",
            "day": "of the last 24 hours",
        }[period],
        "sums": sums[period],
        "other_sums": next(sums[name] for name in PERIODS if name != period),
        "with_error": _balance(state, patient, "day", valid=False),
    }


def check_infusions(state: State, chance: random.Random) -> Values:
    """List what runs, with the rates; one drug does not run."""
    patient = _patient(state, "cardiogenic")
    rows = state.rows("infusions", mrn=patient["mrn"])
    rates = {DRUGS[row["drug"]]["label"]: row["rate_ml_h"] for row in rows if row["status"] == "running"}
    doses = {DRUGS[row["drug"]]["label"]: row["dose"] for row in rows if row["status"] == "running"}
    (idle,) = [row for row in rows if row["status"] != "running"]
    return _about(state, chance, patient, _patient(state, "septic")) | {
        "rates": rates,
        "doses": doses,
        "idle": {DRUGS[idle["drug"]]["label"]: idle["rate_ml_h"]},
        "first_drug": next(row["drug"] for row in rows if row["status"] == "running"),
    }


def adjust_infusion_rate(state: State, chance: random.Random) -> Values:
    """Change the dose of one of two drugs with similar names, as ordered by telephone."""
    patient = _patient(state, "cardiogenic")
    rows = {row["drug"]: row for row in state.rows("infusions", mrn=patient["mrn"])}
    drug = chance.choice(sorted(name for name in rows if name in _LOOK_ALIKES))
    decimals, twin = DRUGS[drug]["decimals"], rows[_LOOK_ALIKES[drug]]["dose"]
    doses = [round(rows[drug]["dose"] * factor, decimals) for factor in (0.65, 0.75, 1.3, 1.4)]
    return _about(state, chance, patient, _patient(state, "septic")) | {
        **_infusion(rows[drug]),
        "look_alike": _LOOK_ALIKES[drug],
        "dose": chance.choice([dose for dose in doses if dose not in (rows[drug]["dose"], twin)]),
        "reason": "telephone_order",
        "reason_words": REASONS["telephone_order"],
    }


def review_ventilator(state: State, chance: random.Random) -> Values:
    """Read settings, and relate the tidal volume to the predicted body weight."""
    patient = _patient(state, "ards")
    row = state.row("ventilators", mrn=patient["mrn"])
    base = 50.0 if patient["sex"] == "M" else 45.5
    predicted = round(base + 0.91 * (patient["height_cm"] - 152.4), 1)
    return _about(state, chance, patient, _patient(state, "postop")) | {
        "fio2": row["fio2"],
        "peep": row["peep"],
        "volume": row["tidal_volume"],
        "per_kg": round(row["tidal_volume"] / predicted, 1),
        "exhaled": row["exhaled_volume"],
        "per_actual_kg": round(row["tidal_volume"] / patient["weight_kg"], 1),
    }


def acknowledge_alarm(state: State, chance: random.Random) -> Values:
    """Acknowledge one of two alarms with a response; another patient of a similar name has one too."""
    patient, other = _patient(state, "neuro"), _patient(state, "weaning")
    labels = chance.sample(("Temp high", "High airway pressure"), 2)
    first = state.row("alarms", mrn=patient["mrn"], label=labels[0])
    elsewhere = state.row("alarms", mrn=other["mrn"], label="High airway pressure")
    values = _about(state, chance, patient, other)
    return values | {
        "label": labels[0],
        "alarm": _alarm(first),
        "second": labels[1],
        "response": chance.choice(fixture("unit")["responses"][labels[0]]),
        "other": values["other"] | {"label": "High airway pressure", "alarm": _alarm(elsewhere)},
    }


def add_nursing_note(state: State, chance: random.Random) -> Values:
    """Write down what is dictated, under its category."""
    patient = _patient(state, "neuro")
    written = chance.choice(fixture("unit")["dictations"])
    hour = datetime.fromisoformat(state.clock or "") - timedelta(minutes=chance.randint(30, 110))
    text = written["text"].format(
        rass=chance.choice(("-2", "-1", "0")),
        pupil=chance.randint(2, 4),
        relative=chance.choice(("Wife", "Son", "Sister", "Brother")),
        hour=f"{hour:%H:%M}",
        minutes=chance.randint(4, 15),
    )
    return _about(state, chance, patient, _patient(state, "weaning")) | {
        "category": written["category"],
        "category_words": CATEGORIES[written["category"]],
        "other_category": next(name for name in CATEGORIES if name != written["category"]),
        "text": text,
        "spoken_category": {
            "assessment": "what you found when you assessed",
            "family": "the visit to",
            "event": "an event that happened to",
        }[written["category"]],
    }


def record_intake_output(state: State, chance: random.Random) -> Values:
    """Chart four volumes; the drain is told as the level of its chamber."""
    patient = _patient(state, "postop")
    told = {kind: 5 * round(chance.randint(*limits) / 5) for kind, limits in _VOLUMES.items()}
    level = _chamber(state, patient)
    return _about(state, chance, patient, _patient(state, "ards")) | {
        "told": told,
        "level": level + told["drain"],
        "litres": f"{told['iv_fluid'] / 1000:g}",
        "oral": told["oral"],
        "urine": told["urine"],
    }


def handle_critical_event(state: State, chance: random.Random) -> Values:
    """Acknowledge a pressure alarm, take one step of the titration that is ordered, and note it."""
    patient = _patient(state, "septic")
    row = state.row("infusions", mrn=patient["mrn"], drug="norepinephrine")
    order = state.row("orders", mrn=patient["mrn"], drug="norepinephrine", status="active")
    old = state.row("orders", mrn=patient["mrn"], drug="norepinephrine", status="discontinued")
    alarm = state.row("alarms", mrn=patient["mrn"], label="MAP low")
    return _about(state, chance, patient, _patient(state, "cardiogenic")) | {
        **_infusion(row),
        "alarm": _alarm(alarm),
        "label": "MAP low",
        "second": "HR high",
        "response": chance.choice(fixture("unit")["responses"]["MAP low"]),
        "map": _numerics(state, patient)["abp_mean"],
        "step": order["step_dose"],
        "most": order["most_dose"],
        "dose": round(row["dose"] + order["step_dose"], 2),
        "old_order_dose": round(row["dose"] + old["step_dose"], 2),
        "two_steps": round(row["dose"] + 2 * order["step_dose"], 2),
        "reason": "titration",
        "reason_words": REASONS["titration"],
    }


def view_trends(state: State, chance: random.Random) -> Values:
    """Find extreme, its time and the hours beyond a limit in the last day; one row is in error."""
    patient = _patient(state, "weaning")
    parameter = chance.choice(sorted(_TRENDS))
    kind, limit = _TRENDS[parameter]
    rows = state.rows("observations", mrn=patient["mrn"])
    begin = (datetime.fromisoformat(state.clock or "") - 2 * _SHIFT).isoformat(timespec="minutes")
    valid = [row for row in rows if row["at"] > begin and not row["in_error"]]
    recent = [row for row in valid if row["at"] > _ago(state, 8)]
    (artefact,) = [row for row in rows if row["in_error"]]
    label, unit = PARAMETERS[parameter]
    return _about(state, chance, patient, _patient(state, "neuro")) | {
        "parameter": parameter,
        "parameter_words": label,
        "unit": unit,
        "kind": kind,
        "kind_title": kind.capitalize(),
        "limit": limit,
        "side": "below" if kind == "lowest" else "above",
        "found": _trend(valid, parameter),
        "in_eight_hours": _trend(recent, parameter),
        "with_artefact": _trend([*valid, artefact], parameter),
    }


def full_shift_workflow(state: State, chance: random.Random) -> Values:
    """Close a shift: the open alarm, the last urine, and a handover with the balance."""
    patient = _patient(state, "weaning")
    alarm = state.row("alarms", mrn=patient["mrn"], acknowledged_at=None)
    drug = state.row("infusions", mrn=patient["mrn"], drug="norepinephrine")
    before = _balance(state, patient, "shift")["balance"]
    urine = 5 * chance.randint(22, 70)
    return _about(state, chance, patient, _patient(state, "neuro")) | {
        "alarm": _alarm(alarm),
        "label": alarm["label"],
        "response": chance.choice(fixture("unit")["responses"][alarm["label"]]),
        "urine": urine,
        "told": {"urine": urine},
        "balance": before - urine,
        "balance_before": before,
        "dose": drug["dose"],
        "fio2": state.row("ventilators", mrn=patient["mrn"])["fio2"],
    }


# Patients and their records


def _about(state: State, chance: random.Random, patient: Row, other: Row) -> Values:
    return login(state, chance) | _identity(patient) | {"other": _identity(other)}


def _identity(patient: Row) -> Values:
    return {
        "mrn": patient["mrn"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "bed": patient["bed"],
        "link": f"Bed {patient['bed']} {patient['family_name']}, {patient['given_name']}",
    }


def _patient(state: State, story: str) -> Row:
    return state.row("patients", story=story)


def _numerics(state: State, patient: Row) -> Values:
    row = state.row("numerics", mrn=patient["mrn"])
    return {name: value for name, value in row.items() if name not in ("mrn", "rhythm", "_key")}


def _infusion(row: Row) -> Values:
    return {
        "drug": row["drug"],
        "drug_words": DRUGS[row["drug"]]["label"],
        "infusion": str(row["id"]),
        "dose_unit": row["dose_unit"],
        "dose_before": row["dose"],
    }


def _alarm(row: Row) -> Values:
    return {"id": str(row["id"]), "mrn": row["mrn"], "label": row["label"]}


def _ago(state: State, hours: int) -> str:
    return (datetime.fromisoformat(state.clock or "") - timedelta(hours=hours)).isoformat(timespec="minutes")


def _balance(state: State, patient: Row, period: str, *, valid: bool = True) -> dict[str, int]:
    """Add up a period; shifts begin at 7 and at 19."""
    now = datetime.fromisoformat(state.clock or "")
    start = now.replace(hour=7 if 7 <= now.hour < 19 else 19, minute=0)
    start -= timedelta(days=1) if start > now else timedelta()
    begin, end = {
        "shift": (start, now + _SHIFT),
        "previous": (start - _SHIFT, start),
        "day": (now - 2 * _SHIFT, now + _SHIFT),
    }[period]
    rows = [
        row
        for row in state.rows("fluids", mrn=patient["mrn"])
        if begin <= datetime.fromisoformat(row["at"]) < end and not (valid and row["in_error"])
    ]
    intake = sum(row["ml"] for row in rows if row["direction"] == "intake")
    output = sum(row["ml"] for row in rows if row["direction"] == "output")
    return {"intake": intake, "output": output, "balance": intake - output}


def _chamber(state: State, patient: Row) -> int:
    """Return the level of the drain's chamber that was charted last."""
    rows = [row for row in state.rows("fluids", mrn=patient["mrn"], kind="drain") if not row["in_error"]]
    found = re.search(r"(\d+) mL", max(rows, key=lambda row: row["at"])["comment"])
    assert found is not None
    return int(found[1])


def _trend(rows: list[dict[str, Any]], parameter: str) -> Values:
    kind, limit = _TRENDS[parameter]
    pick = min if kind == "lowest" else max
    row = pick(rows, key=lambda row: row[parameter])
    beyond = [
        each for each in rows if (each[parameter] < limit if kind == "lowest" else each[parameter] > limit)
    ]
    return {"value": row[parameter], "time": row["at"][11:], "count": len(beyond)}
