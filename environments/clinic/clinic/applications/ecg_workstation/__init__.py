"""ECG reading workstation: worklist, tracing, analysis, report, alerts."""

from pathlib import Path

from clinic.application import Application, Page
from clinic.applications.ecg_workstation import alert, choices, report, viewer, worklist
from clinic.applications.ecg_workstation.seed import fill

STUDY = "/ecg/{study_id}"

APPLICATION = Application(
    name="ecg_workstation",
    folder=Path(__file__).parent,
    seed=fill,
    words=choices.WORDS,
    pages=(
        Page("GET", "/", worklist.home),
        Page("GET", "/worklist", worklist.show),
        Page("GET", STUDY, viewer.show),
        Page("POST", f"{STUDY}/view", viewer.save_view),
        Page("POST", f"{STUDY}/analyse", viewer.analyse),
        Page("GET", f"{STUDY}/report", report.show),
        Page("POST", f"{STUDY}/report", report.save),
        Page("POST", f"{STUDY}/sign", report.sign),
        Page("GET", f"{STUDY}/previous", viewer.previous),
        Page("GET", f"{STUDY}/alert", alert.show),
        Page("POST", f"{STUDY}/alert", alert.send),
    ),
)
