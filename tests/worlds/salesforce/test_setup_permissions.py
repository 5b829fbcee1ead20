"""Permission sets, groups and profiles in Setup."""

from __future__ import annotations

import pytest

from .setup_browser import Browser, browser, writes

SETS = "/lightning/setup/PermSets/home"
GROUPS = "/lightning/setup/PermSetGroups/home"
PROFILES = "/lightning/setup/EnhancedProfiles/home"


@pytest.fixture
def setup() -> Browser:
    """A browser in an org of its own."""
    return browser()


def id_of(one: Browser, object: str, **equal: str) -> str:
    """Return the id of the one record that fits."""
    return str(one.org.one(object, **equal)["Id"])


def test_a_group_with_sets_for_a_user(setup: Browser) -> None:
    """The whole way: new group, its permission sets, and its assignment to a user in the wizard."""
    setup.go(GROUPS).open("New Permission Set Group")
    setup.send("Save", MasterLabel="FinanceTeamAccess", DeveloperName="FinanceTeamAccess")
    setup.open("Permission Sets in Group").open("Add Permission Set")
    agent, buyer = (id_of(setup, "PermissionSet", Label=name) for name in ("Order Management Agent", "Buyer"))
    setup.send("Add", sets=[agent, buyer])
    assert "2 permission set(s) were added" in setup.text
    setup.open("Done")
    assert {row[1] for row in setup.rows("Permission Sets in Group")} == {"Buyer", "Order Management Agent"}
    setup.open("Back to: FinanceTeamAccess").open("Manage Assignments").open("Add Assignment")
    user = id_of(setup, "User", Name="Maria Rodriguez")
    setup.send("Next", users=[user])
    assert "Select an Expiration Option For Assigned Users" in setup.text
    before = len(writes(setup))
    setup.send("Assign")
    assert writes(setup)[before:] == [("PermissionSetAssignment", "insert")]
    assert [row[1] for row in setup.rows("Assignment Summary")] == ["Success"]
    setup.open("Done")
    assert [row[1] for row in setup.rows("Current Assignments")] == ["Maria Rodriguez"]
    group = id_of(setup, "PermissionSetGroup", MasterLabel="FinanceTeamAccess")
    given = setup.org.one("PermissionSetAssignment", PermissionSetGroupId=group)
    assert (given["AssigneeId"], given["PermissionSetId"], given["ExpirationDate"]) == (user, None, None)
    parts = {
        row["PermissionSetId"]
        for row in setup.org.rows("PermissionSetGroupComponent", PermissionSetGroupId=group)
    }
    assert parts == {agent, buyer}


def test_the_wizard_writes_only_at_its_end(setup: Browser) -> None:
    """Nobody chosen is told; Back keeps who was chosen; Cancel leaves nothing behind; a past date is refused."""
    setup.go(GROUPS).open("LaLaLandUsers").open("Manage Assignments").open("Add Assignment")
    setup.send("Next")
    assert "Error: Select at least one user." in setup.text
    user = id_of(setup, "User", Name="John Doe")
    setup.send("Next", users=[user]).send("Back")
    assert setup.page.xpath("//input[@name='users' and @checked]/@value") == [user]
    setup.send("Next").send("Assign", until="on", term="custom", date="2001-01-01")
    assert "The expiration date must be in the future." in setup.text
    setup.send("Cancel")
    assert setup.rows("Current Assignments") == [
        ["Nobody has this yet. Add an assignment to give it to users."]
    ]
    assert not writes(setup)


def test_assignments_end_when_told(setup: Browser) -> None:
    """An expiration in a week is the end of the day seven days on, where the org is."""
    setup.go(SETS).open("Buyer").open("Manage Assignments").open("Add Assignment")
    user = id_of(setup, "User", Name="John Doe")
    setup.send("Next", users=[user]).send("Assign", until="on", term="7")
    given = setup.org.one(
        "PermissionSetAssignment", PermissionSetId=id_of(setup, "PermissionSet", Label="Buyer")
    )
    assert given["ExpirationDate"] == "2026-03-11T06:59:00.000+0000"
    setup.open("Done").open("Add Assignment").send("Next", users=[user]).send("Assign")
    assert setup.rows("Assignment Summary")[0][1:] == ["Failed", "This user has the assignment already."]
    assert len(writes(setup)) == 1


def test_taking_assignments_away(setup: Browser) -> None:
    """Remove Assignments takes it from the ticked users."""
    group = id_of(setup, "PermissionSetGroup", MasterLabel="LaLaLandUsers")
    given = setup.org.insert(
        "PermissionSetAssignment",
        PermissionSetGroupId=group,
        AssigneeId=id_of(setup, "User", Name="John Doe"),
    )
    setup.go(GROUPS).open("LaLaLandUsers").open("Manage Assignments").send(
        "Remove Assignments", assignments=[given]
    )
    assert setup.org.get("PermissionSetAssignment", given) is None
    setup.send("Remove Assignments")
    assert "Select at least one assignment." in setup.text


