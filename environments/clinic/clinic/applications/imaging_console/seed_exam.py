"""Writes the rows of one examination: the patient, the order, and what has been done until now."""

import random
from datetime import datetime, timedelta
from typing import Any

from clinic import clock
from clinic.applications.imaging_console import dose
from clinic.applications.imaging_console.anatomy import landmarks
from clinic.applications.imaging_console.cast import STAGES, Case
from clinic.applications.imaging_console.desk import Desk
from clinic.applications.imaging_console.screening import MENARCHE, MENOPAUSE
from clinic.toolkit.people import Person
from clinic.toolkit.words import age_years


def write(desk: Desk, case: Case, person: Person, mrn: str, accession: str, slot: datetime) -> None:
    """Write everything about one examination, in the order in which it happens."""
    stream = desk.seeding.stream(f"chart {case.part}")
    years = age_years(person.born.isoformat(), desk.now.date())
    fertile = person.sex == "F" and MENARCHE <= years <= MENOPAUSE
    examination = desk.load("examinations")[case.examination]
    _patient(desk, stream, case, person, mrn, fertile)
    _background(desk, stream, case, mrn, fertile)
    if case.reached:
        slot = min(slot, desk.now - timedelta(minutes=stream.randint(20, 80)))
    status = case.status or {"scheduled": "scheduled", "completed": "completed"}.get(case.stage, "registered")
    _order(desk, stream, case.part, examination, mrn, accession, slot, status)
    if case.reached:
        _progress(desk, stream, case, examination, mrn, accession, fertile)


def second_order(desk: Desk, mrn: str, accession: str, slot: datetime) -> None:
    """Give somebody another order on the same day."""
    stream = desk.seeding.stream("second order")
    examination = desk.load("examinations")[stream.choice(("mr_brain", "mr_lumbar", "mr_knee"))]
    _order(desk, stream, "second", examination, mrn, accession, slot, "scheduled")


def _patient(desk: Desk, stream: random.Random, case: Case, person: Person, mrn: str, fertile: bool) -> None:
    background = desk.load("background")
    height = stream.randint(156, 174) if person.sex == "F" else stream.randint(166, 188)
    diabetic = case.part == "flagged"
    medications = (
        stream.choice([*background["diabetic"], *background["diabetic_without"]])
        if diabetic
        else stream.choice(background["medications"])
    )
    days = {"pregnant": stream.randint(38, 60)}.get(case.part, stream.randint(2, 24))
    desk.insert(
        "patients",
        mrn=mrn,
        family_name=person.family,
        given_name=person.given,
        sex=person.sex,
        birth_date=person.born.isoformat(),
        height_cm=height,
        weight_kg=round(height * height / 10000 * stream.uniform(20.5, 29.5)),
        location=stream.choice(background["locations"]),
        history="Type 2 diabetes, hypertension" if diabetic else stream.choice(background["histories"]),
        medications=medications,
        last_period=(desk.now.date() - timedelta(days=days)).isoformat() if fertile else None,
    )
    desk.insert("anatomy", mrn=mrn, **landmarks(stream, height))


def _background(desk: Desk, stream: random.Random, case: Case, mrn: str, fertile: bool) -> None:
    background = desk.load("background")
    unrelated = stream.sample(background["unrelated"], stream.choice((0, 0, 1, 2)))
    if case.part == "flagged":
        unrelated = stream.sample(background["unrelated"], 2)
        reaction, severity = stream.choice(background["reactions"])
        _allergy(desk, stream, mrn, stream.choice(background["contrast_agents"]), reaction, severity)
    for substance, reaction in unrelated:
        _allergy(desk, stream, mrn, substance, reaction, "mild")
    _kidneys(desk, stream, case, mrn)
    if fertile:
        _pregnancy_tests(desk, stream, case, mrn)
    if case.device:
        device = stream.choice(background[case.device])
        year = desk.now.year - stream.randint(2, 12)
        desk.insert("devices", mrn=mrn, label=case.device, year=year, **device)


def _allergy(
    desk: Desk, stream: random.Random, mrn: str, substance: str, reaction: str, severity: str
) -> None:
    year = desk.now.year - stream.randint(1, 14)
    desk.insert("allergies", mrn=mrn, substance=substance, reaction=reaction, severity=severity, year=year)


def _kidneys(desk: Desk, stream: random.Random, case: Case, mrn: str) -> None:
    """Chart eGFR values; where they matter, the latest is neither the lowest nor the first listed."""
    if case.part == "flagged":
        values = stream.sample(range(24, 58), 4)
        ages = [
            stream.randint(200, 330),
            stream.randint(60, 150),
            stream.randint(8, 40),
            stream.randint(1, 4),
        ]
        cancelled = [False, False, False, True]
    else:
        values, ages, cancelled = [stream.randint(62, 98)], [stream.randint(1, 60)], [False]
    for value, days, struck in zip(values, ages, cancelled, strict=True):
        _lab(desk, stream, mrn, "eGFR", str(value), "mL/min/1.73 m²", days, struck)


def _pregnancy_tests(desk: Desk, stream: random.Random, case: Case, mrn: str) -> None:
    if case.part == "pregnant":
        _lab(desk, stream, mrn, "hCG", "Negative", "urine", stream.randint(64, 90))
        if stream.random() < 0.6:
            _lab(desk, stream, mrn, "hCG", "Positive", "urine", 0)
    elif case.part == "complete" or case.reached or stream.random() < 0.5:
        _lab(desk, stream, mrn, "hCG", "Negative", "urine", 0)


