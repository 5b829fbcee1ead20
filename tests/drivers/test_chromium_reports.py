"""A page's scripts find nothing of the channel by which its world's probe reports, and what they say is no report."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from pytest_cuabench.agents.program.endpoints.cdp import rules
from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.task.action import Key, Size
from pytest_cuabench.testing.probe_page import Server
from pytest_cuabench.testing.served_world import FakeSession, FakeWorld

from .conftest import Harness

PROBE = """(report) => {
  addEventListener("keydown", (event) => report(event.key), true);
  report("begun");
  return () => report("asked");
}"""
PAGE = """<!doctype html><p>A page.</p><script>
window.events = [];
const dispatch = EventTarget.prototype.dispatchEvent;
EventTarget.prototype.dispatchEvent = function (event) { events.push(event.type); return dispatch.call(this, event); };
window.CustomEvent = class extends CustomEvent { constructor(...all) { super(...all); events.push(all[0]); } };
</script>"""
LOOK = """() => ({
  events, entries: performance.getEntries().map((one) => one.name),
  names: Object.getOwnPropertyNames(window), keys: Object.getOwnPropertySymbols(window).length,
})"""


async def _page(_: Request) -> HTMLResponse:
    return HTMLResponse(PAGE)


@pytest.fixture
def desk() -> Iterator[Server]:
    """The application."""
    server = Server(Starlette(routes=[Route("/", _page)]))
    yield server
    server.stop()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="module")
async def test_the_channel_is_out_of_reach(
    browser: Chromium, desk: Server, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    """Reports arrive in order before the state is read; no name, event or entry of the page tells how."""
    taken: list[str] = []

    async def report(self: object, said: str) -> bool:
        taken.append(said)
        return True

    monkeypatch.setattr(FakeSession, "probe", PROBE, raising=False)
    monkeypatch.setattr(FakeSession, "report", report, raising=False)
    world = FakeWorld(desk.port)
    environment = ChromiumEnvironment(browser, world, Size(600, 400), downloads=tmp_path)
    harness = Harness(environment, world)
    await harness.start("")
    await harness.do(Key(("a",)))
    await environment.state()
    assert [said for said in taken if said != '"asked"'] == ['"begun"', '"a"']
    assert taken[-1:] == ['"asked"']
    session = environment.session
    assert session.spec.reports is not None
    seen = str(await session.active.page.evaluate(LOOK))
    for secret in (session.spec.reports._event, session.spec.reports._binding, session.spec.reports._asked):
        assert secret not in seen
    await environment.close()


def test_reading_runs_no_script() -> None:
    """What is passed where scripts are refused is passed everywhere, and runs none, nor reaches an object of a page."""
    assert rules.PASSED.keys() > rules.READING
    assert not rules.READING & rules.SCRIPTS
    reached = {
        "evaluate",
        "callFunctionOn",
        "getProperties",
        "awaitPromise",
        "resolveNode",
        "createIsolatedWorld",
    }
    assert not reached & {method.partition(".")[2] for method in rules.READING}
    assert "could act for the mouse" in rules.refusal("Runtime.evaluate")
