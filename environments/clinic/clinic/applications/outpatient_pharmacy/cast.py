"""Whose prescriptions are in the queue: those that every seed must have, and random ones around them."""

import random
from dataclasses import dataclass, field, replace
from typing import Any

from clinic.toolkit.people import Person, Registry

ADULTS = (24, 79)
OTHER_STATUSES = ("pending", "verified", "ready", "sold")


@dataclass(frozen=True)
class Case:
    """One prescription to be: its story, the order as received, and how far it is."""

    plot: str
    order: dict[str, Any]
    status: str = "pending"
    entry: dict[str, Any] = field(default_factory=dict)
    same_patient_as: str | None = None
    required: bool = True

    @property
    def entered(self) -> dict[str, Any]:
        """The order as somebody typed it."""
        return self.order | self.entry


def required_cases(stream: random.Random, plots: dict[str, Any]) -> list[Case]:
    """Return the prescriptions that the tasks are about, in the state the tasks need."""

    def order(plot: str, kind: str = "orders") -> dict[str, Any]:
        chosen: dict[str, Any] = stream.choice(plots[plot][kind])
        return chosen

    review, lookup = order("review"), order("lookup")
    slip = dict([stream.choice(review["wrong"])])
    taken = order("duplicate")
    return [
        Case("review", review, entry=slip),
        Case("lookup", lookup),
        Case("lookup_second", order("lookup", "second"), same_patient_as="lookup"),
        Case("lookup_similar", lookup),
        *(
            Case(plot, order(plot))
            for plot in ("alert", "contraindicated", "full", "allergy", "child", "clean")
        ),
        Case("duplicate", taken),
        Case("tolerated", order("tolerated")),
        Case("dispense", order("dispense"), status="verified"),
        Case("counsel", order("counsel"), status="ready"),
        Case("counsel_twin", order("counsel", "twin"), status="ready"),
        Case("held", next(each for each in plots["duplicate"]["orders"] if each is not taken), status="held"),
    ]


def random_cases(stream: random.Random, plots: dict[str, Any]) -> list[Case]:
    """Return the rest of the queue."""
    statuses = ["pending"] * stream.randint(0, 4)
    statuses += [stream.choice(OTHER_STATUSES[1:]) for _ in range(stream.randint(2, 5))]
    orders = stream.sample(plots["filler"]["orders"], len(statuses))
    return [
        Case(f"filler {number}", order, status, required=False)
        for number, (order, status) in enumerate(zip(orders, statuses, strict=True))
    ]


def people(registry: Registry, cases: list[Case]) -> dict[str, Person]:
    """Draw a person for each story; two share a whole name, two have names that are easily confused."""
    one, other = registry.similar_families()
    families = {"lookup": one, "lookup_similar": other}
    shared = registry.stream.choice("FM")
    persons: dict[str, Person] = {}
    for case in cases:
        if case.same_patient_as is None and case.plot != "counsel_twin":
            sex = shared if case.plot in families else case.order.get("sex") or registry.stream.choice("FM")
            low, high = case.order.get("ages", ADULTS)
            persons[case.plot] = registry.person(sex, (low, high), families.get(case.plot))
    stranger = registry.person(persons["counsel"].sex, ADULTS, persons["counsel"].family)
    persons["counsel_twin"] = replace(persons["counsel"], born=stranger.born)
    return persons
