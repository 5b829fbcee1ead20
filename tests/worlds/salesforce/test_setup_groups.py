"""Public groups, queues and roles in Setup."""

from __future__ import annotations

import pytest

from .setup_browser import Browser, browser, writes

GROUPS = "/lightning/setup/PublicGroups/home"
QUEUES = "/lightning/setup/Queues/home"
ROLES = "/lightning/setup/Roles/home"


@pytest.fixture
def setup() -> Browser:
    """A browser in an org of its own."""
    return browser()


def user(one: Browser, name: str) -> str:
    """Return the id of a user."""
    return str(one.org.one("User", Name=name)["Id"])


def role_group(one: Browser, name: str) -> str:
    """Return the id of the group that stands for a role."""
    role = one.org.one("UserRole", Name=name)
    return str(one.org.one("Group", Type="Role", RelatedId=role["Id"])["Id"])


def members(one: Browser, group: str) -> set[str]:
    """Return the ids of a group's members."""
    return {row["UserOrGroupId"] for row in one.org.rows("GroupMember", GroupId=group)}


def test_a_public_group_of_users_and_roles(setup: Browser) -> None:
    """New makes the group, and one membership for each chosen user and role."""
    setup.go(GROUPS).open("New")
    chosen = [user(setup, "Auditor"), role_group(setup, "CFO"), role_group(setup, "Finance Manager")]
    setup.send("Save", Name="Finance Team", DeveloperName="Finance_Team", members=chosen)
    group = setup.org.one("Group", Name="Finance Team", Type="Regular")
    assert members(setup, group["Id"]) == set(chosen)
    assert group["DoesIncludeBosses"] is True
    assert writes(setup) == [("Group", "insert"), *[("GroupMember", "insert")] * 3]
    shown = {row[0]: row[1] for row in setup.rows("View All Users")}
    assert shown == {"Auditor": "User", "CFO": "Role", "Finance Manager": "Role"}
    setup.open("Edit").send("Save", Name="Finance", members=chosen[:1])
    assert members(setup, group["Id"]) == set(chosen[:1])
    setup.send("Delete")
    assert setup.org.get("Group", group["Id"]) is None


def test_members_are_searched_by_kind(setup: Browser) -> None:
    """The dual list offers users, roles, roles with those below, and groups; a group is no member of itself."""
    setup.go(GROUPS).open("New")
    offered = setup.options("Available Members")
    assert {text.partition(":")[0] for text in offered} >= {"User", "Role", "Group"}
    assert offered["Role: CEO"] == role_group(setup, "CEO")
    assert list(setup.options("Search:")) == ["Public Groups", "Roles", "Roles and Subordinates", "Users"]
    group = next(setup.org.rows("Group", Type="Regular"))
    setup.go(GROUPS).open(str(group["Name"])).open("Edit")
    assert group["Id"] not in setup.options("Available Members").values()


def test_groups_and_roles_may_be_named_alike(setup: Browser) -> None:
    """An API name is taken only by another group of the same kind."""
    setup.go(GROUPS).open("New").send("Save", Name="CEO", DeveloperName="CEO")
    assert setup.org.one("Group", Name="CEO", Type="Regular")
    setup.go(GROUPS).open("New").send("Save", Name="Chief", DeveloperName="ceo")
    assert "The Group Name ceo is already in use." in setup.text


def test_a_queue_with_objects_and_members(setup: Browser) -> None:
    """New makes the queue with its address, supported objects and members."""
    chosen = [user(setup, "Integration User"), role_group(setup, "Marketing Team")]
    setup.go(QUEUES).open("New")
    assert {"Attribute Picklist", "Buyer Group", "Case", "Customer", "Lead"} <= set(
        setup.options("Available Objects")
    )
    setup.send(
        "Save",
        Name="Marketing Support",
        DeveloperName="Marketing_Support",
        Email="marketing.support@business.com",
        objects=["AttributePicklist"],
        members=chosen,
    )
    queue = setup.org.one("Group", DeveloperName="Marketing_Support")
    assert (queue["Type"], queue["Email"]) == ("Queue", "marketing.support@business.com")
    assert queue["DoesSendEmailToMembers"] is False
    assert setup.org.one("QueueSobject", QueueId=queue["Id"])["SobjectType"] == "AttributePicklist"
    assert members(setup, queue["Id"]) == set(chosen)
    setup.open("Edit").send("Save", objects=["Case", "Lead"], DoesSendEmailToMembers="true")
    objects = {row["SobjectType"] for row in setup.org.rows("QueueSobject", QueueId=queue["Id"])}
    assert objects == {"Case", "Lead"}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "You must enter a value"),
        ({"Name": "A", "DeveloperName": "A"}, "You must select at least one supported object"),
        (
            {"Name": "A", "DeveloperName": "A", "objects": ["Case"], "Email": "nobody"},
            "invalid email address",
        ),
        (
            {"Name": "A", "DeveloperName": "A", "objects": ["Account"]},
            "Choose one of the values that are offered",
        ),
    ],
)
def test_queues_that_do_not_do(setup: Browser, values: dict[str, object], message: str) -> None:
    """What a queue lacks is told in the form, and nothing is stored."""
    setup.go(QUEUES).open("New").send("Save", **values)
    assert message in setup.text
    assert not writes(setup)


