"""Formula field that some profiles see."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.building import full_name, owner, profile_labels
from ..toolkit.formulas import Formula, records
from ..toolkit.judging import ASKED, Findings, judged, listed
from ..toolkit.kinds import place
from ..toolkit.lightning import PAGE, enter, named, open_object, press, tick
from ..toolkit.records import Records, Row, same
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

_FIELDS = "metadata/CustomField"
# What the wizard proposes for a formula field, and the places of numbers, which the task leaves open.
_PROPOSED = {"formulaTreatBlanksAs": "BlankAsZero"}
_DECIMALS = "the wizard proposes decimals, and the task names none"


def case(state: State, random: Random, values: Given) -> Values:
    """Name the field and the profiles, no profile meaning all of them, and find one that is not named."""
    org = Records(state)
    every = profile_labels(org)
    profiles = values["profiles"] or every
    if lacking := set(profiles) - set(every):
        raise LookupError(f"there is no profile {', '.join(sorted(lacking))}")
    others = [one for one in every if one not in profiles]
    return {
        "field": f"{values['object']}.{values['label'].replace(' ', '_')}__c",
        "profiles": profiles,
        "profiles_words": listed(profiles) if others else "all profiles that there are",
        # One profile too many where some are named, one too few where all are.
        "other_profiles": [*profiles, random.choice(others)] if others else profiles[1:],
        "all": not others,
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the field with its formula, and the profiles that see it."""
    field = _field(work, case)
    work.claim(field, "label", "type", "formula", **_PROPOSED)
    work.free(_FIELDS, precision=_DECIMALS, scale=_DECIMALS)
    there = (
        field is not None and same(field.get("label"), case["label"]) and full_name(field) == case["field"]
    )
    formula = str((field or {}).get("formula") or "")
    rights = work.made("FieldPermissions", Field=full_name(field)) if field else []
    for given in rights:
        work.claim(
            given,
            "ParentId",
            "Field",
            SobjectType=case["object"],
            PermissionsRead=True,
            PermissionsEdit=False,
        )
    seen = sorted(owner(work.after, given) for given in rights)
    yield Milestone(
        "field",
        there,
        0.2,
        f"a new field {case['field']} called '{case['label']}'",
        full_name(field) or "none",
    )
    yield Milestone("formula", bool(formula), 0.2, "a formula", formula or "none")
    meaning = Formula(records(case["samples"]), zero=True)
    at = place((field or {}).get("Id"), "formula")
    right = bool(formula) and meaning.same(formula, case["formula"], at)
    yield Milestone("meaning", right, 0.3, f"what {case['formula']} means", formula or "none")
    yield Milestone(
        "profiles", seen == sorted(case["profiles"]), 0.3, f"exactly {listed(case['profiles'])}", listed(seen)
    )
    kind = str((field or {}).get("type") or "none")
    yield Milestone("returns", bool(formula) and kind == case["returns"], ASKED, case["returns"], kind)


def _field(work: Work, case: Case) -> Row | None:
    """Return the new field of the object that is most like the one asked for."""
    made = [row for row in work.made(_FIELDS) if full_name(row).startswith(f"{case['object']}.")]
    return max(
        made, key=lambda row: (full_name(row) == case["field"], bool(row.get("formula"))), default=None
    )


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A field of the name, whose formula reads the same but for spaces, and exactly these profiles."""
    org = Records(evidence.after)
    field = org.get(_FIELDS, case["field"]) or {}
    formula = str(field.get("formula") or "")
    given = {
        owner(org, row)
        for row in org.all("FieldPermissions")
        if row["Field"] == case["field"] and row["PermissionsRead"]
    }
    yield fact("field", 0.2, bool(field))
    yield fact("formula", 0.2, bool(formula), formula)
    yield fact("formula_is", 0.3, "".join(formula.split()) == "".join(case["formula"].split()), formula)
    yield fact("profiles", 0.3, bool(field) and given - {""} == set(case["profiles"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Go through the New Custom Field wizard."""
    await open_object(pilot, case["object"], "Fields & Relationships")
    await press(pilot, "New", PAGE)
    await pilot.click(named("radio", "Formula", PAGE))
    await press(pilot, "Next", PAGE)
    await enter(pilot, "Field Label", case["label"], PAGE)
    await pilot.click(f"{PAGE} >> input[name=returns][value={case['returns']}]")
    await press(pilot, "Next", PAGE)
    await pilot.fill(f"{PAGE} >> textarea[name=formula]", case["formula"])
    await press(pilot, "Next", PAGE)
    if not case["all"]:
        await tick(pilot, "Visible", PAGE)
        for profile in case["profiles"]:
            await tick(pilot, f"{profile} Visible", PAGE)
    await press(pilot, "Next", PAGE)
    await press(pilot, "Save", PAGE)


@slip("milestone:meaning", 0.727)
def computed_something_else(case: Case) -> Case:
    """The formula has another meaning."""
    return misread(case, formula=case["mistake"])


@slip("milestone:profiles", 0.727)
def let_other_profiles_see_it(case: Case) -> Case:
    """One profile too many, or too few, sees the field."""
    return misread(case, profiles=case["other_profiles"], all=False)


@slip("milestone:field", 0.818)
def misspelt_the_field(case: Case) -> Case:
    """The label, and with it the name, is another one."""
    return misread(case, label=f"{case['label']} 2", field=case["field"].replace("__c", "_2__c"))
