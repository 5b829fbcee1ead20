"""Fictional names made of syllables: deterministic and distinct."""

from __future__ import annotations

import random
from collections.abc import Sequence

COUNTRY = (
    ("Val", "Mor", "Kest", "Ard", "Tar", "Bel", "Nor", "Os", "Lun", "Zam", "Quin", "Sor", "Pel", "Dra", "Ul"),
    ("a", "e", "o", "i", "an", "or", "en"),
    ("dia", "via", "ria", "land", "stan", "nia", "mark", "gard"),
)
TOWN = (
    ("Cas", "Mon", "Bor", "Riv", "Pon", "Ver", "Sal", "Tor", "Fon", "Gar", "Mar", "Lav", "Nov", "Ser", "Cam"),
    ("ta", "te", "ga", "no", "ri", "be", "lo", "na", "ce"),
    ("gno", "rolo", "sco", "nasco", "vetta", "zano", "mena", "glio", "duro"),
)
PROVINCE = (
    ("Ost", "Vest", "Nord", "Søn", "Mel", "Hav", "Skog", "Fjell", "Lys", "Kvit"),
    ("er", "en", "a", "e", "um"),
    ("mark", "land", "dal", "vik", "heim", "øya", "ås", "nær"),
)
LOCAL = (
    ("Ωρ", "Θα", "Λευ", "Μελ", "Καρ", "Φιλ", "Νησ", "Πετρ", "Σιδ", "Αλμ"),
    ("ό", "ά", "έ", "ί", "ύ"),
    ("νια", "πολις", "χωρα", "λιμνα", "βουνα", "καστρα", "δασα"),
)
FAMILY = (
    ("Ar", "Bas", "Col", "Dev", "Fal", "Gir", "Lom", "Man", "Per", "Ros", "Sil", "Tol", "Ven", "Zan", "Ori"),
    ("a", "e", "i", "o"),
    ("nti", "lli", "sco", "rdi", "ssi", "tta", "ghi", "ndo"),
)
_GIVEN = (("Ma", "Le", "Ni", "Sa", "To", "Vi"), ("ra", "no", "da", "la"))

Syllables = tuple[Sequence[str], ...]


def words(syllables: Syllables, count: int, chance: random.Random) -> list[str]:
    """Return `count` different words."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(chance.choice(part) for part in syllables)] = None
    return list(found)


def people(count: int, chance: random.Random) -> list[str]:
    """Return `count` different people."""
    families = words(FAMILY, count, chance)
    return [f"{words(_GIVEN, 1, chance)[0]} {family}" for family in families]
