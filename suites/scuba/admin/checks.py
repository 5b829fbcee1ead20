"""What each administrator's task wants to be true; the weights are those of the benchmark's authors."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_cuabench.answer import Choice, YesNo
from pytest_cuabench.answer.spec import Spec
from pytest_cuabench.evidence import Evidence
from pytest_cuabench.task import Case
from pytest_cuabench.verdict import Milestone

from ..answers import answered
from ..judging import Findings, Work, exists, holds, judged, listed
from ..records import Row, called, same
from .upstream import (
    upstream_admin_010,
    upstream_admin_020,
    upstream_admin_022,
    upstream_admin_025,
    upstream_admin_026,
    upstream_admin_028,
    upstream_admin_034,
    upstream_admin_035,
    upstream_admin_039,
)

__all__ = [
    "admin_010",
    "admin_020",
    "admin_022",
    "admin_025",
    "admin_026",
    "admin_028",
    "admin_034",
    "admin_035",
    "admin_039",
    "upstream_admin_010",
    "upstream_admin_020",
    "upstream_admin_022",
    "upstream_admin_025",
    "upstream_admin_026",
    "upstream_admin_028",
    "upstream_admin_034",
    "upstream_admin_035",
    "upstream_admin_039",
]

Milestones = Iterator[Milestone]


@judged
def admin_010(work: Work, case: Case) -> Milestones:
    """Have a chart of these settings at the list view."""
    fields = {name: case[key] for name, key in _CHART.items()}
    chart = work.closest("ListViewChart", {"Name": case["name"], "SobjectType": case["object"]}, **fields)
    yield exists("chart", 0.2, chart, f"a chart '{case['name']}' of {case['object']}")
    yield _attached(work, case, chart)
    yield holds("chart_type", 0.2, chart, "ChartType", case["type"])
    yield holds("aggregate_type", 0.2, chart, "AggregateType", case["aggregate"])
    yield holds("grouping_field", 0.1, chart, "GroupingField", case["grouping_field"], _same_field)
    yield holds("aggregate_field", 0.1, chart, "AggregateField", case["aggregate_field"], _same_field)


_CHART = {"ChartType": "type", "AggregateType": "aggregate"}


def _attached(work: Work, case: Case, chart: Row | None) -> Milestone:
    instances = work.made("ListViewChartInstance", SourceEntity=case["object"])
    ours = [row for row in instances if chart and same(row.get("Label"), case["name"])]
    work.claim(*ours)
    views = {row.get("ListViewContextId") for row in ours}
    names = listed(work.after.name("ListView", id) for id in views)
    return Milestone("attached", case["list_id"] in views, 0.2, f"on the list view '{case['list']}'", names)


def _same_field(one: object, other: object) -> bool:
    """Whether two names mean one field, with or without the object before it."""
    return same(str(one).rpartition(".")[2], str(other).rpartition(".")[2])


@judged
def admin_020(work: Work, case: Case) -> Milestones:
    """Have a group of one set."""
    group = work.closest("PermissionSetGroup", {"Name": case["group"]})
    yield exists("group", 0.25, group, f"a permission set group '{case['group']}'")
    yield _components(work, group, [case["permission_set"]], 0.75)
    work.grave("PermissionSetAssignment")


def _components(work: Work, group: Row | None, wanted: list[str], weight: float) -> Milestone:
    parts = work.made("PermissionSetGroupComponent", PermissionSetGroupId=group["Id"]) if group else []
    work.claim(*parts)
    found = [work.after.name("PermissionSet", row["PermissionSetId"]) for row in parts]
    reached = sorted(map(str.casefold, found)) == sorted(map(str.casefold, wanted))
    return Milestone("permission_sets", reached, weight, f"exactly {listed(wanted)}", listed(found))


@judged
def admin_022(work: Work, case: Case) -> Milestones:
    """Have the group assigned to the user, without an end."""
    work.grave("PermissionSetAssignment")
    yield _assigned(work, case, case["group_id"], 1.0)


def _assigned(work: Work, case: Case, group: str | None, weight: float) -> Milestone:
    rows = work.made("PermissionSetAssignment", PermissionSetGroupId=group) if group else []
    ours = [row for row in rows if row["AssigneeId"] == case["user_id"]]
    work.claim(*ours)
    lasting = [row for row in ours if not row.get("ExpirationDate")]
    found = listed(work.after.name("User", row["AssigneeId"]) for row in rows)
    seen = f"{found}, until {ours[0]['ExpirationDate']}" if ours and not lasting else found
    reached = bool(lasting) and len(rows) == len(ours)
    return Milestone("assigned", reached, weight, f"assigned to {case['user']} without an end", seen)


@judged
def admin_025(work: Work, case: Case) -> Milestones:
    """Have the user frozen."""
    work.may_change("UserLogin", case["login_id"], "IsFrozen")
    login = work.after.get("UserLogin", case["login_id"])
    yield holds("frozen", 1.0, login, "IsFrozen", True)


@judged
def admin_026(work: Work, case: Case) -> Milestones:
    """Have the user inactive."""
    work.may_change("User", case["user_id"], "IsActive")
    yield holds("inactive", 1.0, work.after.get("User", case["user_id"]), "IsActive", False)


@judged
def admin_028(work: Work, case: Case) -> Milestones:
    """Have a group of these sets, assigned to this user."""
    work.grave("PermissionSetAssignment")
    group = work.closest("PermissionSetGroup", {"Name": case["group"]})
    yield exists("group", 0.3, group, f"a permission set group '{case['group']}'")
    yield _components(work, group, list(case["permission_sets"]), 0.4)
    yield _assigned(work, case, group["Id"] if group else None, 0.3)


@judged
def admin_034(work: Work, case: Case) -> Milestones:
    """Have a public group of exactly these members."""
    group = work.closest("Group", {"Name": case["group"], "Type": "Regular"})
    yield exists("group", 0.25, group, f"a public group '{case['group']}'")
    members = work.made("GroupMember", GroupId=group["Id"]) if group else []
    found = {row["UserOrGroupId"]: row for row in members}
    names = [*case["users"], *case["roles"]]
    seen = listed(_member(work, id) for id in found)
    for number, (id, name) in enumerate(zip(case["member_ids"], names, strict=True), 1):
        work.claim(found.get(id))
        yield Milestone(f"member_{number}", id in found, 0.75 / len(names), f"{name} is a member", seen)


def _member(work: Work, id: str) -> str:
    group = work.after.get("Group", id)
    if group is None:
        return work.after.name("User", id)
    kind = "" if group["Type"] == "Role" else f" ({group['Type']})"
    return (work.after.name("UserRole", group.get("RelatedId")) or called(group)) + kind


@judged
def admin_035(work: Work, case: Case) -> Milestones:
    """Have each role, each below its parent."""
    share = 1 / len(case["hierarchy"])
    for number, entry in enumerate(case["hierarchy"], 1):
        role = _role(work, entry)
        parent = work.after.name("UserRole", role.get("ParentRoleId")) if role else ""
        wanted = entry["parent"] or "no role"
        right = role is not None and same(parent, entry["parent"])
        seen = (parent or "no role") if role else "no such role"
        if entry["new"]:
            yield exists(f"role_{number}", share / 2, role, f"a new role '{entry['role']}'")
            share_of_parent = share / 2
        else:
            share_of_parent = share
        yield Milestone(
            f"parent_{number}", right, share_of_parent, f"{entry['role']} reports to {wanted}", seen
        )


def _role(work: Work, entry: Row) -> Row | None:
    if entry["new"]:
        return work.closest("UserRole", {"Name": entry["role"]})
    role = work.after.one("UserRole", entry["role"])
    work.may_change("UserRole", role["Id"], "ParentRoleId")
    return role


def admin_039(evidence: Evidence, case: Case) -> Findings:
    """Tell what the permissions say."""
    yield from answered(evidence, _spec(case))


def _spec(case: Case) -> Spec:
    if case["question"] == "grants":
        return YesNo(case["answer"] == "yes")
    return Choice(
        case["answer"], tuple(case["options"]), words=("permission", "set", "group", "profile", "object")
    )
