"""Users in Setup: freezing, deactivating, making, and what they are assigned."""

from __future__ import annotations

import pytest

from .setup_browser import Browser, browser, inner, writes

USERS = "/lightning/setup/ManageUsers/home"


@pytest.fixture
def setup() -> Browser:
    """A browser in an org of its own."""
    return browser()


def user(one: Browser, name: str) -> dict[str, object]:
    """Return a user."""
    return dict(one.org.one("User", Name=name))


def test_freezing_is_one_click_on_the_user_s_page(setup: Browser) -> None:
    """Freeze sets the login's flag and nothing else; the button is then Unfreeze, which takes it back."""
    setup.go(USERS).open("Bob, Alice").send("Freeze")
    login = setup.org.one("UserLogin", UserId=user(setup, "Alice Bob")["Id"])
    assert login["IsFrozen"] is True
    assert writes(setup) == [("UserLogin", "update")]
    setup.send("Unfreeze")
    assert setup.org.one("UserLogin", UserId=user(setup, "Alice Bob")["Id"])["IsFrozen"] is False


def test_a_user_s_record_leads_to_setup(setup: Browser) -> None:
    """User Detail on the record's page opens the page in Setup."""
    one = user(setup, "Alice Bob")["Id"]
    assert "User Detail" in setup.go(f"/lightning/r/User/{one}/view").text
    setup.go(f"/lightning/r/User/{one}/detail")
    assert inner(setup.url) == f"/{one}"
    setup.go("/lightning/r/User/005000000000000AAA/detail", status=404)


def test_one_s_own_user_has_no_freeze(setup: Browser) -> None:
    """The administrator's own page offers no Freeze, and sending it anyway is refused in words."""
    me = setup.org.user_id or setup.session.administrator["Id"]
    setup.go(f"/lightning/setup/ManageUsers/page?address=%2F{me}")
    assert not [one for one in setup.page.iter("button") if one.text_content() == "Freeze"]
    setup._shown(setup.client.post(f"/lightning/setup/ManageUsers/page?address=%2F{me}%2Ffreeze"), 200)
    assert "You can't freeze your own user." in setup.text
    assert not writes(setup)


def test_deactivating_clears_active(setup: Browser) -> None:
    """The form with Active cleared deactivates, writing the user only; clearing asks first."""
    setup.go(USERS).open("Edit Bob, Alice")
    box = setup.page.get_element_by_id("in-IsActive")
    assert box.get("data-confirm-title") == "Deactivate User"
    setup.send("Save", IsActive=None)
    assert user(setup, "Alice Bob")["IsActive"] is False
    assert writes(setup) == [("User", "update")]
    changed = setup.org.journal.writes[0]
    differing = {
        key for key in changed.after or {} if (changed.before or {})[key] != (changed.after or {})[key]
    }
    assert differing <= {"IsActive", "LastModifiedDate", "LastModifiedById", "SystemModstamp"}


def test_saving_without_a_change_writes_nothing(setup: Browser) -> None:
    """A form that is saved as it came leaves no trace."""
    for name in ("Edit Bob, Alice", "Edit Auditor"):
        setup.go(USERS).open(name).send("Save")
        assert setup.url == USERS
    assert not writes(setup)


def test_one_s_own_user_stays_active(setup: Browser) -> None:
    """Deactivating oneself is refused beside the checkbox."""
    me = setup.session.administrator["Id"]
    setup.go(f"/lightning/setup/ManageUsers/page?address=%2F{me}%2Fe").send("Save", IsActive=None)
    assert "You can't deactivate your own user." in setup.text
    assert not writes(setup)


def test_a_new_user(setup: Browser) -> None:
    """New User makes the user with its login, and goes to its page."""
    setup.go(USERS).open("New User")
    profile = setup.org.one("Profile", Name="Standard User")["Id"]
    setup.send(
        "Save",
        FirstName="Ida",
        LastName="Noor",
        Alias="inoor",
        Email="ida@example.org",
        Username="ida@example.org",
        CommunityNickname="ida",
        ProfileId=profile,
    )
    made = user(setup, "Ida Noor")
    assert made["IsActive"] is True
    assert made["ProfileId"] == profile
    assert inner(setup.url) == f"/{made['Id']}"
    assert sorted(writes(setup)) == [("User", "insert"), ("UserLogin", "insert")]


def test_what_is_missing_is_said_beside_the_fields(setup: Browser) -> None:
    """A form without required values comes back with what was typed, and says of each what it lacks."""
    setup.go(USERS).open("New User").send("Save", FirstName="Ida")
    assert setup.text.count("Error: You must enter a value") == 6
    assert "Error: Invalid Data. Review all error messages below to correct your data." in setup.text
    assert setup.value("FirstName") == "Ida"
    assert not writes(setup)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"Username": "ida"}, "form of an email address"),
        ({"Email": "ida at home"}, "invalid email address"),
        ({"Username": "alice.bob@brightmoortrading.example"}, "duplicate value found: Username"),
    ],
)
def test_what_is_wrong_is_said(setup: Browser, values: dict[str, str], message: str) -> None:
    """A username or address that does not do is told in the form, and nothing is stored."""
    profile = setup.org.one("Profile", Name="Standard User")["Id"]
    good = {"LastName": "Noor", "Alias": "in", "Email": "i@example.org", "Username": "i@example.org"}
    good |= {"CommunityNickname": "ida", "ProfileId": profile}
    setup.go(USERS).open("New User").send("Save", **(good | values))
    assert message in setup.text
    assert not writes(setup)


def test_assigning_from_the_user_s_page(setup: Browser) -> None:
    """Edit Assignments gives permission sets and groups, and Del takes one away."""
    setup.go(USERS).open("Bob, Alice")
    setup.open("Edit Permission Set Assignments")
    buyer = setup.org.one("PermissionSet", Label="Buyer")["Id"]
    setup.send("Save", sets=[buyer])
    assert [row[1] for row in setup.rows("Permission Set Assignments")] == ["Buyer"]
    group = setup.org.one("PermissionSetGroup", MasterLabel="LaLaLandUsers")["Id"]
    setup.open("Edit Permission Set Group Assignments").send("Save", groups=[group])
    assert [row[1] for row in setup.rows("Permission Set Group Assignments")] == ["LaLaLandUsers"]
    assert writes(setup) == [("PermissionSetAssignment", "insert")] * 2
    setup.send("Del Buyer")
    assert setup.rows("Permission Set Assignments") == [["No records to display"]]


def test_views_and_passwords(setup: Browser) -> None:
    """Views show whom they say, and the journal tells that new passwords were sent."""
    setup.go(f"{USERS}?view=inactive")
    assert setup.rows("Users") == [["No records to display"]]
    setup.go(f"{USERS}?view=admins")
    assert {row[-1] for row in setup.rows("Users")} == {"System Administrator"}
    setup.send("Reset Password(s)", users=[user(setup, "Alice Bob")["Id"]])
    assert "was sent to 1 user(s)" in setup.text
    setup.send("Reset Password(s)")
    assert "Select at least one user." in setup.text
    assert writes(setup) == [("PasswordReset", "insert")]
