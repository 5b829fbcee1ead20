"""Only the world's own origin can be reached, by whatever way a page tries."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from pytest_cuabench.drivers.chromium.session.origin_policy import AllowedOrigins, redacted
from pytest_cuabench.task.action import Key, Navigate
from pytest_cuabench.testing.probe_page import Server

from .conftest import Harness
from .pages import Elsewhere

pytestmark = pytest.mark.asyncio(loop_scope="module")

SCRIPTS = {
    "location": "location = '{url}'",
    "link": "const a = document.createElement('a'); a.href = '{url}'; document.body.append(a); a.click()",
    "form": "const f = document.createElement('form'); f.method = 'post'; f.action = '{url}'; "
    "document.body.append(f); f.submit()",
    "meta-refresh": "const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url={url}'; "
    "document.head.append(m)",
    "redirect": "location = '/away?to={quoted}'",
    "window-open": "window.open('{url}')",
    "window-open-redirect": "window.open('/away?to={quoted}')",
    "blank-link": "const a = document.createElement('a'); a.href = '{url}'; a.target = '_blank'; "
    "document.body.append(a); a.click()",
    "popup-later": "const w = window.open('about:blank'); w.location = '{url}'",
    "fetch": "fetch('{url}').catch(() => 0)",
    "fetch-redirect": "fetch('/away?to={quoted}').catch(() => 0)",
    "fetch-no-cors": "fetch('{url}', {{mode: 'no-cors'}}).catch(() => 0)",
    "beacon": "navigator.sendBeacon('{url}', 'x')",
    "ping": "const a = document.createElement('a'); a.href = '#x'; a.ping = '{url}'; "
    "document.body.append(a); a.click()",
    "worker": "new Worker('/worker.js?to={quoted}')",
    "shared-worker": "new SharedWorker('/worker.js?to={quoted}')",
    "image": "new Image().src = '{url}'",
    "script": "const s = document.createElement('script'); s.src = '{url}'; document.body.append(s)",
    "frame": "const i = document.createElement('iframe'); i.src = '{url}'; document.body.append(i)",
    "event-source": "new EventSource('{url}')",
    "web-socket": "new WebSocket('{socket}')",
    "preconnect": "const l = document.createElement('link'); l.rel = 'preconnect'; l.href = '{url}'; "
    "document.head.append(l)",
    "prefetch": "const l = document.createElement('link'); l.rel = 'prefetch'; l.href = '{url}'; "
    "document.head.append(l)",
}
TYPICAL = ("location", "window-open", "fetch", "worker", "frame", "web-socket")
LOADED = ("fetch", "beacon", "ping", "worker", "image", "script", "event-source", "web-socket", "prefetch")
PLACES = {
    "other-port": "http://{host}:{elsewhere}/x",
    "other-name": "http://other.localhost:{elsewhere}/x",
    "address": "http://127.0.0.1:{elsewhere}/x",
    "other-name-same-port": "http://other.localhost:{port}/x",
    "secure": "https://example.com/x",
}


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[tuple[Elsewhere, int]]:
    """Another site that must stay unreached, and its port."""
    app = Elsewhere()
    server = Server(app)
    yield app, server.port
    server.stop()


async def _try(harness: Harness, name: str, url: str) -> None:
    script = SCRIPTS[name].format(url=url, quoted=quote(url, safe=""), socket=url.replace("http", "ws", 1))
    await harness.go(f"vector?script={quote(script, safe='')}")
    await harness.click("#go")


def _place(harness: Harness, place: str, port: int) -> str:
    host, _, own = harness.origin.removeprefix("http://").partition(":")
    return PLACES[place].format(host=host, port=own, elsewhere=port)


@pytest.mark.parametrize("place", ["other-port", pytest.param("secure", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in TYPICAL else pytest.mark.slow) for name in SCRIPTS]
)
async def test_every_way_out_is_closed(
    harness: Harness, elsewhere: tuple[Elsewhere, int], name: str, place: str
) -> None:
    """Nothing a page does reaches another site, another port or another name; the page stays where it is."""
    await _is_closed(harness, elsewhere, name, place)


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
async def test_every_other_place_is_out_of_reach(
    harness: Harness, elsewhere: tuple[Elsewhere, int], place: str
) -> None:
    """It makes no difference which other port, name or address is asked for."""
    for name in ("location", "window-open", "fetch", "frame"):
        await _is_closed(harness, elsewhere, name, place)


async def _is_closed(harness: Harness, elsewhere: tuple[Elsewhere, int], name: str, place: str) -> None:
    site, port = elsewhere
    await _try(harness, name, _place(harness, place, port))
    async with asyncio.timeout(20):
        while (await harness.environment.read("h1"), await harness.tabs()) != ("Vector", [("vector", True)]):
            await harness.environment.settle()  # where time is short, a tab that shows nothing closes late
    assert site.hits == []


def _recorded() -> Iterator[Any]:
    for name in SCRIPTS:
        if name not in ("preconnect", "shared-worker"):
            yield pytest.param(name, marks=() if name in ("location", "fetch") else pytest.mark.slow)


@pytest.mark.parametrize("name", list(_recorded()))
async def test_refusals_are_recorded_and_told(
    harness: Harness, elsewhere: tuple[Elsewhere, int], name: str
) -> None:
    """A refused request is in the record; the agent is told of pages that did not open, not of what pages load."""
    url = _place(harness, "other-port", elsewhere[1]) + f"-{name}"
    await _try(harness, name, url)
    wanted = url.replace("http", "ws", 1) if name == "web-socket" else url
    async with asyncio.timeout(20):
        while wanted not in await _refused(harness):  # a worker starts in its own time
            await harness.environment.settle()
    told = "A link to another site was refused" in await harness.notices()
    assert told is not name.startswith(LOADED)
    navigations = (await harness.environment.activity()).navigations
    assert all(url.startswith(harness.origin) for url in navigations)


async def _refused(harness: Harness) -> list[str]:
    return [request.url for request in (await harness.environment.activity()).requests if request.refused]


@pytest.mark.parametrize(
    "url", ["data:text/html,<h1>x</h1>", "file:///etc/passwd", "view-source:/", "chrome://version"]
)
async def test_other_schemes_are_closed(harness: Harness, url: str) -> None:
    """A page cannot lead the tab to contents of another kind."""
    for name in ("location", "window-open"):
        await _try(harness, name, url)
        assert [title for title, _ in await harness.tabs()][:1] == ["vector"]
    assert not any("root:" in node.name for node in (await harness.environment.observe("tree")).tree or ())


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/", "https://example.com", "//example.com/", "javascript:alert(1)", "view-source:/",
        "data:text/html,x", "file:///etc/passwd", "chrome://version", "about:blank", "http://127.0.0.1/",
        "http://user@example.com/", "http://[broken",
    ],
)  # fmt: skip
async def test_navigate_refuses_other_addresses(harness: Harness, url: str) -> None:
    """`navigate` to anything but the application is the agent's mistake, told in a sentence."""
    result = await harness.environment.perform(Navigate(url))
    assert "only the application itself" in (result.error or "")
    assert await harness.environment.read("h1") == "Start"


