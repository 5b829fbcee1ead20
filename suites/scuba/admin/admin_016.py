"""Custom object with a tab."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.building import (
    apps_with,
    full_name,
    new_object,
    open_new_object,
    pick_style,
    profiles_say,
    save_object,
)
from ..toolkit.judging import ASKED, Findings, exists, judged
from ..toolkit.lightning import PAGE, press
from ..toolkit.records import Records, same
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

_LAUNCH = "Launch New Custom Tab Wizard after saving this custom object"
_STYLES = ("Heart", "Fan", "Sun", "Leaf", "Star", "Box", "Truck", "Globe")


def case(state: State, random: Random, values: Given) -> Values:
    """Choose a style, and see that there is no such object."""
    if Records(state).get("metadata/CustomObject", f"{values['label']}__c"):
        raise LookupError(f"there is an object {values['label']} already")
    return {
        "launch": _LAUNCH,
        "name": f"{values['label']}__c",
        "style": random.choice(_STYLES),
        "boxes": [_LAUNCH],
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the object with its names, and a tab that is where the wizard puts it."""
    row = new_object(work, case["label"])
    right = row if full_name(row) == case["name"] else None
    tab = work.closest("metadata/CustomTab", {"Id": f"metadata/CustomTab/{case['name']}"})
    work.claim(tab, customObject=True)
    work.free("metadata/CustomTab", motif="the task names no style")
    profiles_say(
        work,
        "tabVisibilities",
        lambda old, new: (new or {}) == {"tab": case["name"], "visibility": "DefaultOn"},
    )
    apps_with(work, case["name"])
    plural = str((row or {}).get("pluralLabel", "no object"))
    yield exists("object", 0.5, right, f"a new object {case['name']} with the label '{case['label']}'")
    yield exists("tab", 0.5, tab, f"a tab of {case['name']}")
    yield Milestone("plural", same(plural, case["plural"]), ASKED, case["plural"], plural)


def upstream(evidence: Evidence, case: Case) -> Findings:
    """An object and a tab of this name."""
    org = Records(evidence.after)
    yield fact("object", 0.5, bool(org.get("metadata/CustomObject", case["name"])))
    yield fact("tab", 0.5, bool(org.get("metadata/CustomTab", case["name"])))


async def solve(pilot: Pilot, case: Case) -> None:
    """Make the object in Object Manager, and go through the tab wizard with what it proposes."""
    await open_new_object(pilot, case["label"], case["plural"])
    await save_object(pilot, *case["boxes"])
    if _LAUNCH in case["boxes"]:
        await pick_style(pilot, case["style"])
        await press(pilot, "Next", PAGE)
        await press(pilot, "Next", PAGE)
        await press(pilot, "Save", PAGE)


@slip("milestone:tab", 0.545)
def forgot_the_tab(case: Case) -> Case:
    """The object is left without a tab."""
    return misread(case, boxes=[])


@slip("milestone:object", 0)
def misspelt_the_label(case: Case) -> Case:
    """The object is called otherwise."""
    return misread(case, label=f"{case['label']}s", name=f"{case['label']}s__c")


@slip("record_integrity/major", 1.0)
def allowed_reports_too(case: Case) -> Case:
    """The object has a feature that nobody asked for."""
    return misread(case, boxes=["Allow Reports", *case["boxes"]])
