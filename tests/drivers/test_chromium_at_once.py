"""Episodes that share a browser at the same time: each has its own pages, storage, downloads and clipboard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from breadth import some
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.action import Key, KeyDown, KeyUp, Size, Type
from pytest_cuabench.testing.probe_page import Server
from pytest_cuabench.testing.served_world import FakeWorld

from .conftest import Harness

EPISODES = 4
PASTES = 100
PAGE = """<!doctype html><title>Desk</title>
<textarea id=area></textarea> <div id=rich contenteditable style="border: 1px solid; width: 300px">.</div>
<button id=own>Copy by script</button> <a id=csv href=/list.csv>List</a>
<p id=word><b>bold</b> word</p><p id=out></p><script>
const name = location.hostname.split(".")[0], out = document.getElementById("out");
document.getElementById("own").onclick = () => document.execCommand("copy");
document.addEventListener("copy", (event) => {
  if (document.activeElement.id !== "own") return;
  event.preventDefault();
  event.clipboardData.setData("text", "own " + name);
});
(async () => {
  const before = [document.cookie, localStorage.length, (await caches.keys()).length,
    (await indexedDB.databases()).length, performance.getEntriesByName(location.origin + "/big").length];
  document.cookie = "name=" + name;
  localStorage.setItem("name", name);
  await caches.open(name);
  await new Promise((done) => { indexedDB.open(name).onsuccess = done; });
  out.textContent = JSON.stringify(before);
})();
</script>"""


async def _page(_: Request) -> HTMLResponse:
    return HTMLResponse(PAGE)


async def _list(request: Request) -> Response:
    return Response(request.url.hostname, headers={"content-disposition": "attachment; filename=list.csv"})


@pytest.fixture(scope="module")
def desk() -> Iterator[Server]:
    """The application that all episodes play."""
    server = Server(Starlette(routes=[Route("/", _page), Route("/list.csv", _list)]))
    yield server
    server.stop()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def shared() -> AsyncIterator[Chromium]:
    """A browser for several episodes at the same time."""
    try:
        chromium = Chromium(find_chromium(None), shared=True)
    except SettingError as error:
        pytest.skip(str(error))
    yield chromium
    await chromium.close()


@pytest_asyncio.fixture(loop_scope="module")
async def episodes(shared: Chromium, desk: Server, tmp_path: Path) -> AsyncIterator[list[Harness]]:
    """Episodes that began at the same time."""
    worlds = [FakeWorld(desk.port) for _ in range(EPISODES)]
    made = [
        Harness(ChromiumEnvironment(shared, world, Size(600, 400), downloads=tmp_path), world)
        for world in worlds
    ]
    await asyncio.gather(*(each.start("") for each in made))
    yield made
    for each in made:
        await each.environment.close()


def host(episode: Harness) -> str:
    """Return the name that an episode's pages have."""
    return episode.origin.removeprefix("http://").partition(".")[0]


pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]


async def test_first_opens_share_one_browser(shared: Chromium, episodes: list[Harness]) -> None:
    """Episodes that begin at the same time start one browser."""
    assert shared.pid is not None
    assert len({host(each) for each in episodes}) == EPISODES


async def test_storage_is_apart(episodes: list[Harness]) -> None:
    """No episode finds cookies, storage, caches or databases of another."""
    for each in episodes:
        assert await each.out() == '["",0,0,0,0]'


async def test_downloads_are_apart(episodes: list[Harness], tmp_path: Path) -> None:
    """Each episode has its own download, in a folder of its own."""
    await asyncio.gather(*(each.click("#csv") for each in episodes))
    for each in episodes:
        assert (await each.environment.activity()).downloads == ("list.csv",)
    contents = {file.read_text() for file in tmp_path.rglob("list.csv")}
    assert contents == {f"{host(each)}.localhost" for each in episodes}


async def _type_and_copy(each: Harness) -> None:
    await each.click("#area")
    await each.do(Type(host(each)), Key(("ctrl", "a")), Key(("ctrl", "c")))


async def _click_own(each: Harness) -> None:
    await each.click("#own")


