"""Queries that are refused, with Salesforce's codes."""

from __future__ import annotations

import pytest

from salesforce_org.soql import SoqlError, query
from salesforce_org.store import Org

from . import soql_org


@pytest.fixture(scope="module")
def org(tmp_path_factory: pytest.TempPathFactory) -> Org:
    """An org without records; what is wrong with a query must show all the same."""
    return soql_org.build(tmp_path_factory.mktemp("schema"))


WHERE = "SELECT Id FROM Account WHERE "
NESTED = "SELECT Id, " + "(SELECT Id, " * 5 + "(SELECT Id FROM ChildAccounts)"
NESTED += " FROM ChildAccounts)" * 5 + " FROM Account"


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("", "MALFORMED_QUERY", "unexpected token: '<EOF>'"),
        ("SELECT", "MALFORMED_QUERY", "unexpected token: '<EOF>'"),
        ("SELECT FROM Account", "MALFORMED_QUERY", "unexpected token: 'FROM'"),
        ("SELECT Id,, Name FROM Account", "MALFORMED_QUERY", "unexpected token: ','"),
        ("SELECT Id FRM Account", "MALFORMED_QUERY", "unexpected token: 'Account'"),
        ("SELECT Id FROM Account;", "MALFORMED_QUERY", "no viable alternative at character ';'"),
        ("SELECT * FROM Account", "MALFORMED_QUERY", "no viable alternative at character '*'"),
        ("DELETE FROM Account", "MALFORMED_QUERY", "unexpected token: 'DELETE'"),
        ("SELECT Id FROM Account extra words", "MALFORMED_QUERY", "unexpected token: 'words'"),
        ("SELECT Id FROM Account LIMIT -1", "MALFORMED_QUERY", "unexpected token: '-1'"),
        ("SELECT Id FROM Account LIMIT 5 WHERE Id = ''", "MALFORMED_QUERY", "unexpected token: 'WHERE'"),
        ("SELECT Id FROM Account ORDER Name", "MALFORMED_QUERY", "unexpected token: 'ORDER'"),
        ("SELECT Id FROM Account WITH COFFEE", "MALFORMED_QUERY", "unexpected token: 'COFFEE'"),
        (WHERE + "Name = 'x", "MALFORMED_QUERY", "mismatched character '<EOF>'"),
        (WHERE + "Name = 'it's'", "MALFORMED_QUERY", "mismatched character"),
        (WHERE + "Name = 'a\\q'", "MALFORMED_QUERY", "Illegal character sequence '\\q'"),
        (WHERE + "Name = \"x\"", "MALFORMED_QUERY", "no viable alternative"),
        (WHERE + "Name = :name", "MALFORMED_QUERY", "Bind variables only allowed in Apex code"),
        (WHERE + "Name = x", "MALFORMED_QUERY", "unexpected token: 'x'"),
        (WHERE + "Name IN ()", "MALFORMED_QUERY", "unexpected token: ')'"),
        (WHERE + "Name LIKE 5", "MALFORMED_QUERY", "unexpected token: '5'"),
        (WHERE + "Name", "MALFORMED_QUERY", "unexpected token: '<EOF>'"),
        (WHERE + "Name = 'a' AND Name = 'b' OR Name = 'c'", "MALFORMED_QUERY", "unexpected token: 'OR'"),
        (WHERE + "Name = 'a' OR Name = 'b' AND Name = 'c'", "MALFORMED_QUERY", "unexpected token: 'AND'"),
        (WHERE + "(Name = 'a'", "MALFORMED_QUERY", "unexpected token: '<EOF>'"),
        (WHERE + "NOT NOT Name = 'a'", "MALFORMED_QUERY", "unexpected token"),
        (WHERE + "CreatedDate = LAST_N_DAYS", "MALFORMED_QUERY", "unexpected token: '<EOF>'"),
        (WHERE + "CreatedDate = LAST_N_DAYS:-3", "MALFORMED_QUERY", "unexpected token: '-3'"),
        (WHERE + "CreatedDate = LAST_N_YEARS:99999", "MALFORMED_QUERY", "Invalid date"),
        (WHERE + "CreatedDate > 2026-02-30T00:00:00Z", "MALFORMED_QUERY", "Invalid datetime"),
        (WHERE + "LOWER(Name) = 'a'", "MALFORMED_QUERY", "Invalid function name: lower"),
        (WHERE + "COUNT(Id) = 1", "MALFORMED_QUERY", "aggregate function"),
        ("SELECT Id FROM Nothing", "INVALID_TYPE", "sObject type 'Nothing' is not supported"),
        ("SELECT Id FROM EntityParticles__c", "INVALID_TYPE", "EntityParticles__c"),
        ("SELECT Id, Colour FROM Account", "INVALID_FIELD", "No such column 'Colour' on entity 'Account'"),
        ("SELECT Boss.Name FROM Account", "INVALID_FIELD", "Didn't understand relationship 'Boss' in field path"),
        ("SELECT Owner.Colour FROM Account", "INVALID_FIELD", "No such column 'Colour' on entity 'Name'"),
        ("SELECT Parent.Colour FROM Account", "INVALID_FIELD", "No such column 'Colour' on entity 'Account'"),
        ("SELECT (SELECT Id FROM Boats) FROM Account", "INVALID_FIELD", "Didn't understand relationship 'Boats'"),
        ("SELECT Parent.Parent.Parent.Parent.Parent.Parent.Id FROM Account", "INVALID_FIELD", "relationship"),
        ("SELECT Id, Name, id FROM Account", "INVALID_FIELD", "duplicate field selected: Id"),
        ("SELECT Id, FIELDS(STANDARD) FROM Account", "INVALID_FIELD", "duplicate field selected: Id"),
        ("SELECT FIELDS(ALL) FROM Account", "MALFORMED_QUERY", "must have a LIMIT of at most 200"),
        ("SELECT FIELDS(ALL) FROM Account LIMIT 201", "MALFORMED_QUERY", "must have a LIMIT of at most 200"),
        ("SELECT FIELDS(MINE) FROM Account LIMIT 5", "MALFORMED_QUERY", "unexpected token: 'MINE'"),
        ("SELECT Name n FROM Account", "MALFORMED_QUERY", "only aggregate expressions use field aliasing"),
        ("SELECT TYPEOF Owner WHEN Account THEN Id END FROM Account", "INVALID_TYPE", "Account"),
        ("SELECT Id FROM Account USING SCOPE moon", "MALFORMED_QUERY", "Scope 'moon' is not supported"),
        ("SELECT Id FROM Account OFFSET 2001", "NUMBER_OUTSIDE_VALID_RANGE", "Maximum SOQL offset allowed is 2000"),
        (WHERE + "Name = 5", "INVALID_FIELD", "'Name' must be of type string and should be enclosed in quotes"),
        (WHERE + "AnnualRevenue = '5'", "INVALID_FIELD", "type double and should not be enclosed in quotes"),
        (WHERE + "Active__c = 'true'", "INVALID_FIELD", "type boolean and should not be enclosed in quotes"),
        (WHERE + "CreatedDate = '2026-01-01'", "INVALID_FIELD", "type dateTime and should not be"),
        (WHERE + "CreatedDate = 2026-01-01", "INVALID_FIELD", "type dateTime"),
        (WHERE + "Description = 'x'", "INVALID_FIELD", "'Description' can not be filtered in a query call"),
        ("SELECT Id FROM Account ORDER BY Description", "INVALID_FIELD", "can not be sorted in a query call"),
        ("SELECT Count(Id) FROM Account GROUP BY Description", "INVALID_FIELD", "can not be grouped"),
        (WHERE + "Id = 'acme'", "INVALID_QUERY_FILTER_OPERATOR", "invalid ID field: acme"),
        (WHERE + "Id LIKE '001%'", "INVALID_QUERY_FILTER_OPERATOR", "invalid operator on id field"),
        (WHERE + "Active__c > true", "INVALID_QUERY_FILTER_OPERATOR", "invalid operator on boolean field"),
        (WHERE + "Name INCLUDES ('a')", "INVALID_QUERY_FILTER_OPERATOR", "invalid operator on string field"),
        ("SELECT Name, COUNT(Id) FROM Account", "MALFORMED_QUERY", "Field must be grouped or aggregated: Name"),
        ("SELECT Name FROM Account GROUP BY Industry", "MALFORMED_QUERY", "grouped or aggregated: Name"),
        ("SELECT CALENDAR_YEAR(CreatedDate) FROM Account", "MALFORMED_QUERY", "grouped or aggregated"),
        ("SELECT SUM(Name) FROM Account", "INVALID_FIELD", "does not support aggregate operator SUM"),
        ("SELECT CALENDAR_YEAR(Name) y FROM Account GROUP BY CALENDAR_YEAR(Name)", "INVALID_FIELD", "date function"),
        ("SELECT COUNT(), Name FROM Account GROUP BY Name", "MALFORMED_QUERY", "Grouped query cannot use COUNT()"),
        ("SELECT COUNT(Id) n, SUM(AnnualRevenue) n FROM Account", "MALFORMED_QUERY", "duplicate alias: n"),
        ("SELECT Id FROM Account HAVING Id = ''", "MALFORMED_QUERY", "HAVING"),
        ("SELECT (SELECT COUNT(Id) FROM Contacts) FROM Account", "MALFORMED_QUERY", "Only root queries"),
        (WHERE + "Id IN (SELECT Id FROM Account)", "MALFORMED_QUERY", "should not be on the same object type"),
        (WHERE + "Id IN (SELECT Name FROM Contact)", "MALFORMED_QUERY", "'Name' must be of type reference"),
        (WHERE + "Id IN (SELECT OwnerId FROM Contact)", "MALFORMED_QUERY", "should point to the same object type"),
        (WHERE + "Id IN (SELECT AccountId, Id FROM Contact)", "MALFORMED_QUERY", "exactly one field"),
        (WHERE + "Id IN (SELECT AccountId FROM Contact GROUP BY AccountId)", "MALFORMED_QUERY", "cannot group"),
        ("SELECT Id FROM Account ORDER BY " + ", ".join(["Name"] * 33), "MALFORMED_QUERY", "at most 32 fields"),
        (NESTED, "MALFORMED_QUERY", "nested at most 5 levels deep"),
        ("SELECT Name, FIELDS(ALL) FROM Account GROUP BY Name LIMIT 1", "MALFORMED_QUERY", "Grouped queries"),
        ("SELECT Name n, Industry n FROM Account GROUP BY Name, Industry", "MALFORMED_QUERY", "duplicate alias: n"),
        ("SELECT Id FROM Task WHERE What.Colour = 'x'", "INVALID_FIELD", "'Colour' on entity 'Name'"),
        ("SELECT FORMAT() FROM Account", "MALFORMED_QUERY", "unexpected token: ')'"),
        ("SELECT Id FROM Account.Contacts", "INVALID_TYPE", "Account.Contacts"),
        (WHERE + "Name = 'a' OR Id IN (SELECT AccountId FROM Contact)", "MALFORMED_QUERY", "the 'OR' operator"),
        (WHERE + "Id IN (SELECT AccountId FROM Contact WHERE OwnerId IN (SELECT Id FROM User))",
         "MALFORMED_QUERY", "Nesting of semi join"),
        (WHERE + " AND ".join(["Id IN (SELECT AccountId FROM Contact)"] * 3), "MALFORMED_QUERY", "Maximum 2"),
    ],
)  # fmt: skip
def test_a_wrong_query_is_refused_as_salesforce_does(org: Org, text: str, code: str, part: str) -> None:
    """Each kind of mistake has its code and a sentence that names it."""
    with pytest.raises(SoqlError) as refused:
        query(org, text)
    assert refused.value.code == code
    assert part in refused.value.message


