"""Which exams are on the list: those that the tasks are about, and random ones around them."""

import random
from dataclasses import dataclass, replace
from typing import Any

from clinic.toolkit.people import Person, Registry

PROBE_STORIES = ("thyroid", "renal", "pregnancy", "heart")
MODE_STORIES = ("leg_vein", "carotid", "pregnancy")
PARAMETER_STORIES = ("carotid", "testis", "leg_vein")
CAPTURE_STORIES = ("renal", "thyroid", "testis")
CRITICAL_STORIES = ("testis", "pregnancy", "leg_vein", "gallbladder")
BATCH_STORIES = ("leg_vein", "carotid", "gallbladder")


@dataclass(frozen=True)
class Case:
    """One exam to be.

    Attributes:
        story: Which task it is for; empty for the others.
        critical: Whether its finding is one that somebody has to be told of.
        draft: Whether a resident wrote the report, and whether the draft is wrong.
    """

    story: str
    protocol: str
    status: str
    critical: bool = False
    draft: str = ""


def required_cases(stream: random.Random) -> list[Case]:
    """Return the exams that the tasks are about, in the state the tasks need."""
    faulty = stream.choice(BATCH_STORIES)
    batch = [Case("batch", kind, "scanned", draft="right") for kind in BATCH_STORIES]
    return [
        Case("open", stream.choice(("thyroid", "renal", "gallbladder")), "scheduled"),
        Case("probe", stream.choice(PROBE_STORIES), "in_progress"),
        Case("mode", stream.choice(MODE_STORIES), "in_progress"),
        Case("parameters", stream.choice(PARAMETER_STORIES), "in_progress"),
        Case("capture", stream.choice(CAPTURE_STORIES), "in_progress"),
        Case("report", "renal", "scanned"),
        Case("tirads", "thyroid", "scanned"),
        Case("urgent", stream.choice(CRITICAL_STORIES), "scanned", critical=True, draft="right"),
        *(replace(case, draft="wrong") if case.protocol == faulty else case for case in batch),
        Case("workflow", "aorta", "scheduled"),
    ]


def random_cases(stream: random.Random, protocols: dict[str, Any]) -> list[Case]:
    """Return the rest of the day; the first two share a name with somebody that a task is about."""
    statuses = ["scheduled"] * stream.randint(3, 7) + ["reported"] * stream.randint(1, 2)
    statuses += ["cancelled"] * stream.randint(1, 2)
    kinds = [
        stream.choice([name for name in protocols if name not in ("aorta", "thyroid")]) for _ in statuses
    ]
    kinds[0], kinds[1] = stream.choice(("leg_vein", "testis", "carotid")), "aorta"
    return [
        Case("", kind, status, draft="right" if status == "reported" else "")
        for kind, status in zip(kinds, statuses, strict=True)
    ]


def people(registry: Registry, cases: list[Case], protocols: dict[str, Any]) -> list[Person]:
    """Draw a person for each exam; two pairs have names that are easily confused."""
    one, other = registry.similar_families()
    twin = registry.family()
    families = {"open": twin, "workflow": one}
    extras = iter((twin, other))
    found = []
    for case in cases:
        family = families.get(case.story) if case.story else next(extras, None)
        facts = protocols[case.protocol]
        low, high = facts["ages"]
        sex = facts.get("sex") or registry.stream.choice("FM")
        found.append(registry.person(sex, (low, high), family))
    return found
