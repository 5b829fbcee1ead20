"""A user's page: details, what is assigned, and what can be done."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.pages.routing import page as address_of_page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.setup.area import SetupVisit, link
from salesforce_org.setup.choices import of_rows
from salesforce_org.setup.forms import Form, Input, Section, form_at
from salesforce_org.setup.permissions.access import plain_sets
from salesforce_org.setup.shown import moment, named, profile_link, role_link, stamps, user_link
from salesforce_org.setup.tables import Action, Cell, Column, Table, related
from salesforce_org.setup.users import operations
from salesforce_org.setup.users.fields import FLAGS
from salesforce_org.setup.users.listing import USERS
from salesforce_org.store import Org, Record
from salesforce_org.store.errors import OrgError


@USERS.get("/{id}")
def detail(page: SetupVisit) -> Response:
    """Show a user."""
    return _show(page, page.record("User"))


@address_of_page("GET", "/lightning/r/User/{id}/detail")
def from_record(visit: Visit) -> Response:
    """Lead from the user's record to the user's page in Setup."""
    if visit.org.get("User", visit.params["id"]) is None:
        raise NotHere
    return visit.go(link("ManageUsers", f"/{visit.params['id']}"))


@USERS.post("/{id}/freeze")
def freeze(page: SetupVisit) -> Response:
    """Freeze a user."""
    return _frozen(page, True)


@USERS.post("/{id}/unfreeze")
def unfreeze(page: SetupVisit) -> Response:
    """Let a user log in again."""
    return _frozen(page, False)


@USERS.post("/{id}/password")
def reset_password(page: SetupVisit) -> Response:
    """Send a user a link to a new password; passwords are no data of the org, that it was sent is."""
    user = page.record("User")
    page.org.note("PasswordReset", {"UserId": user["Id"]})
    return page.go(f"/{user['Id']}", f"An email with a link to a new password was sent to {user['Email']}.")


@USERS.post("/{id}/unassign")
def unassign(page: SetupVisit) -> Response:
    """Take a permission set, or a group of them, away from a user."""
    user = page.record("User")
    given = page.find("PermissionSetAssignment", page.field("assignment"))
    if given["AssigneeId"] == user["Id"]:
        page.org.delete(given["Id"])
    return page.go(f"/{user['Id']}")


@form_at(
    USERS,
    "/{id}/sets",
    lambda page: _sets(page, page.record("User")),
    back=lambda page: f"/{page.params['id']}",
)
def save_sets(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store which permission sets a user has."""
    id: str = page.record("User")["Id"]
    operations.assign_sets(page.org, id, values["sets"])
    return f"/{id}"


