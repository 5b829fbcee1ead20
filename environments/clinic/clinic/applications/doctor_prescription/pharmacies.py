"""The dialog for the pharmacies that a patient prefers."""

from starlette.responses import Response

from clinic import rows
from clinic.applications.doctor_prescription import chart
from clinic.toolkit.entry import Problems
from clinic.visit import Visit


def show(visit: Visit) -> Response:
    """Show the dialog with the pharmacies that match the search."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    search = visit.query.get("q", "").strip()
    words = search.casefold().split()
    every = chart.pharmacies(visit)
    found = [
        row for row in every if all(word in f"{row['name']} {row['address']}".casefold() for word in words)
    ]
    return chart.render(visit, "pharmacy", "cover", problems, found=found, search=search)


def save(visit: Visit) -> Response:
    """Put a pharmacy on the patient's list, as the default if wanted."""
    mrn = chart.load(visit)["mrn"]
    name, default = visit.field("pharmacy"), bool(visit.field("default"))
    if name not in {row["name"] for row in chart.pharmacies(visit)}:
        return _render(visit, Problems({"pharmacy": "Choose a pharmacy."}))
    if default:
        rows.update(visit.db, "preferred_pharmacies", {"mrn": mrn, "is_default": True}, is_default=False)
    entry = {"mrn": mrn, "pharmacy": name}
    known = visit.db.execute(
        "SELECT 1 FROM preferred_pharmacies WHERE mrn = :mrn AND pharmacy = :pharmacy", entry
    ).fetchone()
    if known is None:
        rows.insert(visit.db, "preferred_pharmacies", **entry, is_default=default)
    elif default:
        rows.update(visit.db, "preferred_pharmacies", entry, is_default=True)
    return chart.back(visit, "", f"Preferred pharmacy saved: {name}.")
