"""Flags of a patient on the board and in the banner."""

from collections import Counter
from dataclasses import dataclass

from clinic.toolkit.words import age_years
from clinic.visit import Visit

FACTS = """
    SELECT mrn, family_name, birth_date, isolation, fall_risk,
           EXISTS (SELECT 1 FROM allergies WHERE allergies.mrn = patients.mrn AND NOT in_error) AS allergy
    FROM patients
"""


@dataclass(frozen=True)
class Flags:
    """What a nurse has to see before touching the patient."""

    allergy: bool
    child: bool
    name_alert: bool
    isolation: bool
    fall_risk: bool


def flags_of(visit: Visit) -> dict[str, Flags]:
    """Return the flags of everybody in the department."""
    rows = visit.db.execute(FACTS).fetchall()
    sounds = _sounds(visit)
    heard = Counter(sounds.get(row["family_name"], row["family_name"]) for row in rows)
    return {
        row["mrn"]: Flags(
            allergy=bool(row["allergy"]),
            child=age_years(row["birth_date"], visit.now.date()) < 18,
            name_alert=heard[sounds.get(row["family_name"], row["family_name"])] > 1,
            isolation=bool(row["isolation"]),
            fall_risk=bool(row["fall_risk"]),
        )
        for row in rows
    }


def _sounds(visit: Visit) -> dict[str, str]:
    """Map family names that are easily confused to the same sound."""
    pairs = visit.fixtures.load("names")["similar"]
    return {name: pair[0] for pair in pairs for name in pair}
