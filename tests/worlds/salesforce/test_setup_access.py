"""Sharing settings, object settings, muting and password policies in Setup."""

from __future__ import annotations

import pytest

from salesforce_org.metadata.components import read
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.trees import require
from salesforce_org.store import DmlError, Org

from .setup_browser import Browser, browser, writes

SHARING = "/lightning/setup/SecuritySharing/home"
SETS = "/lightning/setup/PermSets/home"
GROUPS = "/lightning/setup/PermSetGroups/home"
POLICIES = "/lightning/setup/SecurityPolicies/home"


@pytest.fixture
def setup() -> Browser:
    """A browser in an org of its own."""
    return browser()


def component(org: Org, kind: str, name: str) -> dict[str, object]:
    """Return a component as a retrieve shows it; it has all that its type must have."""
    tree = read(org, TYPES[kind], name) or {}
    require(TYPES[kind].shape(name), tree)
    return tree


def defaults(setup: Browser, label: str) -> list[str]:
    """Return the organization-wide defaults of an object, as the page shows them."""
    return next(row[1:] for row in setup.rows("Organization-Wide Defaults") if row[0] == label)


# Sharing


def test_defaults_are_set_for_an_object(setup: Browser) -> None:
    """The edit page stores both defaults of the object alone, and says whose sharing was recalculated."""
    setup.go(SHARING).open("Edit Organization-Wide Defaults")
    setup.send("Save", **{"internal:MyBike__c": "Read", "external:MyBike__c": "Private"})
    assert defaults(setup, "MyBike") == ["Public Read Only", "Private", "True"]
    assert writes(setup) == [("metadata/CustomObject", "insert")]
    told = component(setup.org, "CustomObject", "MyBike__c")
    assert (told["sharingModel"], told["externalSharingModel"]) == ("Read", "Private")
    assert "Sharing was recalculated for: MyBike." in setup.text


@pytest.mark.parametrize(("internal", "external"), [("Private", "Read"), ("Read", "ReadWrite")])
def test_external_users_get_no_more_than_internal_ones(setup: Browser, internal: str, external: str) -> None:
    """A wider default for external users is refused beside it, and by a deployment."""
    setup.go(SHARING).open("Edit Organization-Wide Defaults")
    setup.send("Save", **{"internal:MyBike__c": internal, "external:MyBike__c": external})
    assert "or more restrictive" in setup.text
    assert not writes(setup)
    tree = {**component(setup.org, "CustomObject", "MyBike__c"), "sharingModel": internal}
    with pytest.raises(Exception, match="more restrictive"):
        TYPES["CustomObject"].source.write(
            setup.org, "MyBike__c", {**tree, "externalSharingModel": external, "fields": None}
        )


def test_superiors_can_be_kept_out(setup: Browser) -> None:
    """Hierarchies grant access to records of a custom object unless the box is cleared."""
    setup.go(SHARING).open("Edit Organization-Wide Defaults").send("Save", **{"hierarchies:MyBike__c": None})
    assert defaults(setup, "MyBike") == ["Public Read/Write", "Private", "False"]
    setup.open("Edit Organization-Wide Defaults").send("Save", **{"hierarchies:MyBike__c": "true"})
    assert defaults(setup, "MyBike")[2] == "True"
    assert setup.org.component("CustomObject", "MyBike__c") is None


def test_defaults_of_a_deployment_are_shown(setup: Browser) -> None:
    """What metadata says of an object's sharing stands on the page."""
    tree = {"sharingModel": "Private", "externalSharingModel": "Private"}
    TYPES["CustomObject"].source.write(setup.org, "Lead", tree)
    assert defaults(setup.go(SHARING), "Lead") == ["Private", "Private", "True"]


def test_a_sharing_rule_by_owner(setup: Browser) -> None:
    """A rule shares what members of one group own with another, is changed, and is deleted."""
    setup.go(SHARING).open("New Lead Sharing Rule").send("Next", kind="SharingOwnerRule")
    setup.send("Save", label="For all", name="For_all", sharedFrom="role:CEO", sharedTo="allInternalUsers:")
    rows = "Lead Sharing Rules"
    assert setup.rows(rows) == [
        ["Edit | Del", "For all", "Owner in Roles: CEO", "All Internal Users", "Read Only"]
    ]
    (rule,) = component(setup.org, "SharingRules", "Lead")["sharingOwnerRules"]  # type: ignore[misc]
    assert (rule["sharedFrom"], rule["sharedTo"]) == ({"role": ["CEO"]}, {"allInternalUsers": ""})
    setup.open("Edit For all").send("Save", name="Everybody", accessLevel="Edit")
    assert [row[-1] for row in setup.rows(rows)] == ["Read/Write"]
    setup.send("Del For all")
    assert setup.org.component("SharingRules", "Lead") is None


