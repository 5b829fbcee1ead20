"""What each task is about on a given seed: whose prescription, and what is right for it.

A *job* is what is to be done with one prescription: the entry that is right, the decision on its alert with the
reasons that fit, the lot to take, and what happened at the counter.
"""

from __future__ import annotations

import random
from datetime import date
from typing import Any

from pytest_cuabench.evidence import State

from . import shelf

Values = dict[str, Any]

ENTRY = ("drug", "dose", "frequency", "quantity", "days_supply", "refills")
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the workstation; nobody's prescription is to be touched."""
    return _credentials(state) | {"other": _job(state, "lookup")}


def view_queue(state: State, chance: random.Random) -> Values:
    """Count what waits for verification."""
    statuses = [row["status"] for row in state.rows("prescriptions")]
    return _about(state, "clean") | {
        "waiting": statuses.count("pending"),
        "not_picked_up": len(statuses) - statuses.count("sold"),
    }


def open_prescription(state: State, chance: random.Random) -> Values:
    """Find one of two prescriptions of a patient whose name and medicine somebody else nearly has."""
    return _about(state, "lookup", "lookup_similar") | {"second": _rx(state, "lookup_second")["rx_no"]}


def read_dur_alert(state: State, chance: random.Random) -> Values:
    """Read an interaction alert beside a lesser one."""
    values = _about(state, "alert")
    alerts = {alert["kind"]: alert for alert in state.rows("alerts", rx_no=values["rx_no"])}
    told = {
        kind: {"severity": alerts[kind]["severity"].capitalize(), "against": alerts[kind]["against"]}
        for kind in ("interaction", "duplicate")
    }
    profile = [row["drug"] for row in state.rows("profile", mrn=values["mrn"])]
    return values | {
        "right": told["interaction"],
        "lesser": told["duplicate"],
        "profile": sorted(set(profile)),
    }


def review_prescription(state: State, chance: random.Random) -> Values:
    """Correct the one field in which the entry differs from the original."""
    values = _about(state, "review")
    rx, original = _rx(state, "review"), state.row("originals", rx_no=values["rx_no"])
    (field,) = (name for name in ENTRY if rx[name] != original[name])
    right = {name: original[name] for name in ENTRY}
    entered = {name: rx[name] for name in ENTRY}
    words = {"drug": "Drug", "quantity": "Quantity", "refills": "Refills"}
    return values | {
        "entry": right,
        "changes": {field: right[field]},
        "edit_reason": "entry",
        "field_words": words[field],
        "field_value": _shown(right[field]),
        "entered": entered,
    }


def handle_dur_alert(state: State, chance: random.Random) -> Values:
    """Decide on a contraindicated combination."""
    return _about(state, "contraindicated", "alert") | _decision(state, "contraindicated", "reject")


def dispense_prescription(state: State, chance: random.Random) -> Values:
    """Fill a verified prescription from the right lot."""
    values = _about(state, "dispense")
    order = next(each for each in shelf.orders("dispense") if each["drug"] == values["drug"])
    look_alike = state.rows("stock", drug=order["look_alike"])[0]
    return values | _filling(state, "dispense") | {"look_alike_lot": look_alike["lot"]}


def counsel_patient(state: State, chance: random.Random) -> Values:
    """Hand out a high-alert medicine to one of two people of the same name."""
    return _about(state, "counsel", "counsel_twin") | _counter(state, chance, "counsel", 5)


def full_dispensing_workflow(state: State, chance: random.Random) -> Values:
    """Take one prescription from verification to pick-up."""
    return (
        _about(state, "full")
        | _decision(state, "full", "override", "monitoring")
        | _filling(state, "full")
        | _counter(state, chance, "full", 4)
    )


def allergy_conflict_resolution(state: State, chance: random.Random) -> Values:
    """Change to what the prescriber's latest answer says."""
    values = _about(state, "allergy")
    order = next(each for each in shelf.orders("allergy") if each["drug"] == values["drug"])
    wanted, current = _entry(order["second"]), _current(state, "allergy")
    return values | {
        "entry": wanted,
        "changes": {name: value for name, value in wanted.items() if value != current[name]},
        "stale": _entry(order["first"]),
        "edit_reason": "prescriber",
        "reason": "irrelevant",
        "alert": _alert(state, values["rx_no"]),
        "new_words": _words(order["second"]),
    }


def pediatric_dose_check(state: State, chance: random.Random) -> Values:
    """Work a child's dose out by the prescriber's rule and the current weight."""
    values = _about(state, "child")
    order = next(each for each in shelf.orders("child") if each["drug"] == values["drug"])
    weights = sorted(state.rows("weights", mrn=values["mrn"]), key=lambda row: str(row["taken_on"]))
    before, now = (_dose(order, row["kg"]) for row in weights)
    wanted = {**_current(state, "child"), **now}
    strength = shelf.drug(order["drug"])["mg_per_ml"]
    daily = order["times"] * strength / weights[-1]["kg"]
    return values | {
        "entry": wanted,
        "changes": now,
        "by_old_weight": before,
        "edit_reason": "prescriber",
        "reason": "irrelevant",
        "alert": _alert(state, values["rx_no"]),
        "dose_words": f"{_shown(now['dose'])} mL",
        "amount_words": f"{_shown(now['quantity'])} mL",
        "most": shelf.drug(order["drug"])["children"][1] / daily,
    }


