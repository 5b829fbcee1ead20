"""Nothing that an agent does breaks the environment: it is refused with a sentence, or has an effect."""

from __future__ import annotations

import asyncio
import string
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.session.origin_policy import AllowedOrigins
from pytest_cuabench.drivers.chromium.session.session import MOST_TABS
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.action import (
    MAX_TEXT,
    Action,
    Back,
    Click,
    ClickElement,
    CloseTab,
    CursorPosition,
    Drag,
    FillElement,
    Forward,
    HoldKey,
    Key,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Navigate,
    Screenshot,
    Scroll,
    Size,
    SwitchTab,
    Type,
    Wait,
    Zoom,
    parse_action,
)

from .conftest import FakeWorld, Harness, instance
from .test_chromium_typing import _run

pytestmark = pytest.mark.asyncio(loop_scope="module")

ORIGIN = "http://a1b2.localhost:8123"
REFUSED = [
    # Other schemes, on the application's own origin too.
    "ws://{host}/", "wss://{host}/", "WS://{host}/", "Ws:{host}", "ftp://{host}/", "file:///etc/passwd",
    "file://{host}/", "FILE:///x", "data:text/html,x", "DATA:,x", "javascript:alert(1)", "JaVaScRiPt:alert(1)",
    " javascript:alert(1)", "java\tscript:alert(1)", "\x01javascript:alert(1)", "jav\nascript:1", "blob:{origin}/1-2",
    "blob:null/1-2", "about:blank", "about:srcdoc", "ABOUT:blank", "about:version", "chrome://crash", "chrome://kill",
    "chrome://version", "chrome-extension://x/", "chrome-error://chromewebdata/", "devtools://devtools/",
    "view-source:{origin}/", "view-source:/", "mailto:a@b.c", "tel:112", "sms:112", "intent://x#Intent;end", "market:x",
    "filesystem:{origin}/temporary/x", "content://x", "cid:x", "x-custom:y", "steam://run/1", "isolated-app://x/",
    "edge://crash", "urn:x:y", "ldap://{host}/", "gopher://{host}/", "ssh://{host}/", "https://{host}/",
    "httpss://{host}/",
    # Other hosts, however they are spelt.
    "http://example.com/", "//example.com/", "///example.com/", "\\\\example.com/", "/\\example.com/", "\\/example.com",
    "http:\\\\example.com\\", "http:////example.com", "http:/\\example.com", "HTTP://EXAMPLE.COM", " //example.com",
    "/\t/example.com", "ht\ntp://example.com/", "http://{host}@example.com/", "http://{host}:80@example.com/",
    "http://example.com\\@{host}/", "http://example.com%2f@{host}/", "http://user@{host}/", "http://user:word@{host}/",
    "http://:@{host}/", "http://{host}.example.com/", "http://{name}./", "http://{name}.:8123/", "http://x{host}/",
    "http://{name}:8124/", "http://{name}:0/", "http://{name}:65536/", "http://{name}:99999999999/",
    "http://{name}:-1/",
    "http://{name}:http/", "http://{name}/", "http://127.0.0.1:8123/", "http://0x7f.1:8123/", "http://2130706433:8123/",
    "http://[::1]:8123/", "http://[::ffff:127.0.0.1]/", "http://[broken", "http://]/", "http://localhost:8123/",
    "http://{name}\u3002example:8123/", "http://ex\u00e4mple.com/", "http://xn--exmple-cua.com/",
    "http://\u24d4xample.com/",
    "http://%65xample.com/", "http://exa mple.com/", "http://", "https:", "http:///", "http://:8123/",
    "https:/two",
    "http://*/", "http://{host},example.com/", "//", "\\\\", "http://{name}%00.example.com/", "http://a\x00b/",
]  # fmt: skip
OPENED = {
    "": "/start", "/two": "/two", "two": "/two", "./two": "/two", "../../two": "/two", "?x=1": "/start?x=1",
    "#part": "/start#part", "{origin}": "/", "{origin}/two": "/two", "  /two\n": "/two", "\x00/two\x1f": "/two",
    "HTTP://{host}/two": "/two", "http:two": "/two", "http:": "/start",
    "http:/two": "/two", "http:\\\\{host}\\two": "/two",
    "\\two": "/two", "/t\two": "/two", "//{host}/two": "/two", "http:////{host}/two": "/two",
    "{origin}/two?to=http://example.com/\\x#\\y": "/two?to=http://example.com/\\x#\\y", "/%2e%2e/x": "/%2e%2e/x",
    "/a@b": "/a@b", "/ü": "/ü", "http://A1B2.LOCALHOST:8123/two": "/two", "http://{name}:08123/two": "/two",
}  # fmt: skip


