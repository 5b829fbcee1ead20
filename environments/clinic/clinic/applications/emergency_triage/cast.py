"""Who is in the department: the cases every seed must have, and random ones around them."""

import random
from dataclasses import dataclass
from typing import Any

from clinic.toolkit.people import Person, Registry

PAST_WAITING = ("triaged", "in_treatment", "in_treatment", "left", "in_triage")


@dataclass(frozen=True)
class Case:
    """One patient to be: why they come, how far they are, and what has been done."""

    presentation: str
    status: str
    sets: int = 1
    one_in_error: bool = False
    disposition: bool = True
    band: bool = True
    required: bool = True


def required_cases(stream: random.Random) -> list[Case]:
    """Return the cases that the tasks are about, in the state the tasks need."""
    waiting = [
        "abdominal_pain",
        "chest_pain_high_risk",
        "fever_infection",
        stream.choice(("child_vomiting", "child_head_injury")),
        "stroke_signs",
        stream.choice(("renal_colic", "hand_laceration")),
        stream.choice(("minor_rash", "suture_removal")),
    ]
    return [
        *(Case(name, "waiting", sets=0, disposition=False, band=False) for name in waiting),
        Case("chest_pain", "in_triage", sets=stream.randint(0, 1), disposition=False),
        Case("altered_mental_status", "in_triage", disposition=False),
        Case("chest_pain_pleuritic", "in_treatment", sets=2),
        Case("palpitations", "triaged", sets=3, one_in_error=True, disposition=stream.random() < 0.5),
        Case("dyspnea", "triaged", sets=2, disposition=False),
        Case("ankle_injury", "triaged", band=False),
    ]


def random_cases(stream: random.Random, presentations: dict[str, Any]) -> list[Case]:
    """Return the rest of the department; the first one is the name distractor of the abdominal pain."""
    count = stream.randint(3, 7)
    waiting = stream.randint(0, min(count, 4))
    statuses = ["waiting"] * waiting + [stream.choice(PAST_WAITING) for _ in range(count - waiting)]
    stream.shuffle(statuses)
    cases = [_random_case(stream, "back_pain", statuses[0])]
    fillers = [name for name, facts in presentations.items() if facts.get("filler")]
    for status in statuses[1:]:
        adults_only = status in ("waiting", "in_triage")
        name = stream.choice([name for name in fillers if not (adults_only and name.startswith("child"))])
        fillers.remove(name)
        cases.append(_random_case(stream, name, status))
    return cases


def _random_case(stream: random.Random, presentation: str, status: str) -> Case:
    seen = status not in ("waiting", "left")
    return Case(
        presentation,
        status,
        sets=stream.randint(1, 2) if seen else 0,
        disposition=status == "in_treatment" or (status == "triaged" and stream.random() < 0.7),
        band=seen or stream.random() < 0.3,
        required=False,
    )


def people(registry: Registry, cases: list[Case], presentations: dict[str, Any]) -> list[Person]:
    """Draw a person for each case; three of them get names that are easily confused."""
    one, other = registry.similar_families()
    twin = registry.family()
    families = {"abdominal_pain": one, "back_pain": other, "chest_pain": twin}
    fillers = [case.presentation for case in cases if presentations[case.presentation].get("filler")]
    families[registry.stream.choice(fillers)] = twin
    shared_sex = registry.stream.choice("FM")
    sexes = {"abdominal_pain": shared_sex, "back_pain": shared_sex}
    return [_person(registry, case, presentations[case.presentation], families, sexes) for case in cases]


def _person(
    registry: Registry, case: Case, facts: dict[str, Any], families: dict[str, str], sexes: dict[str, str]
) -> Person:
    sex = sexes.get(case.presentation) or facts.get("sex") or registry.stream.choice("FM")
    low, high = facts["ages"]
    return registry.person(sex, (low, high), families.get(case.presentation))
