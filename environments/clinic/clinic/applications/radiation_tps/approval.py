"""The approval tab: check list, two signatures, export to treatment."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.radiation_tps import workspace
from clinic.applications.radiation_tps.choices import CHECKLIST, SIGNERS
from clinic.toolkit import second_person
from clinic.toolkit.entry import Problems
from clinic.visit import Visit


def show(visit: Visit) -> Response:
    """Show the tab."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    names = visit.staff()
    return workspace.render(visit, "approval", problems, names=names)


def approve(visit: Visit) -> Response:
    """Approve a plan whose dose is current, with everything ticked and a second signature."""
    plan, problems = workspace.plan(visit), Problems()
    if plan["approved_at"]:
        return _render(visit, Problems({"": "The plan is approved already."}))
    if plan["dose_state"] != "current":
        return _render(visit, Problems({"": "A plan without a current dose cannot be approved."}))
    if open_items := [label for key, label in CHECKLIST.items() if not visit.field(key)]:
        problems.add("", f"Still to be checked: {'; '.join(open_items)}.")
    second = second_person.read(visit, SIGNERS, problems)
    if problems or second is None:
        return _render(visit, problems)
    at = clock.text(visit.now)
    workspace.change(visit, approved_by=visit.user_id, second=second["user_id"], approved_at=at)
    rows.update(visit.db, "patients", {"mrn": plan["mrn"]}, status="approved")
    return workspace.back(visit, "approval", f"Plan {plan['plan']} is approved.")


def export(visit: Visit) -> Response:
    """Send an approved plan to the treatment machine, once."""
    plan = workspace.plan(visit)
    if not plan["approved_at"]:
        return _render(visit, Problems({"": "Only an approved plan can be exported to treatment."}))
    if plan["exported_at"]:
        return _render(visit, Problems({"": "The plan has been exported already."}))
    workspace.change(visit, exported_by=visit.user_id, exported_at=clock.text(visit.now))
    rows.update(visit.db, "patients", {"mrn": plan["mrn"]}, status="treatment")
    return workspace.back(visit, "approval", f"Plan {plan['plan']} was sent to treatment.")
