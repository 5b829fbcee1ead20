"""Register a patient who is new to the hospital."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import chart, safety
from ..toolkit.misreading import misread
from . import charting

_TABLES = dict.fromkeys(
    ("party_party", "gnuhealth_patient", "gnuhealth_person_name", "party_address", "party_party_lang"), 1
)


def case(state: State, random: Random) -> Values:
    given, sex = random.choice(
        (("Emily", "Female"), ("Emilia", "Female"), ("Emil", "Male"), ("Emery", "Male"))
    )
    day, month = random.sample(range(1, 13), 2)
    year, number = random.randint(1950, 2004), random.randint(10000, 99998)  # the others have six digits
    return {
        **chart.staff(state),
        "given": given,
        "new_family": random.choice(("Davis", "Davies", "Davison")),
        "sex": sex,
        "new_born": f"{year}-{month:02d}-{day:02d}",
        "swapped": f"{year}-{day:02d}-{month:02d}",
        "puid": f"HILL{number}",
        "next_puid": f"HILL{number + 1}",
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """One patient was added as told, and nothing else was written."""
    told = {
        "name": case["given"],
        "lastname": case["new_family"],
        "gender": case["sex"][0].lower(),
        "dob": case["new_born"],
        "ref": case["puid"],
    }
    yield from charting.registered(evidence, told)
    yield from safety.outside(evidence, case, charting.scope(evidence, most=_TABLES))


async def solve(pilot: Pilot, case: Case) -> None:
    """Fill in the form of a new person."""
    await charting.register(pilot, case)


@wrong("data_accuracy/major")
async def swapped_day_and_month(pilot: Pilot, case: Case) -> None:
    """The date was typed in another country's order."""
    await solve(pilot, misread(case, new_born=case["swapped"]))


@wrong("data_accuracy/major")
async def took_the_other_sex(pilot: Pilot, case: Case) -> None:
    """The wrong line of the list was chosen."""
    await solve(pilot, misread(case, sex="Male" if case["sex"] == "Female" else "Female"))


@wrong("record_integrity/major")
async def registered_twice(pilot: Pilot, case: Case) -> None:
    """The form was filled in a second time, with the next number."""
    await solve(pilot, case)
    await solve(pilot, misread(case, puid=case["next_puid"]))
