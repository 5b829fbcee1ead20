"""Custom object with a lookup that some profiles see."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.building import (
    fields_of,
    full_name,
    new_object,
    open_new_object,
    owner,
    profile_labels,
    save_object,
)
from ..toolkit.judging import ASKED, Findings, exists, judged, listed
from ..toolkit.lightning import PAGE, choose_far, follow, named, press, tick
from ..toolkit.records import Records, Row
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

# What the wizard proposes for a lookup.
_PROPOSED = {"deleteConstraint": "SetNull", "type": "Lookup"}
_NAMES = ("label", "referenceTo", "relationshipLabel", "relationshipName", "required")


def case(state: State, random: Random, values: Given) -> Values:
    """Name the components, and find a profile and an object that are not named."""
    org, name = Records(state), f"{values['label']}__c"
    if org.get("metadata/CustomObject", name):
        raise LookupError(f"there is an object {values['label']} already")
    return {
        "name": name,
        "field": f"{name}.{values['to']}__c",
        "profiles_words": " and ".join(values["profiles"]),
        "other_profile": random.choice([one for one in profile_labels(org) if one not in values["profiles"]]),
        "other_object": random.choice([one for one in ("Account", "Campaign") if one != values["to"]]),
        "readonly": False,
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the object, its lookup, and the profiles that see it."""
    row = new_object(work, case["label"], case["plural"])
    right = row if full_name(row) == case["name"] else None
    fields = fields_of(work, case["name"])
    lookups = [name for name, field in fields.items() if _is_lookup(field)]
    name = next((one for one in lookups if fields[one]["referenceTo"] == case["to"]), "".join(lookups[:1]))
    to = str(fields[name]["referenceTo"]) if name else "no lookup"
    work.claim({"Id": f"metadata/CustomField/{case['name']}.{name}"}, *_NAMES, **_PROPOSED)
    rights = work.made("FieldPermissions", Field=f"{case['name']}.{name}")
    for given in rights:
        work.claim(
            given, "ParentId", "Field", "PermissionsEdit", SobjectType=case["name"], PermissionsRead=True
        )
    seen = {owner(work.after, given): bool(given["PermissionsEdit"]) for given in rights}
    yield exists("object", 0.2, right, f"a new object {case['name']} with the label '{case['label']}'")
    yield Milestone("lookup", to == case["to"], 0.4, f"a lookup to {case['to']}", to)
    who = sorted(owner(work.after, given) for given in rights) == sorted(case["profiles"])
    yield Milestone("profiles", who, 0.4, f"exactly {listed(case['profiles'])}", listed(seen))
    edit = bool(seen) and all(seen.values())
    yield Milestone("editable", edit, ASKED, "who sees the field may edit it", str(seen))


def _is_lookup(field: Row) -> bool:
    """Whether a field is a lookup that is else as the wizard proposes it."""
    return all(field.get(name) == value for name, value in _PROPOSED.items()) and not field.get("required")


def upstream(evidence: Evidence, case: Case) -> Findings:
    """An object of the name, a lookup on it, and exactly these profiles."""
    org = Records(evidence.after)
    fields = fields_of(Work.of(evidence), case["name"]).values()
    to = [field.get("referenceTo") for field in fields if field.get("type") == "Lookup"]
    given = [
        row
        for row in org.all("FieldPermissions")
        if row["Field"].startswith(f"{case['name']}.") and row["PermissionsRead"]
    ]
    yield fact("object", 0.2, bool(org.get("metadata/CustomObject", case["name"])))
    yield fact("lookup", 0.4, case["to"] in to)
    yield fact("profiles", 0.4, {owner(org, row) for row in given} == set(case["profiles"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Make the object, then its field with the New Custom Field wizard."""
    await open_new_object(pilot, case["label"], case["plural"])
    await save_object(pilot)
    await follow(pilot, "Fields & Relationships")
    await press(pilot, "New", PAGE)
    await pilot.click(named("radio", "Lookup Relationship", PAGE))
    await press(pilot, "Next", PAGE)
    await choose_far(pilot, "Related To", case["to"])
    await press(pilot, "Next", PAGE)
    await press(pilot, "Next", PAGE)
    await tick(pilot, "Visible", PAGE)
    for profile in case["profiles"]:
        await tick(pilot, f"{profile} {'Read-Only' if case['readonly'] else 'Visible'}", PAGE)
    await press(pilot, "Next", PAGE)
    await press(pilot, "Next", PAGE)
    await press(pilot, "Save", PAGE)


@slip("milestone:lookup", 0.636)
def looked_up_another_object(case: Case) -> Case:
    """The lookup leads elsewhere."""
    return misread(case, to=case["other_object"])


@slip("milestone:profiles", 0.636)
def left_the_second_profile_out(case: Case) -> Case:
    """Only one of the profiles sees the field."""
    return misread(case, profiles=case["profiles"][:1])


@slip("milestone:profiles", 0.636)
def let_another_profile_see_it(case: Case) -> Case:
    """One profile more sees the field."""
    return misread(case, profiles=[*case["profiles"], case["other_profile"]])


@slip("milestone:editable", 0.909)
def let_them_only_read(case: Case) -> Case:
    """The profiles see the field, but cannot edit it."""
    return misread(case, readonly=True)
