"""Who has an appointment today: the stories that every seed must have, and others around them."""

import random
from dataclasses import dataclass, field, replace
from typing import Any

from clinic.toolkit.people import Person, Registry

ADULTS = (26, 82)
CHILDREN = (8, 15)
STORIES = (
    "search",
    "search_twin",
    "list",
    "allergy",
    "pharmacy",
    "prescribe",
    "outside",
    "consent",
    "change",
    "stop",
    "renewal",
    "switch",
)
SIMILAR = ("prescribe", "allergy")
REASONS = {"consent": "First visit", "renewal": "Renewal request", "prescribe": "New complaint"}


@dataclass(frozen=True)
class Case:
    """One patient to be, with what the story needs."""

    plot: str
    facts: dict[str, Any] = field(default_factory=dict)
    child: bool = False

    @property
    def reason(self) -> str:
        """Why the patient comes."""
        return REASONS.get(self.plot, "Follow-up")


def cases(stream: random.Random, plots: dict[str, Any]) -> list[Case]:
    """Return all patients of the day."""
    facts: dict[str, dict[str, Any]] = {plot: {} for plot in STORIES}
    for plot, kind in (
        ("prescribe", "orders"),
        ("change", "orders"),
        ("stop", "orders"),
        ("switch", "orders"),
    ):
        facts[plot] = stream.choice(plots[plot][kind])
    facts["renewal"] = {name: stream.choice(plots["renewal"][name]) for name in ("good", "bad")}
    child = stream.random() < 0.5
    told = [Case(plot, facts[plot], child and plot == "consent") for plot in STORIES]
    return told + [Case(f"filler {number}") for number in range(stream.randint(4, 8))]


def people(registry: Registry, every: list[Case]) -> dict[str, Person]:
    """Draw a person for each; two share a whole name, two have names that are easily confused."""
    families = dict(zip(SIMILAR, registry.similar_families(), strict=True))
    persons: dict[str, Person] = {}
    shared = registry.stream.choice("FM")
    for case in every:
        if case.plot != "search_twin":
            sex = shared if case.plot in families else registry.stream.choice("FM")
            ages = CHILDREN if case.child else ADULTS
            persons[case.plot] = registry.person(sex, ages, families.get(case.plot))
    stranger = registry.person(persons["search"].sex, ADULTS, persons["search"].family)
    persons["search_twin"] = replace(persons["search"], born=stranger.born)
    return persons
