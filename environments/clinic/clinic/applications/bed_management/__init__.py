"""Patient-flow command board: bed maps, worklist, admission, transfer and discharge."""

from pathlib import Path

from clinic.application import Application, Page, form
from clinic.applications.bed_management import board, choices, discharging, figures, moving, placing
from clinic.applications.bed_management.seed import fill

PATIENT = "/patient/{mrn}"

APPLICATION = Application(
    name="bed_management",
    folder=Path(__file__).parent,
    seed=fill,
    choices=choices,
    home="/board",
    pages=(
        Page("GET", "/board", board.show),
        Page("GET", "/ward/{code}", board.ward),
        Page("GET", "/bed/{label}", board.bed),
        Page("POST", "/bed/{label}/release", board.release),
        Page("GET", "/occupancy", figures.occupancy),
        Page("GET", "/index", figures.index),
        Page("GET", PATIENT, placing.show),
        Page("POST", f"{PATIENT}/place", placing.place),
        *form(f"{PATIENT}/admit", placing.ask, placing.admit),
        *form(f"{PATIENT}/transfer", moving.show_transfer, moving.transfer),
        *form(f"{PATIENT}/swap", moving.show_swap, moving.swap),
        *form(f"{PATIENT}/discharge", discharging.show, discharging.save),
    ),
)
