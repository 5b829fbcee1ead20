"""Patient-flow command board: bed maps, worklist, admission, transfer and discharge."""

from pathlib import Path

from clinic.application import Application, Page
from clinic.applications.bed_management import board, choices, discharging, figures, moving, placing
from clinic.applications.bed_management.seed import fill

PATIENT = "/patient/{mrn}"

APPLICATION = Application(
    name="bed_management",
    folder=Path(__file__).parent,
    seed=fill,
    words=choices.WORDS,
    pages=(
        Page("GET", "/", board.home),
        Page("GET", "/board", board.show),
        Page("GET", "/ward/{code}", board.ward),
        Page("GET", "/bed/{label}", board.bed),
        Page("POST", "/bed/{label}/release", board.release),
        Page("GET", "/occupancy", figures.occupancy),
        Page("GET", "/index", figures.index),
        Page("GET", PATIENT, placing.show),
        Page("POST", f"{PATIENT}/place", placing.place),
        Page("GET", f"{PATIENT}/admit", placing.ask),
        Page("POST", f"{PATIENT}/admit", placing.admit),
        Page("GET", f"{PATIENT}/transfer", moving.show_transfer),
        Page("POST", f"{PATIENT}/transfer", moving.transfer),
        Page("GET", f"{PATIENT}/swap", moving.show_swap),
        Page("POST", f"{PATIENT}/swap", moving.swap),
        Page("GET", f"{PATIENT}/discharge", discharging.show),
        Page("POST", f"{PATIENT}/discharge", discharging.save),
    ),
)
