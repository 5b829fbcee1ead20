"""Text and clicks arrive as they were meant, in whatever toolkit the program is made with."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from inspect import signature
from pathlib import Path

import psutil
import pytest
from drivers.guests import Guest, needs_desktop
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route

from guest import applications, input, timeouts
from guest.desktop import Desktop
from guest.errors import Conflict
from guest.session import Options
from pytest_cuabench.drivers.desktop import guest
from pytest_cuabench.drivers.desktop.guest import Guest as GuestClient
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.task.action import Drag, Type
from pytest_cuabench.testing.probe_page import Server

pytestmark = needs_desktop
LINE = {"kind": "click", "x": 500, "y": 155}
TEXT = {"kind": "click", "x": 500, "y": 60}
CLEAR = {"kind": "click", "x": 1210, "y": 740}
MANY = "".join(chr(0x4E00 + place) for place in range(250))  # more than keys can be borrowed at a time
LINES = f"Größe 患者 e\u0301 → “q” ∑\nzwei €\n{MANY}\n"


def typed(text: str) -> dict[str, str]:
    """Return the action that types a text."""
    return {"kind": "type", "text": text}


def key(*keys: str) -> dict[str, object]:
    """Return the action that presses a chord."""
    return {"kind": "key", "keys": list(keys)}


@pytest.fixture
def probe(desktop: Guest) -> Guest:
    """The probe window, empty."""
    if desktop.call("GET", "/health")["session"] is None:
        desktop.begin()
    desktop.act(CLEAR)
    return desktop


@pytest.mark.slow
def test_more_characters_than_keys(probe: Guest) -> None:
    """Keycodes that get several meanings one after the other lose none and mix up none."""
    probe.act(TEXT, typed(LINES))
    assert probe.fields()["text"] == LINES


def test_caps_lock_does_not_turn_letters(probe: Guest) -> None:
    """Text is written as it stands while Caps Lock is on, and Caps Lock stays on for keys."""
    probe.act(LINE, key("capslock"), typed("aB é"), key("x"), key("capslock"), key("x"))
    assert probe.fields()["line"] == "aB éXx"


def test_modifiers_do_not_stick(probe: Guest) -> None:
    """A chord with a key that is no key leaves nothing pressed, and a session begins with nothing held."""
    refused = {"actions": [key("ctrl", "shift", "hyper")]}
    assert probe.call("POST", "/actions", refused)["results"][0]["error"]
    probe.act(LINE, typed("a"))
    assert probe.fields()["line"] == "a"
    probe.act(
        {"kind": "key_down", "key": "ctrl"}, {"kind": "mouse_down", "x": 100, "y": 100}, key("capslock")
    )
    probe.begin()
    probe.act(LINE, typed("a"), key("b"))
    assert probe.fields()["line"] == "ab"
    clicks = [row for row in probe.collections()["events"].values() if row["type"] == "click"]
    assert [click["ctrl"] for click in clicks] == [False]


def test_held_keys_wait_for_the_agent(probe: Guest) -> None:
    """A key that was pressed and not let go writes once, however long the agent thinks; a held one repeats."""
    down, think = {"kind": "key_down", "key": "a"}, {"kind": "wait", "seconds": 0.8}
    probe.act(LINE, down, think, {"kind": "key_up", "key": "a"})
    assert probe.fields()["line"] == "a"
    probe.act(CLEAR, LINE, {"kind": "hold_key", "keys": ["b"], "seconds": 0.8})
    assert len(probe.fields()["line"]) > 2


def test_two_clicks_are_no_double_click(probe: Guest) -> None:
    """Clicks of two actions at one place stay apart, as an agent means them; a double click is one action."""
    place = {"kind": "click", "x": 100, "y": 100}
    probe.act(place, place)
    kinds = [row["type"] for row in probe.collections()["events"].values()]
    assert (kinds.count("click"), kinds.count("dblclick")) == (2, 0)
    probe.act(CLEAR, {**place, "count": 2})
    assert [row["type"] for row in probe.collections()["events"].values()].count("dblclick") == 1


def test_where_the_pointer_is(probe: Guest) -> None:
    """The pointer is told where it was moved to, by the protocol and to an agent that asks."""
    results = probe.act({"kind": "move", "x": 33, "y": 44}, {"kind": "cursor_position"})
    assert results[1]["text"] == "(33, 44)"
    assert probe.call("GET", "/cursor") == {"x": 33, "y": 44}


async def on_a_desk(scene: Callable[[Desktop], Awaitable[None]]) -> None:
    """Play a scene on a desktop of this process."""
    folder = Path(tempfile.mkdtemp(prefix="cua-"))
    desktop = Desktop(Options(folder, (1280, 800)), "bwrap")
    try:
        await desktop.begin(applications.find("probe"), [])
        await desktop.session.end_programs()
        await scene(desktop)
    finally:
        await desktop.end()
        shutil.rmtree(folder)


async def wait_until(holds: Callable[[], Awaitable[object]], seconds: float = 30) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not await holds():
            await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.asyncio
async def test_a_window_that_stops_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more is typed into a window that does not read, the error says how much was, and that arrives whole."""
    monkeypatch.setattr(input, "_BUSY", 0.2)
    text = "".join(chr(0x4E00 + place) for place in range(500))

    async def scene(desktop: Desktop) -> None:
        await desktop.begin(applications.find("probe"), [])
        (window,) = desktop.session.programs
        await desktop.input.click(500, 60)
        await desktop.settle()
        with stopped(window.process.pid):
            with pytest.raises(
                Conflict, match=r"no more input for \d+ s; at most \d+ of 500 characters"
            ) as told:
                await desktop.input.type(text)
            with pytest.raises(Conflict, match="has not read what was typed before"):
                await desktop.input.type(text[250:])  # no key may get another meaning
        typed = int(str(told.value).split("at most ")[1].split()[0])

        async def arrived() -> bool:
            field = (await desktop.state())["collections"]["fields"]["text"]["value"]
            assert text.startswith(field)
            return len(field) == typed > 0

        await wait_until(arrived)

    await on_a_desk(scene)


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """Have a program and all that it started do nothing while the block runs."""
    family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    for process in family:
        process.suspend()
    try:
        yield
    finally:
        for process in family:
            process.resume()


