"""A small org in this process and a client of its interfaces: the real schema, a handful of records."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

from jinja2 import Environment
from starlette.testclient import TestClient

from salesforce_org.api import answer
from salesforce_org.pages.staging import Asset, prepare
from salesforce_org.public import Public
from salesforce_org.rules import RULES
from salesforce_org.seeding import SCHEMA
from salesforce_org.sessions import Session, Sessions
from salesforce_org.store import Field, Org
from salesforce_org.store.schema import read_schema

ADMIN = "ada@cloud.example"
SALES = "sam@cloud.example"
EXTERNAL = Field("Number__c", "Number", "string", length=20, unique=True, external_id=True)
STATUSES: dict[str, list[dict[str, Any]]] = {
    "LeadStatus": [
        {"value": "Open - Not Contacted", "default": True},
        {"value": "Closed - Converted", "converted": True},
    ],
    "OpportunityStage": [{"value": "Prospecting", "default": True}],
}


@cache
def build(seed: int) -> Org:
    """Return an org with an administrator, a frozen seller, two accounts and a contact."""
    schema = read_schema(SCHEMA).with_field("Account", EXTERNAL)
    org = Org(schema, RULES, datetime(2026, 3, 3, 17, tzinfo=UTC))
    with org.unchecked():
        for name, entries in STATUSES.items():
            org.put_component("StandardValueSet", name, {"standardValue": entries})
        org.insert(
            "Organization", Name=f"Small {seed}", IsSandbox=False, OrganizationType="Developer Edition"
        )
        license = org.insert("UserLicense", Name="Salesforce", LicenseDefinitionKey="SFDC")
        administrators = org.insert("Profile", Name="System Administrator", UserLicenseId=license)
        sellers = org.insert("Profile", Name="Standard User", UserLicenseId=license)
        org.user_id = _user(org, "Ada", ADMIN, administrators)
        _freeze(org, _user(org, "Sam", SALES, sellers))
    acme = org.insert("Account", Name="Acme", Number__c="7", AnnualRevenue=1200)
    org.insert("Account", Name="Umbrella", ParentId=acme)
    org.insert("Contact", LastName="Lovelace", FirstName="Grace", AccountId=acme)
    return org


def _user(org: Org, first: str, username: str, profile: str) -> str:
    names: dict[str, Any] = {
        "FirstName": first,
        "LastName": "Byron",
        "Name": f"{first} Byron",
        "Alias": first,
    }
    return org.insert(
        "User", **names, Username=username, Email=username, CommunityNickname=first, ProfileId=profile
    )


def _freeze(org: Org, user_id: str) -> None:
    login = next(org.rows("UserLogin", UserId=user_id), None)
    if login:
        org.update(login["Id"], IsFrozen=True)
    else:
        org.insert("UserLogin", UserId=user_id, IsFrozen=True)


@dataclass
class Tool:
    """A client with the administrator's access token."""

    sessions: Sessions
    session: Session
    http: TestClient
    keys: dict[str, str]

    def call(self, method: str, path: str, **options: Any) -> Any:
        """Call a resource of version 62.0 and return the response."""
        return self.http.request(method, f"/services/data/v62.0{path}", **options)

    def get(self, path: str, **options: Any) -> Any:
        """Return the JSON of a resource that must be there."""
        response = self.call("GET", path, **options)
        assert response.status_code == 200, response.text
        return response.json()

    def records(self, soql: str) -> list[dict[str, Any]]:
        """Return what a query finds."""
        return self.get("/query", params={"q": soql})["records"]


@cache
def _prepared() -> tuple[Environment, dict[str, Asset]]:
    return prepare()


def tool(seed: int = 0) -> Tool:
    """Return a client of a new session."""
    environment, assets = _prepared()
    sessions = Sessions(build)
    session = sessions.open("salesforce", seed)
    keys = session.keys()
    public = Public(sessions, environment, assets, answer)
    http = TestClient(public, base_url="http://127.0.0.1:8000", follow_redirects=False)
    http.headers["authorization"] = f"Bearer {keys['access_token']}"
    return Tool(sessions, session, http, keys)
