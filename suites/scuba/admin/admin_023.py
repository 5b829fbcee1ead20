"""Organization-wide defaults."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Pilot, State, Values

from ..toolkit.components import component
from ..toolkit.judging import Findings, holds, judged
from ..toolkit.lightning import PAGE, choose_far, open_setup, press, press_first, tick
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

MODELS = {"Private": "Private", "Public Read Only": "Read", "Public Read/Write": "ReadWrite"}
_OBJECT = "metadata/CustomObject"
_INTERNAL, _EXTERNAL = "sharingModel", "externalSharingModel"
_OTHERS = {"MyAnimal__c": ("MyBike__c", "MyBike")}
_ANIMAL = ("MyAnimal__c", "MyAnimal")


def case(state: State, random: Random, values: Given) -> Values:
    """Find an object that is called much like the one that is meant."""
    other, other_label = _OTHERS.get(values["object"], _ANIMAL)
    return {"other": other, "other_label": other_label}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have both defaults, and those of no other object changed."""
    work.may_change(_OBJECT, case["object"], _INTERNAL, _EXTERNAL)
    row = component(work, "CustomObject", case["object"])
    yield holds("internal", 0.5, row, _INTERNAL, MODELS[case["internal"]])
    yield holds("external", 0.5, row, _EXTERNAL, MODELS[case["external"]])


def upstream(evidence: Evidence, case: Case) -> Findings:
    """Both models, also where they were so before."""
    row = Records(evidence.after).get(_OBJECT, case["object"]) or {}
    yield fact("internal", 0.5, row.get(_INTERNAL) == MODELS[case["internal"]])
    yield fact("external", 0.5, row.get(_EXTERNAL) == MODELS[case["external"]])


async def solve(pilot: Pilot, case: Case) -> None:
    """Change the line of the object among all defaults."""
    await open_setup(pilot, "Sharing Settings")
    await press(pilot, "Edit Organization-Wide Defaults", PAGE)
    for side in ("internal", "external"):
        await choose_far(pilot, f"{case['label']} Default {side.title()} Access", case[side])
    if not case.values.get("hierarchies", True):
        await tick(pilot, f"{case['label']} Grant Access Using Hierarchies", PAGE)
    await press_first(pilot, "Save")


@slip("record_integrity/critical", 0)
def opened_another_object(case: Case) -> Case:
    """The object of the line above has the defaults."""
    return misread(case, object=case["other"], label=case["other_label"])


@slip("record_integrity/major", 1.0)
def kept_superiors_out(case: Case) -> Case:
    """Both defaults are right, but the role hierarchy grants no access any more."""
    return misread(case, hierarchies=False)
