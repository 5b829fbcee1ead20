"""Writes the rows of one exam: the order, what was scanned, and what was reported until now."""

import random
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.ultrasound.beams import PROBES
from clinic.applications.ultrasound.cast import Case
from clinic.applications.ultrasound.choices import LEXICON
from clinic.toolkit.people import Person

# Diameters in mm that are clear of every limit by 4 mm or more, so that calipers cannot change the class.
DIAMETERS = (
    (18, "none"),
    (20, "none"),
    (34, "three_years"),
    (35, "three_years"),
    (44, "year"),
    (45, "year"),
    (61, "surgeon"),
)
# By level: from which size on a nodule is followed, and from which it is aspirated (ACR TI-RADS 2017).
THRESHOLDS = {3: (15, 25), 4: (10, 15), 5: (5, 10)}
LEVEL_BY_POINTS = {2: 2, 3: 3, 4: 4, 5: 4, 6: 4}


@dataclass(frozen=True)
class Room:
    """What writing needs: the database, the seed, staff and the time."""

    db: sqlite3.Connection
    seeding: Seeding
    users: dict[str, list[str]]
    now: datetime

    def insert(self, table: str, **values: Any) -> None:
        """Add a row."""
        rows.insert(self.db, table, **values)


@dataclass(frozen=True)
class Order:
    """One exam that is being written."""

    accession: str
    mrn: str
    at: datetime
    side: str
    other: str

    @property
    def about(self) -> dict[str, str]:
        """Whose and which exam a row belongs to."""
        return {"accession": self.accession, "mrn": self.mrn}

    def fill(self, text: str, drawn: dict[str, int]) -> str:
        """Put numbers and sides into a text of the fixtures."""
        tenths = {f"{name}_cm": f"{value / 10:.1f}" for name, value in drawn.items()}
        at_sides = {"at_side": drawn.get(self.side, ""), "at_other": drawn.get(self.other, "")}
        sides = {
            "side": self.side,
            "other": self.other,
            "Side": self.side.title(),
            "Other": self.other.title(),
        }
        return text.format(**drawn, **tenths, **at_sides, **sides)


def write(
    room: Room,
    stream: random.Random,
    case: Case,
    facts: dict[str, Any],
    person: Person,
    numbers: tuple[str, str],
    at: datetime,
) -> None:
    """Write everything about one exam, in the order in which it happens."""
    mrn, accession = numbers
    side, other = stream.sample(("right", "left"), 2)
    order = Order(accession, mrn, at, side, other)
    room.insert(
        "patients",
        mrn=mrn,
        family_name=person.family,
        given_name=person.given,
        sex=person.sex,
        birth_date=person.born.isoformat(),
    )
    _exam(room, stream, case, facts, order)
    room.insert("reports", **order.about, status="empty")
    if case.protocol == "thyroid":
        _nodules(room, stream, case, order)
    if case.story == "workflow":
        _aorta(room, stream, order)
    elif case.status != "cancelled":
        _findings(room, stream, case, facts, order)


def _exam(room: Room, stream: random.Random, case: Case, facts: dict[str, Any], order: Order) -> None:
    begun = case.status not in ("scheduled", "cancelled")
    wanted = facts["probe"]
    last_used = case.status in ("scheduled", "cancelled") or case.story == "probe"
    probe = wanted if not last_used else "linear" if wanted == "convex" else "convex"
    frequency, depth = PROBES[probe].usual
    sonographer = stream.choice(room.users["sonographer"])
    room.insert(
        "exams",
        **order.about,
        protocol=case.protocol,
        story=case.story,
        study=stream.randrange(1000, 9_000_000),
        scheduled_at=clock.text(order.at),
        priority="urgent" if case.critical else stream.choice(("routine", "routine", "routine", "urgent")),
        status=case.status,
        indication=stream.choice(facts["indications"]),
        referrer=stream.choice(room.users["clinician"]),
        started_by=sonographer if begun else None,
        started_at=clock.text(min(order.at + timedelta(minutes=2), room.now)) if begun else None,
        identity_checked=begun,
        probe=probe,
        mode="b",
        depth_cm=depth,
        gain=stream.choice((44, 46, 54, 56)),
        frequency_mhz=frequency,
        focus_cm=round(depth * 0.4, 1),
        frozen=case.story == "mode",
        side="midline" if facts["sides"] == ["midline"] else stream.choice(facts["sides"]),
        plane=stream.choice(("transverse", "longitudinal")),
    )


def _findings(room: Room, stream: random.Random, case: Case, facts: dict[str, Any], order: Order) -> None:
    offered = [finding for finding in facts["findings"] if ("call" in finding) == case.critical]
    finding = stream.choice(offered)
    drawn = {name: stream.randint(*limits) for name, limits in finding["draw"].items()}
    if case.protocol != "thyroid":
        _picture(room, facts, finding, drawn, order)
    if case.status not in ("scanned", "reported"):
        return
    values = {order.fill(key, drawn): order.fill(value, drawn) for key, value in finding["values"].items()}
    sonographer = stream.choice(room.users["sonographer"])
    for structure, text in finding["lines"]:
        words = {"structure": order.fill(structure, drawn), "finding": order.fill(text, drawn)}
        room.insert("worksheet", **order.about, **words, by=sonographer)
    for subject, value in values.items():
        room.insert("truth", **order.about, subject=subject, value=value)
    room.insert("truth", **order.about, subject="impression", value=order.fill(finding["impression"], drawn))
    if "call" in finding:
        room.insert("truth", **order.about, subject="call", value=finding["call"])
    _captures(room, stream, facts, order, sonographer)
    if case.draft:
        wrong = finding["error"] if case.draft == "wrong" else {}
        drafted = values | {order.fill(key, drawn): order.fill(value, drawn) for key, value in wrong.items()}
        _draft(room, case, order, drafted, order.fill(finding["impression"], drawn))


