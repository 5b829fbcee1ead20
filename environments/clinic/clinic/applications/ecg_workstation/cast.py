"""Which recordings there are: those that the tasks are about, and others around them."""

import random
from dataclasses import dataclass
from typing import Any

from clinic.toolkit.people import Person, Registry

TERRITORIES = ("anterior", "inferior", "lateral")


@dataclass(frozen=True)
class Case:
    """One patient to be, with the recording of today.

    Attributes:
        role: What the recording is there for; `filler` for the rest.
        before: Profile of a recording of an earlier day, if there is one.
        twice: Whether another recording was made and signed earlier today.
    """

    role: str
    profile: str
    status: str = "unread"
    priority: str = "routine"
    analysed: bool = False
    before: str | None = None
    twice: bool = False


def required_cases(stream: random.Random) -> list[Case]:
    """Return the recordings that the tasks are about, in the state the tasks need."""
    territories = stream.sample(TERRITORIES, 2)
    block = stream.choice(("left_block", "right_block"))
    scarce = "complete_block" if stream.random() < 0.4 else territories[1]
    return [
        Case("open", "two_today", "unread", "urgent", twice=True, before="normal"),
        Case("rate", "rate", analysed=True, before="slow"),
        Case("speed", "narrow_fast", priority="urgent", twice=True),
        Case("gain", stream.choice(("small", "tall")), before="normal"),
        Case("cabrera", "frontal"),
        Case("analysis", "qt", before="normal"),
        Case("report", stream.choice(("fibrillation_misread", "arms_swapped", "counted_double"))),
        Case("alert", territories[0], priority="stat"),
        Case("workflow", block, before=stream.choice((block, "normal"))),
        Case("urgent_review", scarce, priority="stat"),
        Case("calm_review", stream.choice(("scar_overcalled", "fibrillation_overcalled"))),
    ]


def other_cases(stream: random.Random, profiles: dict[str, Any]) -> list[Case]:
    """Return the rest of the day: some unread, some drafted, some signed."""
    fillers = [name for name, facts in profiles.items() if facts.get("filler")]
    statuses = ["unread"] * stream.randint(0, 3) + ["draft"] * stream.randint(1, 2)
    statuses += ["signed"] * stream.randint(3, 5)
    stream.shuffle(statuses)
    return [
        Case(
            "filler",
            stream.choice(fillers),
            status,
            stream.choice(("routine", "routine", "urgent")),
            analysed=status != "unread" or stream.random() < 0.4,
            before="normal" if stream.random() < 0.3 else None,
        )
        for status in statuses
    ]


def people(registry: Registry, cases: list[Case]) -> list[Person]:
    """Draw a person for each case; some have names that are easily confused."""
    one, other = registry.similar_families()
    third, fourth = registry.similar_families()
    shared = registry.family()
    families = {
        "open": shared,
        "cabrera": shared,
        "alert": one,
        "rate": other,
        "report": third,
        "gain": fourth,
    }
    return [
        registry.person(registry.stream.choice("FM"), _ages(case.profile), families.get(case.role))
        for case in cases
    ]


def _ages(profile: str) -> tuple[int, int]:
    return (19, 34) if profile == "counted_double" else (41, 84)
