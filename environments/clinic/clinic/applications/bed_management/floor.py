"""The wards with their bays and beds, and which of these are taken when the session begins."""

import random
from dataclasses import dataclass

READY, CLEANING, BLOCKED = "ready", "cleaning", "blocked"
BLOCK_REASONS = ("Ceiling leak", "Call bell broken", "No wall oxygen", "Staffing")
CLEAN_REASONS = ("After use", "After isolation", "New curtains")


@dataclass(frozen=True)
class Slot:
    """One bed: where it is, what it offers, and whether somebody lies in it."""

    label: str
    bay: str
    ward: str
    specialty: str
    kind: str
    sex: str | None
    care: str
    condition: str
    reason: str
    taken: bool


@dataclass(frozen=True)
class Floor:
    """All wards: code, name and specialty, bays as (id, ward, name, kind, sex), and beds."""

    wards: list[tuple[str, str, str]]
    bays: list[tuple[str, str, str, str, str | None]]
    slots: list[Slot]

    @property
    def occupied(self) -> list[Slot]:
        """The beds that somebody lies in."""
        return [slot for slot in self.slots if slot.taken]

    def first(self, specialty: str, kind: str) -> Slot:
        """Return the first bed of a kind in the ward of a specialty."""
        return next(slot for slot in self.slots if (slot.specialty, slot.kind) == (specialty, kind))


def draw(stream: random.Random) -> Floor:
    """Lay out four wards; each bay keeps a free bed, and each ward one that is being cleaned."""
    storey = stream.randint(2, 6)
    wards = [
        (f"{storey}A", "Medical ward", "medicine"),
        (f"{storey}B", "Surgical ward", "surgery"),
        (f"{storey + 1}C", "Cardiac monitoring ward", "cardiology"),
        ("ICU", "Intensive care unit", "critical_care"),
    ]
    floor = Floor(wards, [], [])
    for code, _, specialty in wards:
        _lay_out(floor, stream, code, specialty, _plan(stream, specialty))
    return floor


def _plan(stream: random.Random, specialty: str) -> list[tuple[str, list[str]]]:
    """Return for each bay or room its kind and what becomes of its beds."""
    if specialty == "critical_care":
        singles = ["free", "cleaning", "taken", "taken", stream.choice(("taken", "free"))]
        stream.shuffle(singles)
        return [*(("single", [state]) for state in singles), ("negative", ["free"])]
    size = 3 if specialty == "cardiology" else 4
    extra = [["cleaning"], [stream.choice(("taken", "taken", "free", "blocked"))]]
    stream.shuffle(extra)
    bays = []
    for more in extra:
        states = ["free", *more, *["taken"] * (size - 2)]
        stream.shuffle(states)
        bays.append(("bay", states))
    rooms = {
        "medicine": [("single", ["free"]), ("single", ["taken"]), ("negative", ["free"])],
        "surgery": [
            ("single", ["taken"]),
            ("single", [stream.choice(("blocked", "cleaning"))]),
            ("negative", ["taken"]),
        ],
        "cardiology": [("single", ["taken"]), ("negative", ["taken"])],
    }[specialty]
    return [*bays, *rooms]


def _lay_out(
    floor: Floor, stream: random.Random, code: str, specialty: str, plan: list[tuple[str, list[str]]]
) -> None:
    sexes = stream.sample(("F", "M"), 2)
    number = 0
    for place, (kind, states) in enumerate(plan):
        bay = f"{code} {place}"
        sex = sexes.pop() if kind == "bay" else None
        name = (
            f"Bay {place + 1}"
            if kind == "bay"
            else ("Negative pressure" if kind == "negative" else "Single room")
        )
        floor.bays.append((bay, code, name, kind, sex))
        for state in states:
            number += 1
            floor.slots.append(_slot(stream, f"{code}-{number:02d}", bay, code, specialty, kind, sex, state))


def _slot(
    stream: random.Random,
    label: str,
    bay: str,
    ward: str,
    specialty: str,
    kind: str,
    sex: str | None,
    state: str,
) -> Slot:
    care = {"cardiology": "monitored", "critical_care": "icu"}.get(specialty, "ward")
    condition = state if state in (CLEANING, BLOCKED) else READY
    reasons = {CLEANING: CLEAN_REASONS, BLOCKED: BLOCK_REASONS}.get(condition, ("",))
    reason = stream.choice(reasons)
    return Slot(label, bay, ward, specialty, kind, sex, care, condition, reason, state == "taken")