def test_a_sharing_rule_by_criteria(setup: Browser) -> None:
    """Criteria need a field and an operator each, and logic that fits them."""
    setup.go(SHARING).open("New Account Sharing Rule").send("Next", kind="SharingCriteriaRule")
    given = {"label": "Hot", "name": "Hot", "sharedTo": "role:CEO"}
    setup.send("Save", **given)
    assert "You must enter a value" in setup.text
    row = {"criteria:field": ["Account.Rating"], "criteria:value": ["Hot"]}
    setup.send("Save", **row)
    assert "Select an operator for each field" in setup.text
    setup.send("Save", **row, **{"criteria:operator": ["equals"], "criteria:logic": "1 AND 2"})
    assert "defined but not referenced" in setup.text
    setup.send("Save", **row, **{"criteria:operator": ["equals"], "criteria:logic": ""})
    (rule,) = component(setup.org, "SharingRules", "Account")["sharingCriteriaRules"]  # type: ignore[misc]
    assert rule["criteriaItems"] == [{"field": "Rating", "operation": "equals", "value": "Hot"}]


# Permissions


def test_tabs_of_a_permission_set(setup: Browser) -> None:
    """A tab that is visible is available; the setting is part of the permission set's metadata."""
    setup.go(SETS).open("Buyer").open("Object Settings").open("Accounts").open("Edit").send(
        "Save", tab="Visible"
    )
    assert setup.rows("Tab Settings") == [["True", "True"]]
    told = component(setup.org, "PermissionSet", "Buyer")
    assert told["tabSettings"] == [{"tab": "standard-Account", "visibility": "Visible"}]
    setup.open("Edit").send("Save", tab=[])
    assert setup.org.component("PermissionSet", "Buyer") is None


def test_tab_settings_follow_a_new_name(setup: Browser) -> None:
    """A permission set that gets another API name keeps its tab settings."""
    setup.go(SETS).open("Buyer").open("Object Settings").open("Accounts").open("Edit").send(
        "Save", tab="Available"
    )
    setup.go(SETS).open("Buyer").open("Edit Properties").send("Save", Name="Customer")
    assert list(setup.org.components("PermissionSet")) == ["Customer"]


def test_fields_that_nobody_edits_have_no_box(setup: Browser) -> None:
    """Edit access cannot be given to a field that Salesforce fills in."""
    setup.go(SETS).open("Buyer").open("Object Settings").open("Cases").open("Edit")
    offered = {part: set(setup.page.xpath(f"//input[@name='{part}']/@value")) for part in ("read", "edit")}
    assert {"CaseNumber", "ClosedDate"} & (offered["read"] - offered["edit"])
    setup.send("Save", edit=["ClosedDate"])
    assert not [
        row
        for row in setup.org.rows("FieldPermissions")
        if row["Field"] == "Case.ClosedDate" and not row["PermissionsRead"]
    ]


def muted(setup: Browser, group: str) -> Browser:
    """Make a muting permission set in a group, and go to what it mutes of accounts."""
    setup.go(GROUPS).open(group).open("Muting Permission Set in Group").open("New").send("Save")
    return setup.open(f"{group} Muting").open("Object Settings").open("Accounts").open("Edit")


def test_muting_takes_along_what_depends(setup: Browser) -> None:
    """Muted are the ticked permissions, those that need them, and editing where reading is muted."""
    muted(setup, "LaLaLandUsers").send("Save", rights=["PermissionsEdit"], read=["Industry"])
    told = component(setup.org, "MutingPermissionSet", "LaLaLandUsers_Muting")
    (one,) = told["objectPermissions"]  # type: ignore[misc]
    assert {name for name, on in one.items() if on is True} == {
        "allowEdit",
        "allowDelete",
        "modifyAllRecords",
    }
    assert told["fieldPermissions"] == [{"editable": True, "field": "Account.Industry", "readable": True}]
    group = component(setup.org, "PermissionSetGroup", "LaLaLandUsers")
    assert group["mutingPermissionSets"] == ["LaLaLandUsers_Muting"]


