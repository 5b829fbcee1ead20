"""Queries and what they find."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from salesforce_org.soql import query
from salesforce_org.store import Org

from . import soql_org


@pytest.fixture(scope="module")
def org(tmp_path_factory: pytest.TempPathFactory) -> Org:
    """An org that these tests only read."""
    return soql_org.peopled(tmp_path_factory.mktemp("schema"))


def names(org: Org, text: str) -> list[Any]:
    """Return the first column of a result."""
    return [next(iter(row.values())) for row in query(org, text).records]


ACCOUNTS = "SELECT Name FROM Account WHERE "
DEALS = "SELECT Name FROM Opportunity WHERE "
CONTACTS = "SELECT LastName FROM Contact WHERE "


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (ACCOUNTS + "name = 'ACME'", ["Acme"]),
        (ACCOUNTS + "Account.Name='Acme'AND Industry='Tech'", ["Acme"]),
        (ACCOUNTS + "Name != 'Acme'", ["Beta", "acme labs", "O'Neil 100%"]),
        (ACCOUNTS + "Name <> 'Acme' AND Name < 'b'", ["acme labs"]),
        (ACCOUNTS + "Name = 'O\\'Neil 100%'", ["O'Neil 100%"]),
        (ACCOUNTS + "Industry = null", ["acme labs"]),
        (ACCOUNTS + "Industry = ''", ["acme labs"]),
        (ACCOUNTS + "Industry != null", ["Acme", "Beta", "O'Neil 100%"]),
        (ACCOUNTS + "Industry != 'Tech'", ["Beta", "acme labs", "O'Neil 100%"]),
        (ACCOUNTS + "Industry IN ('tech', 'ENERGY')", ["Acme", "Beta"]),
        (ACCOUNTS + "Industry NOT IN ('tech', 'ENERGY')", ["acme labs", "O'Neil 100%"]),
        (ACCOUNTS + "AnnualRevenue > 50.5", ["Acme", "O'Neil 100%"]),
        (ACCOUNTS + "AnnualRevenue <= 5.05e1", ["Beta"]),
        (ACCOUNTS + "NOT AnnualRevenue > 100", ["Beta", "acme labs"]),
        (ACCOUNTS + "AnnualRevenue > 100 AND (NOT Name LIKE 'a%')", ["O'Neil 100%"]),
        (ACCOUNTS + "Active__c = TRUE", ["Acme"]),
        (ACCOUNTS + "Name LIKE 'ac_e%'", ["Acme", "acme labs"]),
        (ACCOUNTS + "Name LIKE '%100\\%'", ["O'Neil 100%"]),
        (ACCOUNTS + "Name LIKE '%100\\_'", []),
        (ACCOUNTS + "Regions__c INCLUDES ('South;North', 'East')", ["Acme", "acme labs"]),
        (ACCOUNTS + "Regions__c EXCLUDES ('East')", ["Acme", "Beta", "O'Neil 100%"]),
        (ACCOUNTS + "Name = 'Beta' OR (Industry = 'Tech' AND Name != 'x')", ["Acme", "Beta"]),
        (ACCOUNTS + "Parent.Name = 'acme'", ["Beta"]),
        (ACCOUNTS + "Parent.Parent.Name = 'acme'", ["acme labs"]),
        (ACCOUNTS + "Parent.Active__c = false", ["Acme", "acme labs", "O'Neil 100%"]),
        (ACCOUNTS + "Owner.Name = 'bob stone'", ["acme labs"]),
        (ACCOUNTS + "toLabel(Industry) = 'Technology'", ["Acme"]),
        (ACCOUNTS + "Id IN (SELECT AccountId FROM Contact)", ["Acme"]),
        (ACCOUNTS + "Id NOT IN (SELECT AccountId FROM Contact WHERE Name = 'Lee Wong')",
         ["Beta", "acme labs", "O'Neil 100%"]),
        (CONTACTS + "AccountId IN (SELECT Id FROM Account WHERE Name = 'Acme')", ["Wong", "Adams"]),
        (CONTACTS + "Account.Owner.FirstName = 'ada'", ["Wong", "Adams"]),
        (CONTACTS + "Account.Name != 'Acme'", ["Zed"]),
        (CONTACTS + "Birthdate < 1991-01-01", ["Wong"]),
        ("SELECT Subject FROM Task WHERE What.Type = 'Opportunity'", ["Write"]),
        ("SELECT Subject FROM Task WHERE What.Name IN ('Acme', 'One')", ["Call", "Write"]),
        ("SELECT c.LastName FROM Contact c, c.Account a WHERE a.Name = 'Acme'", ["Wong", "Adams"]),
        ("SELECT Name FROM Group WHERE Type = 'Queue'", ["Help Desk"]),
        ("SELECT FirstName FROM User WHERE User.FirstName='Ada' AND User.LastName='Byron'", ["Ada"]),
        ("SELECT Name FROM Account USING SCOPE mine WHERE Name LIKE 'ac%'", ["Acme"]),
        ("SELECT Name FROM Account WITH SECURITY_ENFORCED LIMIT 1", ["Acme"]),
        ("SELECT Name FROM Account WITH USER_MODE LIMIT 1 FOR VIEW", ["Acme"]),
        ("select\n\tname\r\nfrom account order by name limit 1 offset 1", ["acme labs"]),
    ],
)  # fmt: skip
def test_a_condition_finds_what_it_says(org: Org, text: str, found: list[str]) -> None:
    """Operators, parents, semi-joins and nothing-values select as Salesforce does."""
    assert names(org, text) == found


@pytest.mark.parametrize(
    ("clause", "found"),
    [
        ("Name", ["Acme", "acme labs", "Beta", "O'Neil 100%"]),
        ("Name DESC", ["O'Neil 100%", "Beta", "acme labs", "Acme"]),
        ("Industry, Name", ["acme labs", "Acme", "Beta", "O'Neil 100%"]),
        ("Industry DESC NULLS LAST", ["O'Neil 100%", "Beta", "Acme", "acme labs"]),
        ("AnnualRevenue DESC NULLS LAST, Name DESC", ["O'Neil 100%", "Acme", "Beta", "acme labs"]),
        ("AnnualRevenue ASC NULLS FIRST, Name", ["acme labs", "Beta", "Acme", "O'Neil 100%"]),
        ("Parent.Name NULLS LAST, Name", ["Beta", "acme labs", "Acme", "O'Neil 100%"]),
    ],
)
def test_records_are_in_the_order_that_is_asked_for(org: Org, clause: str, found: list[str]) -> None:
    """Texts sort in any case, picklists by their entries, nothing first unless said otherwise."""
    assert names(org, f"SELECT Name FROM Account ORDER BY {clause}") == found


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("CloseDate = TODAY", ["One"]),
        ("CloseDate = LAST_MONTH", ["Two"]),
        ("CloseDate = LAST_N_DAYS:30", ["One", "Two"]),
        ("CloseDate < THIS_YEAR", ["Three"]),
        ("CloseDate <= THIS_MONTH", ["One", "Two", "Three"]),
        ("CloseDate > TODAY", ["Four"]),
        ("CloseDate = NEXT_FISCAL_QUARTER", ["Four"]),
        ("CloseDate != LAST_N_YEARS:2", ["One", "Two", "Four"]),
        ("CALENDAR_YEAR(CloseDate) = 2025", ["Three"]),
        ("CloseDate > 2026-03-03", ["Four"]),
        ("CreatedDate = TODAY AND CreatedDate > 2026-03-03T08:00:00-08:00", ["One", "Two", "Three", "Four"]),
    ],
)
def test_date_literals_are_spans_of_days(org: Org, condition: str, found: list[str]) -> None:
    """A literal's days are those of the org's present day."""
    assert names(org, DEALS + condition) == found


def test_days_begin_where_the_user_is(tmp_path: Path) -> None:
    """At half past seven in London it is still yesterday in Los Angeles; in Berlin it is today."""
    org = soql_org.peopled(tmp_path)
    text = "SELECT Subject FROM Task WHERE StartDateTime = TODAY"
    assert names(org, text) == ["Write"]
    org.update(str(org.user_id), TimeZoneSidKey="Europe/Berlin")
    assert names(org, text) == ["Call", "Write"]


def test_parents_are_nested_in_the_order_of_select(org: Org) -> None:
    """Field names come back as the schema writes them, parents as records of their own or None."""
    found = query(org, "SELECT account.name, ID, Account.Owner.name, lastname FROM Contact ORDER BY LastName")
    adams, _, zed = found.records
    assert list(adams) == ["Account", "Id", "LastName"]
    assert adams["Account"] == {"Name": "Acme", "Owner": {"Name": "Ada Byron"}}
    assert (adams["Account"].object, adams["Account"]["Owner"].object) == ("Account", "User")
    assert zed["Account"] is None
    assert found.object == "Contact"
    assert found.total == 3


def test_a_polymorphic_parent_is_of_its_own_object(org: Org) -> None:
    """Each member of a group is told as what it is; what only some objects have is empty in others."""
    found = query(org, "SELECT UserOrGroup.Name, UserOrGroup.FirstName, UserOrGroup.Type FROM GroupMember")
    person, role = (row["UserOrGroup"] for row in found.records)
    assert (person.object, person["Name"], person["FirstName"]) == ("User", "Bob Stone", "Bob")
    assert (role.object, role["FirstName"], role["Type"]) == ("Group", None, "Role")


def test_typeof_chooses_fields_by_object(org: Org) -> None:
    """An account gives its industry, anything else its name, nothing nothing."""
    text = "SELECT Subject, TYPEOF What WHEN Account THEN Industry, Id ELSE Name END FROM Task"
    account, deal, none = (row["What"] for row in query(org, text).records)
    assert list(account) == ["Industry", "Id"]
    assert deal == {"Name": "One"}
    assert none is None


def test_a_child_query_has_conditions_of_its_own(org: Org) -> None:
    """Children are filtered, sorted and cut for each parent by itself."""
    text = (
        "SELECT Name, (SELECT Name, Account.Name FROM Opportunities WHERE Amount > 5 "
        "ORDER BY Amount DESC LIMIT 2) FROM Account WHERE Name IN ('Acme', 'Beta')"
    )
    acme, beta = query(org, text).records
    assert [row["Name"] for row in acme["Opportunities"].records] == ["Three", "Two"]
    assert acme["Opportunities"].total == 2
    assert beta["Opportunities"].records == []


def test_fields_are_all_or_the_standard_or_the_own_ones(org: Org) -> None:
    """FIELDS() stands for the names that the object has."""
    every = query(org, "SELECT FIELDS(ALL) FROM Account LIMIT 200").records[0]
    standard = query(org, "SELECT FIELDS(STANDARD) FROM Account").records[0]
    custom = query(org, "SELECT FIELDS(CUSTOM), Name FROM Account LIMIT 1").records[0]
    assert set(every) == {one.name for one in org.schema["Account"].fields}
    assert set(every) - set(standard) == {"Regions__c", "Active__c"}
    assert custom == {"Regions__c": "North;South", "Active__c": True, "Name": "Acme"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("SELECT COUNT(Id), COUNT(Amount) n, SUM(Amount), AVG(Amount), MIN(CloseDate), MAX(Name) FROM Opportunity",
         [{"expr0": 4, "n": 3, "expr1": 70.0, "expr2": 70 / 3, "expr3": "2025-12-31", "expr4": "Two"}]),
        ("SELECT StageName, COUNT(Id) n FROM Opportunity GROUP BY StageName ORDER BY COUNT(Id) DESC, StageName",
         [{"StageName": "Closed Won", "n": 2}, {"StageName": "Prospecting", "n": 1},
          {"StageName": "Closed Lost", "n": 1}]),
        ("SELECT StageName s FROM Opportunity GROUP BY StageName HAVING SUM(Amount) > 10 AND StageName LIKE 'C%'",
         [{"s": "Closed Won"}]),
        ("SELECT CALENDAR_YEAR(CloseDate) y, COUNT_DISTINCT(StageName) FROM Opportunity "
         "GROUP BY CALENDAR_YEAR(CloseDate) ORDER BY CALENDAR_YEAR(CloseDate)",
         [{"y": 2025, "expr0": 1}, {"y": 2026, "expr0": 3}]),
        ("SELECT Account.Name, COUNT(Id) FROM Contact GROUP BY Account.Name ORDER BY Account.Name NULLS LAST",
         [{"Name": "Acme", "expr0": 2}, {"Name": None, "expr0": 1}]),
        ("SELECT StageName, GROUPING(StageName) g, SUM(Amount) FROM Opportunity WHERE Amount != null "
         "GROUP BY ROLLUP(StageName)",
         [{"StageName": "Prospecting", "g": 0, "expr0": 10}, {"StageName": "Closed Won", "g": 0, "expr0": 60},
          {"StageName": None, "g": 1, "expr0": 70}]),
        ("SELECT SUM(Amount), COUNT(Id) FROM Opportunity WHERE Name = 'none'", [{"expr0": None, "expr1": 0}]),
        ("SELECT COUNT(Id) FROM Opportunity WHERE Name = 'none' GROUP BY StageName", []),
    ],
)  # fmt: skip
def test_groups_are_counted_and_summed(org: Org, text: str, found: list[dict[str, Any]]) -> None:
    """Aggregates leave nothing-values out and are called by their alias or expr<n>."""
    result = query(org, text)
    assert result.records == found
    assert result.grouped


def test_count_has_a_total_and_no_records(org: Org) -> None:
    """COUNT() counts, LIMIT included."""
    assert query(org, "SELECT COUNT() FROM Account").total == 4
    limited = query(org, "SELECT count() FROM Account LIMIT 3")
    assert (limited.total, limited.records) == (3, [])


def test_values_can_be_told_as_people_read_them(org: Org) -> None:
    """toLabel() gives labels, format() what a user in the United States sees."""
    text = (
        "SELECT toLabel(Industry), Industry, format(AnnualRevenue) money, format(CreatedDate) FROM Account "
        "WHERE Name = 'Acme'"
    )
    text = text.replace("Industry, format(A", "Name, format(A")
    row = query(org, text).records[0]
    assert row["Industry"] == "Technology"
    assert row["money"] == "$500.00"
    assert row["CreatedDate"].startswith("3/3/2026, 9:00 AM")


def test_the_recycle_bin_is_read_only_when_wanted(tmp_path: Path) -> None:
    """ALL ROWS, or a caller who wants it, finds deleted records and their deleted parents."""
    org = soql_org.peopled(tmp_path)
    org.delete(org.one("Account", Name="Acme")["Id"])
    text = "SELECT LastName, IsDeleted, Account.Name FROM Contact"
    assert names(org, text) == ["Zed"]
    found = query(org, text, all_rows=True).records
    assert [(row["LastName"], row["IsDeleted"]) for row in found] == [
        ("Zed", False),
        ("Wong", True),
        ("Adams", True),
    ]
    assert found[1]["Account"] == {"Name": "Acme"}
    assert query(org, text + " ALL ROWS").records == found


def test_ids_are_the_same_in_15_and_18_characters(org: Org) -> None:
    """A short id finds its record."""
    id = org.one("Account", Name="Acme")["Id"]
    assert names(org, f"SELECT Name FROM Account WHERE Id = '{id[:15]}'") == ["Acme"]
    assert names(org, f"SELECT LastName FROM Contact WHERE AccountId IN ('{id[:15]}')") == ["Wong", "Adams"]


def test_columns_are_told_for_the_command_line(org: Org) -> None:
    """Fields, parents, child queries and functions say what they are."""
    text = "SELECT Id, Owner.Name, (SELECT LastName FROM Contacts) FROM Account"
    told = query(org, text).columns_to_json()
    id, owner, contacts = told["columnMetadata"]
    assert (told["entityName"], told["idSelected"], told["keyPrefix"]) == ("Account", True, "001")
    assert (id["columnName"], id["apexType"], id["joinColumns"]) == ("Id", "Id", [])
    assert (owner["foreignKeyName"], owner["joinColumns"][0]["columnName"]) == ("OwnerId", "Name")
    assert (contacts["aggregate"], contacts["joinColumns"][0]["updatable"]) == (True, True)
    told = query(org, "SELECT StageName, AVG(Amount), COUNT(Id) n FROM Opportunity GROUP BY StageName")
    _, average, count = told.columns_to_json()["columnMetadata"]
    assert (average["columnName"], average["displayName"]) == ("expr0", "avg(Amount)")
    assert (count["columnName"], count["displayName"], count["aggregate"]) == ("n", "n", True)
