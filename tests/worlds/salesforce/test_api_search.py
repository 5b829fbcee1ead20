"""Search over REST, in SOSL and by parameters."""

from __future__ import annotations

from typing import Any

import pytest

from .small_org import Tool, tool


@pytest.fixture
def org() -> Tool:
    """A client of an org with an account whose name needs care."""
    made = tool()
    made.session.org.insert("Account", Name="Blue (Sky) & Co", Site="Acme Street")
    return made


def names(found: dict[str, Any]) -> list[str]:
    """Return what was found, by name."""
    return [one["Name"] for one in found["searchRecords"]]


def test_sosl_finds_records_of_several_objects(org: Tool) -> None:
    """Records carry their attributes and the fields that were asked for."""
    text = "FIND {acme} IN NAME FIELDS RETURNING Account(Id, Name), Contact(Name)"
    found = org.get("/search/", params={"q": text})
    assert names(found) == ["Acme"]
    assert found["searchRecords"][0]["attributes"]["type"] == "Account"
    everything = org.get("/search", params={"q": "FIND {lovelace}"})["searchRecords"]
    assert [one["attributes"]["type"] for one in everything] == ["Contact"]


def test_a_search_is_described_by_parameters(org: Tool) -> None:
    """Objects, fields, scope and limits stand in the address, and any text is only text."""
    told = {"q": "Blue (Sky) &", "sobject": "Account", "Account.fields": "Id,Name", "in": "name"}
    assert names(org.get("/parameterizedSearch", params=told)) == ["Blue (Sky) & Co"]
    assert org.get("/parameterizedSearch", params={"q": "acm*", "sobject": "Contact"}) == {
        "searchRecords": []
    }


def test_a_search_is_described_by_a_body(org: Tool) -> None:
    """A condition and a limit for each object, and one for all."""
    told = {
        "q": "acme",
        "fields": ["Name"],
        "sobjects": [{"name": "Account", "where": "Site = null", "limit": 5}, {"name": "Contact"}],
        "overallLimit": 1,
    }
    assert names(org.call("POST", "/parameterizedSearch", json=told).json()) == ["Acme"]


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/search", None, "MALFORMED_SEARCH"),
        ("/search?q=acme", None, "MALFORMED_SEARCH"),
        ("/search?q=FIND+{acme}+RETURNING+Nothing", None, "INVALID_TYPE"),
        ("/parameterizedSearch?sobject=Account", None, "MALFORMED_SEARCH"),
        ("/parameterizedSearch?q=acme&in=COLOURS", None, "MALFORMED_SEARCH"),
        ("/parameterizedSearch?q=acme&sobject=Account&Account.limit=x", None, "INVALID_SEARCH"),
        ("/parameterizedSearch", {"q": "acme", "sobjects": "Account"}, "JSON_PARSER_ERROR"),
        ("/parameterizedSearch", {"q": "acme", "sobjects": [{"name": "A(Id)"}]}, "INVALID_FIELD"),
        (
            "/parameterizedSearch",
            {"q": "acme", "sobjects": [{"name": "Account", "fields": [1.5]}]},
            "INVALID_FIELD",
        ),
    ],
)
def test_what_is_no_search_is_refused(org: Tool, path: str, body: Any, code: str) -> None:
    """Each mistake has its code."""
    response = org.call("POST" if body else "GET", path, json=body)
    assert (response.status_code, response.json()[0]["errorCode"]) == (400, code)