def test_nothing_is_muted_any_more(setup: Browser) -> None:
    """What is unticked is no more in the muting permission set; deleting it leaves the group without one."""
    muted(setup, "LaLaLandUsers").send("Save", rights=["PermissionsRead"]).open("Edit").send(
        "Save", rights=[]
    )
    assert "objectPermissions" not in component(setup.org, "MutingPermissionSet", "LaLaLandUsers_Muting")
    setup.go(GROUPS).open("LaLaLandUsers").open("Muting Permission Set in Group").send("Delete")
    assert "No muting permission set yet" in setup.text
    assert not setup.org.components("MutingPermissionSet")
    assert not setup.org.components("PermissionSetGroup")


def test_muting_goes_with_its_group(setup: Browser) -> None:
    """A deleted group takes its muting permission set along."""
    muted(setup, "LaLaLandUsers").send("Save", rights=["PermissionsRead"])
    setup.go(GROUPS).open("LaLaLandUsers").send("Delete")
    assert not setup.org.components("MutingPermissionSet")
    assert not setup.org.components("PermissionSetGroup")


# Passwords


def test_policies_are_kept_in_the_settings(setup: Browser) -> None:
    """The page stores what was changed, and nothing where nothing was."""
    setup.go(POLICIES).send("Save")
    assert not writes(setup)
    setup.send("Save", expiration="Never", minimumPasswordLength="12")
    told = component(setup.org, "Settings", "Security")["passwordPolicies"]
    assert {name: told[name] for name in ("expiration", "minimumPasswordLength", "complexity")} == {  # type: ignore[index]
        "expiration": "Never",
        "minimumPasswordLength": "12",
        "complexity": "AlphaNumeric",
    }
    assert setup.value("minimumPasswordLength") == "12"


@pytest.mark.parametrize("length", ["4", "51", "many", ""])
def test_lengths_that_do_not_do(setup: Browser, length: str) -> None:
    """A minimum length is a number from 5 to 50."""
    setup.go(POLICIES).send("Save", minimumPasswordLength=length)
    assert "must be between 5 and 50" in setup.text or "You must enter a value" in setup.text
    assert not writes(setup)


@pytest.mark.parametrize(
    ("complexity", "wanted", "problem"),
    [
        ("NoRestriction", "aaaaaaaa", ""),
        ("NoRestriction", "aaaaaaa", "at least 8 characters"),
        ("AlphaNumeric", "aaaaaaaa", "letters and numbers"),
        ("AlphaNumeric", "aaaaaaa1", ""),
        ("SpecialCharacters", "aaaaaaa1", "special characters"),
        ("SpecialCharacters", "aaaaaa1!", ""),
        ("UpperLowerCaseNumeric", "aaaaaaa1", "uppercase and lowercase"),
        ("UpperLowerCaseNumeric", "Aaaaaaa1", ""),
        ("UpperLowerCaseNumericSpecialCharacters", "Aaaaaaa1", "special characters"),
        ("UpperLowerCaseNumericSpecialCharacters", "Aaaaaa1!", ""),
        ("Any3UpperLowerCaseNumericSpecialCharacters", "aaaaaaa1", "three of these"),
        ("Any3UpperLowerCaseNumericSpecialCharacters", "Aaaaaaa1", ""),
    ],
)
def test_passwords_are_as_the_policies_ask(
    setup: Browser, complexity: str, wanted: str, problem: str
) -> None:
    """Length and kinds of characters of a new password are held to the policies."""
    TYPES["Settings"].source.write(setup.org, "Security", {"passwordPolicies": {"complexity": complexity}})
    user = next(setup.org.rows("User"))
    if problem:
        with pytest.raises(DmlError, match=problem):
            setup.session.access.set_password(setup.org, user, wanted)
    else:
        setup.session.access.set_password(setup.org, user, wanted)
        assert setup.session.access.password_of(user["Id"]) == wanted


def test_old_passwords_are_remembered(setup: Browser) -> None:
    """As many of a user's last passwords as the policies say cannot be used again, nor can the user's name."""
    access, user = setup.session.access, next(setup.org.rows("User"))
    TYPES["Settings"].source.write(setup.org, "Security", {"passwordPolicies": {"historyRestriction": "2"}})
    for wanted in ("first-one1", "second-one2", "third-one3"):
        access.set_password(setup.org, user, wanted)
    access.set_password(setup.org, user, "first-one1")
    with pytest.raises(DmlError, match="reuse"):
        access.set_password(setup.org, user, "third-one3")
    with pytest.raises(DmlError, match="user name"):
        access.set_password(setup.org, user, f"{user['Username']}1")
