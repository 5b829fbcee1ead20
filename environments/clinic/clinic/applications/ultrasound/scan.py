"""The machine: probe, mode, settings, view, freeze, pictures and calipers of a running exam."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.ultrasound import exam as exams
from clinic.applications.ultrasound import sonogram
from clinic.applications.ultrasound.beams import PROBES, sagitta, scale_of
from clinic.applications.ultrasound.choices import MODES, PLANES, SIDES, TGC
from clinic.applications.ultrasound.sonogram import Settings
from clinic.applications.ultrasound.tissue import Finding
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import Warnings
from clinic.visit import NotHere, Visit

SETTINGS = ("probe", "mode", "depth_cm", "gain", "frequency_mhz", "focus_cm", *TGC)
VIEW = ("side", "plane")
STEPS = {"depth": 0.5, "gain": 2, "frequency": 0.5, "focus": 0.5}
COLUMNS = {"depth": "depth_cm", "gain": "gain", "frequency": "frequency_mhz", "focus": "focus_cm"}
LARGEST_TGC = 20
LONGEST_MM = 300


def show(visit: Visit) -> Response:
    """Show the machine."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    exam = exams.load(visit)
    height = sonogram.picture_height(exam["mode"])
    probe = PROBES[exam["probe"]]
    scale = scale_of(probe, exam["depth_cm"], height, sonogram.WIDTH)
    choices = {label: label for label in exams.protocols(visit)[exam["protocol"]]["measurements"]}
    ruler = {"scale": scale, "skin": sagitta(probe) * scale, "height": height}
    return exams.render(visit, "scan", problems, warnings, ruler=ruler, choices=choices)


def _refuse(visit: Visit, text: str) -> Response:
    return _render(visit, Problems({"": text}))


def _obstacle(exam: sqlite3.Row) -> str | None:
    if exam["status"] == "in_progress":
        return None
    return "Start the exam first." if exam["status"] == "scheduled" else "The exam is not running any more."


def start(visit: Visit) -> Response:
    """Begin an exam; doing so without comparing the patient's identity has to be confirmed."""
    exam = exams.load(visit)
    checked = visit.field("identity") == "yes"
    if exam["status"] != "scheduled":
        return _refuse(visit, "Only a scheduled exam can be started.")
    if not checked and not visit.field("confirmed"):
        return _render(visit, warnings=["Name and date of birth were not compared with the patient."])
    exams.update(
        visit,
        exam["accession"],
        status="in_progress",
        started_by=visit.user_id,
        started_at=clock.text(visit.now),
        identity_checked=checked,
    )
    return exams.back(visit, "scan", "Exam started.")


def select_probe(visit: Visit) -> Response:
    """Take another probe; it comes with its usual frequency, depth and focus."""
    exam, name = exams.load(visit), visit.field("probe")
    if obstacle := _obstacle(exam):
        return _refuse(visit, obstacle)
    if name not in PROBES:
        return _refuse(visit, "There is no such probe.")
    frequency, depth = PROBES[name].usual
    focus = round(depth * 0.4, 1)
    exams.update(
        visit,
        exam["accession"],
        probe=name,
        frequency_mhz=frequency,
        depth_cm=depth,
        focus_cm=focus,
        frozen=False,
    )
    return exams.back(visit, "scan")


def select_mode(visit: Visit) -> Response:
    """Switch the mode of a live picture; Doppler on an embryo has to be confirmed."""
    exam, mode = exams.load(visit), visit.field("mode")
    if obstacle := _obstacle(exam):
        return _refuse(visit, obstacle)
    if mode not in MODES:
        return _refuse(visit, "There is no such mode.")
    if exam["frozen"]:
        return _refuse(visit, "The picture is frozen. Press Unfreeze to change the mode.")
    odd = exam["protocol"] == "pregnancy" and mode in ("colour", "pw")
    if odd and not visit.field("confirmed"):
        text = f"{MODES[mode]} raises the output above what is advised for an embryo (TIS 1.9)."
        return _render(visit, warnings=[text])
    exams.update(visit, exam["accession"], mode=mode, mode_warned=odd)
    return exams.back(visit, "scan")


def freeze(visit: Visit) -> Response:
    """Hold the picture, or let it run."""
    exam = exams.load(visit)
    if obstacle := _obstacle(exam):
        return _refuse(visit, obstacle)
    exams.update(visit, exam["accession"], frozen=not exam["frozen"])
    return exams.back(visit, "scan")


def set_view(visit: Visit) -> Response:
    """Move the body mark: another side, or another plane."""
    exam = exams.load(visit)
    side, plane = visit.field("side") or exam["side"], visit.field("plane") or exam["plane"]
    if obstacle := _obstacle(exam):
        return _refuse(visit, obstacle)
    if side not in exams.protocols(visit)[exam["protocol"]]["sides"] or plane not in PLANES:
        return _refuse(visit, "There is no such view.")
    exams.update(visit, exam["accession"], side=side, plane=plane)
    return exams.back(visit, "scan")


