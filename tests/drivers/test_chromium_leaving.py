"""The end of an episode in a browser: what its pages set going, and what they send when they are left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.task.action import Click, Size
from pytest_cuabench.testing.probe_page import Server
from pytest_cuabench.testing.served_world import FakeSession, FakeWorld, instance

pytestmark = pytest.mark.asyncio(loop_scope="module")

# What a click on the page sets going, by the name that the server is told.
SETS_OFF = {
    "slow request": "post('slow request', 700)",
    "timer": "setTimeout(() => post('timer', 100), 8000)",
    "debounce": "edited = Date.now(); setTimeout(save, 3000)",
    "interval": "setInterval(() => post('interval'), 6000)",
    "chain": "setTimeout(() => fetch('/').then(() => setTimeout(() => post('chain'), 2000)), 1000)",
    "worker": "new Worker(URL.createObjectURL(new Blob([`fetch('${origin}/write?worker', {method: 'POST'})`])))",
    "alert in a timer": "setTimeout(() => { alert('saving'); post('alert in a timer'); }, 2000)",
    "frame": "frames[0].eval(`setTimeout(() => parent.fetch('/write?frame', {method: 'POST'}), 4000)`)",
}
LONGER = {
    "very slow request": "post('very slow request', 9000)",
    "given up": "post('given up', 1500); setTimeout(() => { location.href = '/'; }, 100)",
}
# What it does when it is left.
ON_LEAVING = {
    "beacon": "addEventListener('pagehide', () => navigator.sendBeacon('/write?beacon'))",
    "slow beacon": "addEventListener('unload', () => navigator.sendBeacon('/write?slow%20beacon&500'))",
    "hidden": "addEventListener('visibilitychange', () => navigator.sendBeacon('/write?hidden'))",
    "keepalive": "addEventListener('pagehide', () => post('keepalive', 300, {keepalive: true}))",
    "asks to stay": "addEventListener('beforeunload', (event) => { event.preventDefault(); "
    "post('asks to stay', 0, {keepalive: true}); })",
}
# What browsers cancel, if they send it at all.
CANCELLED = {
    "fetched at last": "addEventListener('pagehide', () => post('fetched at last', 400))",
    "asked at last": "addEventListener('beforeunload', () => post('asked at last', 400))",
    "sent at last": "addEventListener('visibilitychange', () => { const one = new XMLHttpRequest(); "
    "one.open('POST', '/write?sent at last&400'); one.send(); })",
}
KINDS = SETS_OFF | LONGER | ON_LEAVING | CANCELLED
PAGE = f"""<body style="margin: 0"><button style="width: 300px; height: 200px">Go</button><iframe srcdoc="x"></iframe>
<script>
const post = (name, delay = 0, more = {{}}) => fetch(`/write?${{encodeURIComponent(name)}}&${{delay}}`,
  {{method: "POST", ...more}});
let edited;
const save = () => {{
  const left = 5000 - (Date.now() - edited);
  left > 0 ? setTimeout(save, left) : post("debounce");
}};
const KINDS = {{ {", ".join(f"{name!r}: () => {{ {work} }}" for name, work in KINDS.items())} }};
for (const kind of decodeURIComponent(location.search.slice(1)).split(",")) {{
  const work = KINDS[kind];
  if (!work) continue;
  document.querySelector("button").addEventListener("click", work);
}}
</script>"""


class Application:
    """Serves the page; `begun` and `done` have the names of the writes."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.done: list[str] = []
        routes = [Route("/write", self.write, methods=["POST"]), Route("/", self.page)]
        self.application = Starlette(routes=routes)

    async def page(self, request: Request) -> Response:
        """Return the page."""
        return HTMLResponse(PAGE)

    async def write(self, request: Request) -> Response:
        """Commit a write after its delay in milliseconds, whether the client waits or not."""
        name, delay = [*request.query_params, ""][:2]
        self.begun.append(name)
        await asyncio.sleep(int(delay or 0) / 1000)
        self.done.append(name)
        return Response(status_code=204)


