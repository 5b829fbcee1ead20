"""ECG reading workstation: worklist, tracing, analysis, report, alerts."""

from pathlib import Path

from clinic.application import Application, Page, form
from clinic.applications.ecg_workstation import alert, choices, report, viewer, worklist
from clinic.applications.ecg_workstation.seed import fill

STUDY = "/ecg/{study_id}"

APPLICATION = Application(
    name="ecg_workstation",
    folder=Path(__file__).parent,
    seed=fill,
    choices=choices,
    home="/worklist",
    pages=(
        Page("GET", "/worklist", worklist.show),
        Page("GET", STUDY, viewer.show),
        Page("POST", f"{STUDY}/view", viewer.save_view),
        Page("POST", f"{STUDY}/analyse", viewer.analyse),
        *form(f"{STUDY}/report", report.show, report.save),
        Page("POST", f"{STUDY}/sign", report.sign),
        Page("GET", f"{STUDY}/previous", viewer.previous),
        *form(f"{STUDY}/alert", alert.show, alert.send),
    ),
)