def _spelt(address: str) -> str:
    host = ORIGIN.removeprefix("http://")
    return (
        address.replace("{host}", host).replace("{origin}", ORIGIN).replace("{name}", host.partition(":")[0])
    )


@pytest.mark.parametrize("address", REFUSED)
async def test_an_address_that_is_refused(address: str) -> None:
    """Only http and https of the application's own origin are opened, however another address is spelt."""
    assert AllowedOrigins(ORIGIN).address(_spelt(address), f"{ORIGIN}/start") is None


@pytest.mark.parametrize("address", OPENED)
async def test_an_address_that_is_opened(address: str) -> None:
    """What is opened has the origin's own spelling."""
    found = AllowedOrigins(ORIGIN).address(_spelt(address), f"{ORIGIN}/start")
    assert found == ORIGIN + OPENED[address]


async def test_an_address_that_is_read_as_a_browser_reads_it() -> None:
    """Whatever is drawn of the signs that browsers and libraries read differently leads to the origin or nowhere."""
    random, realm = Random(7), AllowedOrigins(ORIGIN)
    parts = [
        *"/\\:@?#.%[]",
        "\t",
        " ",
        "\x00",
        "http",
        "https",
        "ws",
        "://",
        "example.com",
        *_spelt("{host} {name}").split(),
    ]
    for _ in range(20_000):
        given = "".join(random.choices(parts, k=random.randint(1, 8)))
        found = realm.address(given, f"{ORIGIN}/start")
        assert found is None or found.startswith((f"{ORIGIN}/", ORIGIN + "?", ORIGIN + "#")), given


async def test_further_hosts_are_opened_over_tls_only() -> None:
    """A declared host is opened by https, on its usual port."""
    realm = AllowedOrigins("https://a.my.example", ("b.example",))
    assert realm.address("https://b.example/x?y#z", "about:blank") == "https://b.example/x?y#z"
    assert realm.address("//b.example", "about:blank") == "https://b.example/"
    for given in ("http://b.example/", "wss://b.example/", "https://b.example:8443/", "https://u@b.example/"):
        assert realm.address(given, "about:blank") is None


@pytest.mark.parametrize(
    "address", ["ws://{host}/", "wss://{host}/", "chrome://crash", "http://{name}:99999/"]
)
async def test_a_refused_address_is_an_error_of_the_action(harness: Harness, address: str) -> None:
    """The agent reads a sentence, and the page stays where it was."""
    host = harness.origin.removeprefix("http://")
    given = address.replace("{host}", host).replace("{name}", host.partition(":")[0])
    result = await harness.environment.perform(Navigate(given))
    assert "only the application itself" in (result.error or "")
    assert await harness.environment.read("h1") == "Start"


