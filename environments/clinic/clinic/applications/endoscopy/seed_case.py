"""Writes the rows of one procedure: booking, assessment, the nurse's log, pictures, and what was recorded."""

import random
import sqlite3
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.endoscopy.cast import Case
from clinic.toolkit.people import Person

SEGMENTS = ("rectum", "sigmoid", "descending", "transverse", "ascending", "caecum")
BBPS = {"bbps_right": "Right colon", "bbps_transverse": "Transverse colon", "bbps_left": "Left colon"}
ALLERGIES = ("None known", "None known", "Penicillin: rash", "Latex: hives", "Egg: swelling of the lips")
LARGE = {"scar": (20, 28, "emr_pieces"), "three_years": (11, 17, "hot_snare")}
OTHER_SCENES = ("plain", "plain", "polyp", "residue")


@dataclass(frozen=True)
class Unit:
    """What writing needs: the database, the seed, staff and the time."""

    db: sqlite3.Connection
    seeding: Seeding
    users: dict[str, list[str]]
    now: datetime

    def words(self) -> dict[str, Any]:
        """Return what nurses write."""
        return self.seeding.fixtures.load("endoscopy/wording")


@dataclass
class Booking:
    """One procedure that is being written."""

    unit: Unit
    stream: random.Random
    case: Case
    case_no: str
    mrn: str
    begin: datetime
    truth: dict[str, Any] = field(default_factory=dict)

    @property
    def nurse(self) -> str:
        """The nurse of all procedures that a task is about."""
        return self.unit.users["endoscopy_nurse"][0]

    def insert(self, table: str, **values: Any) -> None:
        """Add a row of this procedure."""
        rows.insert(self.unit.db, table, case_no=self.case_no, mrn=self.mrn, **values)

    def update(self, **values: Any) -> None:
        """Change fields of this procedure."""
        rows.update(self.unit.db, "procedures", {"case_no": self.case_no}, **values)

    def note(self, part: str, at: datetime, text: str) -> None:
        """Add what a nurse wrote."""
        self.insert("notes", part=part, at=clock.text(at), text=text, by=self.nurse)

    def pick(self, *path: str) -> str:
        """Draw a wording."""
        words = self.unit.words()
        for name in path:
            words = words[name]
        return self.stream.choice(list(words))


def write(
    unit: Unit,
    stream: random.Random,
    case: Case,
    person: Person,
    numbers: tuple[str, str],
    slot: tuple[datetime, int],
) -> None:
    """Write everything about one procedure, in the order in which it happens."""
    mrn, case_no = numbers
    booking = Booking(unit, stream, case, case_no, mrn, slot[0])
    ill = {"info": ("2", "2", "3", "3", "4"), "preassess": ("1", "2", "2", "3", "3", "4")}
    asa = stream.choice(ill.get(case.story, ("1", "2", "3")))
    thinner = stream.choice(_thinners(unit, case, healthy=asa == "1"))
    _book(booking, person, slot, asa, thinner)
    _assess(booking, asa, thinner)
    if case.story == "info":
        _earlier(booking, asa, thinner)
    if case.status in ("in_progress", "completed", "reported"):
        _begin(booking)
    if case.story == "landmarks":
        _landmarks(booking)
    if case.story == "bbps":
        _preparation(booking)
    if case.status in ("completed", "reported") and case.kind == "colonoscopy":
        _course(booking)
    elif case.status == "reported":
        booking.update(status="reported", ended_at=clock.text(slot[0] + timedelta(minutes=15)))
    if case.status == "reported":
        _signed(booking)
    for subject, value in booking.truth.items():
        booking.insert("truth", subject=subject, value=str(value))


def _thinners(unit: Unit, case: Case, *, healthy: bool) -> list[dict[str, Any]]:
    """Return the blood thinners that a patient of a story may take; nobody healthy takes one."""
    known: list[dict[str, Any]] = unit.words()["antithrombotics"]
    if healthy:
        return [each for each in known if each["status"] == "none"]
    safe = [each for each in known if each["status"] != "taken"]
    if case.story == "info":
        return [each for each in known if each["status"] != "none"]
    return known if case.story == "preassess" else safe


