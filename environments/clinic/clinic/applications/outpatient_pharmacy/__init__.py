"""Outpatient pharmacy: verification, drug utilisation review, dispensing and pick-up."""

from pathlib import Path

from clinic.application import Application, Page, form
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
    choices=choices,
    home="/queue",
    pages=(
        Page("GET", "/queue", worklist.show),
        Page("GET", "/stock", stock.show),
        Page("GET", "/keys", worklist.keys),
        Page("GET", RX, prescription.show),
        Page("POST", f"{RX}/verify", prescription.verify),
        *form(f"{RX}/alert/{{id}}", alerts.show, alerts.resolve),
        *form(f"{RX}/edit", edit.show, edit.save),
        *form(f"{RX}/fill", fill.show, fill.save),
        *form(f"{RX}/pickup", pickup.show, pickup.save),
    ),
)
