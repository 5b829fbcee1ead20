"""The protocol step and the technique step."""

from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.imaging_console import dose
from clinic.applications.imaging_console import exam as exams
from clinic.applications.imaging_console.choices import KERNELS, MODES, ROTATIONS, SLICES, VOLTAGES
from clinic.applications.imaging_console.exam import Exam
from clinic.toolkit.entry import Problems, read_number
from clinic.visit import Visit

# Lowest and highest that the scanner can do; the flag says whether only whole numbers are taken.
LIMITS = {"ma": (10, 700, True), "pitch": (0.3, 1.6, False), "fov_mm": (150, 500, True)}


def show_protocols(visit: Visit) -> Response:
    """Show the protocol tree, one region of it open."""
    return _protocols(exams.load(visit))


def _protocols(exam: Exam, problems: Problems | None = None) -> Response:
    known = exam.protocols()
    regions = list(dict.fromkeys(entry["region"] for entry in known.values()))
    chosen = exam.protocol()
    wanted = exam.visit.query.get("region", chosen["region"] if chosen else "")
    shown = {key: entry for key, entry in known.items() if entry["region"] == wanted}
    return exams.render(exam, "protocol", problems, regions=regions, region=wanted, offered=shown)


def select(visit: Visit) -> Response:
    """Take a protocol with its factory technique; another one replaces it until the scan."""
    exam = exams.load(visit)
    chosen = visit.field("protocol")
    problem = exams.blocked(exam)
    if problem is None and exam.last("scans") is not None:
        problem = "The protocol cannot be changed any more: the scan was done."
    if problem is None and chosen not in exam.protocols():
        problem = "Choose one of the protocols of this scanner."
    if problem:
        return _protocols(exam, Problems({"": problem}))
    stamp = {"protocol_by": visit.user_id, "protocol_at": clock.text(visit.now)}
    rows.update(visit.db, "exams", exam.key, protocol=chosen, **stamp)
    _factory(exam, exam.protocols()[chosen])
    return exam.go("technique", f"Protocol selected: {exam.protocols()[chosen]['name']}.")


def _factory(exam: Exam, protocol: dict[str, Any]) -> None:
    values: dict[str, Any] = {"notified": False, "by": None, "at": None}
    if exam.is_ct:
        technique = protocol["technique"]
        values |= technique | {"ctdi_mgy": dose.ctdi_mgy(protocol["phantom"], technique)}
    else:
        values |= {"mode": "first_level"}
    _store(exam, values)


def _store(exam: Exam, values: dict[str, Any]) -> None:
    if exam.one("techniques") is None:
        rows.insert(exam.visit.db, "techniques", **exam.key, **values)
    else:
        rows.update(exam.visit.db, "techniques", exam.key, **values)


def show_technique(visit: Visit) -> Response:
    """Show the technique."""
    return exams.render(exams.load(visit), "technique")


def save_technique(visit: Visit) -> Response:
    """Store the technique; a dose above the reference level has to be confirmed."""
    exam = exams.load(visit)
    protocol = exam.protocol()
    problem = exams.blocked(exam)
    if problem is None and protocol is None:
        problem = "Select a protocol first."
    if problem or protocol is None:
        return exams.refuse(exam, "technique", problem or "")
    problems = Problems()
    values = _ct_values(exam, problems) if exam.is_ct else _mr_values(exam, problems)
    if problems:
        return exams.render(exam, "technique", problems)
    above = False
    if exam.is_ct:
        values["ctdi_mgy"] = dose.ctdi_mgy(protocol["phantom"], values)
        above = values["ctdi_mgy"] > protocol["drl"]
    if above and not visit.field("confirmed"):
        text = f"CTDIvol {values['ctdi_mgy']:.1f} mGy is above the reference level of {protocol['drl']} mGy."
        return exams.render(exam, "technique", warnings=[text])
    _store(exam, values | {"notified": above} | exam.stamp)
    return exam.go("scan", "Technique saved.")


def _mr_values(exam: Exam, problems: Problems) -> dict[str, Any]:
    mode = exam.visit.field("mode")
    problems.add_if(mode not in MODES, "mode", "Choose an operating mode.")
    return {"mode": mode}


def _ct_values(exam: Exam, problems: Problems) -> dict[str, Any]:
    field = exam.visit.field
    values: dict[str, Any] = {"kernel": field("kernel")}
    problems.add_if(field("kernel") not in KERNELS, "kernel", "Choose from the list.")
    for name, options in (("kv", VOLTAGES), ("rotation_s", ROTATIONS), ("slice_mm", SLICES)):
        if field(name) not in options:
            problems.add(name, "Choose one of the values shown.")
        else:
            values[name] = int(field(name)) if name == "kv" else float(field(name))
    for name, (low, high, whole) in LIMITS.items():
        value = read_number(field(name), whole)
        if value is None or not low <= value <= high:
            problems.add(name, f"Enter a {'whole ' if whole else ''}number from {low:g} to {high:g}.")
        values[name] = value
    if not problems and dose.tube_kw(values["kv"], values["ma"]) > dose.TUBE_KW:
        problems.add(
            "ma", f"The tube gives at most {dose.TUBE_KW} kW: {dose.TUBE_KW * 1000 // values['kv']} mA."
        )
    return values
