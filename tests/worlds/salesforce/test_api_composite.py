"""Several calls or records in one: composites, batches, collections and trees."""

from __future__ import annotations

from typing import Any

import pytest

from .small_org import Tool, tool

DATA = "/services/data/v62.0"


@pytest.fixture
def org() -> Tool:
    """A client of an org of its own."""
    return tool()


def names(org: Tool, object: str = "Account") -> set[str]:
    """Return what the records of an object are called."""
    return {row["Name"] for row in org.session.org.rows(object)}


def request(method: str, path: str, name: str, body: Any = None) -> dict[str, Any]:
    """Return one call of a composite."""
    told = {"method": method, "url": f"{DATA}{path}", "referenceId": name}
    return told if body is None else {**told, "body": body}


def test_a_later_call_uses_what_an_earlier_one_gave(org: Tool) -> None:
    """References reach into answers, in addresses and bodies alike."""
    told = {
        "compositeRequest": [
            request("POST", "/sobjects/Account", "made", {"Name": "New"}),
            request("POST", "/sobjects/Contact", "person", {"LastName": "Ray", "AccountId": "@{made.id}"}),
            request("GET", "/query?q=SELECT+Id,Name+FROM+Account+WHERE+Name='New'", "found"),
            request(
                "PATCH", "/sobjects/Account/@{found.records[0].Id}", "changed", {"Site": "at @{made.id}"}
            ),
            request("GET", "/sobjects/Account/@{made.id}?fields=Site", "read"),
        ]
    }
    answers = org.call("POST", "/composite", json=told).json()["compositeResponse"]
    assert [one["httpStatusCode"] for one in answers] == [201, 201, 200, 204, 200]
    made = answers[0]["body"]["id"]
    assert answers[0]["httpHeaders"]["Location"].endswith(made)
    assert answers[4]["body"]["Site"] == f"at {made}"
    assert org.session.org.one("Contact", LastName="Ray")["AccountId"] == made


@pytest.mark.parametrize(("all_or_none", "kept"), [(True, False), (False, True)])
def test_a_refused_call_takes_the_others_back_if_asked(org: Tool, all_or_none: bool, kept: bool) -> None:
    """With allOrNone nothing of a composite stays, and each call says why."""
    told = {
        "allOrNone": all_or_none,
        "compositeRequest": [
            request("POST", "/sobjects/Account", "first", {"Name": "First"}),
            request("POST", "/sobjects/Account", "second", {}),
            request("GET", "/sobjects/Account/@{second.id}", "third"),
        ],
    }
    answers = org.call("POST", "/composite", json=told).json()["compositeResponse"]
    codes = [one["body"][0]["errorCode"] for one in answers if one["httpStatusCode"] == 400]
    assert codes[-2:] == ["REQUIRED_FIELD_MISSING", "PROCESSING_HALTED"]
    assert ("First" in names(org)) is kept


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"compositeRequest": "x"},
        {"compositeRequest": [{"method": "GET"}] * 26},
    ],
)
def test_a_composite_that_is_none_is_refused(org: Tool, told: dict[str, Any]) -> None:
    """A composite is a list of at most 25 calls."""
    assert org.call("POST", "/composite", json=told).status_code == 400


def test_calls_that_a_composite_cannot_make_are_refused_one_by_one(org: Tool) -> None:
    """Foreign addresses, composites within composites and names used twice fail by themselves."""
    told = {
        "compositeRequest": [
            request("GET", "/limits", "a"),
            request("GET", "/limits", "a"),
            {"method": "GET", "url": "http://example.com/", "referenceId": "b"},
            request("POST", "/composite", "c", {}),
        ]
    }
    answers = org.call("POST", "/composite", json=told).json()["compositeResponse"]
    assert [one["httpStatusCode"] for one in answers] == [200, 400, 404, 400]


def graph(name: str, *nodes: dict[str, Any]) -> dict[str, Any]:
    """Return one graph."""
    return {"graphId": name, "compositeRequest": list(nodes)}


def test_a_graph_stays_wholly_or_not_at_all(org: Tool) -> None:
    """A graph whose call is refused leaves nothing, and the others are none the worse."""
    good = graph(
        "1",
        request("POST", "/sobjects/Account/", "made", {"Name": "Good"}),
        request("POST", "/sobjects/Contact", "person", {"LastName": "Ray", "AccountId": "@{made.id}"}),
        request("PATCH", "/sobjects/Account/@{made.id}", "changed", {"Site": "North"}),
    )
    bad = graph(
        "2",
        request("POST", "/sobjects/Account", "made", {"Name": "Bad"}),
        request("POST", "/sobjects/Account", "second", {}),
    )
    first, second = org.call("POST", "/composite/graph", json={"graphs": [good, bad]}).json()["graphs"]
    assert [one["isSuccessful"] for one in (first, second)] == [True, False]
    assert [one["httpStatusCode"] for one in first["graphResponse"]["compositeResponse"]] == [201, 201, 204]
    codes = [one["body"][0]["errorCode"] for one in second["graphResponse"]["compositeResponse"]]
    assert codes == ["PROCESSING_HALTED", "REQUIRED_FIELD_MISSING"]
    assert "Good" in names(org)
    assert "Bad" not in names(org)


