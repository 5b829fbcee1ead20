"""The real web behind the same door: fetched, recorded, and answered again; never this computer's own network."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import trustme
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from docs_web.live import AnyHost, Live, Replay, Unreachable, public_address
from docs_web.recording import Recorder, Recording
from docs_web.sessions import Sessions

HOST = "docs.realsite.example"


class Web:
    """A server that stands for the internet: its port, and whom to trust."""

    def __init__(self, port: int, trusted: ssl.SSLContext) -> None:
        self.port, self.trusted = port, trusted

    def live(self, folder: Path) -> AnyHost:
        """Return the live web, recorded in a folder."""

        async def here(host: str) -> str:
            return "127.0.0.1"

        return AnyHost(Live(Recorder(folder), here, self.trusted, self.port), Sessions(HOST, "x"))


def replayed(folder: Path) -> AnyHost:
    """Return what was recorded in a folder."""
    return AnyHost(Replay(Recording(folder)), Sessions(HOST, "x"))


def ask(web: AnyHost, *paths: str) -> list[httpx.Response]:
    """Return the answers that a browser gets."""

    async def answers() -> list[httpx.Response]:
        own = httpx.ASGITransport(web)
        async with httpx.AsyncClient(
            transport=own, base_url=f"https://{HOST}", headers={"accept": "text/html"}
        ) as client:
            return [await client.get(path) for path in paths]

    return asyncio.run(answers())


async def _page(request: Request) -> Response:
    answer = HTMLResponse(f"<h1>{request.headers['host']} {request.query_params.get('q', '')}</h1>")
    answer.set_cookie("who", "secret-cookie")
    return answer


async def _moved(request: Request) -> Response:
    return RedirectResponse("/page", 301)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A site over TLS whose certificate only its clients here trust."""
    authority, folder = trustme.CA(), tmp_path_factory.mktemp("web")
    issued = authority.issue_cert(HOST)
    chain, key = folder / "chain.pem", folder / "key.pem"
    issued.cert_chain_pems[0].write_to_path(chain)
    issued.private_key_pem.write_to_path(key)
    application = Starlette(routes=[Route("/page", _page), Route("/moved", _moved)])
    server = uvicorn.Server(
        uvicorn.Config(application, port=0, log_level="error", ssl_certfile=chain, ssl_keyfile=key)
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
    trusted = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    authority.configure_trust(trusted)
    yield Web(server.servers[0].sockets[0].getsockname()[1], trusted)
    server.should_exit = server.force_exit = True
    thread.join()


def test_live_answers_as_the_host_does(web: Web, tmp_path: Path) -> None:
    """Pages, redirects and cookies arrive; the host is asked by its own name."""
    page, moved = ask(web.live(tmp_path), "/page?q=ink", "/moved")
    assert page.text == f"<h1>{HOST} ink</h1>"
    assert page.cookies["who"] == "secret-cookie"
    assert moved.headers["location"] == "/page"


def test_replay_answers_what_was_recorded(web: Web, tmp_path: Path) -> None:
    """The recording answers without the web, whatever the order of a query's parameters."""
    recorded = ask(web.live(tmp_path), "/page?q=ink&r=2", "/moved")
    again = ask(replayed(tmp_path), "/page?r=2&q=ink", "/moved")
    assert [(one.status_code, one.content) for one in again] == [
        (one.status_code, one.content) for one in recorded
    ]


def test_replay_says_what_is_missing(web: Web, tmp_path: Path) -> None:
    """A page that was not recorded is an answer that says so, not an empty page."""
    ask(web.live(tmp_path), "/page")
    (missing,) = ask(replayed(tmp_path), "/other<b>")
    assert missing.status_code == 502
    assert "was not recorded" in missing.text
    assert "<b>" not in missing.text


def test_cookies_are_not_recorded(web: Web, tmp_path: Path) -> None:
    """What a site gave to one browser is in no file."""
    ask(web.live(tmp_path), "/page")
    assert "secret-cookie" not in "".join(file.read_text() for file in tmp_path.iterdir())


def test_har_of_a_browser(tmp_path: Path) -> None:
    """A HAR file that a browser saved can be replayed."""
    entry = {
        "request": {"method": "GET", "url": f"https://{HOST}/saved"},
        "response": {
            "status": 200,
            "headers": [{"name": "Content-Type", "value": "text/html"}],
            "content": {"mimeType": "text/html", "text": "<h1>Saved</h1>"},
        },
    }
    (tmp_path / "web.har").write_text(json.dumps({"log": {"entries": [entry]}}))
    assert ask(replayed(tmp_path), "/saved")[0].text == "<h1>Saved</h1>"


def test_a_cut_line_is_left_out(web: Web, tmp_path: Path) -> None:
    """A program that was killed while it wrote leaves the rest of its recording usable."""
    ask(web.live(tmp_path), "/page")
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes() + b'{"request": {"met')
    assert len(Recording(tmp_path)) == 1


@pytest.mark.parametrize("name", ["web.har", "web.jsonl"])
def test_a_file_that_is_no_recording_is_named(tmp_path: Path, name: str) -> None:
    """The sentence says which file it is."""
    (tmp_path / name).write_text("{}\n")
    with pytest.raises(OSError, match=f"{name}|malformed"):
        Recording(tmp_path)


def test_nothing_recorded(tmp_path: Path) -> None:
    """An empty folder is told together with how to record."""
    with pytest.raises(OSError, match="record with live:"):
        Recording(tmp_path)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "10.0.0.1", "169.254.169.254", "192.168.1.1", "[::1]"]
)
def test_own_network_is_out_of_reach(host: str) -> None:
    """No page can be used to look around on this computer or its network."""
    with pytest.raises(Unreachable, match=r"not on the internet|cannot be found"):
        asyncio.run(public_address(host.strip("[]")))


def test_untrusted_host(web: Web, tmp_path: Path) -> None:
    """A host whose certificate nobody vouches for is not shown."""
    web.trusted, kept = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), web.trusted
    try:
        assert "cannot be reached" in ask(web.live(tmp_path), "/page")[0].text
    finally:
        web.trusted = kept
