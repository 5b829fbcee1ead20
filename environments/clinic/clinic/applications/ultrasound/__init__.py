"""An ultrasound machine with worklist, measurements, structured reports and critical-result communication."""

from pathlib import Path

from clinic.application import Application, Page, form
from clinic.applications.ultrasound import calls, choices, exam, nodules, report, scan, worklist
from clinic.applications.ultrasound.seed import fill

EXAM = "/exam/{accession}"

APPLICATION = Application(
    name="ultrasound",
    folder=Path(__file__).parent,
    seed=fill,
    choices=choices,
    home="/worklist",
    pages=(
        Page("GET", "/worklist", worklist.show),
        Page("GET", EXAM, exam.enter),
        Page("GET", f"{EXAM}/scan", scan.show),
        Page("GET", f"{EXAM}/picture.png", scan.live_picture),
        Page("GET", f"{EXAM}/captures/{{id}}.png", scan.stored_picture),
        Page("POST", f"{EXAM}/start", scan.start),
        Page("POST", f"{EXAM}/probe", scan.select_probe),
        Page("POST", f"{EXAM}/mode", scan.select_mode),
        Page("POST", f"{EXAM}/freeze", scan.freeze),
        Page("POST", f"{EXAM}/view", scan.set_view),
        Page("POST", f"{EXAM}/settings", scan.adjust),
        Page("POST", f"{EXAM}/captures", scan.capture),
        Page("POST", f"{EXAM}/captures/{{id}}/delete", scan.delete_capture),
        Page("POST", f"{EXAM}/measurements", scan.measure),
        Page("POST", f"{EXAM}/measurements/{{id}}/delete", scan.delete_measurement),
        *form(f"{EXAM}/report", report.show, report.save),
        Page("GET", f"{EXAM}/nodules", nodules.first),
        *form(f"{EXAM}/nodules/{{number}}", nodules.show, nodules.classify),
        *form(f"{EXAM}/calls", calls.show, calls.document),
        Page("POST", f"{EXAM}/calls/{{id}}/error", calls.strike),
    ),
)