def test_roles_are_introduced_first(setup: Browser) -> None:
    """The first page explains roles and leads to the tree; it stays away when told to."""
    setup.go(ROLES)
    assert "Understanding Roles" in setup.text
    setup.send("Set Up Roles", never="true")
    assert "Your Organization's Role Hierarchy" in setup.text
    assert "Your Organization's Role Hierarchy" in setup.go(ROLES).text


def test_a_role_is_added_below_another(setup: Browser) -> None:
    """Add Role fills in what the role reports to; with Save & New the next one follows."""
    tree = "/lightning/setup/Roles/page?address=%2Ftree"
    setup.go(tree).open("Add Role under CFO")
    cfo = setup.org.one("UserRole", Name="CFO")["Id"]
    assert setup.value("ParentRoleId") == cfo
    setup.send("Save & New", Name="Chief Procurement Officer", DeveloperName="CPO")
    cpo = setup.org.one("UserRole", Name="Chief Procurement Officer")
    assert cpo["ParentRoleId"] == cfo
    setup.send("Save", Name="Purchasing Manager", DeveloperName="Purchasing_Manager", ParentRoleId=cpo["Id"])
    assert setup.org.one("UserRole", Name="Purchasing Manager")["ParentRoleId"] == cpo["Id"]
    setup.go(tree).open("Add Role under Brightmoor Trading").send("Save", Name="CTO", DeveloperName="CTO")
    assert setup.org.one("UserRole", Name="CTO")["ParentRoleId"] is None


def test_roles_report_upwards_only(setup: Browser) -> None:
    """A role can be put below another, but not below one of its own."""
    tree = "/lightning/setup/Roles/page?address=%2Ftree"
    ids = {row["Name"]: row["Id"] for row in setup.org.rows("UserRole")}
    setup.go(tree).open("Edit Vice President of Sales").send("Save", ParentRoleId=ids["CEO"])
    assert setup.org.one("UserRole", Name="Vice President of Sales")["ParentRoleId"] == ids["CEO"]
    before = len(writes(setup))
    setup.go(tree).open("Edit CEO").send("Save", ParentRoleId=ids["CFO"])
    assert "A role cannot report to a role below it" in setup.text
    setup.go(tree).open("Edit CEO").send("Save", ParentRoleId="?")
    assert "Choose one of the values that are offered" in setup.text
    assert len(writes(setup)) == before


def test_a_role_tells_what_is_above_it(setup: Browser) -> None:
    """The page of a role shows the way down to it from the company, and leads back up."""
    tree = "/lightning/setup/Roles/page?address=%2Ftree"
    setup.go(tree).open("Project Lead")
    assert "Hierarchy: Brightmoor Trading » CEO » COO » Director, Operations » Project Lead" in setup.text
    setup.open("COO").open("Brightmoor Trading")
    assert setup.url == tree


def test_assigning_and_deleting_roles(setup: Browser) -> None:
    """Assign moves users into a role and out of it; a role with users or roles below it stays."""
    tree = "/lightning/setup/Roles/page?address=%2Ftree"
    one = user(setup, "Hello World")
    had = [
        row["Id"] for row in setup.org.rows("User", UserRoleId=setup.org.one("UserRole", Name="CFO")["Id"])
    ]
    setup.go(tree).open("Assign CFO").send("Save", users=[one])
    assert {
        row["Name"] for row in setup.org.rows("User", UserRoleId=setup.org.one("UserRole", Name="CFO")["Id"])
    } == {"Hello World"}
    assert len(writes(setup)) == len(had) + 1
    setup.go(tree).send("Del CFO")
    assert "because users are assigned to it" in setup.text
    setup.go(tree).send("Del CEO")
    assert setup.org.one("UserRole", Name="CEO")
    setup.go(tree).open("Add Role under CEO").send("Save", Name="Adviser", DeveloperName="Adviser").send(
        "Delete"
    )
    assert not list(setup.org.rows("UserRole", Name="Adviser"))


@pytest.mark.parametrize("type", ["Queue", "Role"])
def test_other_groups_are_no_public_groups(setup: Browser, type: str) -> None:
    """Queues and the groups behind roles have no page among public groups, and are not deleted there."""
    other = next(setup.org.rows("Group", Type=type))["Id"]
    address = f"/lightning/setup/PublicGroups/page?address=%2F{other}"
    setup.go(address, status=404)
    assert setup.client.post(f"{address}%2Fdelete").status_code == 404
    assert not writes(setup)
