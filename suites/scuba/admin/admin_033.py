"""Password policies."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.groups import save_form
from ..toolkit.judging import Findings, judged
from ..toolkit.lightning import PAGE, choose, named, open_setup
from ..toolkit.records import Records, Row, same
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

_AREA = "passwordPolicies"
_LENGTH = "minimumPasswordLength"  # the only one that is typed
# What the authors expect where it is no value that Salesforce has.
_THEIRS = {"NinetyDays": "ThreeMonths"}


def case(state: State, random: Random, values: Given) -> Values:
    """Say what the policies shall be."""
    return {"policies_words": "; ".join(f"{one['label']}: {one['shown']}" for one in values["policies"])}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have each policy, and no other one changed."""
    before, after = _policies(work.before), _policies(work.after)
    asked = {entry["name"] for entry in case["policies"]}
    if all(same(before.get(name), after.get(name)) for name in (before.keys() | after.keys()) - asked):
        work.may_change("metadata/Settings", "Security", _AREA)
    for number, entry in enumerate(case["policies"], 1):
        value = after.get(entry["name"])
        right = same(value, entry["value"])
        share = 1 / len(case["policies"])
        yield Milestone(f"policy_{number}", right, share, f"{entry['label']}: {entry['shown']}", str(value))


def _policies(org: Records) -> Mapping[str, Any]:
    found: Row = org.get("metadata/Settings", "Security") or {}
    return found.get(_AREA) or {}


def upstream(evidence: Evidence, case: Case) -> Findings:
    """Each key by itself; other changes are not looked at."""
    policies = _policies(Records(evidence.after))
    for number, entry in enumerate(case["policies"], 1):
        wanted = _THEIRS.get(entry["value"], entry["value"])
        yield fact(f"policy_{number}", 1 / len(case["policies"]), policies.get(entry["name"]) == wanted)


async def solve(pilot: Pilot, case: Case) -> None:
    """Change the policies on their page and save it."""
    await open_setup(pilot, "Password Policies")
    for entry in case["policies"]:
        if entry["name"] == _LENGTH:
            await pilot.fill(named("spinbutton", entry["label"], PAGE), entry["shown"])
        else:
            await choose(pilot, entry["label"], entry["shown"])
    await save_form(pilot)


@slip("milestone:policy_1")
def set_the_first_policy_otherwise(case: Case) -> Case:
    """One policy has a neighbouring value."""
    first, *rest = case["policies"]
    return misread(case, policies=[{**first, "shown": first["other"], "value": first["other_value"]}, *rest])


@slip("record_integrity/major", 1.0)
def loosened_one_policy_more(case: Case) -> Case:
    """All is as it should be, and a policy that nobody named is weaker."""
    more = {
        "name": "questionRestriction",
        "label": "Password question requirement",
        "shown": "None",
        "value": "None",
    }
    return misread(case, policies=[*case["policies"], more])
