"""Who is in the hospital: the cases every seed must have, and others around them."""

import random
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from clinic.applications.bed_management.floor import Floor, Slot
from clinic.toolkit.people import Person, Registry

REQUESTED = (
    "queue_contact",
    "queue_monitored",
    "conflict_airborne",
    "conflict_plain",
    "emergency_icu",
    "emergency_monitored",
    "emergency_ward",
)
# In which ward, and in which kind of place, inpatients of tasks lie.
LYING = (
    ("deteriorating", "medicine", "bay"),
    ("lookalike", "medicine", "bay"),
    ("multi_leaving", "medicine", "bay"),
    ("going_home", "surgery", "bay"),
    ("staying", "surgery", "bay"),
    ("swap_isolated", "surgery", "bay"),
    ("swap_recovered", "surgery", "negative"),
    ("multi_transfer", "cardiology", "bay"),
)


@dataclass(frozen=True)
class Part:
    """Somebody to be: which case, who, and the bed they lie in."""

    case: str
    person: Person
    slot: Slot | None = None


def inpatients(stream: random.Random, registry: Registry, cases: dict[str, Any], floor: Floor) -> list[Part]:
    """Draw who lies in the beds that are occupied."""
    one, other = registry.similar_families()
    shared = registry.family()
    families = {"deteriorating": one, "lookalike": other, "going_home": shared, "staying": shared}
    parts: list[Part] = []
    free = list(floor.occupied)
    stream.shuffle(free)
    sexes: dict[str, str] = {}
    for case, specialty, kind in LYING:
        slot = next(
            slot
            for slot in free
            if (slot.specialty, slot.kind) == (specialty, kind) and _fits(case, slot, sexes)
        )
        free.remove(slot)
        sexes[case] = sexes.get("swap_isolated") if kind == "negative" else slot.sex  # type: ignore[assignment]
        ages = cases[case]["ages"] if case in cases else (30, 84)
        person = registry.person(sexes[case], tuple(ages), families.get(case))
        parts.append(Part(case, person, slot))
    for slot in free:
        ages = cases["fillers"][slot.specialty]["ages"]
        person = registry.person(slot.sex or stream.choice("FM"), tuple(ages))
        parts.append(Part("", person, slot))
    return parts


def _fits(case: str, slot: Slot, sexes: dict[str, str]) -> bool:
    """Keep the similar names, and the ones of one name, in one bay."""
    pair = {"lookalike": "deteriorating", "staying": "going_home"}.get(case)
    return pair is None or slot.sex == sexes[pair]


def others(stream: random.Random, registry: Registry, cases: dict[str, Any]) -> list[Part]:
    """Draw who waits for a bed, and who is only registered; one of these has a namesake."""
    parts = [Part(case, _person(stream, registry, cases[case])) for case in REQUESTED]
    parts += [
        Part("filler", _person(stream, registry, cases["fillers"]["queue"]))
        for _ in range(stream.randint(0, 2))
    ]
    direct = _person(stream, registry, cases["direct_ward"])
    shift = stream.choice((-1, 1)) * stream.randint(400, 2600)
    namesake = Person(direct.family, direct.given, direct.sex, direct.born + timedelta(days=shift))
    parts += [Part("direct_ward", direct), Part("direct_namesake", namesake)]
    parts.append(Part("direct_icu", _person(stream, registry, cases["direct_icu"])))
    parts += [Part("bystander", _person(stream, registry, cases["bystander"])) for _ in range(2)]
    return parts


def _person(stream: random.Random, registry: Registry, facts: dict[str, Any]) -> Person:
    return registry.person(stream.choice("FM"), tuple(facts["ages"]))
