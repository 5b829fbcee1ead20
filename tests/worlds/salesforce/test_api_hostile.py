"""Odd and hostile input: an answer in the interface's form, never an error inside, never a change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from .small_org import Tool, tool

DEEP = b"[" * 100_000


@pytest.fixture
def org() -> Tool:
    """A client of an org of its own."""
    return tool()


@pytest.mark.parametrize(
    ("method", "path", "options"),
    [
        ("POST", "/sobjects/Account", {"content": DEEP}),
        ("POST", "/sobjects/Account", {"content": b'{"Name": "\\ud800"}'}),
        ("POST", "/sobjects/Account", {"content": b"\xff\xfe{"}),
        ("POST", "/sobjects/Account", {"json": {"Name": ["a"]}}),
        ("POST", "/sobjects/Account", {"json": {"Name": "A", "AnnualRevenue": "1" * 5000}}),
        ("POST", "/sobjects/Account", {"content": b'{"Name": "A", "AnnualRevenue": 1e400}'}),
        ("POST", "/sobjects/Account", {"json": {"Name": "A", "Parent": {}}}),
        ("POST", "/sobjects/Account", {"json": {"Name": "A", "Parent": {"attributes": 1, "Number__c": "x"}}}),
        ("POST", "/sobjects/Account", {"json": {"Name": "A", "ParentId": {"a": 1}}}),
        ("POST", "/sobjects/Account", {"json": {"Name": "A", "OwnerId": "005000000000009"}}),
        ("POST", "/sobjects/Account", {"json": {"Name": "A", "OwnerId": None}}),
        ("PATCH", "/sobjects/Account/Number__c/7", {"json": []}),
        ("GET", "/recent?limit=²", {}),
        ("GET", "/recent?limit=-1", {}),
        ("GET", "/query/01gKj0000000001IAA-99999999999999999999", {}),
        ("GET", "/query?q=" + "(" * 5000, {}),
        (
            "POST",
            "/composite",
            {"json": {"compositeRequest": [{"method": 1, "url": "http://[", "referenceId": "a"}]}},
        ),
        ("POST", "/composite/tree/Account", {"json": {"records": [{"Contacts": {"records": [1]}}]}}),
        ("POST", "/composite/sobjects", {"json": {"records": [{"attributes": 1}]}}),
        ("GET", "/composite/sobjects/Account?ids=x&fields=Name", {}),
        ("POST", "/jobs/ingest", {"json": {"object": ["a"], "operation": {"b": 1}}}),
        ("POST", "/jobs/query", {"json": {"operation": "insert", "query": "SELECT Id FROM Account"}}),
        ("GET", "/tooling/sobjects/Account/x' OR Id != '", {}),
        ("GET", "/tooling/sobjects/Account/001Kj0000000001IAA?fields=Id+FROM+User+--", {}),
        ("POST", "/sobjects/User/x/password", {"json": {"NewPassword": 1}}),
        ("GET", "/analytics/../sobjects", {}),
    ],
)
def test_nothing_breaks_inside(
    org: Tool, capsys: pytest.CaptureFixture[str], method: str, path: str, options: dict[str, Any]
) -> None:
    """Whatever is sent, the answer is a refusal that says what is wrong."""
    before = org.session.org.collections()
    response = org.call(method, path, **options)
    assert response.status_code != 500, response.text
    assert response.json()
    assert capsys.readouterr().err == ""
    assert org.session.org.collections() == before


def test_texts_of_all_kinds_come_back_as_they_were(org: Tool) -> None:
    """Every character that is one survives; what XML cannot say is left out of SOAP's answers."""
    name = 'Ünï \U0001f600 <b>"&amp;" \x0b end'
    made = org.call("POST", "/sobjects/Account", json={"Name": name}).json()["id"]
    assert org.get(f"/sobjects/Account/{made}")["Name"] == name
    token = org.keys["access_token"]
    text = f"SELECT Name FROM Account WHERE Id = '{made}'"
    raw = (
        '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header><SessionHeader>'
        f"<sessionId>{token}</sessionId></SessionHeader></e:Header><e:Body><query>"
        f"<queryString>{text}</queryString></query></e:Body></e:Envelope>"
    )
    answer = org.http.post("/services/Soap/u/62.0", content=raw.encode())
    assert answer.status_code == 200
    assert 'Ünï \U0001f600 &lt;b&gt;"&amp;amp;"  end' in answer.text


def test_a_method_can_be_named_in_the_address(org: Tool) -> None:
    """Clients that cannot send PATCH post with the method's name."""
    acme = org.session.org.one("Account", Name="Acme")["Id"]
    response = org.call("POST", f"/sobjects/Account/{acme}?_HttpMethod=PATCH", json={"Site": "East"})
    assert response.status_code == 204
    assert org.get(f"/sobjects/Account/{acme}")["Site"] == "East"


def test_a_value_that_several_records_have_gives_their_addresses(org: Tool) -> None:
    """An external id that is not unique is answered with status 300 and the choices."""
    kernel = org.session.org
    field = kernel.schema["Account"].field("Site")
    assert field is not None
    with_key = replace(field, external_id=True)
    kernel.extend(kernel.schema.with_field("Account", with_key))
    ids = [kernel.insert("Account", Name=name, Site="Same") for name in "AB"]
    for method in ("GET", "PATCH"):
        response = org.call(method, "/sobjects/Account/Site/same", json={"Phone": "1"})
        assert response.status_code == 300
        assert response.json() == [f"/services/data/v62.0/sobjects/Account/{id}" for id in ids]