def _book(
    booking: Booking, person: Person, slot: tuple[datetime, int], asa: str, thinner: dict[str, Any]
) -> None:
    unit, stream, case = booking.unit, booking.stream, booking.case
    rows.insert(
        unit.db,
        "patients",
        mrn=booking.mrn,
        family_name=person.family,
        given_name=person.given,
        sex=person.sex,
        birth_date=person.born.isoformat(),
        history=booking.pick("asa", asa),
        medication=thinner["medication"],
        allergies=stream.choice(ALLERGIES),
    )
    mine = bool(case.story)
    booking.insert(
        "procedures",
        kind=case.kind,
        story=case.story,
        scene="defect" if case.story == "finding" else "stomach" if case.kind == "gastroscopy" else "plain",
        study=stream.randrange(1000, 9_000_000),
        room=slot[1],
        scheduled_at=clock.text(slot[0]),
        status="scheduled" if case.status != "cancelled" else "cancelled",
        indication=stream.choice(
            unit.seeding.fixtures.load("endoscopy/procedures")[case.kind]["indications"]
        ),
        endoscopist=unit.users["endoscopist"][0] if mine else stream.choice(unit.users["other_endoscopist"]),
        nurse=booking.nurse if mine else stream.choice(unit.users["endoscopy_nurse"][1:]),
    )


def _assess(booking: Booking, asa: str, thinner: dict[str, Any]) -> None:
    """Write the nurse's interview, and as much of the assessment as was done."""
    stream, begin, now = booking.stream, booking.begin, booking.unit.now
    fluids = min(begin, now) - timedelta(minutes=stream.randint(150, 330))
    called = begin.replace(hour=15, minute=stream.randrange(60)) - timedelta(days=1)
    booking.note("call", called, thinner["words"].format(days=stream.randint(2, 4)))
    arrived = max(min(begin, now) - timedelta(minutes=stream.randint(25, 45)), fluids + timedelta(minutes=40))
    told = f"Arrived with an escort. Last clear fluid at {clock_time(fluids)}, no food since yesterday noon."
    booking.note("call", arrived, f"{told} Consent form signed; allergies as in the record.")
    booking.truth |= {"asa": asa, "antithrombotic": thinner["status"], "last_fluids": clock_time(fluids)}
    known = {
        "last_fluids": clock_time(fluids),
        "antithrombotic": thinner["status"],
        "allergies_confirmed": True,
    }
    if booking.case.assessed != "open":
        booking.update(**known)
    if booking.case.assessed == "done":
        stamp = {"assessed_by": booking.unit.users["endoscopist"][0], "assessed_at": clock.text(arrived)}
        booking.update(asa=int(asa), consent=True, **stamp)


def clock_time(moment: datetime) -> str:
    """Return the time of day."""
    return f"{moment:%H:%M}"


def _earlier(booking: Booking, asa: str, thinner: dict[str, Any]) -> None:
    """Leave a note of years ago that says something else."""
    then = booking.begin - timedelta(days=booking.stream.randint(500, 1500))
    drugs = [
        each["medication"] for each in booking.unit.words()["antithrombotics"] if each["status"] != "none"
    ]
    other = booking.stream.choice([name for name in drugs if name != thinner["medication"]])
    former = booking.stream.choice([each for each in "123" if each != asa])
    booking.note("earlier", then, f"Colonoscopy elsewhere: ASA {former}, at that time on {other.lower()}.")
    booking.truth |= {"medication": thinner["medication"], "earlier_asa": former, "earlier_medication": other}


def _begin(booking: Booking) -> None:
    at = clock.text(booking.begin)
    booking.update(
        status="in_progress",
        timeout_with=booking.nurse,
        timeout_at=at,
        started_by=booking.unit.users["endoscopist"][0],
        started_at=at,
    )
    booking.note("log", booking.begin, "Time-out done, scope in.")


def _image(booking: Booking, number: int, scene: str, at: datetime, label: str | None = None) -> None:
    booking.insert(
        "images",
        number=number,
        scene=scene,
        study=booking.stream.randrange(1000, 9_000_000),
        taken_at=clock.text(at),
        label=label,
        labelled_by=booking.unit.users["endoscopist"][0] if label else None,
    )


def _landmarks(booking: Booking) -> None:
    """Take seven pictures, three of which show landmarks; the log tells when those were taken."""
    stream, begin = booking.stream, booking.begin
    arrived = stream.randint(7, 11)
    first, second = stream.sample(("appendix", "valve"), 2)
    plan = [(first, arrived), (second, arrived + 1), ("retroflexion", stream.randint(26, 30))]
    free = [minute for minute in range(2, 25) if minute not in (arrived, arrived + 1)]
    plan += list(zip(OTHER_SCENES, stream.sample(free, len(OTHER_SCENES)), strict=True))
    names = {
        "appendix": "mouth of the appendix",
        "valve": "valve to the small bowel",
        "retroflexion": "scope turned back",
    }
    for number, (scene, minute) in enumerate(sorted(plan, key=lambda shot: shot[1]), 1):
        at = begin + timedelta(minutes=minute)
        _image(booking, number, scene, at)
        if scene in names:
            booking.truth[f"image {scene}"] = number
            booking.note("log", at, f"Picture: {names[scene]}.")


