"""Into the org and out of it in a browser."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from .small_org import ADMIN, SALES, Tool, tool


@pytest.fixture
def org() -> Tool:
    """An org of its own."""
    return tool()


@pytest.fixture
def browser(org: Tool) -> TestClient:
    """A browser at the org's own origin."""
    origin = f"http://{org.session.host}"
    made = TestClient(org.http.app, base_url=origin, follow_redirects=False)
    made.headers["origin"] = origin
    return made


def log_in(org: Tool, browser: TestClient, username: str = ADMIN, password: str = "", **more: str) -> str:
    """Send the form; return where it leads, or the page."""
    form = {"username": username, "password": password or org.keys["password"], **more}
    response = browser.post(f"/login?startURL={more.pop('start', '')}", data=form)
    return response.headers.get("location", response.text)


def test_the_login_page_has_labelled_controls(browser: TestClient) -> None:
    """Username, Password, Log In and Remember me; nothing inline, as the policy demands."""
    page = browser.get("/login")
    assert page.status_code == 200
    for told in ('for="username">Username<', 'for="password">Password<', ">Log In<", ">Remember me<"):
        assert told in page.text
    assert "<script" not in page.text
    assert "style=" not in page.text
    assert browser.get("/").headers["location"] == "/login"


def test_username_and_password_lead_in_and_logging_out_leads_out(org: Tool, browser: TestClient) -> None:
    """A signed-in browser goes where it wanted to; after logging out it is asked again."""
    assert log_in(org, browser, start="/lightning/o/Account/list") == "/lightning/o/Account/list"
    assert browser.get("/login").headers["location"] == "/lightning/page/home"
    assert browser.get("/").headers["location"] == "/lightning/page/home"
    assert browser.get("/secur/logout.jsp").headers["location"] == "/login"
    assert org.session.logins == {}
    assert browser.get("/").headers["location"] == "/login"


@pytest.mark.parametrize(
    ("username", "password", "told"),
    [
        (ADMIN, "wrong", "Check your username and password"),
        ("nobody", "", "Check your username and password"),
        (SALES, "", "This user is frozen"),
        (SALES, "wrong", "Check your username and password"),
    ],
)
def test_who_may_not_enter_is_told_why(
    org: Tool, browser: TestClient, username: str, password: str, told: str
) -> None:
    """A wrong password says nothing of the user; the right one of a frozen user does."""
    page = log_in(org, browser, username, password)
    assert told in page
    assert 'role="alert"' in page
    assert org.session.logins == {}
    assert org.session.requests.entries[-1]["form"]["password"] == "***"


def test_an_inactive_user_is_told_so(org: Tool, browser: TestClient) -> None:
    """A deactivated user cannot log in."""
    org.session.org.update(org.session.org.one("User", Username=SALES)["Id"], IsActive=False)
    assert "not active" in log_in(org, browser, SALES)


def test_a_username_is_remembered_if_asked(org: Tool, browser: TestClient) -> None:
    """With Remember me the next login page has the username filled in, without it no longer."""
    log_in(org, browser, remember="1")
    browser.get("/secur/logout.jsp")
    assert f'value="{ADMIN}"' in browser.get("/login").text
    log_in(org, browser)
    browser.get("/secur/logout.jsp")
    assert ADMIN not in browser.get("/login").text


@pytest.mark.parametrize(
    "where", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x", ""]
)
def test_only_pages_of_the_org_are_gone_to(org: Tool, browser: TestClient, where: str) -> None:
    """An address elsewhere becomes the home page."""
    ticket = org.session.access.ticket(org.keys["user_id"])
    response = browser.get("/secur/frontdoor.jsp", params={"sid": ticket, "retURL": where})
    assert response.headers["location"] == "/lightning/page/home"


def test_a_front_door_link_works_once_and_an_access_token_as_long_as_it_lives(
    org: Tool, browser: TestClient
) -> None:
    """Tickets are used up; tokens are not; what is neither leads to the login page."""
    ticket = org.session.access.ticket(org.keys["user_id"])
    path = "/secur/frontdoor.jsp"
    first = browser.get(path, params={"sid": ticket, "retURL": "/lightning/o/Lead/list"})
    assert first.headers["location"] == "/lightning/o/Lead/list"
    assert browser.get(path, params={"sid": ticket}).headers["location"] == "/login"
    for _ in range(2):
        home = browser.get(path, params={"sid": org.keys["access_token"]})
        assert home.headers["location"] == "/lightning/page/home"
    frozen = org.session.access.ticket(org.session.org.one("User", Username=SALES)["Id"])
    assert "frozen" in browser.get(path, params={"sid": frozen}).text


def test_a_login_from_elsewhere_is_refused(org: Tool, browser: TestClient) -> None:
    """A form of another site signs nobody in."""
    browser.headers["origin"] = "http://evil.example"
    response = browser.post("/login", data={"username": ADMIN, "password": org.keys["password"]})
    assert response.status_code == 403


def test_the_tools_host_has_no_pages(org: Tool) -> None:
    """At a host that is no session's there is nothing for a browser."""
    assert org.http.get("/login").status_code == 404
