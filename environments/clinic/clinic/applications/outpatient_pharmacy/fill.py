"""The dialog that takes a product from the shelf."""

import sqlite3
from datetime import date

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.outpatient_pharmacy import formulary, prescription
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import Warnings
from clinic.toolkit.words import day
from clinic.visit import Visit


def shelf(visit: Visit, drug: str) -> list[sqlite3.Row]:
    """Return the stock of a drug and of what is easily taken for it."""
    names = formulary.look_alikes(visit.fixtures, drug)
    stock = visit.db.execute("SELECT * FROM stock ORDER BY drug, lot").fetchall()
    return [row for row in stock if row["drug"] in names]


def show(visit: Visit) -> Response:
    """Show the dialog."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    return prescription.render(
        visit, "fill", problems, warnings, shelf=shelf(visit, prescription.load(visit)["drug"])
    )


def save(visit: Visit) -> Response:
    """Record the fill and take it from stock; another product or an old lot has to be confirmed."""
    rx = prescription.load(visit)
    problems = Problems()
    item = next((row for row in shelf(visit, rx["drug"]) if row["lot"] == visit.field("lot")), None)
    quantity = read_number(visit.field("quantity"), whole=False)
    days = read_number(visit.field("days_supply"), whole=True)
    problems.add_if(rx["status"] != "verified", "", "Only a verified prescription can be filled.")
    problems.add_if(item is None, "lot", "Choose what was taken from the shelf.")
    problems.add_if(not quantity, "quantity", "Enter the quantity counted.")
    problems.add_if(not days or days > 365, "days_supply", "Enter 1 to 365 days.")
    if item is not None and quantity and quantity > item["on_hand"]:
        problems.add("quantity", "There is not that much of this lot.")
    if problems or item is None or not quantity or not days:
        return _render(visit, problems)
    odd = _odd(rx, item, visit.now.date(), int(days))
    if odd and not visit.field("confirmed"):
        return _render(visit, warnings=odd)
    _store(visit, rx, item, quantity, int(days), warned=bool(odd))
    return prescription.back(visit, f"Rx {rx['rx_no']} filled from lot {item['lot']}.")


def _odd(rx: sqlite3.Row, item: sqlite3.Row, today: date, days: int) -> list[str]:
    odd = []
    if item["drug"] != rx["drug"]:
        odd.append(f"Another product: {item['drug']} for {rx['drug']}")
    if date.fromisoformat(item["expires_on"]) < today:
        odd.append(f"Lot {item['lot']} expired on {day(item['expires_on'])}")
    if days != rx["days_supply"]:
        odd.append(f"{days} days of supply, the prescription says {rx['days_supply']}")
    return odd


def _store(
    visit: Visit, rx: sqlite3.Row, item: sqlite3.Row, quantity: float, days: int, *, warned: bool
) -> None:
    rows.insert(
        visit.db,
        "fills",
        rx_no=rx["rx_no"],
        mrn=rx["mrn"],
        **{name: item[name] for name in ("drug", "ndc", "lot", "expires_on")},
        quantity=quantity,
        days_supply=days,
        warned=warned,
        by=visit.user_id,
        at=clock.text(visit.now),
    )
    rows.update(visit.db, "stock", {"id": item["id"]}, on_hand=item["on_hand"] - quantity)
    prescription.update(visit, rx["rx_no"], status="ready")