def _lab(
    desk: Desk,
    stream: random.Random,
    mrn: str,
    test: str,
    value: str,
    unit: str,
    days: int,
    cancelled: bool = False,
) -> None:
    at = clock.text(desk.now - timedelta(days=days, minutes=stream.randint(100, 150)))
    desk.insert("labs", mrn=mrn, test=test, value=value, unit=unit, taken_at=at, cancelled=cancelled)


def _order(
    desk: Desk,
    stream: random.Random,
    part: str,
    examination: dict[str, Any],
    mrn: str,
    accession: str,
    slot: datetime,
    status: str,
) -> None:
    copied = {name: examination[name] for name in ("modality", "procedure", "contrast", "protocol", "plan")}
    desk.insert(
        "orders",
        accession=accession,
        mrn=mrn,
        part=part,
        **copied,
        indication=stream.choice(examination["indications"]),
        referrer=stream.choice(desk.load("background")["referrers"]),
        scheduled_at=clock.text(slot),
        status=status,
    )


def _progress(
    desk: Desk,
    stream: random.Random,
    case: Case,
    examination: dict[str, Any],
    mrn: str,
    accession: str,
    fertile: bool,
) -> None:
    """Register, screen, plan, and for some also acquire the scout and scan."""
    by, start = desk.users["technologist"][0], desk.now - timedelta(minutes=stream.randint(12, 18))
    told = {"accession": accession, "mrn": mrn}
    done = {"by": by, "at": clock.text(start + timedelta(minutes=1))}
    planned = case.reached >= STAGES.index("protocol")
    finished = case.stage == "completed"
    desk.insert(
        "exams",
        **told,
        checked_name=True,
        checked_birth_date=True,
        checked_mrn=False,
        checked_room=False,
        registered_warned=False,
        registered_by=by,
        registered_at=clock.text(start),
        protocol=examination["protocol"] if planned else None,
        protocol_by=by if planned else None,
        protocol_at=clock.text(start + timedelta(minutes=2)) if planned else None,
        completed_by=by if finished else None,
        completed_at=clock.text(start + timedelta(minutes=9)) if finished else None,
    )
    contrast = examination["contrast"]
    mr = examination["modality"] == "MR"
    egfr = "SELECT value FROM labs WHERE mrn = ? AND test = 'eGFR' AND NOT cancelled ORDER BY taken_at DESC"
    desk.insert(
        "screenings",
        **told,
        pregnancy="excluded" if fertile else None,
        reaction="none" if contrast else None,
        egfr=int(desk.db.execute(egfr, (mrn,)).fetchone()["value"]) if contrast else None,
        metformin="no" if contrast else None,
        device=(case.device or "none") if mr else None,
        swept=mr,
        **done,
    )
    if planned:
        _technique(desk, examination, told)
    if case.reached >= STAGES.index("scout"):
        _scout(desk, examination, told, done)
    if finished:
        _finish(desk, examination, told, done)


def _protocol(desk: Desk, examination: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = desk.load("protocols")[examination["modality"].lower()][examination["protocol"]]
    return found


def _technique(desk: Desk, examination: dict[str, Any], told: dict[str, str]) -> None:
    protocol = _protocol(desk, examination)
    if examination["modality"] == "MR":
        desk.insert("techniques", **told, mode="first_level")
        return
    technique = protocol["technique"]
    ctdi = dose.ctdi_mgy(protocol["phantom"], technique)
    desk.insert("techniques", **told, **technique, ctdi_mgy=ctdi)


def _marks(desk: Desk, examination: dict[str, Any], mrn: str) -> tuple[int, int]:
    protocol = _protocol(desk, examination)
    places = desk.db.execute("SELECT * FROM anatomy WHERE mrn = ?", (mrn,)).fetchone()
    return places[protocol["top"]], places[protocol["bottom"]]


def _scout(desk: Desk, examination: dict[str, Any], told: dict[str, str], done: dict[str, str]) -> None:
    if examination["modality"] == "MR":
        desk.insert("scouts", **told, direction="three_plane", warned=False, **done)
        return
    top, bottom = _marks(desk, examination, told["mrn"])
    limits = {"from_mm": (top - 95) // 10 * 10, "to_mm": (bottom + 95) // 10 * 10}
    position = "head_first_supine"
    desk.insert("scouts", **told, position=position, direction="ap", **limits, warned=False, **done)


def _finish(desk: Desk, examination: dict[str, Any], told: dict[str, str], done: dict[str, str]) -> None:
    protocol = _protocol(desk, examination)
    if examination["modality"] == "MR":
        desk.insert("scans", **told, mode="first_level", with_contrast=False, warned=False, **done)
    else:
        top, bottom = _marks(desk, examination, told["mrn"])
        technique = {name: protocol["technique"][name] for name in ("kv", "ma", "slice_mm", "kernel")}
        ctdi = dose.ctdi_mgy(protocol["phantom"], protocol["technique"])
        if injection := protocol.get("injection"):
            desk.insert("injections", **told, **injection, warned=False, **done)
        desk.insert(
            "scans",
            **told,
            from_mm=top - 10,
            to_mm=bottom + 10,
            **technique,
            ctdi_mgy=ctdi,
            dlp_mgy_cm=dose.dlp_mgy_cm(ctdi, top - 10, bottom + 10),
            with_contrast=examination["contrast"],
            warned=False,
            **done,
        )
    desk.insert("transfers", **told, destination="Main archive", **done)
