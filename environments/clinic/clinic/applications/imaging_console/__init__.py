"""Console of a CT and an MR scanner."""

from pathlib import Path

from clinic.application import Application, Page, form
from clinic.applications.imaging_console import (
    choices,
    finishing,
    imaging,
    planning,
    quality,
    registration,
    scanning,
    screening,
    worklist,
)
from clinic.applications.imaging_console.seed import fill

EXAM = "/exam/{accession}"

APPLICATION = Application(
    name="imaging_console",
    folder=Path(__file__).parent,
    seed=fill,
    choices=choices,
    home="/worklist",
    pages=(
        Page("GET", "/worklist", worklist.show),
        Page("GET", f"{EXAM}/patient", registration.show),
        Page("POST", f"{EXAM}/register", registration.register),
        Page("POST", f"{EXAM}/hold", registration.hold),
        *form(f"{EXAM}/safety", screening.show, screening.save),
        *form(f"{EXAM}/protocol", planning.show_protocols, planning.select),
        *form(f"{EXAM}/technique", planning.show_technique, planning.save_technique),
        Page("GET", f"{EXAM}/scan", scanning.show),
        Page("POST", f"{EXAM}/scout", scanning.acquire_scout),
        Page("POST", f"{EXAM}/scan", scanning.start),
        *form(f"{EXAM}/injector", scanning.show_injector, scanning.arm),
        Page("GET", f"{EXAM}/images", finishing.show_images),
        Page("POST", f"{EXAM}/reconstruct", finishing.reconstruct),
        Page("GET", f"{EXAM}/finish", finishing.show),
        Page("POST", f"{EXAM}/send", finishing.send),
        Page("POST", f"{EXAM}/complete", finishing.complete),
        Page("GET", f"{EXAM}/scout.png", imaging.scout),
        Page("GET", f"{EXAM}/slice.png", imaging.slice_of),
        Page("GET", "/quality", quality.show),
        Page("POST", "/quality/scan", quality.scan_phantom),
        Page("POST", "/quality/result", quality.save),
        Page("POST", "/quality/out", quality.take_out),
        Page("POST", "/quality/in", quality.put_back),
        Page("GET", "/phantom.png", imaging.phantom),
    ),
)
