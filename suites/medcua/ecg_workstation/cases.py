"""What each task is about on a given seed: which recording, and what is right for it.

A *job* is one recording to work on: whose it is, what it shows (`required` and `allowed` statements, `measured`
values), what the algorithm will say of it, and whom to tell if it cannot wait.
"""

from __future__ import annotations

import random
from typing import Any

from pytest_cuabench.evidence import State

from . import tracings

Values = dict[str, Any]
Row = dict[str, Any]


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the reading station; the reader of the day has signed nothing yet."""
    signed = {row["signed_by"] for row in state.rows("reports")}
    (reader,) = (row for row in state.rows("users", role="reader") if row["user_id"] not in signed)
    return {"user_id": reader["user_id"], "password": reader["password"], "reader": reader["name"]}


def view_worklist(state: State, chance: random.Random) -> Values:
    """Count what is unread today."""
    today = [row for row in state.rows("studies") if row["acquired_at"][:10] == (state.clock or "")[:10]]
    statuses = [row["status"] for row in today]
    unread = statuses.count("unread")
    return login(state, chance) | {
        "unread": unread,
        "unsigned": unread + statuses.count("draft"),
        "today": len(today),
        "other": _identity(state, _unread(state, "qt")),
    }


def open_study(state: State, chance: random.Random) -> Values:
    """Find the later of two recordings of a patient with a namesake."""
    return _about(state, chance, _unread(state, "two_today"), _unread(state, "frontal"))


def read_heart_rate(state: State, chance: random.Random) -> Values:
    """Find the measured rate of today, not the one of an earlier recording."""
    study = _unread(state, "rate")
    earlier = _earlier(state, study)
    values = _about(state, chance, study, _unread(state, *tracings.TERRITORIES))
    rates = {
        "rate": state.row("automatic", study_id=study["study_id"])["heart_rate"],
        "axis": state.row("automatic", study_id=study["study_id"])["axis"],
        "old_rate": state.row("reports", study_id=earlier["study_id"])["heart_rate"],
    }
    return values | rates


def change_paper_speed(state: State, chance: random.Random) -> Values:
    """Store a view at twice the usual speed."""
    return _about(state, chance, _unread(state, "narrow_fast"), _neighbour(state, "narrow_fast"))


def change_gain(state: State, chance: random.Random) -> Values:
    """Store a view at the gain that suits the height of the complexes."""
    study = _unread(state, "small", "tall")
    gain = tracings.facts(study["profile"])["gain"]
    misread = _unread(state, "fibrillation_misread", "arms_swapped", "counted_double")
    return _about(state, chance, study, misread) | {
        "gain": gain,
        "wrong_gain": 25 - gain,
        "why": {5: "run into one another", 20: "are hardly to be seen"}[gain],
        "change": {5: "half the usual gain", 20: "double the usual gain"}[gain],
    }


def switch_cabrera(state: State, chance: random.Random) -> Values:
    """Store the Cabrera order of the limb leads."""
    return _about(state, chance, _unread(state, "frontal"), _unread(state, "two_today"))


def run_auto_analysis(state: State, chance: random.Random) -> Values:
    """Run the algorithm and correct the QT interval after a formula other than the preset one."""
    study = _unread(state, "qt")
    found = state.row("automatic", study_id=study["study_id"])
    formula = chance.choice(("fridericia", "framingham", "hodges"))
    after = {name: tracings.qtc(found["qt_ms"], found["heart_rate"], name) for name in tracings.FORMULAS}
    return _about(state, chance, study, _neighbour(state, "qt")) | {
        "formula": formula,
        "formula_words": tracings.FORMULAS[formula],
        "qtc": after[formula],
        "preset_qtc": after["bazett"],
    }


def submit_report(state: State, chance: random.Random) -> Values:
    """Over-read a recording that the algorithm gets wrong."""
    study = _unread(state, "fibrillation_misread", "arms_swapped", "counted_double")
    return _about(state, chance, study, _unread(state, "small", "tall"))


def critical_alert(state: State, chance: random.Random) -> Values:
    """Tell the right person of an acute infarction."""
    study = _acute(state)[0]
    return _about(state, chance, study, _unread(state, "rate"))


def full_workflow(state: State, chance: random.Random) -> Values:
    """Analyse, store a view, compare, correct and sign a bundle branch block."""
    study = _unread(state, "left_block", "right_block")
    earlier = _earlier(state, study)
    comparison = "unchanged" if earlier["profile"] == study["profile"] else "changed"
    formula = chance.choice(("fridericia", "framingham", "hodges"))
    return _about(state, chance, study, _neighbour(state, study["profile"])) | {
        "comparison": comparison,
        "comparison_words": tracings.COMPARISONS[comparison],
        "earlier_day": earlier["acquired_at"][:10],
        "formula": formula,
        "formula_words": tracings.FORMULAS[formula],
    }


def multi_study_review(state: State, chance: random.Random) -> Values:
    """Read one recording that cannot wait, and one that can."""
    urgent, calm = _acute(state)[-1], _unread(state, "scar_overcalled", "fibrillation_overcalled")
    jobs = [_job(state, urgent), _job(state, calm)]
    named = chance.sample(jobs, 2)
    return (
        login(state, chance)
        | {
            "jobs": jobs,
            "other": _identity(state, _neighbour(state, urgent["profile"], calm["profile"])),
            "patients": " and ".join(f"{job['name']} (MRN {job['mrn']}, {job['time']})" for job in named),
        }
        | {f"first_{name}": value for name, value in jobs[0].items()}
        | {f"second_{name}": value for name, value in jobs[1].items()}
    )


# Jobs


def _about(state: State, chance: random.Random, study: Row, other: Row) -> Values:
    return login(state, chance) | _job(state, study) | {"other": _identity(state, other)}


def _job(state: State, study: Row) -> Values:
    known = tracings.facts(study["profile"])
    signal = state.row("signals", study_id=study["study_id"])
    said = state.row("automatic", study_id=study["study_id"])
    required, automatic = list(known["required"]), said["statements"].split(",")
    critical = known.get("critical")
    duty = state.row("contacts", service="Interventional cardiology", on_duty=True)
    return _identity(state, study) | {
        "required": required,
        "allowed": list(known.get("allowed", [])),
        "remove": [code for code in automatic if code not in (*required, *known.get("allowed", []))],
        "add": [code for code in required if code not in automatic],
        "statements": tracings.words(required),
        "measured": {
            "heart_rate": round(signal["rate"]),
            **{name: signal[name] for name in ("pr_ms", "qrs_ms", "qt_ms")},
        },
        "enter": {"heart_rate": str(round(signal["rate"]))} if said["heart_rate"] != signal["rate"] else {},
        "rate_words": str(round(signal["rate"])),
        "critical": critical,
        "finding": tracings.statements().get(critical or "", ""),
        "contact": duty["contact_id"],
        "contact_name": duty["name"],
        "off_duty": state.row("contacts", service="Interventional cardiology", on_duty=False)["name"],
    }


def _identity(state: State, study: Row) -> Values:
    patient = state.row("patients", mrn=study["mrn"])
    time = study["acquired_at"][11:]
    first = [
        row for row in state.rows("studies", mrn=study["mrn"]) if row["acquired_at"] < study["acquired_at"]
    ]
    name = f"{patient['family_name']}, {patient['given_name']}"
    return {
        "study_id": study["study_id"],
        "mrn": study["mrn"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "family": patient["family_name"],
        "time": time,
        "link": f"{name}, {time}",
        "only_one": not first,
        "earlier_link": f"{name}, {max(row['acquired_at'] for row in first)[11:]}" if first else "",
    }


# Recordings


def _unread(state: State, *profiles: str) -> Row:
    """Return the first unread recording of these kinds."""
    rows = [row for row in state.rows("studies", status="unread") if row["profile"] in profiles]
    return min(rows, key=lambda row: row["acquired_at"])


def _acute(state: State) -> list[Row]:
    """Return the two that cannot wait, an infarction first."""
    rows = state.rows("studies", priority="stat", status="unread")
    infarctions = [row for row in rows if row["profile"] in tracings.TERRITORIES]
    others = [row for row in rows if row["profile"] not in tracings.TERRITORIES]
    return [*sorted(infarctions, key=lambda row: row["acquired_at"]), *others]


def _earlier(state: State, study: Row) -> Row:
    rows = state.rows("studies", mrn=study["mrn"], status="signed")
    return max(rows, key=lambda row: row["acquired_at"])


def _neighbour(state: State, *profiles: str) -> Row:
    """Return the unread recording on the next line of the worklist: the slip of a hand."""
    rows = sorted(state.rows("studies", status="unread"), key=lambda row: row["acquired_at"], reverse=True)
    place = next(index for index, row in enumerate(rows) if row["profile"] in profiles)
    around = [*rows[place + 1 :], *rows[:place]]
    return next(row for row in around if row["profile"] not in profiles)
