"""The disposition tab: where the patient goes after triage."""

from starlette.responses import Response

from clinic import clock
from clinic.applications.emergency_triage import chart
from clinic.applications.emergency_triage.choices import DISPOSITIONS
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

LONGEST_NOTE = 500
CONTRADICTING = {
    1: ("fast_track", "waiting_room", "discharge"),
    2: ("fast_track", "waiting_room", "discharge"),
    3: ("discharge",),
    4: ("resuscitation", "icu"),
    5: ("resuscitation", "icu"),
}


def show(visit: Visit) -> Response:
    """Show the tab."""
    return chart.render(visit, "disposition")


def save(visit: Visit) -> Response:
    """Store the disposition; one that contradicts the acuity has to be confirmed."""
    patient = chart.load(visit)
    chosen, note = visit.field("disposition"), visit.field("note")
    problems = _problems(visit, patient["esi"], chosen, note)
    if problems:
        return chart.render(visit, "disposition", problems)
    odd = chosen in CONTRADICTING[patient["esi"]]
    if odd and not visit.field("confirmed"):
        warning = f"{DISPOSITIONS[chosen]} is not usual for a patient with ESI {patient['esi']}."
        return chart.render(visit, "disposition", warnings=[warning])
    chart.update(
        visit,
        patient["mrn"],
        disposition=chosen,
        disposition_note=note,
        disposition_by=visit.user_id,
        disposition_at=clock.text(visit.now),
        disposition_warned=odd,
    )
    return visit.go(f"/chart/{patient['mrn']}/disposition", f"Disposition saved: {DISPOSITIONS[chosen]}.")


def _problems(visit: Visit, esi: int | None, chosen: str, note: str) -> Problems:
    problems = Problems()
    if problem := chart.role_problem(visit):
        problems.add("", problem)
    problems.add_if(esi is None, "", "A disposition needs an ESI level. Save one on the Triage tab first.")
    problems.add_if(chosen not in DISPOSITIONS, "disposition", "Choose a disposition.")
    problems.add_if(len(note) > LONGEST_NOTE, "note", f"At most {LONGEST_NOTE} characters.")
    return problems
