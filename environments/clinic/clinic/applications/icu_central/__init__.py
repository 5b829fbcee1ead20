"""Central monitoring station of an intensive care unit."""

from pathlib import Path

from clinic.application import Application, Page, form
from clinic.applications.icu_central import (
    admission,
    alarms,
    bed,
    choices,
    limits,
    overview,
    patient,
    trends,
)
from clinic.applications.icu_central.seed import fill

BED = "/bed/{number}"
ALARM = "/alarms/{id}"

APPLICATION = Application(
    name="icu_central",
    folder=Path(__file__).parent,
    seed=fill,
    choices=choices,
    home="/overview",
    pages=(
        Page("GET", "/overview", overview.show),
        Page("GET", "/policy", overview.policy),
        Page("GET", "/trends", trends.unit),
        Page("GET", "/alarms", alarms.show),
        Page("GET", ALARM, alarms.one),
        Page("POST", f"{ALARM}/acknowledge", alarms.acknowledge),
        Page("POST", f"{ALARM}/silence", alarms.silence),
        Page("POST", f"{ALARM}/resume", alarms.resume),
        Page("GET", BED, bed.show),
        Page("GET", f"{BED}/events", bed.events),
        *form(f"{BED}/limits", limits.show, limits.save),
        Page("GET", f"{BED}/trends", trends.show),
        Page("GET", f"{BED}/patient", patient.show),
        Page("POST", f"{BED}/page", patient.send_page),
        Page("POST", f"{BED}/discharge", patient.discharge),
        *form(f"{BED}/admit", admission.show, admission.admit),
        Page("POST", f"{BED}/clean", admission.clean),
    ),
)