def adjust(visit: Visit) -> Response:
    """Set depth, gain, frequency, focus and time gain; what the probe cannot do is refused."""
    exam = exams.load(visit)
    if obstacle := _obstacle(exam):
        return _refuse(visit, obstacle)
    problems = Problems()
    values: dict[str, Any] = {}
    for name, column in COLUMNS.items():
        number = read_number(visit.field(name), whole=name == "gain")
        if number is None:
            problems.add(name, "Enter a number.")
        else:
            values[column] = number + _step(visit, name)
    values |= _time_gain(visit, problems)
    if not problems:
        _check(exam["probe"], values, problems)
    if problems:
        return _render(visit, problems)
    exams.update(visit, exam["accession"], **values)
    return exams.back(visit, "scan")


def _step(visit: Visit, name: str) -> float:
    pressed, _, way = visit.field("step").partition(" ")
    return {"up": STEPS[name], "down": -STEPS[name]}.get(way, 0) if pressed == name else 0


def _time_gain(visit: Visit, problems: Problems) -> dict[str, Any]:
    values = {}
    for name in TGC:
        number = read_number(visit.field(name), whole=True)
        if number is None or number > LARGEST_TGC:
            problems.add(name, f"0 to {LARGEST_TGC}.")
        values[name] = number
    return values


def _check(probe_name: str, values: dict[str, Any], problems: Problems) -> None:
    probe = PROBES[probe_name]
    limits = {"depth": probe.depths, "gain": (0, 100), "frequency": probe.frequencies}
    limits["focus"] = (0.5, values["depth_cm"])
    for name, (low, high) in limits.items():
        if not low <= values[COLUMNS[name]] <= high:
            problems.add(name, f"{low:g} to {high:g}.")


def capture(visit: Visit) -> Response:
    """Store the picture with its settings and body mark on the clipboard."""
    exam = exams.load(visit)
    if obstacle := _obstacle(exam):
        return _refuse(visit, obstacle)
    settings = {name: exam[name] for name in (*SETTINGS, *VIEW)}
    about = {"accession": exam["accession"], "mrn": exam["mrn"]}
    rows.insert(visit.db, "captures", **about, **settings, by=visit.user_id, at=clock.text(visit.now))
    return exams.back(visit, "scan", f"Stored: {SIDES[exam['side']]} {exam['plane']}.")


def delete_capture(visit: Visit) -> Response:
    """Take a picture off the clipboard."""
    if obstacle := _obstacle(exams.load(visit)):
        return _refuse(visit, obstacle)
    exams.strike(visit, "captures")
    return exams.back(visit, "scan", "Picture deleted.")


def measure(visit: Visit) -> Response:
    """Keep a distance, from the calipers or typed."""
    exam = exams.load(visit)
    label, value = visit.field("label"), read_number(visit.field("distance"), whole=False)
    if obstacle := _obstacle(exam):
        return _refuse(visit, obstacle)
    problems = Problems()
    if label not in exams.protocols(visit)[exam["protocol"]]["measurements"]:
        problems.add("label", "Choose what was measured.")
    problems.add_if(value is None or not 0.5 <= value <= LONGEST_MM, "distance", f"0.5 to {LONGEST_MM} mm.")
    if problems:
        return _render(visit, problems)
    about = {"accession": exam["accession"], "mrn": exam["mrn"], "label": label, "value_mm": value}
    rows.insert(visit.db, "measurements", **about, by=visit.user_id, at=clock.text(visit.now))
    return exams.back(visit, "scan", f"{label}: {value:g} mm saved.")


def delete_measurement(visit: Visit) -> Response:
    """Take a distance back."""
    if obstacle := _obstacle(exams.load(visit)):
        return _refuse(visit, obstacle)
    exams.strike(visit, "measurements")
    return exams.back(visit, "scan", "Measurement deleted.")


def live_picture(visit: Visit) -> Response:
    """Draw what the probe sees now; before the exam it touches nobody."""
    exam = exams.load(visit)
    if exam["status"] == "scheduled":
        raise NotHere
    return _draw(visit, exam, exam)


def stored_picture(visit: Visit) -> Response:
    """Draw a picture of the clipboard, small on demand."""
    exam = exams.load(visit)
    query = "SELECT * FROM captures WHERE id = ? AND accession = ?"
    kept = visit.one(query, (visit.params["id"], exam["accession"]))
    return _draw(visit, exam, kept, 1 if "large" in visit.query else 4)


def _draw(visit: Visit, exam: sqlite3.Row, seen: sqlite3.Row, shrink: int = 1) -> Response:
    (study,) = visit.db.execute(
        "SELECT study FROM exams WHERE accession = ?", (exam["accession"],)
    ).fetchone()
    body = visit.db.execute(
        "SELECT kind, size_mm FROM anatomy WHERE accession = ? AND side = ?",
        (exam["accession"], seen["side"]),
    ).fetchone()
    kind, size = (body["kind"], body["size_mm"]) if body else ("", 0.0)
    tgc = (seen["tgc_near"] - 10, seen["tgc_mid"] - 10, seen["tgc_far"] - 10)
    settings = Settings(
        seen["probe"],
        seen["mode"],
        seen["depth_cm"],
        seen["gain"],
        seen["frequency_mhz"],
        seen["focus_cm"],
        tgc,
    )
    finding = Finding(kind, size, seen["side"], seen["plane"])
    place = list(SIDES).index(seen["side"]) * 2 + list(PLANES).index(seen["plane"])
    anatomy = exams.protocols(visit)[exam["protocol"]]["anatomy"]
    return Response(
        sonogram.draw(study + 100 * place, anatomy, finding, settings, shrink), media_type="image/png"
    )