@pytest.mark.parametrize("way", ["/two", "two", "{origin}/two", "  /two  ", "?x=1"])
async def test_navigate_takes_addresses_of_the_application(harness: Harness, way: str) -> None:
    """Absolute and relative addresses of the application open."""
    await harness.do(Navigate(way.format(origin=harness.origin)))
    assert await harness.environment.read("h1") == ("Start" if way == "?x=1" else "Two")


@pytest.mark.parametrize(
    "keys", [("ctrl", "u"), ("f12",), ("ctrl", "shift", "i"), ("ctrl", "t"), ("ctrl", "l")]
)
async def test_tools_of_the_browser_are_closed(harness: Harness, keys: tuple[str, ...]) -> None:
    """Developer tools, page sources and new tabs cannot be opened by keys."""
    await harness.do(Key(keys))
    assert await harness.tabs() == [("start", True)]


async def test_secrets_in_addresses_are_redacted(harness: Harness) -> None:
    """Values of a query that look secret are not in the record."""
    await harness.go("search?name=Ann&password=hunter2&csrf_token=abc")
    url = (await harness.environment.activity()).navigations[-1]
    assert url.endswith("search?name=Ann&password=***&csrf_token=***")
    assert redacted("http://x/?a=b") == "http://x/?a=b"


async def test_origins_are_compared_as_a_whole() -> None:
    """Neither a longer host name nor another scheme or port passes for the origin."""
    realm = AllowedOrigins("http://a.localhost:80")
    assert realm.holds("http://a.localhost/x")
    assert realm.holds("blob:http://a.localhost/1-2")
    for url in (
        "https://a.localhost:80/",
        "http://a.localhost.example:80/",
        "http://a.localhost:81/",
        "data:x",
    ):
        assert not realm.holds(url)


async def test_further_hosts_of_a_realm_are_reached_over_tls_only() -> None:
    """A live org's other hosts belong to it under their whole names and on the usual port."""
    realm = AllowedOrigins("https://a.my.salesforce.com", ("a.lightning.force.com",))
    assert realm.holds("https://a.lightning.force.com/lightning/page/home")
    assert realm.bypass == "a.my.salesforce.com:443,a.lightning.force.com:443"
    for url in (
        "http://a.lightning.force.com/",
        "https://a.lightning.force.com:8443/",
        "https://b.lightning.force.com/",
        "https://a.lightning.force.com.example/",
    ):
        assert not realm.holds(url)


async def test_the_key_of_a_front_door_is_redacted() -> None:
    """A session id in an address is masked where that is the parameter's whole name, and nothing else is."""
    assert redacted("http://a.localhost/secur/frontdoor.jsp?sid=s3cret&side=left") == (
        "http://a.localhost/secur/frontdoor.jsp?sid=***&side=left"
    )