def test_an_error_shows_its_place(org: Org) -> None:
    """Above the sentence stand the piece of the query, a caret, row and column."""
    with pytest.raises(SoqlError) as refused:
        query(org, "SELECT Id,\n  Colour FROM Account")
    _, piece, caret, place, sentence = refused.value.message.split("\n")
    assert piece[caret.index("^") :].startswith("Colour")
    assert place == "ERROR at Row:2:Column:3"
    assert sentence.startswith("No such column")


HOSTILE = {
    "parentheses": lambda: WHERE + "(" * 40_000,
    "negations": lambda: WHERE + "NOT (" * 15_000,
    "sub-queries": lambda: "SELECT " + "(SELECT " * 10_000,
    "functions": lambda: "SELECT " + "FORMAT(" * 10_000 + "Id",
    "fields": lambda: "SELECT " + ", ".join(["Id"] * 24_000) + " FROM Account",
    "length": lambda: WHERE + "Name = '" + "x" * 100_000 + "'",
    "escapes": lambda: WHERE + "Name = '" + "\\'" * 40_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_texts_are_refused(org: Org, kind: str) -> None:
    """Neither depth nor length gets anywhere."""
    with pytest.raises(SoqlError):
        query(org, HOSTILE[kind]())


def test_hostile_patterns_end(org: Org) -> None:
    """A pattern made to backtrack is matched in one go."""
    twin = org.copy()
    twin.insert("Account", Name="a" * 255)
    pattern = "%a" * 120 + "_" * 20 + "b"
    assert query(twin, f"SELECT Id FROM Account WHERE Name LIKE '{pattern}'").total == 0
    assert query(twin, f"SELECT Id FROM Account WHERE Name LIKE '{pattern[:-1]}%'").total == 1