def multi_prescription_workflow(state: State, chance: random.Random) -> Values:
    """One prescription to release and fill, one to hold, one to release in spite of its alert."""
    clean = _job(state, "clean") | _filling(state, "clean")
    held = _job(state, "duplicate") | _decision(state, "duplicate", "reject")
    released = _job(state, "tolerated") | _decision(state, "tolerated", "override", "tolerated")
    jobs = chance.sample([clean, held, released], 3)
    other = _job(state, "lookup")
    return _credentials(state) | {
        "clean": clean,
        "held": held,
        "released": released,
        "other": other,
        "orders": "; ".join(f"{job['drug']} for {job['name']}" for job in jobs),
        "fill_words": f"{clean['drug']} for {clean['name']}",
        "fill_rx": clean["rx_no"],
        "fill_quantity": clean["fill_quantity"],
        "fill_lot": clean["lot"],
        "held_rx": held["rx_no"],
        "released_rx": released["rx_no"],
    }


# Jobs


def _credentials(state: State) -> Values:
    user = state.row("users", role="pharmacist")
    return {"user_id": user["user_id"], "password": user["password"], "pharmacist": user["name"]}


def _about(state: State, plot: str, other: str = "lookup") -> Values:
    return _credentials(state) | _job(state, plot) | {"other": _job(state, other)}


def _job(state: State, plot: str) -> Values:
    rx = _rx(state, plot)
    patient = state.row("patients", mrn=rx["mrn"])
    alerts = state.rows("alerts", rx_no=rx["rx_no"])
    return {
        "rx_no": rx["rx_no"],
        "mrn": rx["mrn"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "drug": rx["drug"],
        "alert": _alert(state, rx["rx_no"]) if alerts else None,
    }


def _rx(state: State, plot: str) -> dict[str, Any]:
    return state.row("prescriptions", plot=plot)


def _current(state: State, plot: str) -> Values:
    rx = _rx(state, plot)
    return {name: rx[name] for name in ENTRY}


def _alert(state: State, rx_no: str) -> Values:
    """Return the first alert of a prescription, which the stories put before lesser ones."""
    alert = min(state.rows("alerts", rx_no=rx_no), key=lambda row: int(row["id"]))
    return {"id": alert["id"], "kind": alert["kind"], "against": alert["against"]}


def _decision(state: State, plot: str, action: str, reason: str = "") -> Values:
    """Return how an alert is to be decided; one that is rejected is rejected for what it is."""
    alert = _alert(state, _rx(state, plot)["rx_no"])
    reason = reason or alert["kind"]
    return {"alert": alert, "action": action, "reason": reason, "reason_words": shelf.REASONS[reason]}


def _filling(state: State, plot: str) -> Values:
    rx = _rx(state, plot)
    return {
        **shelf.lots(state, rx["drug"], rx["days_supply"]),
        "fill_quantity": _shown(rx["quantity"]),
        "fill_days": rx["days_supply"],
    }


def _counter(state: State, chance: random.Random, plot: str, count: int) -> Values:
    """Draw what was told at the counter and what was talked about."""
    patient = state.row("patients", mrn=_rx(state, plot)["mrn"])
    second = chance.choice(("address", "phone"))
    talked = sorted(chance.sample(sorted(shelf.POINTS), count), key=list(shelf.POINTS).index)
    able = chance.random() < 0.7
    return {
        "told": ["name", "birth", second],
        "proof": f"date of birth {_day(patient['birth_date'])}, {second} {patient[second]}",
        "identifiers": ["birth", second],
        "identifier_words": f"{shelf.IDENTIFIERS['birth']} and {shelf.IDENTIFIERS[second]}",
        "talked": talked,
        "talk": "; ".join(shelf.SPOKEN[name] for name in talked),
        "point_words": "; ".join(shelf.POINTS[name] for name in talked),
        "teach_back": "able" if able else "unable",
        "repeats": "can repeat it in own words" if able else "cannot repeat it in own words",
        "teach_words": "Can repeat it" if able else "Cannot repeat it",
    }


def _entry(change: Values) -> Values:
    return {
        "drug": change["drug"],
        "dose": change["dose"],
        "frequency": change["frequency"],
        "quantity": change["quantity"],
        "days_supply": change["days"],
        "refills": 0,
    }


def _words(change: Values) -> str:
    entry = _entry(change)
    return (
        f"{entry['drug']}, dose {entry['dose']}, {shelf.FREQUENCIES[entry['frequency']]}, "
        f"quantity {entry['quantity']}, {entry['days_supply']} days, refills 0"
    )


def _dose(order: Any, kg: float) -> Values:
    """Return a dose rounded to half a millilitre, and what the whole course takes."""
    millilitres = kg * order["per_day"] / order["times"] / shelf.drug(order["drug"])["mg_per_ml"]
    dose = round(millilitres * 2) / 2
    return {"dose": dose, "quantity": dose * order["times"] * order["days"]}


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _day(value: str) -> str:
    when = date.fromisoformat(value)
    return f"{when.day:02d} {_MONTHS[when.month - 1]} {when.year}"
