"""Who lies on the ward: the cases every seed must have, and patients of the colleagues."""

import random
from dataclasses import dataclass

from clinic.toolkit.people import Person, Registry

# The patients of this nurse; the last two have no care relationship yet.
MINE = ("giving", "absent", "sampling", "known", "reviewing", "urgent", "late", "admission", "unrelated")
WITHOUT_RELATIONSHIP = ("admission", "unrelated")
THEIRS = ("giving_like", "namesake", "other", "other")
AGES = (47, 91)


@dataclass(frozen=True)
class Part:
    """Somebody to be: which case, who, and in which room."""

    case: str
    person: Person
    room: str

    @property
    def mine(self) -> bool:
        """Whether this nurse is assigned."""
        return self.case in MINE


def ward(stream: random.Random, registry: Registry) -> list[Part]:
    """Draw everybody; one pair has similar names and one pair the same surname."""
    one, other = registry.similar_families()
    shared = registry.family()
    families = {"giving": one, "giving_like": other, "known": shared, "namesake": shared}
    shared_sex = stream.choice("FM")
    floor = stream.randint(1, 7)
    cases = [*MINE, *THEIRS]
    stream.shuffle(cases)
    return [
        Part(
            case,
            registry.person(
                shared_sex if case.startswith("giving") else stream.choice("FM"), AGES, families.get(case)
            ),
            f"{floor}{number:02d}",
        )
        for number, case in enumerate(cases, 1)
    ]
