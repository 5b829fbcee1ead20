"""Who is on the list: the examinations every seed must have, and random ones around them."""

import random
from dataclasses import dataclass, replace
from typing import Any

from clinic.toolkit.people import Person, Registry

# How far an examination has got, each stage with all before it.
STAGES = ("scheduled", "registered", "protocol", "scout", "completed")


@dataclass(frozen=True)
class Case:
    """One order to be: which part it plays, what is examined, and how far it has got."""

    part: str
    examination: str
    stage: str = "scheduled"
    status: str = ""
    sex: str = ""
    ages: tuple[int, int] = (0, 0)
    device: str = ""

    @property
    def reached(self) -> int:
        """The number of the stage."""
        return STAGES.index(self.stage)


def required_cases(stream: random.Random) -> list[Case]:
    """Return the examinations that the tasks are about, in the state the tasks need."""
    plain = ["chest_plain", "renal_stone", "abdomen_plain"]
    contrast = ["portal_venous", "liver_lesion", "pulmonary_embolism"]
    first = stream.choice(("lung_nodule", "head_trauma", "abdomen_plain"))
    mr = stream.sample(("mr_brain", "mr_lumbar", "mr_knee"), 2)
    return [
        Case("arrival", first),
        Case("namesake", first),
        Case(
            "unplanned",
            stream.choice(("liver_lesion", "lung_nodule", "fibrosis", "renal_stone")),
            "registered",
        ),
        Case("technique", stream.choice(("chest_plain", "abdomen_plain", "lung_nodule")), "protocol"),
        Case("positioned", stream.choice(("chest_plain", "renal_stone", "fibrosis")), "protocol"),
        Case("contrast", stream.choice(contrast), "scout", sex="M"),
        Case("flagged", stream.choice(contrast), sex="M"),
        Case("complete", stream.choice(plain), sex="F", ages=(21, 42)),
        Case("pregnant", stream.choice(plain), sex="F", ages=(21, 38)),
        Case("implant", mr[0], ages=(57, 76), device="conditional"),
        Case("forbidden", mr[1], device="unsafe"),
    ]


def random_cases(stream: random.Random, examinations: dict[str, Any]) -> list[Case]:
    """Return the rest of the day; whoever is on hold or cancelled was never scanned."""
    cases = []
    for number in range(stream.randint(4, 8)):
        examination = stream.choice(list(examinations))
        case = Case(f"filler {number}", examination, device=stream.choice(("", "", "safe")))
        kind = stream.choice(("scheduled", "scheduled", "completed", "completed", "on_hold", "cancelled"))
        if kind == "completed":
            case = replace(case, stage="completed")
        elif kind != "scheduled":
            case = replace(case, status=kind)
        cases.append(case)
    return cases


def people(registry: Registry, cases: list[Case], examinations: dict[str, Any]) -> list[Person]:
    """Draw a person for each case; two of the same sex have names that are easily confused."""
    families = dict(zip(("arrival", "namesake"), registry.similar_families(), strict=True))
    shared = registry.stream.choice("FM")
    found = []
    for case in cases:
        sex = case.sex or (shared if case.part in families else registry.stream.choice("FM"))
        low, high = case.ages if case.ages[1] else examinations[case.examination]["ages"]
        found.append(registry.person(sex, (low, high), families.get(case.part)))
    return found
