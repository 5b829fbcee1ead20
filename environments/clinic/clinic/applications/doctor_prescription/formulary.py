"""What can be ordered, and what an order is checked for."""

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from clinic.applications.doctor_prescription.choices import SCHEDULES, TIMES_A_DAY
from clinic.toolkit.words import number
from clinic.visit import Visit

Drug = Mapping[str, Any]

# 21 CFR 1306.12 (schedule II: no refills) and 1306.22 (III to V: five refills).
MOST_REFILLS = {"II": 0, "III": 5, "IV": 5, "V": 5}


def drugs(visit: Visit) -> dict[str, Drug]:
    """Return all drugs by name."""
    return {drug["name"]: drug for drug in visit.fixtures.load("doctor_prescription/formulary")["drugs"]}


def refused_refills(drug: Drug, refills: float) -> str | None:
    """Return why a controlled substance may not have so many refills, if so."""
    most = MOST_REFILLS.get(drug.get("control", ""))
    if most is None or refills <= most:
        return None
    return f"Schedule {drug['control']}: {'no refills' if most == 0 else f'at most {most} refills'}."


def order_checks(visit: Visit, mrn: str, entry: Mapping[str, Any], replacing: int | None) -> Iterator[str]:
    """Yield what speaks against an order: allergy, duplicate, interaction, dose."""
    rules, known = visit.fixtures.load("doctor_prescription/formulary"), drugs(visit)
    drug = known[entry["drug"]]
    for allergy in visit.db.execute(
        "SELECT * FROM allergies WHERE mrn = ? AND NOT in_error ORDER BY id", (mrn,)
    ):
        if drug["group"] in rules["allergies"].get(allergy["substance"], ()):
            yield f"ALLERGY: {allergy['substance']} ({allergy['reaction'].lower()}, {allergy['severity']})"
    for other in _taken(visit, mrn, replacing):
        yield from _together(rules, drug, known[other["drug"]])
    daily = entry["dose"] * TIMES_A_DAY[entry["schedule"]]
    if daily > drug["most"]:
        amount = f"{number(entry['dose'])} {drug['unit']}(s) {SCHEDULES[entry['schedule']]}"
        yield f"MAX DOSE: {amount} is more than {drug['most']} {drug['unit']}(s) a day"


def _taken(visit: Visit, mrn: str, replacing: int | None) -> list[sqlite3.Row]:
    """Return active medications, without what an unsigned order already stops."""
    query = """
        SELECT id, drug FROM medications WHERE mrn = ? AND status IN ('active', 'hold') AND id NOT IN (
            SELECT medication FROM orders WHERE action = 'discontinue' AND status = 'unsigned'
        ) ORDER BY id
    """
    return [row for row in visit.db.execute(query, (mrn,)) if row["id"] != replacing]


def _together(rules: Mapping[str, Any], drug: Drug, other: Drug) -> Iterator[str]:
    if drug["ingredient"] == other["ingredient"]:
        yield f"DUPLICATE DRUG: {other['name']} is active"
    elif drug["group"] == other["group"] and drug["group"] in rules["duplicates"]:
        yield f"DUPLICATE CLASS: {other['name']} is active ({other['group']})"
    for one, two, effect in rules["interactions"]:
        if {one, two} == {drug["ingredient"], other["ingredient"]}:
            yield f"INTERACTION: {other['name']} ({effect})"