def _picture(
    room: Room, facts: dict[str, Any], finding: dict[str, Any], drawn: dict[str, int], order: Order
) -> None:
    kind, size = finding["picture"]
    side = order.side if len(facts["sides"]) > 1 else "midline"
    room.insert("anatomy", **order.about, side=side, kind=kind, size_mm=drawn.get(size, 0))


def _captures(room: Room, stream: random.Random, facts: dict[str, Any], order: Order, by: str) -> None:
    frequency, depth = PROBES[facts["probe"]].usual
    for number, side in enumerate(facts["sides"] * (1 if len(facts["sides"]) > 1 else 2)):
        room.insert(
            "captures",
            **order.about,
            side=side,
            plane=("transverse", "longitudinal")[number],
            probe=facts["probe"],
            mode="b",
            depth_cm=depth,
            gain=stream.choice((48, 50, 52)),
            frequency_mhz=frequency,
            focus_cm=round(depth * 0.4, 1),
            tgc_near=10,
            tgc_mid=10,
            tgc_far=10,
            by=by,
            at=clock.text(order.at + timedelta(minutes=5 + number)),
        )


def _draft(room: Room, case: Case, order: Order, values: dict[str, str], impression: str) -> None:
    for field, value in values.items():
        room.insert("report_values", **order.about, field=field, value=value)
    stamp = clock.text(min(order.at + timedelta(minutes=20), room.now))
    saved = {"impression": impression, "saved_by": room.users["resident"][0], "saved_at": stamp}
    signed = (
        {"signed_by": room.users["sonologist"][0], "signed_at": stamp} if case.status == "reported" else {}
    )
    status = "signed" if signed else "draft"
    rows.update(room.db, "reports", {"accession": order.accession}, status=status, **saved, **signed)


def _aorta(room: Room, stream: random.Random, order: Order) -> None:
    """Leave the width to be found with the calipers."""
    size, step = stream.choice(DIAMETERS)
    room.insert("anatomy", **order.about, side="midline", kind="", size_mm=size)
    conclusion = "aneurysm" if size >= 30 else "normal"
    truth = {"diameter": f"{size / 10:.1f}", "conclusion": conclusion, "follow_up": step}
    for subject, value in truth.items():
        room.insert("truth", **order.about, subject=subject, value=value)


def _nodules(room: Room, stream: random.Random, case: Case, order: Order) -> None:
    """Put a nodule into each lobe; the sonographer describes them in plain words once they were scanned."""
    described = case.status in ("scanned", "reported")
    for number, side in enumerate((order.side, order.other), 1):
        nodule = _nodule(stream, room.seeding.fixtures.load("ultrasound/nodules"))
        hints = {"very", "iso", "mixed", "punctate", "macro", "tall"}
        kind = " ".join(part for part in nodule["features"].values() if part in hints)
        room.insert("anatomy", **order.about, side=side, kind=kind, size_mm=nodule["size"])
        if not described:
            continue
        words = {"number": number, "side": side, "description": nodule["words"]}
        room.insert("nodules", **order.about, **words)
        truth = nodule["features"] | {"level": str(nodule["level"]), "advice": nodule["advice"]}
        for subject, value in truth.items():
            room.insert("truth", **order.about, subject=f"nodule {number} {subject}", value=value)


def _nodule(stream: random.Random, lexicon: dict[str, Any]) -> dict[str, Any]:
    """Draw features, size and words; points and level follow from the features."""
    level, advice = stream.choice((2, 3, 4, 4, 5, 5)), stream.choice(("none", "follow", "fna"))
    features, points = _features(stream, lexicon)
    while LEVEL_BY_POINTS.get(points, 5) != level:
        features, points = _features(stream, lexicon)
    size = _size(stream, level, advice)
    words = {name: stream.choice(lexicon[name][features[name]]["words"]) for name in lexicon}
    tall = features["shape"] == "tall"
    short, long = round(size * 0.62), round(size * 0.84)
    deep, across = (long, short) if tall else (short, long)
    text = (
        f"{size} mm long; in the transverse view {deep} mm front to back and {across} mm side to side. "
        f"{words['composition'].capitalize()}; {words['echogenicity']}; {words['margin']}; {words['foci']}."
    )
    advice = "none" if level == 2 else advice
    return {"features": features, "level": level, "advice": advice, "size": size, "words": text}


def _features(stream: random.Random, lexicon: dict[str, Any]) -> tuple[dict[str, str], int]:
    features = {name: stream.choice(list(options)) for name, options in lexicon.items()}
    features["shape"] = stream.choice(("wide", "wide", "tall"))
    points = sum(lexicon[name][features[name]]["points"] for name in lexicon)
    return {name: features[name] for name in LEXICON}, points + (3 if features["shape"] == "tall" else 0)


def _size(stream: random.Random, level: int, advice: str) -> int:
    follow, aspirate = THRESHOLDS.get(level, (8, 30))
    low, high = {"none": (max(4, follow - 6), follow - 1), "follow": (follow, aspirate - 1)}.get(
        advice, (aspirate, aspirate + 8)
    )
    return stream.randint(low, high)
