"""The public side of the world openemr, in front of a small program that stands for OpenEMR."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from openemr_database import FIXTURES
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from openemr.__main__ import program
from openemr.public import Public

CHART = "/interface/patient_file/summary/demographics.php"
LOGIN = "/interface/login/login.php"


async def _page(request: Request) -> Response:
    """Answer with what was asked, compressed and with a cookie, as PHP may."""
    told = f"{request.method} {request.url.path} host {request.headers['host']} {(await request.body()).decode()}"
    headers = {"content-encoding": "gzip", "set-cookie": "OpenEMR=1; path=/; SameSite=Strict"}
    return Response(gzip.compress(told.encode()), headers=headers, media_type="text/html")


async def _leave(request: Request) -> Response:
    return RedirectResponse("login.php?site=other", 302)


async def _broken(request: Request) -> Response:
    return PlainTextResponse("SQL error", 500)


FAKE = Starlette(
    routes=[
        Route("/interface/away", _leave),
        Route("/interface/broken", _broken),
        Route("/{path:path}", _page, methods=["GET", "POST"]),
    ]
)


@pytest_asyncio.fixture
async def public(sessions: Any) -> AsyncIterator[Public]:
    """The public side, which passes on to the fake."""
    transport = httpx2.ASGITransport(FAKE)
    async with httpx2.AsyncClient(transport=transport) as client:
        yield Public(sessions, client)


@pytest_asyncio.fixture
async def browser(public: Public, session: Any) -> AsyncIterator[httpx2.AsyncClient]:
    """What the agent's browser sees."""
    transport = httpx2.ASGITransport(public)
    async with httpx2.AsyncClient(transport=transport, base_url=f"http://{session.host}:8123") as client:
        yield client


@pytest.mark.asyncio
async def test_a_session_begins_at_the_login_page_of_its_own_site(browser, session):
    """OpenEMR remembers from there which database is meant."""
    response = await browser.get("/")
    assert response.headers["location"] == f"{LOGIN}?site={session.site}"


@pytest.mark.asyncio
async def test_openemr_may_lie_in_a_folder_of_its_server(public, browser, session, running, monkeypatch):
    """Paths keep the folder, and what is refused at the root is refused there."""
    monkeypatch.setattr(running, "address", "http://127.0.0.1:9/emr")
    assert (await browser.get("/")).headers["location"] == f"/emr{LOGIN}?site={session.site}"
    assert (await browser.get("/emr/interface/x.php")).text.startswith("GET /emr/interface/x.php host")
    assert (await browser.get("/emr/setup.php")).status_code == 403


@pytest.mark.asyncio
async def test_pages_forms_and_cookies_pass_as_they_are(browser, session):
    """OpenEMR sees the host that the browser sees, and its answer stays compressed on the way."""
    response = await browser.post("/interface/new/save.php", data={"form_fname": "Ada"})
    assert response.text == f"POST /interface/new/save.php host {session.host}:8123 form_fname=Ada"
    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["set-cookie"].startswith("OpenEMR=1")


@pytest.mark.asyncio
async def test_redirects_are_the_browsers_own(browser):
    """They are not followed on the way."""
    response = await browser.get("/interface/away")
    assert (response.status_code, response.headers["location"]) == (302, "login.php?site=other")


@pytest.mark.asyncio
async def test_requests_are_written_down_without_passwords_and_pictures(browser, session):
    """Method, path, query, form and status, in order."""
    await browser.get("/public/assets/jquery.min.js")
    await browser.post(
        "/interface/main/main_screen.php?auth=login", data={"authUser": "admin", "clearPass": "x"}
    )
    (entry,) = session.requests.entries
    assert (entry["method"], entry["path"], entry["status"]) == (
        "POST",
        "/interface/main/main_screen.php",
        200,
    )
    assert entry["query"] == {"auth": "login"}
    assert entry["form"] == {"authUser": "admin", "clearPass": "***"}


@pytest.mark.asyncio
async def test_an_opened_chart_is_part_of_the_state(browser, session):
    """It is told by the request that chose the patient, and counts as news."""
    before = session.revision
    await browser.get(f"{CHART}?set_pid=7")
    state = session.state()
    assert [row["pid"] for row in state["collections"]["visits"].values()] == [7]
    assert state["revision"] == before + 1


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "path",
    [
        f"{LOGIN}?site=default",
        f"{CHART}?set_pid=1&site=cua-other",
        "/setup.php",
        "/%73etup.php",
        "/admin.php",
        "/apis/default/api/patient",
        "/oauth2/default/token",
        "/portal/index.php",
        "/sites/default/documents/",
    ],
)
async def test_other_sites_and_doors_that_are_no_users_are_refused(browser, session, path):
    """They never reach OpenEMR."""
    response = await browser.get(path)
    assert response.status_code == 403
    assert session.requests.entries == []


@pytest.mark.asyncio
async def test_a_host_without_a_session_is_nowhere(public):
    """Also that of a session that has ended."""
    transport = httpx2.ASGITransport(public)
    async with httpx2.AsyncClient(transport=transport, base_url="http://gone.localhost") as client:
        assert (await client.get("/")).status_code == 404


@pytest.mark.asyncio
async def test_a_page_that_failed_inside_is_no_ones_fault(browser, session, public):
    """It is counted, so that the attempt is not graded."""
    assert (await browser.get("/interface/broken")).status_code == 500
    assert (session.failures, public.errors) == (1, 1)


@pytest.mark.asyncio
async def test_an_openemr_that_does_not_answer_counts_as_failed(sessions, session):
    """Nothing listens where it should be."""
    transport = httpx2.ASGITransport(Public(sessions))
    async with httpx2.AsyncClient(transport=transport, base_url=f"http://{session.host}") as client:
        response = await client.get(CHART)
    assert (response.status_code, session.failures) == (502, 1)
    assert "OpenEMR does not answer" in response.text


@pytest.mark.asyncio
async def test_the_control_side_opens_reads_and_ends_sessions(running):
    """With the login page as the start, and who signs in."""
    served, sessions = program(running, FIXTURES)
    transport = httpx2.ASGITransport(served.control(8123))
    async with httpx2.AsyncClient(transport=transport, base_url="http://world") as control:
        made = (await control.post("/sessions", json={"application": "openemr", "seed": 2})).json()
        assert made["start_url"].startswith(f"{made['origin']}{LOGIN}?site=cua-")
        assert (made["username"], made["password"]) == ("admin", running.password)
        state = (await control.get(f"/sessions/{made['id']}/state")).json()
        assert len(state["collections"]["patients"]) == 30
        same = (await control.get(f"/sessions/{made['id']}/state?unless=0")).json()
        assert same == {"revision": 0, "failures": 0, "unchanged": True}
        assert (await control.delete(f"/sessions/{made['id']}")).status_code == 204
    assert len(running.sites) >= 1
    sessions.end()
    assert sessions.by_id == {}


@pytest.mark.asyncio
async def test_rows_that_openemr_does_not_take_are_told_by_the_control_side(running, tmp_path):
    """In one sentence, as the reason why no session was opened."""
    (tmp_path / "ward.toml").write_text((FIXTURES / "ward.toml").read_text().replace("Hillside", "H" * 300))
    served, sessions = program(running, tmp_path)
    transport = httpx2.ASGITransport(served.control(8123))
    async with httpx2.AsyncClient(transport=transport, base_url="http://world") as control:
        answer = await control.post("/sessions", json={"application": "openemr", "seed": 0})
    sessions.end()
    assert answer.status_code == 500
    assert answer.json()["error"].startswith("facility.name was written as 'HHH")
