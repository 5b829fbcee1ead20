"""What each administrator's task is about in the org at hand."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from pytest_cuabench.evidence import State

from ..records import Records, called
from . import permissions

Values = dict[str, Any]
Given = Mapping[str, Any]


def admin_010(state: State, chance: random.Random, values: Given) -> Values:
    """Find the list view, and another one of the same object."""
    org = Records(state)
    views = {row["Name"]: row["Id"] for row in org.where("ListView", SobjectType=values["object"])}
    others = sorted(name for name in views if name and name != values["list"])
    return {"list_id": views[values["list"]], "other_list": chance.choice(others)}


def admin_020(state: State, chance: random.Random, values: Given) -> Values:
    """See that the permission set is there, and find another one."""
    sets = _permission_sets(Records(state))
    others = sorted(set(sets) - {values["permission_set"]})
    return {"set_id": sets[values["permission_set"]], "other_set": chance.choice(others)}


def admin_022(state: State, chance: random.Random, values: Given) -> Values:
    """Find the group and the user, and others for each."""
    org = Records(state)
    groups = {row["MasterLabel"]: row["Id"] for row in org.all("PermissionSetGroup")}
    others = sorted(set(groups) - {values["group"]})
    return {
        **_user(org, chance, values["user"]),
        "group_id": groups[values["group"]],
        "other_group": chance.choice(others),
    }


def admin_025(state: State, chance: random.Random, values: Given) -> Values:
    """Find the user with the record that freezes."""
    org = Records(state)
    found = _user(org, chance, values["user"])
    (login,) = org.where("UserLogin", UserId=found["user_id"])
    return {**found, "login_id": login["Id"]}


def admin_026(state: State, chance: random.Random, values: Given) -> Values:
    """Find the user."""
    return _user(Records(state), chance, values["user"])


def admin_028(state: State, chance: random.Random, values: Given) -> Values:
    """Find the permission sets and the user."""
    org = Records(state)
    sets = _permission_sets(org)
    others = sorted(set(sets) - set(values["permission_sets"]))
    return {
        **_user(org, chance, values["user"]),
        "set_ids": [sets[name] for name in values["permission_sets"]],
        "sets_words": " and ".join(f'"{name}"' for name in values["permission_sets"]),
        "other_set": chance.choice(others),
    }


def admin_034(state: State, chance: random.Random, values: Given) -> Values:
    """Find the users and the groups that stand for the roles."""
    org = Records(state)
    users = [org.one("User", name)["Id"] for name in values["users"]]
    roles = {row["Id"]: called(row) for row in org.all("UserRole")}
    groups = {roles.get(row["RelatedId"], ""): row["Id"] for row in org.where("Group", Type="Role")}
    words = [f"the user {name}" for name in values["users"]] + [
        f"the role {name}" for name in values["roles"]
    ]
    others = sorted(set(roles.values()) - set(values["roles"]))
    return {
        "member_ids": [*users, *(groups[name] for name in values["roles"])],
        "members_words": "; ".join(words),
        "other_role": chance.choice(others),
    }


def admin_035(state: State, chance: random.Random, values: Given) -> Values:
    """See that the roles that must be there are, and find one that is named nowhere."""
    org = Records(state)
    roles = {called(row) for row in org.all("UserRole")}
    new = {entry["role"] for entry in values["hierarchy"] if entry["new"]}
    named = {entry[key] for entry in values["hierarchy"] for key in ("role", "parent")} - {""}
    if lacking := (named - new) - roles:
        raise LookupError(f"there is no role {', '.join(sorted(lacking))}")
    return {"other_role": chance.choice(sorted(roles - named))}


def admin_039(state: State, chance: random.Random, values: Given) -> Values:
    """Work out the answer from the permissions themselves."""
    answer = permissions.ANSWERS[values["question"]](Records(state), values)
    others = [name for name in (*values["options"], "yes", "no") if name != answer]
    return {
        "answer": answer,
        "other_answer": next(name for name in others if (name in ("yes", "no")) == (answer in ("yes", "no"))),
        "options_words": ", ".join(values["options"]),
    }


def _permission_sets(org: Records) -> dict[str, str]:
    """Return the permission sets that people see, by label."""
    rows = [row for row in org.all("PermissionSet") if row.get("Type") not in ("Profile", "Group")]
    return {row["Label"]: row["Id"] for row in rows}


def _user(org: Records, chance: random.Random, name: str) -> Values:
    """Return the user of a name, and another active one for whom the user may be taken."""
    user = org.one("User", name)
    bosses = {row["Id"] for row in org.all("Profile") if called(row) == "System Administrator"}
    colleagues = [row for row in org.where("User", IsActive=True) if row["ProfileId"] not in bosses]
    others = [row for row in colleagues if row["Id"] != user["Id"]]
    other = chance.choice(sorted(others, key=called))
    return {"user_id": user["Id"], "other_user": called(other), "other_user_id": other["Id"]}
