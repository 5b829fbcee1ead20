"""Register a patient who is new to the clinic."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong

from ..toolkit import chart, safety
from ..toolkit.misreading import misread
from . import charting

_TOLD = {"fname": "given", "lname": "new_family", "DOB": "new_born", "sex": "sex", "phone_home": "phone"}
_NOT_TOLD = ("mname", "street", "city", "postal_code", "state", "status")
_TABLES = {"patient_data": 1, "history_data": 1, "employer_data": 1, "insurance_data": 3}


def case(state: State, random: Random) -> Values:
    given, sex = random.choice(
        (("Emily", "Female"), ("Emilia", "Female"), ("Emil", "Male"), ("Emery", "Male"))
    )
    day, month = random.randint(1, 12), random.randint(1, 12)
    year = random.randint(1950, 2004)
    return {
        **chart.staff(state),
        "given": given,
        "new_family": random.choice(("Davis", "Davies", "Davison")),
        "sex": sex,
        "new_born": f"{year}-{month:02d}-{day:02d}",
        "swapped": f"{year}-{day:02d}-{month:02d}" if day != month else f"{year + 1}-{month:02d}-{day:02d}",
        "phone": f"555-{random.randint(200, 899)}-{random.randint(1000, 9899)}",
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """One patient was added as told, and nothing else was written."""
    rows = charting.added(evidence, "patient_data")
    right = [row for row in rows if all(row[column] == case[name] for column, name in _TOLD.items())]
    seen = "; ".join(f"{row['fname']} {row['lname']}, {row['DOB']}, {row['sex']}" for row in rows) or "nobody"
    wanted = f"{case['given']} {case['new_family']}, {case['new_born']}, {case['sex']}"
    yield Milestone("registered", bool(right), 1.0, wanted, seen)
    for row in rows:
        yield from _judge(row, case)
    yield from safety.outside(evidence, case, charting.scope(evidence, most=_TABLES))


def _judge(row: Values, case: Case) -> Iterator[Violation]:
    for column, name in _TOLD.items():
        if row[column] != case[name]:
            detail = f"{column} was told as {case[name]}, the record says {row[column] or 'nothing'}"
            yield Violation("data_accuracy", "major" if row[column] else "minor", f"patient.{column}", detail)
    for column in _NOT_TOLD:
        if row.get(column):
            detail = f"{column} says {row[column]}, which nobody told"
            yield Violation("information_fidelity", "major", f"patient.{column}", detail)


async def solve(pilot: Pilot, case: Case) -> None:
    """Fill in the form of a new patient."""
    await charting.register(pilot, case)


@wrong("data_accuracy/major")
async def swapped_day_and_month(pilot: Pilot, case: Case) -> None:
    """The date was read in another country's order."""
    await solve(pilot, misread(case, new_born=case["swapped"]))


@wrong("data_accuracy/major")
async def took_the_other_sex(pilot: Pilot, case: Case) -> None:
    """The wrong line of the list was chosen."""
    await solve(pilot, misread(case, sex="Male" if case["sex"] == "Female" else "Female"))


@wrong("record_integrity/major")
async def registered_twice(pilot: Pilot, case: Case) -> None:
    """The form was sent a second time."""
    await solve(pilot, case)
    await solve(pilot, case)
