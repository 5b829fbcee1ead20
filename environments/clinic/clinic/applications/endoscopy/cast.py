"""Which procedures are on the list: those that the tasks are about, and random ones around them."""

import random
from dataclasses import dataclass
from typing import Any

from clinic.toolkit.people import Person, Registry

KINDS = ("colonoscopy", "gastroscopy", "sigmoidoscopy")
OUTCOMES = ("screening", "three_years", "scar", "repeat")


@dataclass(frozen=True)
class Case:
    """One procedure to be.

    Attributes:
        story: Which task it is for; empty for the others.
        outcome: What follows from the findings of a procedure that is over.
        assessed: Whether the assessment is `done`, `begun` by the nurse, or `open`.
        gap: What is missing or wrong in what was recorded: `withdrawal` or `lesion`.
    """

    story: str
    kind: str
    status: str
    outcome: str = ""
    assessed: str = "done"
    gap: str = ""


def required_cases(stream: random.Random) -> list[Case]:
    """Return the procedures that the tasks are about, in the state the tasks need."""
    first, second = stream.sample(OUTCOMES, 2)
    return [
        Case("select", stream.choice(KINDS), "scheduled", assessed="open"),
        Case("info", "colonoscopy", "scheduled"),
        Case("preassess", "colonoscopy", "scheduled", assessed="open"),
        Case("landmarks", "colonoscopy", "in_progress"),
        Case("bbps", "colonoscopy", "in_progress"),
        Case("finding", "colonoscopy", "in_progress"),
        Case("complete", "colonoscopy", "scheduled", assessed="open"),
        Case("report", "colonoscopy", "completed", stream.choice(("screening", "three_years")), gap="lesion"),
        Case("full", "colonoscopy", "scheduled", assessed="begun"),
        Case("multi_1", "colonoscopy", "completed", first),
        Case("multi_2", "colonoscopy", "completed", second, gap="withdrawal"),
    ]


def random_cases(stream: random.Random, required: list[Case]) -> list[Case]:
    """Return the rest of the day; the first two share a name with somebody that a task is about."""
    statuses = ["scheduled"] * stream.randint(2, 5) + ["reported"] * stream.randint(1, 3)
    statuses += ["cancelled"] * stream.randint(1, 2)
    kinds = [stream.choice(KINDS) for _ in statuses]
    kinds[0] = stream.choice([kind for kind in KINDS if kind != required[0].kind])
    kinds[1] = "colonoscopy"
    assessed = ["open" if status == "cancelled" else stream.choice(("open", "done")) for status in statuses]
    assessed[1] = "begun"
    return [
        Case("", kind, status, outcome="screening" if status == "reported" else "", assessed=done)
        for kind, status, done in zip(kinds, statuses, assessed, strict=True)
    ]


def people(registry: Registry, cases: list[Case], kinds: dict[str, Any]) -> list[Person]:
    """Draw a person for each procedure; two pairs have names that are easily confused."""
    one, other = registry.similar_families()
    twin = registry.family()
    families = {"select": twin, "full": one}
    extras = iter((twin, other))
    found = []
    for case in cases:
        family = families.get(case.story) if case.story else next(extras, None)
        low, high = kinds[case.kind]["ages"]
        found.append(registry.person(registry.stream.choice("FM"), (low, high), family))
    return found
