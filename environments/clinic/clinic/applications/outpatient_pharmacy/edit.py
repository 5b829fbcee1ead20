"""The dialog that changes the entry of a prescription; the alerts are looked for again afterwards."""

from typing import Any

from starlette.responses import Response

from clinic import clock
from clinic.applications.outpatient_pharmacy import formulary, prescription
from clinic.applications.outpatient_pharmacy.choices import (
    EDIT_REASONS,
    FREQUENCIES,
    TIMES_A_DAY,
    directions,
    units,
)
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit

LIMITS = {"dose": (0.25, 100), "quantity": (1, 1000), "days_supply": (1, 365), "refills": (0, 11)}
WHOLE = ("days_supply", "refills")


def show(visit: Visit) -> Response:
    """Show the dialog."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    return prescription.render(visit, "edit", problems, warnings)


def save(visit: Visit) -> Response:
    """Store the entry; an amount that does not fit the directions has to be confirmed."""
    rx = prescription.load(visit)
    problems = Problems()
    entry, reason = _read(visit, problems), visit.field("reason")
    problems.add_if(rx["status"] not in ("pending", "held"), "", "A verified prescription cannot be changed.")
    problems.add_if(reason not in EDIT_REASONS, "reason", "Choose why the entry is changed.")
    if problems:
        return _render(visit, problems)
    if (odd := _odd(visit, entry)) and not visit.field("confirmed"):
        return _render(visit, warnings=odd)
    at = clock.text(visit.now)
    stamp = {"edited_by": visit.user_id, "edited_at": at, "edit_reason": reason, "status": "pending"}
    prescription.update(visit, rx["rx_no"], **entry, **stamp)
    prescription.rescreen(visit, rx["rx_no"], reason)
    return prescription.back(visit, "Entry changed.")


def _read(visit: Visit, problems: Problems) -> dict[str, Any]:
    entry: dict[str, Any] = {"drug": visit.field("drug"), "frequency": visit.field("frequency")}
    if entry["drug"] not in formulary.drugs(visit.fixtures):
        problems.add("drug", "Choose a product from the list.")
    problems.add_if(entry["frequency"] not in FREQUENCIES, "frequency", "Choose how often.")
    for name, (low, high) in LIMITS.items():
        value = read_number(visit.field(name), whole=name in WHOLE)
        if value is None or not low <= value <= high:
            problems.add(name, f"Enter {low:g} to {high:g}.")
        entry[name] = value
    return entry


def _odd(visit: Visit, entry: dict[str, Any]) -> list[str]:
    """Return what does not fit: an amount that lasts for another time than the days of supply."""
    unit = formulary.drugs(visit.fixtures)[entry["drug"]]["unit"]
    needed = entry["dose"] * TIMES_A_DAY[entry["frequency"]] * entry["days_supply"]
    if abs(needed - entry["quantity"]) <= 0.02 * needed:
        return []
    label = directions(entry["dose"], unit, entry["frequency"])
    return [
        f"{label} for {entry['days_supply']} days: {units(needed, unit)}, entered {units(entry['quantity'], unit)}"
    ]
