"""What control says of an org's session, and the links that it makes."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from salesforce_org.control import OrgControl
from salesforce_org.public import Public

from .small_org import ADMIN, SALES, Tool, tool


@pytest.fixture
def org() -> Tool:
    """An org of its own."""
    return tool()


@pytest.fixture
def control(org: Tool) -> TestClient:
    """A client of the control routes of the program that has the org."""
    public = org.http.app
    assert isinstance(public, Public)
    return TestClient(OrgControl(public, 8000, "1").application())


def opened(control: TestClient, seed: int = 0) -> dict[str, Any]:
    """Open a session and return its description."""
    response = control.post("/sessions", json={"application": "salesforce", "seed": seed})
    assert response.status_code == 201
    return dict(response.json())


def test_a_description_has_the_keys_of_the_org(org: Tool, control: TestClient) -> None:
    """Username, password, connected app and an access token that works; a reset brings other keys."""
    told = opened(control)
    assert told["username"] == ADMIN
    bearer = {"authorization": f"Bearer {told['access_token']}"}
    assert org.call("GET", "/limits", headers=bearer).status_code == 200
    again = control.post(f"/sessions/{told['id']}/reset").json()
    assert again["fingerprint"] == told["fingerprint"]
    assert again["client_secret"] != told["client_secret"]
    assert org.call("GET", "/limits", headers=bearer).status_code == 401


def test_passwords_can_be_told_in_advance_and_differ_between_seeds(control: TestClient) -> None:
    """A briefing may name the password: it is the same whenever a seed is played."""
    first, same, other = opened(control, 1), opened(control, 1), opened(control, 2)
    assert first["password"] == same["password"] != other["password"]
    assert first["security_token"] != same["security_token"]


def test_a_front_door_link_names_a_user(org: Tool, control: TestClient) -> None:
    """A link is for the administrator unless a username is given; one that is none is refused."""
    path = f"/sessions/{org.session.id}/front-door"
    told = control.post(path, json={"path": "/lightning/o/Lead/list"}).json()
    assert told["user_id"] == org.keys["user_id"]
    assert told["url"].startswith(f"http://{org.session.host}:8000/secur/frontdoor.jsp?sid=")
    assert control.post(path, json={"user": SALES}).json()["user_id"] != org.keys["user_id"]
    for wrong in ({"user": "nobody"}, {"user": 1}, {"path": None}):
        refused = control.post(path, json=wrong)
        assert refused.status_code == 400
        assert refused.json()["error"]


def test_calls_are_reported_apart(org: Tool, control: TestClient) -> None:
    """Control reports what tools asked for, and what a browser asked for, each by itself."""
    org.get("/limits")
    calls = control.get(f"/sessions/{org.session.id}/calls").json()["calls"]
    assert [one["path"] for one in calls] == ["/limits"]
    assert control.get(f"/sessions/{org.session.id}/requests").json()["requests"] == []
