"""How tools get and lose access tokens, and what tokens say."""

from __future__ import annotations

import base64

import pytest

from .small_org import ADMIN, SALES, Tool, tool

TOKEN = "/services/oauth2/token"


@pytest.fixture
def org() -> Tool:
    """A client of an org of its own, without a token."""
    made = tool()
    del made.http.headers["authorization"]
    return made


def form(org: Tool, **more: str) -> dict[str, str]:
    """Return what a connected app says of itself."""
    return {"client_id": org.keys["client_key"], "client_secret": org.keys["client_secret"], **more}


def test_client_credentials_give_the_administrators_token(org: Tool) -> None:
    """Key and secret, in the form or in the header, open the org as its administrator."""
    told = org.http.post(TOKEN, data=form(org, grant_type="client_credentials")).json()
    assert told["token_type"] == "Bearer"
    assert told["access_token"].startswith(f"{org.keys['org_id']}!")
    assert told["instance_url"] == "http://127.0.0.1:8000"
    assert told["id"] == f"http://127.0.0.1:8000/id/{org.keys['org_id']}/{org.keys['user_id']}"
    pair = base64.b64encode(f"{org.keys['client_key']}:{org.keys['client_secret']}".encode()).decode()
    headers = {"authorization": f"Basic {pair}"}
    again = org.http.post(TOKEN, data={"grant_type": "client_credentials"}, headers=headers).json()
    org.http.headers["authorization"] = f"Bearer {again['access_token']}"
    assert org.call("GET", "/limits").status_code == 200


def test_a_password_needs_the_security_token(org: Tool) -> None:
    """The password flow takes password and security token as one word."""
    told = form(org, grant_type="password", username=ADMIN.upper(), password=org.keys["password"])
    refused = org.http.post(TOKEN, data=told)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    told["password"] += org.keys["security_token"]
    assert org.http.post(TOKEN, data=told).json()["access_token"]


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"grant_type": "client_credentials", "client_id": "x"}, "invalid_client_id"),
        ({"grant_type": "client_credentials", "client_secret": "x"}, "invalid_client"),
        ({"grant_type": "password", "username": SALES, "password": "{whole}"}, "invalid_grant"),
        ({"grant_type": "password", "username": "nobody", "password": "{whole}"}, "invalid_grant"),
        ({"grant_type": "refresh_token"}, "unsupported_grant_type"),
        ({}, "unsupported_grant_type"),
    ],
)
def test_what_gives_no_token_is_refused_in_oauths_words(org: Tool, more: dict[str, str], error: str) -> None:
    """Wrong keys, frozen users and other flows each have OAuth's name."""
    whole = org.keys["password"] + org.keys["security_token"]
    told = form(org, **{name: value.replace("{whole}", whole) for name, value in more.items()})
    response = org.http.post(TOKEN, data=told)
    assert (response.status_code, response.json()["error"]) == (400, error)
    assert response.json()["error_description"]


def test_an_inactive_user_gets_no_token(org: Tool) -> None:
    """An inactive user is told apart from a wrong password, as OAuth does."""
    seller = org.session.org.one("User", Username=SALES)
    org.session.org.update(seller["Id"], IsActive=False)
    whole = org.keys["password"] + org.keys["security_token"]
    told = form(org, grant_type="password", username=SALES, password=whole)
    assert org.http.post(TOKEN, data=told).json()["error"] == "inactive_user"


def test_a_token_tells_who_owns_it_until_it_is_revoked(org: Tool) -> None:
    """The identity addresses tell user and org, and a revoked token nothing."""
    bearer = {"authorization": f"Bearer {org.keys['access_token']}"}
    about = org.http.get("/services/oauth2/userinfo", headers=bearer).json()
    assert (about["user_id"], about["organization_id"]) == (org.keys["user_id"], org.keys["org_id"])
    assert about["preferred_username"] == ADMIN
    path = f"/id/{org.keys['org_id']}/{org.keys['user_id']}"
    identity = org.http.get(path, headers=bearer).json()
    assert identity["username"] == ADMIN
    assert identity["urls"]["rest"] == "http://127.0.0.1:8000/services/data/v{version}/"
    assert org.http.get("/id/00D000000000000/005", headers=bearer).text == "Wrong_Org"
    assert (
        org.http.post("/services/oauth2/revoke", data={"token": org.keys["access_token"]}).status_code == 200
    )
    assert org.http.get(path, headers=bearer).status_code == 403
    assert org.http.post("/services/oauth2/revoke", data={"token": "x"}).status_code == 400


def test_sessions_do_not_open_each_other(org: Tool) -> None:
    """Two sessions of the same seed have the same user and password but other keys."""
    other = org.sessions.open("salesforce", 0)
    keys = other.keys()
    assert keys["password"] == org.keys["password"]
    whole = keys["password"] + org.keys["security_token"]
    told = {"client_id": keys["client_key"], "client_secret": keys["client_secret"], "grant_type": "password"}
    response = org.http.post(TOKEN, data={**told, "username": ADMIN, "password": whole})
    assert response.json()["error"] == "invalid_grant"


def test_other_endpoints_are_not_there(org: Tool) -> None:
    """What is no endpoint, and a token asked for by GET, are refused."""
    assert org.http.get("/services/oauth2/authorize").status_code == 404
    assert org.http.get(TOKEN).json()["error"] == "invalid_request"
    assert org.http.get("/services/nothing").json()[0]["errorCode"] == "NOT_FOUND"


def test_a_token_gives_a_link_that_signs_a_browser_in_once(org: Tool) -> None:
    """The single-access address leads to the front door at the org's own host; without a token to nothing."""
    path = "/services/oauth2/singleaccess"
    bearer = {"authorization": f"Bearer {org.keys['access_token']}"}
    told = org.http.get(path, params={"redirect_uri": "/lightning/o/Lead/list"}, headers=bearer).json()
    assert told["frontdoor_uri"].startswith(f"http://{org.session.host}:8000/secur/frontdoor.jsp?")
    entered = org.http.get(told["frontdoor_uri"])
    assert entered.headers["location"] == "/lightning/o/Lead/list"
    assert org.http.get(path).status_code == 401


def test_a_link_at_the_tools_address_leads_a_browser_into_the_org(org: Tool) -> None:
    """The front door at an address by number leads to the host of the org that its token is for."""
    link = f"/secur/frontdoor.jsp?sid={org.keys['access_token']}"
    led = org.http.get(link)
    assert (led.status_code, led.headers["location"].split("/")[2]) == (303, f"{org.session.host}:8000")
    assert org.http.get("/secur/frontdoor.jsp?sid=x").status_code == 404