ANSWERS = {
    "": b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<title>start</title><h1>Start</h1>",
    "empty": b"",
    "garbled": b"\x00\x01\x02",
    "loop": b"HTTP/1.1 302 Found\r\nlocation: /loop\r\nconnection: close\r\n\r\n",
    "socket": b"HTTP/1.1 302 Found\r\nlocation: ws://x/\r\nconnection: close\r\n\r\n",
    "lengths": b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\nconnection: close\r\n\r\nabc",
    "zipped": b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\nno gzip",
    "headers": b"HTTP/1.1 200 OK\r\nx: " + b"x" * 300_000 + b"\r\nconnection: close\r\n\r\nx",
    "nothing": b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n",
    "wrong": b"HTTP/1.1 500 Oops\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    "login": b"HTTP/1.1 401 No\r\nwww-authenticate: Basic\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    "file": b"HTTP/1.1 200 OK\r\ncontent-disposition: attachment\r\nconnection: close\r\n\r\nx",
}
LOST = ("empty", "garbled", "loop", "lengths", "headers")


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.IncompleteReadError):
        asked = await reader.readuntil(b"\r\n\r\n")
        writer.write(ANSWERS.get(asked.split(b" ")[1].decode().strip("/"), ANSWERS["wrong"]))
        await writer.drain()
    writer.close()


@pytest.mark.slow
async def test_what_the_browser_cannot_open(browser: Chromium, tmp_path: Path) -> None:
    """What Chromium says of an address of the application is told, and the episode goes on."""
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    world = FakeWorld(server.sockets[0].getsockname()[1])
    environment = ChromiumEnvironment(browser, world, Size(800, 600), downloads=tmp_path)
    await environment.reset(instance())
    for path in ANSWERS:
        result = await environment.perform(Navigate(f"/{path}"))
        seen = await environment.observe("tree")
        if path in LOST:
            assert "net::ERR_" in (result.error or ""), path
            assert "could not be opened: net::ERR_" in " ".join(seen.notices), path
        await environment.perform(Click(400, 300))
        assert (await environment.perform(Navigate("/"))).error is None
        assert await environment.read("h1") == "Start"
    await environment.close()
    server.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "url",
    [
        "ws://{host}/",
        "mailto:a@b.c",
        *(pytest.param(url, marks=pytest.mark.slow) for url in ("tel:1", "intent://x#Intent;end", "x-y:z")),
        "about:srcdoc",
    ],
)
async def test_a_page_that_leads_to_other_schemes(harness: Harness, url: str) -> None:
    """A link of the page to another scheme leaves the tab in the application."""
    url = url.replace("{host}", harness.origin.removeprefix("http://"))
    for script in (f"location = '{url}'", f"window.open('{url}')"):
        await harness.go("two")
        await _run(harness, f"{script}; 0")
        await harness.environment.settle()
        await harness.environment.observe("screenshot")
    await harness.go("two")
    assert await harness.environment.read("h1") == "Two"


SCRIPTS = {
    "a hundred tabs": "for (let i = 0; i < 100; i++) window.open('/two')",
    "windows that close": "for (let i = 0; i < 9; i++) window.open('/two').close()",
    "the page closes its window": "window.close()",
    "a closing opener": "const w = window.open('/two'); w.opener.close(); window.close()",
    "dialogs without end": "setInterval(() => alert('again'), 1)",
    "a dialog at leaving": "onbeforeunload = (e) => { e.preventDefault(); alert('no'); return 'x'; }",
    "printing": "window.print()",
    "a page that reloads": "setTimeout(() => location.reload(), 1)",
    "a page that goes on and on": "let n = 0; setInterval(() => location.hash = n++, 50)",
    "a history of its own": "for (let i = 0; i < 200; i++) history.pushState(0, '', '/two?' + i)",
    "a page rewritten": "document.open(); document.write('<h1>new'); document.close()",
    "a page without a root": "document.documentElement.remove()",
    "fullscreen": "document.documentElement.requestFullscreen()",
    "pointer lock": "document.body.requestPointerLock()",
    "many downloads": "for (let i = 0; i < 20; i++) { const a = document.createElement('a'); a.download = 'x' + i; "
    "a.href = URL.createObjectURL(new Blob(['x'])); a.click(); }",
    "frames in frames": "for (let i = 0; i < 50; i++) { const f = document.createElement('iframe'); f.src = '/two'; "
    "document.body.append(f); }",
    "a title without end": "document.title = 'x'.repeat(1e6)",
    "a page of great height": "document.body.style.height = '9e9px'",
    "a frame that leaves": "const f = document.createElement('iframe'); f.srcdoc = "
    "`<script>top.location = 'ws://x/'</script>`; document.body.append(f)",
    "a listener that throws": "addEventListener('keydown', () => { throw Error('x'); }); "
    "document.body.contentEditable = true",
    "questions for rights": "navigator.geolocation.getCurrentPosition(() => 0); Notification.requestPermission(); "
    "navigator.mediaDevices?.getUserMedia({video: true})",
}  # fmt: skip
TYPICAL = ("the page closes its window", "dialogs without end", "a dialog at leaving", "a page that reloads")
ACTS: tuple[Action, ...] = (
    Click(5, 5), Key(("enter",)), Type("abc\n"), Scroll(5, 5, dy=-100), Back(), Forward(), SwitchTab(1), CloseTab(),
    Key(("ctrl", "w")), Navigate("/two"),
)  # fmt: skip


