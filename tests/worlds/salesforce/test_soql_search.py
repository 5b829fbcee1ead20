"""Search through texts: for people who type, and in SOSL."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from salesforce_org.soql import SoqlError, find
from salesforce_org.soql.search import search
from salesforce_org.soql.sosl import escaped
from salesforce_org.store import Org

from . import soql_org


@pytest.fixture(scope="module")
def org(tmp_path_factory: pytest.TempPathFactory) -> Org:
    """An org whose records are searched and never changed."""
    made = soql_org.peopled(tmp_path_factory.mktemp("schema"))
    for name in ("Blue Ridge Energy", "Ridge Runners", "blue_moon", "Ridge"):
        made.insert("Account", Name=name, Description=f"{name} is far from Oak-Town")
    return made


def names(org: Org, text: str, **more: object) -> list[str]:
    """Return the accounts that a typed text finds."""
    return [str(hit.record["Name"]) for hit in search(org, text, ["Account"], **more)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ridge", ["Ridge", "Ridge Runners", "Blue Ridge Energy"]),
        ("RID", ["Ridge", "Ridge Runners", "Blue Ridge Energy"]),
        ("energy ri", ["Blue Ridge Energy"]),
        ("blue", ["blue_moon", "Blue Ridge Energy"]),
        ("moon", ["blue_moon"]),
        ("idge", []),
        ("", []),
        ("% _ (", []),
        ("o'neil", ["O'Neil 100%"]),
    ],
)
def test_typed_words_begin_words(org: Org, text: str, found: list[str]) -> None:
    """All words must begin one of the record's; names most like the text come first."""
    assert names(org, text, group="NAME") == found


def test_other_fields_are_searched_unless_only_names_are_wanted(org: Org) -> None:
    """A word of a description finds the record, and not where names alone are looked at."""
    assert len(names(org, "oak-town")) == 4
    assert names(org, "oak", group="NAME") == []
    assert names(org, "oak-town", limit=2) == ["blue_moon", "Blue Ridge Energy"]


def test_people_are_found_by_computed_names(org: Org) -> None:
    """A user's whole name is searched although nothing of it is stored."""
    (hit,) = search(org, "ada byr", ["User"])
    assert (hit.object.name, hit.record["LastName"]) == ("User", "Byron")


def accounts(org: Org, expression: str, group: str = "NAME") -> list[str]:
    """Return the names of the accounts that a search finds."""
    (result,) = find(org, f"FIND {{{expression}}} IN {group} FIELDS RETURNING Account(Name ORDER BY Name)")
    return [row["Name"] for row in result.records]


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("ridge", ["Blue Ridge Energy", "Ridge", "Ridge Runners"]),
        ("rid", []),
        ("rid*", ["Blue Ridge Energy", "Ridge", "Ridge Runners"]),
        ("ri?ge AND run*", ["Ridge Runners"]),
        ("ridge AND NOT blue", ["Ridge", "Ridge Runners"]),
        ("runners OR moon", ["blue_moon", "Ridge Runners"]),
        ("(runners OR energy) AND blue", ["Blue Ridge Energy"]),
        ('"blue ridge"', ["Blue Ridge Energy"]),
        ('"ridge blue"', []),
        ("blue ridge", ["Blue Ridge Energy"]),
        (escaped("Blue-Ridge"), ["Blue Ridge Energy"]),
        (escaped("O'Neil 100%"), ["O'Neil 100%"]),
    ],
)
def test_expressions_combine_words(org: Org, expression: str, found: list[str]) -> None:
    """Words, wildcards, phrases and operators select as SOSL says."""
    assert accounts(org, expression) == found


def test_each_object_has_fields_and_conditions_of_its_own(org: Org) -> None:
    """RETURNING filters, sorts and cuts for each object; parents come along; the limit counts all together."""
    text = (
        "FIND {acme OR wong} RETURNING Account(Id, Name WHERE Name LIKE 'acme%' ORDER BY Name DESC LIMIT 1), "
        "Contact(LastName, Account.Name), Opportunity LIMIT 2"
    )
    account, contact, deal = find(org, text)
    assert [row["Name"] for row in account.records] == ["acme labs"]
    assert contact.records == [{"LastName": "Wong", "Account": {"Name": "Acme"}}]
    assert (deal.object, deal.records) == ("Opportunity", [])
    assert find(org, text.replace("LIMIT 2", "LIMIT 1"))[1].total == 0


def test_without_objects_all_are_searched_for_ids(org: Org) -> None:
    """Only ids come back."""
    found = {result.object: result.records for result in find(org, "FIND {wong}") if result.records}
    assert list(found) == ["Contact"]
    assert list(found["Contact"][0]) == ["Id"]


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("", "MALFORMED_SEARCH", "begins with FIND"),
        ("SELECT Id FROM Account", "MALFORMED_SEARCH", "begins with FIND"),
        ("FIND {a}", "MALFORMED_SEARCH", "longer than one character: a"),
        ("FIND {*}", "MALFORMED_SEARCH", "longer than one character"),
        ("FIND {acme AND}", "MALFORMED_SEARCH", "unexpected token: '<EOF>'"),
        ("FIND {(acme}", "MALFORMED_SEARCH", "unexpected token: '<EOF>'"),
        ("FIND {acme)}", "MALFORMED_SEARCH", "unexpected token: ')'"),
        ("FIND {acme} IN SECRET FIELDS", "MALFORMED_SEARCH", "unexpected token: 'SECRET'"),
        ("FIND {acme} RETURNING Account(Id", "MALFORMED_SEARCH", "unexpected token: '<EOF>'"),
        ("FIND {acme} RETURNING Account(COUNT(Id))", "MALFORMED_SEARCH", "does not group"),
        ("FIND {acme} RETURNING Boat(Id)", "INVALID_TYPE", "sObject type 'Boat' is not supported"),
        ("FIND {acme} RETURNING Account(Colour)", "INVALID_FIELD", "No such column 'Colour'"),
        ("FIND {acme} WITH MAGIC", "MALFORMED_SEARCH", "unexpected token: 'MAGIC'"),
        ("FIND {" + "(" * 3000 + "}", "MALFORMED_SEARCH", "nested too deeply"),
        ("FIND {" + "x" * 5000 + "}", "MALFORMED_SEARCH", "not be longer than 4000"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_search_is_refused(org: Org, text: str, code: str, part: str) -> None:
    """Each mistake has its code and a sentence."""
    with pytest.raises(SoqlError) as refused:
        find(org, text)
    assert refused.value.code == code
    assert part in refused.value.message


def test_tags_and_punctuation_are_no_words(tmp_path: Path) -> None:
    """Rich texts are searched as they are read; telephone numbers also as bare digits."""
    org = soql_org.build(tmp_path)
    account = org.schema["Account"]
    rich = replace(account.by_name["description"], rich=True)
    phone = replace(account.by_name["name"], name="Phone", type="phone", required=False)
    org.extend(org.schema.with_field("Account", rich).with_field("Account", phone))
    org.insert(
        "Account", Name="Acme", Description="<p class='wide'>Tea &amp; cake</p>", Phone="(415) 555-0101"
    )
    assert names(org, "tea") == names(org, "4155550101") == names(org, "415-555") == ["Acme"]
    assert names(org, "wide") == names(org, "amp") == []
