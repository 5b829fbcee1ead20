"""The dialog of handing out: who is at the counter, and what is talked about."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.outpatient_pharmacy import prescription
from clinic.applications.outpatient_pharmacy.choices import COUNSELLING, IDENTIFIERS, POINTS, TEACH_BACK
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit

ENOUGH_IDENTIFIERS = 2


def show(visit: Visit) -> Response:
    """Show the dialog."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    return prescription.render(visit, "pickup", problems, warnings)


def save(visit: Visit) -> Response:
    """Record the pick-up; fewer than two identifiers have to be confirmed."""
    rx = prescription.load(visit)
    checked = {f"checked_{name}": bool(visit.field(f"checked_{name}")) for name in IDENTIFIERS}
    talked = {f"talked_{name}": bool(visit.field(f"talked_{name}")) for name in POINTS}
    counselling, teach_back = visit.field("counselling"), visit.field("teach_back")
    problems = _problems(visit, rx["status"], counselling, teach_back, any(talked.values()))
    if problems:
        return _render(visit, problems)
    few = sum(checked.values()) < ENOUGH_IDENTIFIERS
    if few and not visit.field("confirmed"):
        return _render(visit, warnings=["Two identifiers are required before a medicine is handed out."])
    rows.insert(
        visit.db,
        "pickups",
        rx_no=rx["rx_no"],
        mrn=rx["mrn"],
        **checked,
        **talked,
        counselling=counselling,
        teach_back=teach_back,
        warned=few,
        by=visit.user_id,
        at=clock.text(visit.now),
    )
    prescription.update(visit, rx["rx_no"], status="sold")
    return prescription.back(visit, f"Rx {rx['rx_no']} handed out.")


def _problems(visit: Visit, status: str, counselling: str, teach_back: str, talked: bool) -> Problems:
    problems = Problems()
    if problem := prescription.role_problem(visit):
        problems.add("", problem)
    problems.add_if(status != "ready", "", "Only a filled prescription can be handed out.")
    if counselling not in COUNSELLING:
        problems.add("counselling", "Choose whether the patient was counselled.")
    problems.add_if(counselling == "given" and not talked, "points", "Mark what was talked about.")
    if counselling == "declined" and (talked or teach_back):
        problems.add("points", "Nothing can have been talked about when counselling was declined.")
    problems.add_if(teach_back not in ("", *TEACH_BACK), "teach_back", "Choose one of the answers.")
    return problems