@pytest.mark.parametrize(
    "graphs",
    [
        [],
        [graph("a.b", request("POST", "/sobjects/Account", "x", {"Name": "x"}))],
        [graph("1", request("POST", "/sobjects/Account", "x", {"Name": "x"}))] * 2,
        [graph("1", request("GET", "/query?q=SELECT+Id+FROM+Account", "x"))],
        [graph("1", request("DELETE", "/sobjects/Account", "x"))],
        [graph("1")],
    ],
)
def test_graphs_that_are_none_are_refused(org: Tool, graphs: list[dict[str, Any]]) -> None:
    """Graphs have names of their own, and hold calls about single records."""
    assert org.call("POST", "/composite/graph", json={"graphs": graphs}).status_code == 400
    assert "x" not in names(org)


def test_a_batchs_calls_know_nothing_of_each_other(org: Tool) -> None:
    """Each call of a batch has a status and a result; with haltOnError those after a refusal are not made."""
    calls = [
        {"method": "POST", "url": "v62.0/sobjects/Account", "richInput": {"Name": "Batch"}},
        {"method": "GET", "url": "v62.0/sobjects/Nothing"},
        {"method": "GET", "url": "v62.0/query/?q=SELECT+COUNT()+FROM+Account"},
    ]
    told = org.call("POST", "/composite/batch", json={"batchRequests": calls}).json()
    assert told["hasErrors"] is True
    assert [one["statusCode"] for one in told["results"]] == [201, 404, 200]
    assert told["results"][2]["result"]["totalSize"] == 3
    halted = org.call("POST", "/composite/batch", json={"haltOnError": True, "batchRequests": calls}).json()
    assert [one["statusCode"] for one in halted["results"]] == [201, 404, 412]


def test_a_collection_keeps_what_can_be_kept(org: Tool) -> None:
    """Without allOrNone good records of several objects are stored beside refused ones."""
    records = [
        {"attributes": {"type": "Account"}, "Name": "One"},
        {"attributes": {"type": "Contact"}},
        {"attributes": {"type": "Nothing"}},
    ]
    told = org.call("POST", "/composite/sobjects", json={"records": records}).json()
    assert [one["success"] for one in told] == [True, False, False]
    assert [one["errors"][0]["statusCode"] for one in told[1:]] == ["REQUIRED_FIELD_MISSING", "INVALID_TYPE"]
    assert "One" in names(org)
    whole = org.call("POST", "/composite/sobjects", json={"allOrNone": True, "records": records}).json()
    assert whole[0]["errors"][0]["statusCode"] == "ALL_OR_NONE_OPERATION_ROLLED_BACK"
    assert len(names(org)) == 3


def test_a_collection_is_read_changed_upserted_and_deleted(org: Tool) -> None:
    """All methods of collections, with null for what is not there."""
    acme = org.session.org.one("Account", Name="Acme")["Id"]
    nobody = "001000000000001AAA"
    wanted = {"ids": [acme, nobody], "fields": ["Name"]}
    assert [
        one and one["Name"] for one in org.call("POST", "/composite/sobjects/Account", json=wanted).json()
    ] == [
        "Acme",
        None,
    ]
    listed = org.get("/composite/sobjects/Account", params={"ids": acme, "fields": "Name,Site"})
    assert listed[0]["Site"] is None
    records = [
        {"attributes": {"type": "Account"}, "id": acme, "Site": "East"},
        {"attributes": {"type": "Account"}, "Site": "West"},
    ]
    changed = org.call("PATCH", "/composite/sobjects", json={"records": records}).json()
    assert changed[0] == {"id": acme, "success": True, "errors": []}
    assert changed[1]["errors"][0]["statusCode"] == "MISSING_ARGUMENT"
    rows = [{"attributes": {"type": "Account"}, "Number__c": n, "Name": f"N {n}"} for n in ("7", "8")]
    told = org.call("PATCH", "/composite/sobjects/Account/Number__c", json={"records": rows}).json()
    assert [one["created"] for one in told] == [False, True]
    gone = org.call(
        "DELETE", "/composite/sobjects", params={"ids": f"{acme},{nobody}", "allOrNone": "false"}
    ).json()
    assert [one["success"] for one in gone] == [True, False]
    assert org.session.org.get("Account", acme) is None


@pytest.mark.parametrize("count", [0, 201])
def test_a_collection_has_1_to_200_records(org: Tool, count: int) -> None:
    """None and too many are refused as a whole."""
    records = [{"attributes": {"type": "Account"}, "Name": "x"}] * count
    assert org.call("POST", "/composite/sobjects", json={"records": records}).status_code == 400


def tree(child: dict[str, Any]) -> dict[str, Any]:
    """Return an account with one child record."""
    contact = {"attributes": {"type": "Contact", "referenceId": "ref2"}, **child}
    account = {"attributes": {"type": "Account", "referenceId": "ref1"}, "Name": "Root"}
    return {"records": [{**account, "Contacts": {"records": [contact]}}]}


def test_a_tree_is_stored_with_its_children_or_not_at_all(org: Tool) -> None:
    """Children point to their parent; one refused record leaves nothing behind."""
    made = org.call("POST", "/composite/tree/Account/", json=tree({"LastName": "Leaf"}))
    assert (made.status_code, made.json()["hasErrors"]) == (201, False)
    root, leaf = made.json()["results"]
    assert (root["referenceId"], leaf["referenceId"]) == ("ref1", "ref2")
    assert org.session.org.get("Contact", leaf["id"])["AccountId"] == root["id"]
    before = org.session.org.collections()
    failed = org.call("POST", "/composite/tree/Account", json=tree({}))
    assert (failed.status_code, failed.json()["results"][0]["referenceId"]) == (400, "ref2")
    assert failed.json()["results"][0]["errors"][0]["statusCode"] == "REQUIRED_FIELD_MISSING"
    assert org.session.org.collections() == before
