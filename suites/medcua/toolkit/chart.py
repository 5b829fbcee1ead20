"""What the real hospital systems have in common: whom the tasks are about, and what is told to be written.

A world offers two collections for it: `staff` with one row (`user_id`, `password`, `name`), and `patients` by their
number (`mrn`, `given_name`, `family_name`, `birth_date`, and whatever the system itself knows them by as `pid`).
"""

from __future__ import annotations

from random import Random

from pytest_cuabench import State, Values
from pytest_cuabench.task.evidence import Row

from .world_data import world_data

PEOPLE = (  # each has others in the ward whose names are nearly the same
    ("James", "Wilson"),
    ("Maria", "Garcia"),
    ("Robert", "Johnson"),
    ("Linda", "Chen"),
    ("Thomas", "Brown"),
)


def staff(state: State) -> Values:
    """Return who signs in."""
    user = state.row("staff")
    return {"user_id": user["user_id"], "password": user["password"], "clinician": f"Dr. {user['name']}"}


def person(patient: Row) -> Values:
    """Return who a patient is, and how lists name them."""
    return {
        "mrn": patient["mrn"],
        "pid": patient["pid"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "family": patient["family_name"],
        "link": f"{patient['family_name']}, {patient['given_name']}",
        "born": patient["birth_date"],
    }


def about(state: State, random: Random, *only: str) -> Values:
    """Return who signs in, one of the five patients, and another one of nearly the same name.

    Args:
        only: Family names to draw from.
    """
    given, family = random.choice([one for one in PEOPLE if not only or one[1] in only])
    patient = state.row("patients", given_name=given, family_name=family)
    alike = [
        row
        for row in state.rows("patients")
        if row["mrn"] != patient["mrn"]
        and row["family_name"][:3] == family[:3]
        and row["given_name"][0] == given[0]
    ]
    return {**staff(state), **person(patient), "other": {**person(random.choice(alike))}}


_OFTEN = {1: "once daily", 2: "twice daily"}


def new_order(random: Random) -> Values:
    """Return a medicine that none of the five patients takes, or must not take, as a label has it taken."""
    offered = {name: facts for name, facts in world_data("medicines")["drugs"].items() if "new" in facts}
    drug, facts = random.choice(sorted(offered.items()))
    return {
        "drug": drug.capitalize(),
        "dose": random.choice(facts["new"]),
        "often": _OFTEN[random.choice(facts["times"])],
        "quantity": random.choice((30, 60, 90)),
        "refills": random.randint(0, 3),
    }


def new_reason(random: Random) -> Values:
    """Return why a patient comes."""
    return {
        "reason": random.choice(
            (
                "Dizziness on standing",
                "Swelling of both ankles",
                "Burning pain in the feet",
                "Review of home blood pressure readings",
                "Shortness of breath on stairs",
                "Palpitations at night",
            )
        )
    }


def same_words(one: str | None, other: str) -> bool:
    """Whether two texts are the same but for capitals, spaces and a full stop at the end."""
    one, other = (" ".join((text or "").casefold().split()).rstrip(".") for text in (one, other))
    return one == other