def _scripts() -> Iterator[Any]:
    for name in SCRIPTS:
        yield pytest.param(name, id=name, marks=() if name in TYPICAL else (pytest.mark.slow,))


@pytest.mark.parametrize("name", list(_scripts()))
@pytest.mark.slow
async def test_whatever_a_page_does(harness: Harness, name: str) -> None:
    """A page that an agent brought to something odd is still looked at and acted on, and can be left."""
    await harness.start("two")
    evaluating = asyncio.ensure_future(_run(harness, f"{SCRIPTS[name]}; 0"))  # a dialog holds it up
    await harness.environment.settle()
    for kind in ("screenshot", "tree", "marks"):
        await harness.environment.observe(kind)  # type: ignore[arg-type]
    for action in ACTS:
        await harness.environment.perform(action)
    assert len(await harness.tabs()) <= MOST_TABS
    evaluating.cancel()


@pytest.mark.slow
async def test_more_tabs_than_a_person_keeps(harness: Harness) -> None:
    """Tabs beyond a number are closed at once, and the agent reads why."""
    await harness.start("two")
    link = (
        "const a = document.createElement('a'); a.target = '_blank'; a.href = '/two'; document.body.append(a)"
    )
    await _run(harness, f"{link}; for (let i = 0; i < {MOST_TABS + 5}; i++) a.click()")
    await harness.environment.settle()
    assert f"{MOST_TABS} are open already" in await harness.notices()
    assert len(await harness.tabs()) <= MOST_TABS
    await harness.start("")


ODD: tuple[Action, ...] = (
    CloseTab(), SwitchTab(10**9), Back(), ClickElement(1), FillElement(10**9, "x"), Drag(((5, 5), (5, 5))),
    HoldKey(("ctrl", "w"), 0.1), MouseUp(), Key(("ctrl", "w"), 100), Key(("alt", "f4")), Key(("😀",)),
    Navigate("x" * MAX_TEXT), Type("\x00\x01\x7f\u2028\ufeff\uffff"), Zoom((0, 0, 5000, 5000)), Move(-1, 0),
)  # fmt: skip
ALIKE: tuple[Action, ...] = (
    CloseTab(0), CloseTab(7), Forward(), Drag(((0, 0), (999, 699))), Click(999, 699), Scroll(dy=100), Scroll(dx=-100),
    Wait(0), HoldKey(("a", "b", "c"), 0.6), MouseDown(button="back"), KeyUp("x"), KeyUp("f24"), Key(("ctrl", "p")),
    Key(("ctrl", "shift", "w")), Key(("f11",)), Key(("ctrl", "alt", "delete")), Key(("printscreen",)),
    Key(("ctrl", "tab"), 100), Key(("alt", "left"), 100), Key(("f5",), 20), Key(("ß",)), Key(("shift", "é")),
    KeyDown("é"), Navigate(""), Navigate("\x00"), Navigate("?" + "%" * 999), Type("\t" * 200), Zoom((0, 0, 1, 1)),
    CursorPosition(), Click(10**9, 0),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "action", [*ODD, *(pytest.param(action, marks=pytest.mark.slow) for action in ALIKE)], ids=str
)
async def test_an_odd_action(harness: Harness, action: Action) -> None:
    """Each ends in a sentence or an effect, and the episode goes on."""
    await harness.environment.perform(action)
    await harness.environment.observe("screenshot")
    await harness.environment.perform(Navigate("/two"))
    assert await harness.environment.read("h1") == "Two"