def _preparation(booking: Booking) -> None:
    """Describe how clean each segment of a colonoscopy is that goes on."""
    scores = {name: booking.stream.choice((0, 1, 1, 2, 2, 3, 3)) for name in BBPS}
    _describe(booking, scores, booking.begin + timedelta(minutes=20))


def _describe(booking: Booking, scores: dict[str, int], at: datetime) -> None:
    for name, place in BBPS.items():
        booking.note("log", at, f"{place}: {booking.pick('bbps', str(scores[name]))}.")
    booking.truth |= scores


def _course(booking: Booking) -> None:
    """Write a colonoscopy that is over: log, scores, lesions, pictures, and what is missing or wrong."""
    stream, begin, case = booking.stream, booking.begin, booking.case
    clean = case.outcome != "repeat"
    scores = {name: stream.choice((2, 3)) for name in BBPS}
    if not clean:
        scores[stream.choice(list(BBPS))] = stream.choice((0, 1))
    reached, minutes = begin + timedelta(minutes=stream.randint(6, 11)), stream.randint(7, 18)
    booking.note("log", reached, "Caecum reached, withdrawal begins.")
    lesions = _lesions(booking, case.outcome, reached)
    out = reached + timedelta(minutes=minutes)
    booking.note("log", out, "Scope out.")
    _describe(booking, scores, out)
    taken = {
        "appendix": reached,
        "valve": reached + timedelta(minutes=1),
        "retroflexion": out - timedelta(minutes=1),
    }
    for number, (scene, at) in enumerate(taken.items(), 1):
        _image(booking, number, scene, at, scene)
    withdrawal = None if case.gap == "withdrawal" else minutes
    booking.update(
        status="completed", caecum="reached", withdrawal_min=withdrawal, **scores, ended_at=clock.text(out)
    )
    booking.truth |= {"caecum": "reached", "withdrawal_min": minutes, "recommendation": case.outcome}
    wrong = stream.choice(("size_mm", "segment", "jar")) if case.gap == "lesion" else ""
    victim = stream.randrange(len(lesions)) if lesions else 0
    for number, lesion in enumerate(lesions):
        recorded = _recorded(stream, lesions, lesion, wrong) if wrong and number == victim else lesion
        booking.insert("findings", **recorded, by=booking.unit.users["endoscopist"][0], at=clock.text(out))
    if wrong:
        booking.truth |= {
            "wrong finding": victim + 1,
            "wrong field": wrong,
            "right value": lesions[victim][wrong],
        }


def _lesions(booking: Booking, outcome: str, reached: datetime) -> list[dict[str, Any]]:
    """Remove what was found on the way back, the first one large if that is what follows from it."""
    stream = booking.stream
    count = {"scar": 2, "three_years": 2}.get(outcome, stream.randint(1, 3))
    lesions = []
    for number, segment in enumerate(stream.sample(SEGMENTS, count), 1):
        large = number == 1 and outcome in ("scar", "three_years")
        low, high, method = LARGE[outcome] if large else (3, 8, "cold_snare")
        paris = "0-IIa" if method == "emr_pieces" else stream.choice(("0-Is", "0-IIa"))
        size = stream.randint(low, high)
        lesion = {"segment": segment, "size_mm": size, "paris": paris, "method": method, "jar": number}
        shape, removed = booking.pick("paris", paris), booking.unit.words()["methods"][method]
        text = f"{segment.title()}: {size} mm, {shape}; {removed}. Jar {number}."
        booking.note("log", reached + timedelta(minutes=2 * number), text)
        lesions.append(lesion)
    return lesions


def _recorded(
    stream: random.Random, lesions: list[dict[str, Any]], lesion: dict[str, Any], wrong: str
) -> dict[str, Any]:
    """Return a lesion as somebody tired recorded it."""
    used = [each["segment"] for each in lesions]
    others = [segment for segment in SEGMENTS if segment not in used]
    slip = {"size_mm": lesion["size_mm"] + 4, "segment": stream.choice(others), "jar": lesion["jar"] + 4}
    return lesion | {wrong: slip[wrong]}


def _signed(booking: Booking) -> None:
    doctor = booking.stream.choice(booking.unit.users["other_endoscopist"])
    at = clock.text(booking.begin + timedelta(minutes=40))
    booking.update(status="reported", recommendation="screening", signed_by=doctor, signed_at=at)
