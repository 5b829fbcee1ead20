"""The Tooling API: components are created, changed and deleted by the ids that queries return."""

from __future__ import annotations

from typing import Any

import pytest

from .small_org import Tool, tool

RULE = {"active": True, "errorConditionFormula": "false", "errorMessage": "no", "description": None}
COMPONENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "BusinessProcess": (
        "Opportunity.Short",
        {"isActive": True, "values": [{"fullName": "Prospecting", "default": True}]},
    ),
    "CompactLayout": ("Account.Brief", {"label": "Brief", "fields": ["Name"]}),
    "CustomField": ("Account.Level__c", {"label": "Level", "type": "Text", "length": 10}),
    "CustomTab": ("Reading", {"label": "Reading", "motif": "Custom1: Heart", "url": "https://x.example"}),
    "FlexiPage": (
        "Home_Page",
        {"masterLabel": "Home", "type": "HomePage", "template": {"name": "home:desktopTemplate"}},
    ),
    "GlobalValueSet": (
        "Sizes",
        {
            "masterLabel": "Sizes",
            "sorted": False,
            "customValue": [{"fullName": "S", "label": "S", "default": False}],
        },
    ),
    "Layout": ("Account-Other", {"layoutSections": []}),
    "RemoteProxy": (
        "Weather",
        {"url": "https://x.example", "isActive": True, "disableProtocolSecurity": False},
    ),
    "ValidationRule": ("Account.Never", RULE),
}


@pytest.fixture
def org() -> Tool:
    """A client of an org of its own."""
    return tool()


def found(org: Tool, ask: str) -> list[dict[str, Any]]:
    """Return what a query of the Tooling API finds."""
    records: list[dict[str, Any]] = org.get("/tooling/query", params={"q": ask})["records"]
    return records


@pytest.mark.parametrize("kind", COMPONENTS)
def test_a_component_is_created_read_changed_and_deleted(org: Tool, kind: str) -> None:
    """The id of its creation is the one that queries return, and it works everywhere."""
    name, metadata = COMPONENTS[kind]
    before = org.session.org.collections()
    path = f"/tooling/sobjects/{kind}"
    made = org.call("POST", path, json={"FullName": name, "Metadata": metadata})
    assert made.status_code == 201, made.text
    id = made.json()["id"]
    assert id in [one["Id"] for one in found(org, f"SELECT Id FROM {kind}")]
    read = org.get(f"{path}/{id}")
    assert read["FullName"] == name
    twice = org.call("POST", path, json={"FullName": name, "Metadata": metadata})
    assert twice.json()[0]["errorCode"] == "DUPLICATE_DEVELOPER_NAME"
    changed = {**read["Metadata"]}
    assert org.call("PATCH", f"{path}/{id[:15]}", json={"Metadata": changed}).status_code == 204
    assert org.call("DELETE", f"{path}/{id}").status_code == 204
    assert org.call("DELETE", f"{path}/{id}").json()[0]["errorCode"] == "ENTITY_IS_DELETED"
    assert org.session.org.collections().get(kind) == before.get(kind)


def test_a_rule_is_switched_off(org: Tool) -> None:
    """A change of the metadata replaces the component."""
    made = org.call(
        "POST", "/tooling/sobjects/ValidationRule", json={"FullName": "Account.Never", "Metadata": RULE}
    )
    path = f"/tooling/sobjects/ValidationRule/{made.json()['id']}"
    org.call("PATCH", path, json={"Metadata": {**RULE, "active": False}})
    assert found(org, "SELECT Active FROM ValidationRule")[0]["Active"] is False


def test_all_rules_go_by_the_ids_of_a_query(org: Tool) -> None:
    """Somebody who deletes what a query finds until it finds nothing comes to an end."""
    for number in range(3):
        org.call(
            "POST",
            "/tooling/sobjects/ValidationRule",
            json={"FullName": f"Account.R{number}", "Metadata": RULE},
        )
    rounds = 0
    while rows := found(org, "SELECT Id FROM ValidationRule"):
        rounds += 1
        assert rounds < 3
        for row in rows:
            assert org.call("DELETE", f"/tooling/sobjects/ValidationRule/{row['Id']}").status_code == 204
    assert rounds == 1


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"Metadata": RULE}, "REQUIRED_FIELD_MISSING"),
        ({"FullName": "Account.Never"}, "REQUIRED_FIELD_MISSING"),
        ({"FullName": "Account.Never", "Metadata": RULE, "Active": True}, "INVALID_FIELD_FOR_INSERT_UPDATE"),
        ({"FullName": "Account.Never", "Metadata": {**RULE, "colour": 1}}, "INVALID_CONTENT"),
        ({"FullName": "Account.Never", "Metadata": {"active": True}}, "REQUIRED_FIELD_MISSING"),
    ],
)
def test_a_component_that_is_none_is_refused(org: Tool, given: dict[str, Any], code: str) -> None:
    """Without a name, without metadata, or with what the type does not have, nothing is made."""
    response = org.call("POST", "/tooling/sobjects/ValidationRule", json=given)
    assert (response.status_code, response.json()[0]["errorCode"]) == (400, code)
    assert found(org, "SELECT Id FROM ValidationRule") == []


@pytest.mark.parametrize("kind", ["ApexClass", "ApexTrigger", "ApexLog", "ApexPage", "AsyncApexJob"])
def test_objects_of_apex_are_known_and_empty(org: Tool, kind: str) -> None:
    """They can be described and queried in both interfaces; there is no code."""
    assert found(org, f"SELECT Id, CreatedBy.Name FROM {kind}") == org.records(f"SELECT Id FROM {kind}") == []
    assert org.get(f"/tooling/sobjects/{kind}/describe")["name"] == kind


def test_logs_are_asked_for_with_whose_they_are(org: Tool) -> None:
    """References of these objects lead to users and classes."""
    assert found(org, "SELECT Id, LogUser.Name FROM ApexLog") == []
    assert found(org, "SELECT ApexClass.Name, AsyncApexJob.CreatedBy.Name FROM ApexTestResult") == []


def test_anonymous_apex_does_not_compile(org: Tool) -> None:
    """The answer is a compile problem in the first line."""
    told = org.get("/tooling/executeAnonymous", params={"anonymousBody": "System.debug(1);"})
    assert (told["compiled"], told["success"], told["line"]) == (False, False, 1)