def test_deadlines_follow_the_plugin() -> None:
    """The guest gives up typing and dragging before its client does, and that one before the episode."""
    assert Type("x" * 1000).extra_seconds() == pytest.approx(1000 * timeouts.CHARACTER)
    assert Drag(((1, 1), (2, 2)) * 500).extra_seconds() == pytest.approx(998 * timeouts.POINT)
    longest_rest = 15.0  # of a screen on an emulated processor; see `settling.CAP`
    client = signature(GuestClient).parameters["patience"].default + guest._CAP
    assert input._AT_LEAST + longest_rest < client < Limits(1, 1).action


@pytest.mark.skipif(not Path("/usr/bin/texstudio").exists(), reason="type: apt-get install texstudio")
@pytest.mark.asyncio
@pytest.mark.slow
async def test_a_qt_application() -> None:
    """An editor made with Qt gets every character in order, Return and Tab included."""

    async def scene(desktop: Desktop) -> None:
        desktop.write("a.tex", "")
        await desktop.launch(["/usr/bin/texstudio", "--no-session", "a.tex"])
        await wait_until(lambda: desktop.find_all('frame[name*="a.tex"] >> page-tab[name="a.tex"]'))
        await desktop.settle()
        await desktop.input.key("ctrl", "home")
        await desktop.input.type(LINES + "\tend")
        await desktop.input.key("ctrl", "s")

        async def saved() -> bool:
            return desktop.read("a.tex").decode() == LINES + "\tend"

        await wait_until(saved)

    await on_a_desk(scene)


FIELD = """<!doctype html><meta charset=utf-8><title>Field</title>
<textarea id=field autofocus style="width: 1200px; height: 600px"></textarea>
<script>field.oninput = () => { document.title = field.value.length; }</script>"""


@pytest.mark.skipif(not Path("/usr/lib/chromium/chromium").exists(), reason="type: apt-get install chromium")
@pytest.mark.slow
def test_a_page_of_a_browser() -> None:
    """A page has a long text whole when the action ends, and stays where it is whatever characters are typed."""
    server = Server(Starlette(routes=[Route("/", lambda _: HTMLResponse(FIELD))]))
    text = "The quick brown fox jumps. " * 100 + MANY + MANY[::-1]
    guest = Guest()
    try:
        guest.begin("browser", [{"do": "browse", "url": f"http://127.0.0.1:{server.port}/"}])
        guest.act({"kind": "click", "x": 600, "y": 400}, typed(text))
        titles = [node["name"] for node in guest.nodes() if node["role"] == "document-web"]
        values = [node["value"] for node in guest.nodes() if node["role"] == "entry"]
    finally:
        guest.close()
        server.stop()
    assert str(len(text)) in titles
    assert text in values


WX = """
import sys, wx
app = wx.App()
frame = wx.Frame(None, title="wx", size=(600, 400))
field = wx.TextCtrl(frame, style=wx.TE_MULTILINE)
field.Bind(wx.EVT_TEXT, lambda event: open("out.txt", "w").write(field.GetValue()))
frame.Show()
field.SetFocus()
app.MainLoop()
"""


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/usr/lib/python3/dist-packages/wx").exists(), reason="type: apt-get install python3-wxgtk4.0"
)
@pytest.mark.asyncio
async def test_a_wx_application() -> None:
    """A field made with wxWidgets gets every character in order."""

    async def scene(desktop: Desktop) -> None:
        desktop.write("out.txt", "")
        desktop.write("window.py", WX)
        await desktop.launch(["/usr/bin/python3", "window.py"])
        await wait_until(lambda: desktop.find_all('frame[name="wx"]:active >> text'))
        await desktop.input.type(LINES)

        async def written() -> bool:
            return desktop.read("out.txt").decode() == LINES

        await wait_until(written)

    await on_a_desk(scene)
