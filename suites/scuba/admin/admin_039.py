"""Question about permissions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Pilot, State, Values
from pytest_cuabench.task.answer import Choice, YesNo
from pytest_cuabench.task.answer.spec import Spec

from ..toolkit.answers import answered
from ..toolkit.judging import Findings
from ..toolkit.lightning import follow, open_object, open_setup, press
from ..toolkit.records import Records, Row, called
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import answer as upstream
from .shared import Given

__all__ = ["upstream"]

RIGHTS = ("Create", "Read", "Edit", "Delete", "ViewAllRecords", "ModifyAllRecords")


def _allows(org: Records, parent: str, object: str, right: str) -> bool:
    """Whether a permission set allows something on an object."""
    rows = org.where("ObjectPermissions", ParentId=parent, SobjectType=object)
    return any(row.get(f"Permissions{right}") is True for row in rows)


def _set(org: Records, label: str) -> Row:
    rows = [row for row in org.named("PermissionSet", label) if row.get("Type") not in ("Profile", "Group")]
    rows = rows or org.where("PermissionSet", Label=label)
    if len(rows) != 1:
        raise LookupError(f"{len(rows)} permission sets are labelled {label!r}, one was expected")
    return rows[0]


def _grants(org: Records, values: Mapping[str, Any]) -> str:
    parent = _set(org, values["options"][0])["Id"]
    return "yes" if _allows(org, parent, values["object"], values["right"]) else "no"


def _only(names: list[str]) -> str:
    if len(names) != 1:
        raise LookupError(f"the answer should be one name and is {names}")
    return names[0]


def _lacks(org: Records, values: Mapping[str, Any]) -> str:
    object, right = values["object"], values["right"]
    return _only(
        [name for name in values["options"] if not _allows(org, _set(org, name)["Id"], object, right)]
    )


def _of_profile(org: Records, name: str) -> Row:
    (row,) = org.where("PermissionSet", ProfileId=org.one("Profile", name)["Id"])
    return row


def _fewest(org: Records, values: Mapping[str, Any]) -> str:
    object = values["object"]
    parents = {name: _of_profile(org, name)["Id"] for name in values["options"]}
    counts = {name: sum(_allows(org, id, object, right) for right in RIGHTS) for name, id in parents.items()}
    return _only([name for name, count in counts.items() if count == min(counts.values())])


def _group_allows(org: Records, label: str, values: Mapping[str, Any]) -> bool:
    group = next(
        row for row in org.all("PermissionSetGroup") if label in (called(row), row.get("DeveloperName"))
    )
    parts = org.where("PermissionSetGroupComponent", PermissionSetGroupId=group["Id"])
    return any(_allows(org, part["PermissionSetId"], values["object"], values["right"]) for part in parts)


def _group(org: Records, values: Mapping[str, Any]) -> str:
    return _only([name for name in values["options"] if _group_allows(org, name, values)])


def _object(org: Records, values: Mapping[str, Any]) -> str:
    parent = _set(org, values["permission_set"])["Id"]
    return _only([name for name in values["options"] if _allows(org, parent, name, values["right"])])


ANSWERS: Mapping[str, Callable[[Records, Mapping[str, Any]], str]] = {
    "grants": _grants,
    "lacks": _lacks,
    "fewest": _fewest,
    "group": _group,
    "object": _object,
}
_HERE = ".org-setup__page"
_PLURALS = {"Account": "Accounts", "Case": "Cases", "Opportunity": "Opportunities", "Order": "Orders"}


async def _object_access(pilot: Pilot, case: Case) -> None:
    """See in one table what each permission set allows on an object."""
    await open_object(pilot, case["object"], "Object Access")


async def _object_settings(pilot: Pilot, page: str, owner: str, objects: list[str]) -> None:
    await open_setup(pilot, page)
    await follow(pilot, owner, _HERE)
    for object in objects:
        await follow(pilot, "Object Settings", _HERE)
        await follow(pilot, _PLURALS[object], _HERE)


async def _permission_set(pilot: Pilot, case: Case) -> None:
    await _object_settings(pilot, "Permission Sets", case["options"][0], [case["object"]])


async def _two_objects(pilot: Pilot, case: Case) -> None:
    await _object_settings(pilot, "Permission Sets", case["permission_set"], case["options"])


async def _groups(pilot: Pilot, case: Case) -> None:
    for group in case["options"]:
        await _object_settings(pilot, "Permission Set Groups", group, [case["object"]])


async def _profiles(pilot: Pilot, case: Case) -> None:
    for profile in case["options"]:
        await open_setup(pilot, "Profiles")
        await follow(pilot, profile, _HERE)
        await press(pilot, "Object Settings", _HERE)
        await follow(pilot, _PLURALS[case["object"]], _HERE)


_LOOKS: Mapping[str, Callable[[Pilot, Case], Awaitable[None]]] = {
    "grants": _permission_set,
    "lacks": _object_access,
    "fewest": _profiles,
    "group": _groups,
    "object": _two_objects,
}


def case(state: State, random: Random, values: Given) -> Values:
    """Work out the answer from the permissions themselves."""
    answer = ANSWERS[values["question"]](Records(state), values)
    others = [name for name in (*values["options"], "yes", "no") if name != answer]
    return {
        "answer": answer,
        "other_answer": next(name for name in others if (name in ("yes", "no")) == (answer in ("yes", "no"))),
        "options_words": ", ".join(values["options"]),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell what the permissions say."""
    yield from answered(evidence, _spec(case))


def _spec(case: Case) -> Spec:
    if case["question"] == "grants":
        return YesNo(case["answer"] == "yes")
    return Choice(
        case["answer"], tuple(case["options"]), words=("permission", "set", "group", "profile", "object")
    )


async def _look_up(pilot: Pilot, case: Case) -> None:
    """Open everything that the answer needs."""
    await _LOOKS[case["question"]](pilot, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Look up what is allowed, and tell."""
    await _look_up(pilot, case)
    await pilot.answer(case["answer"])


@slip("milestone:answer", 0.0)
def answered_the_other(case: Case) -> Case:
    """It is the other one."""
    return misread(case, answer=case["other_answer"])


@slip("milestone:answer", 0.0)
def answered_both(case: Case) -> Case:
    """Whoever names two has answered nothing."""
    return misread(case, answer=f"{case['answer']}, or perhaps {case['other_answer']}")