async def test_the_longest_text_in_a_dialog(harness: Harness) -> None:
    """A dialog's field takes as much as an action may have, and is still painted."""
    await harness.go("dialogs")
    await harness.click("#prompt")
    await harness.do(Type("W" * MAX_TEXT))
    await harness.environment.observe("marks")
    await harness.do(Key(("enter",)))
    assert await harness.out() == "W" * MAX_TEXT


@pytest.mark.parametrize(
    ("data", "most"),
    [
        ({"kind": "wait", "seconds": 1e9}, "0 to 60"),
        ({"kind": "wait", "seconds": float("nan")}, "0 to 60"),
        ({"kind": "hold_key", "keys": ["a"], "seconds": 36_000}, "0 to 60"),
        ({"kind": "key", "keys": ["a"], "repeat": 10**6}, "1 to 100"),
        ({"kind": "scroll", "dy": 10**6}, "1 to 100"),
        ({"kind": "drag", "path": [[1, 1]] * 10_001}, "2 to 1000"),
        ({"kind": "type", "text": "x" * (MAX_TEXT + 1)}, f"at most {MAX_TEXT}"),
        ({"kind": "click", "x": 1, "y": 1, "count": 99}, "1, 2 or 3"),
    ],
)
async def test_an_argument_without_measure_is_refused(data: dict[str, object], most: str) -> None:
    """The agent is told the greatest value that is taken."""
    with pytest.raises(ActionError, match=most):
        parse_action(data)


def _drawn(random: Random) -> Action:
    """Return an action as a hostile agent might choose it."""
    x, y = random.randint(-5, 1010), random.randint(-5, 710)
    key = random.choice(["enter", "tab", "escape", "f5", "w", "é", "a", "home", "left", "space", "9"])
    held = random.choice(["ctrl", "alt", "shift", "meta"])
    text = "".join(random.choices(string.printable + "é😀\u0301\u202e", k=random.choice([1, 9, 150])))
    address = "".join(
        random.choices(
            ["/", "two", "tabs", "dialogs", "upload", "frames", "ws:", "//", "?", "\\", "@", "#"], k=4
        )
    )
    return random.choice([
        Click(x, y), Click(x, y, count=3), Click(x, y, button="back"), Move(x, y), MouseDown(x, y), MouseUp(x, y),
        Drag(((x, y), (5, 5), (x, y))), Scroll(x, y, dy=random.choice([-100, -1, 1, 100])), Key((held, key)),
        Key((key,), 5),
        KeyDown(held), KeyUp(held), HoldKey((key,), 0.05), Type(text), Navigate(address), Navigate(f"/{address}"),
        Back(),
        Forward(), SwitchTab(random.randint(0, 3)), CloseTab(random.choice([None, 0, 1])),
        ClickElement(random.randint(0, 40)),
        FillElement(random.randint(0, 40), text), Screenshot(), Wait(0.01),
    ])  # fmt: skip


@pytest.mark.parametrize(
    "seed", [pytest.param(number, marks=[pytest.mark.slow] * (number > 0)) for number in range(6)]
)
async def test_a_hostile_agent(harness: Harness, seed: int) -> None:
    """Whatever is drawn at random, in whatever order, breaks nothing."""
    random = Random(seed)
    await harness.start(random.choice(["dialogs", "tabs", "upload", "fields", "looks"]))
    for step in range(40):
        if step % 8 == 0:
            await harness.environment.observe(random.choice(["screenshot", "tree", "marks", "dom"]))  # type: ignore[arg-type]
        result = await harness.environment.perform(_drawn(random))
        assert result.error is None or result.error.strip()
    await harness.start("")
