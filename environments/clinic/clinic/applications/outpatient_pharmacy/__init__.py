"""Outpatient pharmacy: verification, drug utilisation review, dispensing and pick-up."""

from pathlib import Path

from clinic.application import Application, Page
from clinic.applications.outpatient_pharmacy import (
    alerts,
    choices,
    edit,
    fill,
    pickup,
    prescription,
    stock,
    worklist,
)
from clinic.applications.outpatient_pharmacy.seed import fill as fill_from_seed

RX = "/rx/{rx_no}"

APPLICATION = Application(
    name="outpatient_pharmacy",
    folder=Path(__file__).parent,
    seed=fill_from_seed,
    words=choices.WORDS,
    pages=(
        Page("GET", "/", worklist.home),
        Page("GET", "/queue", worklist.show),
        Page("GET", "/stock", stock.show),
        Page("GET", "/keys", worklist.keys),
        Page("GET", RX, prescription.show),
        Page("POST", f"{RX}/verify", prescription.verify),
        Page("GET", f"{RX}/alert/{{id}}", alerts.show),
        Page("POST", f"{RX}/alert/{{id}}", alerts.resolve),
        Page("GET", f"{RX}/edit", edit.show),
        Page("POST", f"{RX}/edit", edit.save),
        Page("GET", f"{RX}/fill", fill.show),
        Page("POST", f"{RX}/fill", fill.save),
        Page("GET", f"{RX}/pickup", pickup.show),
        Page("POST", f"{RX}/pickup", pickup.save),
    ),
)
