"""The record store: checked writes, rules, deletion, transactions and copies."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from salesforce_org.store import DmlError, Org
from salesforce_org.store.org import Change, Rules
from salesforce_org.store.schema import read_schema

USER = """
name = "User"
label = "User"
plural = "Users"
prefix = "005"
owned = false
[fields]
Name = { required = true }
"""
ACCOUNT = """
name = "Account"
label = "Account"
plural = "Accounts"
prefix = "001"
[fields]
Name = { label = "Account Name", required = true }
Rating = { type = "picklist", values = ["Hot", "Cold"], restricted = true }
ParentId = { type = "reference", to = ["Account"], relationship = "Parent", children = "ChildAccounts" }
AnnualRevenue = { type = "currency", scale = 2 }
"""
CONTACT = """
name = "Contact"
label = "Contact"
plural = "Contacts"
prefix = "003"
[fields]
LastName = { label = "Last Name", required = true, length = 10 }
AccountId = { type = "reference", to = ["Account"], relationship = "Account", children = "Contacts", cascade = true }
Email = { type = "email", unique = true }
"""


@pytest.fixture
def rules() -> Rules:
    """No rules yet."""
    return Rules()


@pytest.fixture
def org(tmp_path: Path, rules: Rules) -> Org:
    """An org with users, accounts and contacts, and one user who acts."""
    for name, text in (("User", USER), ("Account", ACCOUNT), ("Contact", CONTACT)):
        (tmp_path / f"{name}.toml").write_text(text)
    made = Org(read_schema(tmp_path), rules, datetime(2026, 3, 3, 17, tzinfo=UTC))
    made.user_id = made.insert("User", Name="Ada")
    return made


def test_a_record_has_what_all_records_have(org: Org) -> None:
    """An insert fills id, owner, audit fields and defaults, and the clock moves on."""
    id = org.insert("Account", Name="Acme", annualrevenue="1,200.5")
    row = org.one("Account", Name="Acme")
    assert row["Id"] == id
    assert len(id) == 18
    assert id.startswith("001")
    assert org.record(id.lower())[1] == org.record(id.upper())[1] == org.record(id[:15])[1] == row
    assert org.get("Account", id.lower()) == row
    assert (org.get("Account", id[:15].swapcase()) is None) == (id[:15].swapcase() != id[:15])
    assert row["OwnerId"] == row["CreatedById"] == org.user_id
    assert row["CreatedDate"] == "2026-03-03T17:00:01.000+0000"
    assert row["AnnualRevenue"] == 1200.5


@pytest.mark.parametrize(
    ("object", "given", "code"),
    [
        ("Account", {}, "REQUIRED_FIELD_MISSING"),
        ("Account", {"Name": "A", "Rating": "Tepid"}, "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST"),
        ("Account", {"Name": "A", "Colour": "red"}, "INVALID_FIELD"),
        ("Account", {"Name": "A", "CreatedDate": "2020-01-01"}, "INVALID_FIELD_FOR_INSERT_UPDATE"),
        ("Account", {"Name": "A", "ParentId": "001Kj00000000zzAAA"}, "INVALID_CROSS_REFERENCE_KEY"),
        ("Account", {"Name": "A", "AnnualRevenue": "much"}, "INVALID_TYPE_ON_FIELD_IN_RECORD"),
        ("Contact", {"LastName": "far too long a name"}, "STRING_TOO_LONG"),
        ("Contact", {"LastName": "Lee", "Email": "lee at home"}, "INVALID_EMAIL_ADDRESS"),
    ],
)
def test_what_does_not_fit_is_refused(org: Org, object: str, given: dict[str, str], code: str) -> None:
    """A refused write has Salesforce's code and leaves no trace."""
    before = org.collections(), len(org.journal.writes)
    with pytest.raises(DmlError) as refused:
        org.insert(object, **given)
    assert refused.value.code == code
    assert (org.collections(), len(org.journal.writes)) == before


def test_unique_fields_are_unique_in_any_case(org: Org) -> None:
    """A value that another record has in other letters is a duplicate."""
    org.insert("Contact", LastName="Lee", Email="lee@home.org")
    with pytest.raises(DmlError, match="DUPLICATE_VALUE"):
        org.insert("Contact", LastName="Li", Email="LEE@home.org")


def test_deletion_takes_along_and_lets_go(org: Org) -> None:
    """Deleting takes cascading children along and empties other references; undeleting brings both back."""
    parent = org.insert("Account", Name="Parent")
    child = org.insert("Account", Name="Child", ParentId=parent)
    contact = org.insert("Contact", LastName="Lee", AccountId=parent)
    org.delete(parent)
    assert org.get("Contact", contact) is None
    assert org.one("Account", Name="Child")["ParentId"] is None
    assert {row["Id"] for _, row in org.deleted()} == {parent, contact}
    org.undelete(parent)
    assert org.get("Contact", contact) is not None
    assert org.get("Account", child) is not None


def test_a_rule_completes_and_refuses(org: Org, rules: Rules) -> None:
    """What a rule writes is undone when a later rule refuses."""

    @rules.on("before", "Contact")
    def complete(change: Change) -> None:
        change.new["LastName"] = change.new["LastName"].upper()

    @rules.on("after", "Contact")
    def refuse(change: Change) -> None:
        change.org.insert("Account", Name="made on the way")
        if change.new["LastName"] == "NO":
            raise DmlError("FIELD_CUSTOM_VALIDATION_EXCEPTION", "no")

    with pytest.raises(DmlError):
        org.insert("Contact", LastName="no")
    assert not list(org.rows("Account"))
    org.insert("Contact", LastName="yes")
    assert org.one("Contact")["LastName"] == "YES"


def test_a_transaction_is_taken_back_whole(org: Org) -> None:
    """Records, components, clock and journal are as before when the block raises."""
    before = org.collections(), org.now, len(org.journal.writes)

    def work() -> None:
        with org.transaction():
            org.insert("Account", Name="Acme")
            org.put_component("CustomTab", "Acme", {"motif": "Custom1"})
            raise RuntimeError

    with pytest.raises(RuntimeError):
        work()
    assert (org.collections(), org.now, len(org.journal.writes)) == before


def test_copies_are_independent(org: Org) -> None:
    """What is written to a copy is not in the original, and ids go on the same in both."""
    twin = org.copy()
    assert not twin.journal.writes
    made = twin.insert("Account", Name="Acme")
    assert not list(org.rows("Account"))
    assert org.insert("Account", Name="Acme") == made