class Telling(FakeSession):
    """A session whose application says what it still does."""

    answers: list[tuple[str, ...]] = []  # noqa: RUF012 - set by a test

    async def idle(self) -> tuple[str, ...]:  # type: ignore[override]
        """Return the next answer, and the last one again and again."""
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def served(
    browser: Chromium, tmp_path_factory: Any
) -> AsyncIterator[tuple[Application, ChromiumEnvironment]]:
    """The application and an environment in it."""
    application = Application()
    server = Server(application.application)
    environment = ChromiumEnvironment(
        browser, FakeWorld(server.port), Size(640, 480), downloads=Path(tmp_path_factory.mktemp("downloads"))
    )
    yield application, environment
    await environment.close()
    server.stop()


async def ended(
    served: tuple[Application, ChromiumEnvironment], kinds: str, seconds: float = 10.0
) -> tuple[str, ...]:
    """Play an episode of one click, and end it."""
    application, environment = served
    application.begun.clear()
    application.done.clear()
    environment.finish_seconds = seconds
    await environment.reset(instance(f"?{kinds}"))
    await environment.perform(Click(100, 100))
    return await environment.finish()


async def test_what_is_set_going_is_waited_for(served: tuple[Application, ChromiumEnvironment]) -> None:
    """Requests, timers, workers and what a page sends when it is left are done when the end of the episode is."""
    late = await ended(served, ",".join((*SETS_OFF, *ON_LEAVING)))

    application, environment = served
    assert late == ()
    assert {*application.done} == {*SETS_OFF, *ON_LEAVING}
    assert environment.session.closed
    posts = {request.url.partition("?")[2] for request in (await environment.activity()).requests}
    assert {"beacon", "slow%20beacon&500"} <= posts


async def test_what_is_not_done_in_time_is_told(served: tuple[Application, ChromiumEnvironment]) -> None:
    """What is open at the bound is named, and so is what a page sends when it is left."""
    late = await ended(served, "very slow request,slow beacon", 0.2)

    assert late == ("POST /write", "POST /write")
    assert {"very slow request", "slow beacon"} & {*served[0].done} == set()


async def test_a_write_that_its_page_gave_up(served: tuple[Application, ChromiumEnvironment]) -> None:
    """A write whose page went elsewhere meanwhile is given the time that it had been waited for."""
    late = await ended(served, "given up", 3.0)

    assert late == ()
    assert "given up" in served[0].done


async def test_a_request_that_is_cancelled(served: tuple[Application, ChromiumEnvironment]) -> None:
    """What a page sends without keepalive when it is left is done at the end, if the server was asked at all."""
    application, _ = served
    for kinds in (*CANCELLED, ",".join(CANCELLED)):
        await ended(served, kinds, 3.0)
        for seconds in (0.1, 0.0):
            done = [name for name in application.done if name in CANCELLED]  # not those of an earlier test
            assert application.begun == done, kinds
            await asyncio.sleep(seconds)


async def test_a_world_that_tells(
    served: tuple[Application, ChromiumEnvironment], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A world that says what it still does is asked until it is idle; at the bound that is told."""
    monkeypatch.setattr("pytest_cuabench.testing.served_world.FakeSession", Telling)

    Telling.answers = [("2 jobs",), ("1 job",), ()]
    assert await ended(served, "beacon") == ()
    Telling.answers = [("1 job",)]
    assert await ended(served, "beacon", 0.1) == ("1 job",)


async def test_a_document_after_the_end(served: tuple[Application, ChromiumEnvironment]) -> None:
    """A page can be handed on to a phase after the episode has ended."""
    await ended(served, "beacon")
    _, environment = served

    found = await environment.document(f"{environment.origin}/")

    assert found is not None
    assert "Go" in found.text
