"""Global value set."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.components import new_component, others
from ..toolkit.judging import ASKED, Findings, exists, judged, listed
from ..toolkit.lightning import PAGE, enter, enter_values, open_setup, press, tick
from ..toolkit.records import Records, same
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

_KIND = "metadata/GlobalValueSet"


def case(state: State, random: Random, values: Given) -> Values:
    """Say the values in words."""
    if Records(state).get(_KIND, values["name"]):
        raise LookupError(f"there is a value set {values['name']} already")
    return {"values_words": ", ".join(values["values"]), "sorted": True}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a value set of the name with the values as they were entered, displayed alphabetically."""
    made = new_component(work, "GlobalValueSet", case["name"], customValue=None, sorted=True)
    right = made if made and same(made["Id"], f"{_KIND}/{case['name']}") else None
    work.claim(made, "masterLabel")
    entries = list(made["customValue"]) if made else []
    names = [str(one.get("fullName") or one.get("value")) for one in entries]
    ordinary = all(
        not others(one, "fullName", "value", "isActive", label=name) and one.get("isActive", True)
        for one, name in zip(entries, names, strict=True)
    )
    yield exists("value_set", 0.3, right, f"a value set {case['name']}")
    yield Milestone("values", names == case["values"], 0.7, ", ".join(case["values"]), ", ".join(names))
    yield Milestone(
        "ordinary", bool(entries) and ordinary, ASKED, "labels as names, no default", listed(names)
    )
    seen = "no value set" if made is None else "alphabetical" if made.get("sorted") else "as entered"
    yield Milestone("sorted", seen == "alphabetical", ASKED, "displayed alphabetically", seen)


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A value set of the name, with the values in the order of the prompt."""
    found = Records(evidence.after).get(_KIND, case["name"]) or {}
    names = [one.get("fullName") or one.get("value") for one in found.get("customValue", ())]
    yield fact("value_set", 0.3, bool(found))
    yield fact("values", 0.7, names == case["values"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Make the value set in Setup."""
    await open_setup(pilot, "Picklist Value Sets")
    await press(pilot, "New", PAGE)
    await enter(pilot, "Label", case["name"], PAGE)
    if case["sorted"]:
        await tick(pilot, "Display values alphabetically, not in the order entered", PAGE)
    await enter_values(pilot, "Values", case["values"])


@slip("milestone:values")
def sorted_them_by_hand(case: Case) -> Case:
    """The values are entered in another order than they should be."""
    return misread(case, values=sorted(case["values"], key=str.casefold))


@slip("milestone:sorted")
def left_them_as_entered(case: Case) -> Case:
    """The values are displayed in the order in which they were entered."""
    return misread(case, sorted=False)


@slip("milestone:values")
def left_the_last_value_out(case: Case) -> Case:
    """One value is missing."""
    return misread(case, values=case["values"][:-1])
