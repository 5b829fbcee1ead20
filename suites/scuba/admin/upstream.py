"""How the benchmark's authors score the administrator's tasks."""

from __future__ import annotations

from pytest_cuabench.evidence import Evidence
from pytest_cuabench.task import Case

from ..judging import Findings
from ..records import Records, called
from ..upstream import answer as upstream_admin_039
from ..upstream import fact, first

__all__ = ["upstream_admin_039"]


def upstream_admin_010(evidence: Evidence, case: Case) -> Findings:
    """A chart of the label, whatever its object."""
    org = Records(evidence.after)
    chart = first(org.where("ListViewChart", MasterLabel=case["name"]))
    view = first(org.where("ListView", Name=case["list"]))
    shown = org.where("ListViewChartInstance", ListViewContextId=view.get("Id"), SourceEntity=case["object"])
    yield fact("chart", 0.2, bool(chart))
    yield fact("attached", 0.2, case["name"] in [row.get("Label") for row in shown])
    yield fact("chart_type", 0.2, chart.get("ChartType") == case["type"])
    yield fact("aggregate_type", 0.2, chart.get("AggregateType") == case["aggregate"])
    yield fact("grouping_field", 0.1, chart.get("GroupingField") == case["grouping_field"])
    yield fact("aggregate_field", 0.1, chart.get("AggregateField") == case["aggregate_field"])


def upstream_admin_020(evidence: Evidence, case: Case) -> Findings:
    """A group of the label with exactly one component of the label."""
    org = Records(evidence.after)
    yield fact("group", 0.25, bool(org.where("PermissionSetGroup", MasterLabel=case["group"])))
    yield fact("permission_sets", 0.75, _components(org, case["group"]) == [case["permission_set"]])


def upstream_admin_022(evidence: Evidence, case: Case) -> Findings:
    """The first assignee is the user."""
    assignees = _assignees(Records(evidence.after), case["group"])
    yield fact("assigned", 1.0, assignees[:1] == [case["user"]], assignees)


def upstream_admin_025(evidence: Evidence, case: Case) -> Findings:
    """The first user of the name is frozen."""
    org = Records(evidence.after)
    user = first(org.named("User", case["user"]))
    login = first(org.where("UserLogin", UserId=user.get("Id")))
    yield fact("frozen", 1.0, login.get("IsFrozen") is True)


def upstream_admin_026(evidence: Evidence, case: Case) -> Findings:
    """The first user of the name is inactive."""
    user = first(Records(evidence.after).named("User", case["user"]))
    yield fact("inactive", 1.0, user.get("IsActive") is False)


def upstream_admin_028(evidence: Evidence, case: Case) -> Findings:
    """A group of the label with exactly these sets and this one assignee."""
    org = Records(evidence.after)
    yield fact("group", 0.3, bool(org.where("PermissionSetGroup", MasterLabel=case["group"])))
    yield fact("permission_sets", 0.4, set(_components(org, case["group"])) == set(case["permission_sets"]))
    yield fact("assigned", 0.3, _assignees(org, case["group"]) == [case["user"]])


def upstream_admin_034(evidence: Evidence, case: Case) -> Findings:
    """A group of the name with these members, whoever else is in it; of the users of 034_005 only the first."""
    org = Records(evidence.after)
    groups = {row["Id"] for row in org.where("Group", Name=case["group"])}
    members = {row["UserOrGroupId"] for row in org.all("GroupMember") if row["GroupId"] in groups}
    both = list(zip([*case["users"], *case["roles"]], case["member_ids"], strict=True))
    counted = [
        (name, id) for name, id in both if not (case["group"] == "Marketing Team" and name == "Sample User")
    ]
    yield fact("group", 0.25, bool(groups))
    for number, (_, id) in enumerate(counted, 1):
        yield fact(f"member_{number}", 0.75 / len(counted), id in members)


def upstream_admin_035(evidence: Evidence, case: Case) -> Findings:
    """Roles of these names below parents of these names; roles that stay at the top count, too."""
    org = Records(evidence.after)
    parents = {called(row): org.name("UserRole", row.get("ParentRoleId")) for row in org.all("UserRole")}
    roles = [*_TOPS.get(case["hierarchy"][0]["role"], ()), *case["hierarchy"]]
    for number, entry in enumerate(roles, 1):
        right = parents.get(entry["role"]) == entry["parent"]
        if entry["new"]:
            yield fact(f"role_{number}", 0.5 / len(roles), entry["role"] in parents)
        yield fact(f"parent_{number}", (0.5 if entry["new"] else 1) / len(roles), right)


# What the authors count beside the roles that a task is about, by its first role.
_CEO = {"role": "CEO", "parent": "", "new": False}
_TOPS = {
    "CTO": (_CEO,),
    "Vice President of Sales": (_CEO,),
    "Customer Support, New York": ({"role": "Customer Support, North America", "parent": "", "new": True},),
}


def _components(org: Records, group: str) -> list[str]:
    ids = {row["Id"] for row in org.where("PermissionSetGroup", MasterLabel=group)}
    parts = [row for row in org.all("PermissionSetGroupComponent") if row["PermissionSetGroupId"] in ids]
    return [org.name("PermissionSet", row["PermissionSetId"]) for row in parts]


def _assignees(org: Records, group: str) -> list[str]:
    ids = {row["Id"] for row in org.where("PermissionSetGroup", MasterLabel=group)}
    rows = [row for row in org.all("PermissionSetAssignment") if row.get("PermissionSetGroupId") in ids]
    return [org.name("User", row["AssigneeId"]) for row in rows]
