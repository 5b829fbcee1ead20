"""The ventilator tab: settings and measured values as the device sends them; nothing is entered here."""

from starlette.responses import Response

from clinic.applications.icu_bedside import bedside
from clinic.visit import Visit


def predicted_weight(sex: str, height_cm: int) -> float:
    """Return the predicted body weight of the ARDS Network in kg, to one decimal."""
    return round((50.0 if sex == "M" else 45.5) + 0.91 * (height_cm - 152.4), 1)


def show(visit: Visit) -> Response:
    """Show the tab; a patient may breathe without a ventilator."""
    patient = bedside.load(visit)
    row = visit.db.execute("SELECT * FROM ventilators WHERE mrn = ?", (patient["mrn"],)).fetchone()
    ideal = predicted_weight(patient["sex"], patient["height_cm"])
    return bedside.render(visit, "ventilator", device=row, ideal=ideal)