@pytest.mark.parametrize(
    ("label", "name", "message"),
    [
        ("Sales", "1Sales", "can only contain underscores and alphanumeric characters"),
        ("Sales", "Sales Group", "can only contain underscores and alphanumeric characters"),
        ("La", "LaLaLandUsers", "The API Name LaLaLandUsers is already in use."),
        ("", "Sales", "You must enter a value"),
        ("x" * 81, "Sales", "data value too large"),
    ],
)
def test_names_of_groups(setup: Browser, label: str, name: str, message: str) -> None:
    """A label that is missing or too long and an API name that is none or taken are told in the form."""
    setup.go(GROUPS).open("New Permission Set Group").send("Save", MasterLabel=label, DeveloperName=name)
    assert message in setup.text
    assert not writes(setup)


def test_a_new_permission_set_lets_what_is_ticked(setup: Browser) -> None:
    """New makes a set; its Object Settings take rights with what they need, on the object and on fields."""
    setup.go(SETS).open("New").send("Save", Label="Closer", Name="Closer")
    setup.open("Object Settings").open("Accounts").open("Edit")
    setup.send("Save", rights=["PermissionsDelete"], edit=["Phone"], read=["Fax"])
    parent = id_of(setup, "PermissionSet", Label="Closer")
    row = setup.org.one("ObjectPermissions", ParentId=parent)
    assert [row[f"Permissions{one}"] for one in ("Read", "Create", "Edit", "Delete")] == [
        True,
        False,
        True,
        True,
    ]
    fields = {
        row["Field"]: row["PermissionsEdit"] for row in setup.org.rows("FieldPermissions", ParentId=parent)
    }
    assert fields == {"Account.Phone": True, "Account.Fax": False}
    setup.open("Edit").send("Save", rights=[], read=[], edit=[])
    assert not list(setup.org.rows("ObjectPermissions", ParentId=parent))
    assert not list(setup.org.rows("FieldPermissions", ParentId=parent))


def test_what_sets_and_profiles_let_do_can_be_read(setup: Browser) -> None:
    """Object Settings of a set, a group's combined ones, a profile's page and Object Access tell the same rights."""
    setup.go(SETS).open("Account Access").open("Object Settings")
    assert {row[0]: row[2] for row in setup.rows("All Object Settings")}["Accounts"] == "Read, Create"
    setup.go(GROUPS).open("Commerce_Shopper").open("Object Settings")
    assert setup.rows("All Object Settings")
    setup.go(PROFILES).open("Gold Partner User")
    opportunity = next(row for row in setup.rows("Standard Object Permissions") if row[0] == "Opportunities")
    assert opportunity[1:5] == ["True", "True", "True", "False"]
    setup.go("/lightning/setup/ObjectManager/Case/ObjectAccess/view")
    edits = {row[0]: row[3] for row in setup.rows("Permission Sets")}
    assert edits["Agentforce Service Agent Secure Base"] == "False"
    assert edits["Cases Admin"] == edits["ConnectivityServiceCASCPermSet"] == "True"
    assert not writes(setup)


def test_sets_in_use_stay(setup: Browser) -> None:
    """A permission set that is in a group is not deleted, and the list says why; one that is not goes."""
    group = next(iter(setup.org.rows("PermissionSetGroupComponent")))
    label = str(setup.org.name_of(group["PermissionSetId"]))
    setup.go(SETS).send(f"Del {label}")
    assert "could not be completed" in setup.text
    assert not writes(setup)
    setup.open("New").send("Save", Label="Short", Name="Short").go(SETS).send("Del Short")
    assert not list(setup.org.rows("PermissionSet", Label="Short"))


def test_properties_and_system_permissions(setup: Browser) -> None:
    """Properties of sets and groups and a set's system permissions are changed in their forms."""
    setup.go(SETS).open("Buyer").open("Edit Properties").send("Save", Description="Buys")
    setup.open("System Permissions").open("Edit").send("Save", PermissionsViewSetup="true")
    row = setup.org.one("PermissionSet", Label="Buyer")
    assert (row["Description"], row["PermissionsViewSetup"]) == ("Buys", True)
    setup.go(GROUPS).open("LaLaLandUsers").open("Edit Properties").send("Save", MasterLabel="La")
    assert setup.org.one("PermissionSetGroup", DeveloperName="LaLaLandUsers")["MasterLabel"] == "La"
    setup.open("Permission Sets in Group")
    inside = setup.page.xpath("//input[@name='sets']/@value")
    setup.send("Remove Permission Set", sets=inside)
    assert setup.rows("Permission Sets in Group") == [["No permission sets yet"]]
    setup.open("Back to: La").send("Delete")
    assert not list(setup.org.rows("PermissionSetGroup", MasterLabel="La"))


def test_what_belongs_to_profiles_is_out_of_reach(setup: Browser) -> None:
    """The permission set behind a profile has no pages, and is put into no group."""
    own = next(row["Id"] for row in setup.org.rows("PermissionSet", IsOwnedByProfile=True))
    for inner in (
        own,
        f"{own}%2Fe",
        f"{own}%2Fobjects%2FAccount%2Fe",
        f"{own}%2Fsystem",
        f"{own}%2Fassignments",
    ):
        setup.go(f"/lightning/setup/PermSets/page?address=%2F{inner}", status=404)
    setup.go(GROUPS).open("LaLaLandUsers").open("Permission Sets in Group").open("Add Permission Set")
    setup.send("Add", sets=[own])
    assert "Select at least one permission set." in setup.text
    assert not writes(setup)
