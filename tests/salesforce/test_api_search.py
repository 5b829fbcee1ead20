"""Search by tools: SOSL, its parts one by one, and suggestions."""

from __future__ import annotations

from typing import Any

import pytest

from .small_org import Tool, tool


@pytest.fixture(scope="module")
def org() -> Tool:
    """A client of an org that is only read."""
    return tool()


def names(found: dict[str, Any]) -> list[str]:
    """Return the names of the records that a search found."""
    return [row["Name"] for row in found["searchRecords"]]


def test_sosl_is_answered(org: Tool) -> None:
    """Records carry their attributes and the fields that were asked for."""
    text = "FIND {acme OR lovelace} IN NAME FIELDS RETURNING Account(Id, Name), Contact(Name)"
    account, contact = org.get("/search", params={"q": text})["searchRecords"]
    assert account["attributes"]["url"].endswith(f"/sobjects/Account/{account['Id']}")
    assert (contact["attributes"]["type"], contact["Name"]) == ("Contact", "Grace Lovelace")


def test_a_search_can_be_told_part_by_part(org: Tool) -> None:
    """In the address and in the body alike."""
    asked = {"q": "acme", "sobject": "Account", "Account.fields": "id,name", "in": "NAME"}
    assert names(org.get("/parameterizedSearch", params=asked)) == ["Acme"]
    body = {
        "q": "acme OR {umbrella}",
        "fields": ["id", "name"],
        "sobjects": [{"name": "Account", "where": "Name LIKE 'U%'", "limit": 3}],
        "overallLimit": 10,
    }
    response = org.call("POST", "/parameterizedSearch", json=body)
    assert names(response.json()) == ["Umbrella"]


def test_names_are_suggested_while_one_types(org: Tool) -> None:
    """The beginning of a word is enough."""
    found = org.get("/search/suggestions", params={"q": "umb", "sobject": "Account,Contact"})
    assert [row["Name"] for row in found["autoSuggestResults"]] == ["Umbrella"]
    assert found["hasMoreResults"] is False


@pytest.mark.parametrize(
    ("path", "params", "code"),
    [
        ("/search", {}, "MALFORMED_SEARCH"),
        ("/search", {"q": "acme"}, "MALFORMED_SEARCH"),
        ("/parameterizedSearch", {"q": "acme", "sobject": "Boat"}, "INVALID_TYPE"),
        ("/parameterizedSearch", {"q": "acme", "in": "A FIELDS"}, "MALFORMED_SEARCH"),
        ("/parameterizedSearch", {"q": "acme", "overallLimit": "many"}, "MALFORMED_SEARCH"),
    ],
)
def test_a_wrong_search_is_refused(org: Tool, path: str, params: dict[str, str], code: str) -> None:
    """With the interface's list of errors."""
    response = org.call("GET", path, params=params)
    assert (response.status_code, response.json()[0]["errorCode"]) == (400, code)


@pytest.mark.parametrize(
    "body", [{}, {"q": 5}, {"q": "acme", "sobjects": "Account"}, {"q": "acme", "sobjects": [{"name": 5}]}]
)
def test_odd_bodies_are_refused(org: Tool, body: dict[str, Any]) -> None:
    """A body of another shape is a mistake of the caller."""
    assert org.call("POST", "/parameterizedSearch", json=body).status_code == 400