@form_at(
    USERS,
    "/{id}/groups",
    lambda page: _groups(page, page.record("User")),
    back=lambda page: f"/{page.params['id']}",
)
def save_groups(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store which permission set groups a user has."""
    id: str = page.record("User")["Id"]
    operations.assign_groups(page.org, id, values["groups"])
    return f"/{id}"


def _frozen(page: SetupVisit, frozen: bool) -> Response:
    user = page.record("User")
    try:
        operations.freeze(page.org, user["Id"], frozen)
    except OrgError as refused:
        return _show(page, user, refused.message)
    return page.go(f"/{user['Id']}")


def _sets(page: SetupVisit, user: Record) -> Form:
    offered = plain_sets(page.org)
    chosen = [row["PermissionSetId"] for row in operations.set_assignments(page.org, user["Id"])]
    titles = ("Available Permission Sets", "Enabled Permission Sets")
    dual = Input("sets", "Permission Sets", "dual", choices=of_rows(offered, "Label"), titles=titles)
    return Form(
        named(page.org, user["Id"]), "Permission Set Assignments", (Section("", (dual,)),), {"sets": chosen}
    )


def _groups(page: SetupVisit, user: Record) -> Form:
    chosen = list(operations.group_assignments(page.org, user["Id"]))
    titles = ("Available Permission Set Groups", "Enabled Permission Set Groups")
    offered = of_rows(page.org.rows("PermissionSetGroup"), "MasterLabel")
    dual = Input("groups", "Permission Set Groups", "dual", choices=offered, titles=titles)
    title = named(page.org, user["Id"])
    return Form(title, "Permission Set Group Assignments", (Section("", (dual,)),), {"groups": chosen})


def _show(page: SetupVisit, user: Record, problem: str = "") -> Response:
    return page.render(
        "setup/user.html",
        user=user,
        name=named(page.org, user["Id"]),
        problem=problem,
        frozen=operations.is_frozen(page.org, user["Id"]),
        pairs=_pairs(page, user),
        sets=_set_table(page, user),
        groups=_group_table(page, user),
        memberships=_membership_table(page.org, user, "Regular", "Public Group Membership"),
        queues=_membership_table(page.org, user, "Queue", "Queue Membership"),
    )


def _pairs(page: SetupVisit, user: Record) -> list[tuple[str, Cell]]:
    org = page.org
    profile = org.get("Profile", user["ProfileId"])
    left: list[tuple[str, Cell]] = [
        ("Name", Cell(named(org, user["Id"]))),
        ("Alias", Cell(user["Alias"])),
        ("Email", Cell(user["Email"])),
        ("Username", Cell(user["Username"])),
        ("Nickname", Cell(user["CommunityNickname"] or "")),
        *((label, Cell(user[name] or "")) for name, label in _PLAIN),
        ("Address", Cell(_address(user))),
        ("Manager", user_link(org, user["ManagerId"])),
        ("Last Login", Cell(moment(org, user["LastLoginDate"]))),
        *stamps(org, user),
    ]
    right: list[tuple[str, Cell]] = [
        ("Role", role_link(org, user["UserRoleId"])),
        ("User License", Cell(named(org, profile["UserLicenseId"]) if profile else "")),
        ("Profile", profile_link(org, user["ProfileId"])),
        ("Active", Cell(checked=bool(user["IsActive"]))),
        *((label, Cell(checked=bool(user[name]))) for name, label in FLAGS),
        ("Time Zone", Cell(user["TimeZoneSidKey"] or "")),
        ("Locale", Cell(user["LocaleSidKey"] or "")),
        ("Language", Cell(user["LanguageLocaleKey"] or "")),
    ]
    filled = [*right, *[("", Cell())] * (len(left) - len(right))]
    return [pair for both in zip(left, filled, strict=False) for pair in both]


_PLAIN = (("Title", "Title"), ("CompanyName", "Company"), ("Department", "Department"), ("Phone", "Phone"))


def _address(user: Record) -> str:
    town = ", ".join(user[part] for part in ("City", "State") if user[part])
    return "\n".join(part for part in (user["Street"], f"{town} {user['PostalCode'] or ''}".strip()) if part)


def _set_table(page: SetupVisit, user: Record) -> Table:
    org = page.org
    columns = (
        Column(
            "Permission Set Label",
            lambda row: Cell(
                named(org, row["PermissionSetId"]), link("PermSets", f"/{row['PermissionSetId']}")
            ),
        ),
        Column("Date Assigned", lambda row: moment(org, row["CreatedDate"])),
        Column("Expires On", lambda row: moment(org, row["ExpirationDate"])),
    )
    rows = operations.set_assignments(org, user["Id"])
    return related("Permission Set Assignments", columns, rows, _removal(page, user))


def _group_table(page: SetupVisit, user: Record) -> Table:
    org = page.org
    columns = (
        Column(
            "Permission Set Group Label",
            lambda row: Cell(
                named(org, row["PermissionSetGroupId"]),
                link("PermSetGroups", f"/{row['PermissionSetGroupId']}"),
            ),
        ),
        Column("Date Assigned", lambda row: moment(org, row["CreatedDate"])),
        Column("Expires On", lambda row: moment(org, row["ExpirationDate"])),
    )
    rows = operations.group_assignments(org, user["Id"]).values()
    return related("Permission Set Group Assignments", columns, rows, _removal(page, user))


def _removal(page: SetupVisit, user: Record) -> Any:
    def actions(row: Record) -> list[Action]:
        href = page.link(f"/{user['Id']}/unassign")
        return [Action("Del", href, post=True, confirm="Are you sure?", sends=(("assignment", row["Id"]),))]

    return actions


def _membership_table(org: Org, user: Record, kind: str, name: str) -> Table:
    node = "Queues" if kind == "Queue" else "PublicGroups"
    groups = (org.get("Group", row["GroupId"]) for row in org.rows("GroupMember", UserOrGroupId=user["Id"]))
    rows = [group for group in groups if group and group["Type"] == kind]
    label = "Queue Name" if kind == "Queue" else "Label"
    columns = (
        Column(label, lambda row: Cell(row["Name"] or "", link(node, f"/{row['Id']}"))),
        Column("Group Name" if kind == "Regular" else "Queue API Name", lambda row: row["DeveloperName"]),
        Column("Created By", lambda row: named(org, row["CreatedById"])),
    )
    return related(name, columns, rows)
