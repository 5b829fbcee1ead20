"""Description of an object and help text of a field."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values
from pytest_cuabench.task.kinds import free

from ..toolkit.building import edit, fields_of, may_say
from ..toolkit.components import entries
from ..toolkit.judging import Findings, judged
from ..toolkit.kinds import PROSE, place
from ..toolkit.lightning import PAGE, enter, follow, open_object, press_first
from ..toolkit.records import same_text
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

_OBJECTS = ("Environment", "MyAnimal", "MyBike", "MyInventory", "MyVehicle")
_HELP, _DESCRIPTION = "Help Text", "Description"


def case(state: State, random: Random, values: Given) -> Values:
    """Name the components, and find another object."""
    name = f"{values['object']}__c"
    return {
        "name": name,
        "field_name": f"{name}.{values['field']}__c",
        "other_object": random.choice([one for one in _OBJECTS if one != values["object"]]),
        "box": _HELP,
        "element": "inlineHelpText",
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have both texts, a full stop at the end aside."""
    name = case["name"]
    may_say(work, "CustomObject", name, "description")
    may_say(work, "CustomField", case["field_name"], "inlineHelpText")
    entries(
        work, "CustomObject", name, "fields", lambda old, new: _helped(old, new) and _is(new, case["field"])
    )
    description, help = _texts(work, case)
    inside = work.after.get("metadata/CustomObject", name) or {}
    for number, field in enumerate(inside.get("fields", ())):
        if _is(field, case["field"]):
            free(place(f"metadata/CustomObject/{name}", "fields", number), "the field itself says the same")
    at = place(f"metadata/CustomField/{case['field_name']}", "inlineHelpText")
    right = (
        PROSE.same(description, case["description"], place(f"metadata/CustomObject/{name}", "description")),
        PROSE.same(help, case["help"], at),
    )
    yield Milestone("description", right[0], 0.5, case["description"], description)
    yield Milestone("help_text", right[1], 0.5, case["help"], help)


def _texts(work: Work, case: Case) -> tuple[str, str]:
    found = work.after.get("metadata/CustomObject", case["name"]) or {}
    field = fields_of(work, case["name"]).get(f"{case['field']}__c", {})
    return str(found.get("description") or ""), str(field.get("inlineHelpText") or "")


def _is(field: Given, label: str) -> bool:
    return bool(field["fullName"] == f"{label}__c")


def _helped(old: Given | None, new: Given | None) -> bool:
    """Whether a field has another help text and is else as it was."""
    return bool(old and new) and {**old, "inlineHelpText": ""} == {**new, "inlineHelpText": ""}


def upstream(evidence: Evidence, case: Case) -> Findings:
    """Both texts, letter case and full stops at the end aside."""
    description, help = _texts(Work.of(evidence), case)
    yield fact("description", 0.5, same_text(description, case["description"]))
    yield fact("help_text", 0.5, same_text(help, case["help"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Edit the object's details, then the field."""
    await open_object(pilot, case["object"], "Details")
    await edit(pilot)
    await enter(pilot, _DESCRIPTION, case["description"], PAGE)
    await press_first(pilot, "Save")
    await follow(pilot, "Fields & Relationships")
    await follow(pilot, case["field"])
    await edit(pilot)
    await enter(pilot, case["box"], case["help"], PAGE)
    await press_first(pilot, "Save")


@slip("milestone:help_text", 0.5)
def described_the_field_instead(case: Case) -> Case:
    """The field's text is entered as its description, which users do not see."""
    return misread(case, box=_DESCRIPTION, element="description")


@slip("milestone:help_text", 0.5)
def swapped_the_texts(case: Case) -> Case:
    """The field has the text of the object, too."""
    return misread(case, help=case["description"])