async def _cut(each: Harness) -> None:
    await each.click("#area")
    await each.do(Type(host(each)), Key(("ctrl", "a")), Key(("ctrl", "x")))


@pytest.mark.parametrize(
    ("copy", "copied"),
    [
        (_type_and_copy, "{}"),
        pytest.param(_cut, "{}", marks=pytest.mark.slow),
        pytest.param(_click_own, "own {}", marks=pytest.mark.slow),
    ],
    ids=["keys", "cut", "script"],
)
async def test_each_pastes_what_it_copied(episodes: list[Harness], copy, copied) -> None:  # type: ignore[no-untyped-def]
    """What an episode copies, by keys or by its page, is what it pastes, although others copy meanwhile."""
    await asyncio.gather(*(copy(each) for each in episodes))

    async def paste(each: Harness) -> None:
        await each.click("#area")
        await each.do(Key(("ctrl", "a")), Key(("ctrl", "v")))

    await asyncio.gather(*(paste(each) for each in episodes))
    for each in episodes:
        assert await each.environment.read("#area") == copied.format(host(each))


@pytest.mark.parametrize(
    "chord",
    some(
        [
            (Key(("shift", "insert")),),
            (KeyDown("ctrl"), Key(("v",)), KeyUp("ctrl")),
            (KeyDown("ctrl"), Type("v"), KeyUp("ctrl")),
        ]
    ),
    ids=["insert", "held", "typed"],
)
async def test_nothing_comes_from_another_episode(episodes: list[Harness], chord) -> None:  # type: ignore[no-untyped-def]
    """An episode that copied nothing pastes nothing, however it pastes."""
    first, second = episodes[:2]
    await _type_and_copy(first)
    await second.click("#area")
    await second.do(*chord)
    assert await second.environment.read("#area") == ""


LOOP = """(text) => {
  const put = (event) => { event.preventDefault(); event.clipboardData.setData("text/plain", text); };
  addEventListener("copy", put, true);
  setInterval(() => document.execCommand("copy"), 20);
}"""
FOREIGN = "of another episode"


async def _copies_in_a_loop(each: Harness) -> None:
    session = each.environment._session
    assert session is not None
    asked = {"expression": f"({LOOP})({FOREIGN!r})", "userGesture": True}
    await session.active.cdp.send("Runtime.evaluate", asked)


async def test_a_page_that_copies_in_a_loop(episodes: list[Harness]) -> None:
    """None of 100 pastes holds what the page of another episode puts on the clipboard all the time."""
    first, second = episodes[:2]
    await _copies_in_a_loop(second)
    await _type_and_copy(first)
    for _ in range(PASTES):
        await first.do(Key(("ctrl", "v")))
    pasted = await first.environment.read("#area") or ""
    assert (pasted.count(FOREIGN), pasted) == (0, host(first) * PASTES)


async def test_what_the_page_hears_of_a_paste(episodes: list[Harness]) -> None:
    """A page's own handler gets the episode's text by the event, also one that listens first; and may prevent it."""
    first, second = episodes[:2]
    await _copies_in_a_loop(second)
    await _type_and_copy(first)
    session = first.environment._session
    assert session is not None
    await session.active.evaluate("""window.seen = []; document.open(); document.write("<input id=line>");
      for (const phase of [true, false]) {
        addEventListener("paste", (event) => seen.push(event.clipboardData.getData("text")), phase);
      }
      document.getElementById("line").onpaste = (event) => event.preventDefault()""")
    await first.click("#line")
    await first.do(Key(("ctrl", "v")))
    assert await session.active.evaluate("seen") == [host(first)] * 2
    assert await first.environment.read("#line") == ""


async def test_rich_text_keeps_its_form(episodes: list[Harness]) -> None:
    """Marked text is pasted with its formatting."""
    first = episodes[0]
    await first.click("#word", count=3)
    await first.do(Key(("ctrl", "c")))
    await first.click("#rich")
    await first.do(Key(("ctrl", "v")))
    session = first.environment._session
    assert session is not None
    assert "bold</b> word" in await session.active.page.evaluate("document.getElementById('rich').innerHTML")
