"""The consents tab."""

from starlette.responses import Response

from clinic.applications.doctor_prescription import chart
from clinic.applications.doctor_prescription.choices import CONSENTS, SIGNERS
from clinic.toolkit import second_person
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

WITNESSES = frozenset({"nurse", "clerk"})


def show(visit: Visit) -> Response:
    """Show the tab."""
    return chart.render(visit, "consents", "consents", consents=chart.listed(visit, "consents"))


def show_new(visit: Visit) -> Response:
    """Show the dialog for a consent."""
    return _dialog(visit)


def _dialog(visit: Visit, problems: Problems | None = None, warnings: tuple[str, ...] = ()) -> Response:
    consents = chart.listed(visit, "consents")
    return chart.render(visit, "consent", "consents", problems, consents=consents, warnings=warnings)


def save(visit: Visit) -> Response:
    """Record a consent; one that nobody witnesses has to be confirmed."""
    chart.load(visit)
    kind, signer, name = (visit.field(field) for field in ("kind", "signer", "signer_name"))
    problems = Problems()
    problems.add_if(kind not in CONSENTS, "kind", "Choose what is consented to.")
    problems.add_if(signer not in SIGNERS, "signer", "Choose who signs.")
    problems.add_if(not name or len(name) > 60, "signer_name", "Enter the name of the person who signs.")
    valid = [row["kind"] for row in chart.listed(visit, "consents") if not row["withdrawn"]]
    problems.add_if(kind in valid, "kind", "This consent is on file.")
    witnessed = bool(visit.field("second_user"))
    witness = second_person.read(visit, WITNESSES, problems) if witnessed else None
    if problems:
        return _dialog(visit, problems)
    if not witnessed and not visit.field("confirmed"):
        return _dialog(visit, warnings=("Nobody witnesses the signature.",))
    chart.insert(
        visit,
        "consents",
        kind=kind,
        signer=signer,
        signer_name=name,
        witness=witness["user_id"] if witness else None,
        **chart.stamp(visit),
    )
    return chart.back(visit, "/consents", f"Consent recorded: {CONSENTS[kind]}.")


def withdraw(visit: Visit) -> Response:
    """Record that a consent was withdrawn."""
    entry = {"id": visit.params["id"], "mrn": chart.load(visit)["mrn"], "withdrawn": False}
    visit.change("consents", entry, withdrawn=True)
    return chart.back(visit, "/consents", "The consent was withdrawn.")
