"""The client for machines with OSWorld's server, against a strict stand-in."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from pytest_cuabench.drivers.desktop import settling
from pytest_cuabench.drivers.desktop.osworld import client as osworld
from pytest_cuabench.drivers.desktop.osworld import http as osworld_http
from pytest_cuabench.drivers.desktop.osworld.client import OSWorldClient
from pytest_cuabench.drivers.desktop.osworld.tree import MAX_DEPTH, read_tree
from pytest_cuabench.drivers.desktop.settling import changed
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.action import (
    MAX_TEXT,
    Action,
    CallApi,
    Click,
    CursorPosition,
    Drag,
    HoldKey,
    Key,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Screenshot,
    Scroll,
    Size,
    Type,
    Wait,
    Zoom,
)
from pytest_cuabench.task.observation import Box, RunResult

from .osworld_server import XML, FakeMachine, png, serving

T = TypeVar("T")


@pytest.fixture(autouse=True)
def restless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less long for pictures to rest than for those of a real machine."""
    monkeypatch.setattr(settling, "QUIET", 0.06)
    monkeypatch.setattr(settling, "_POLL", 0.01)
    monkeypatch.setattr(osworld, "_PAUSE", 0.01)


@pytest.fixture
def machine() -> Iterator[FakeMachine]:
    """A machine that is served."""
    with serving(FakeMachine()) as served:
        yield served


def ask(machine: FakeMachine, question: Callable[[OSWorldClient], Awaitable[T]]) -> T:
    """Return what an opened client answers."""

    async def asked() -> T:
        client = OSWorldClient(machine.address)
        try:
            await client.open()
            return await question(client)
        finally:
            await client.close()

    return asyncio.run(asked())


def test_opened(machine: FakeMachine) -> None:
    """Opening finds the screen, and whichever name Python has."""
    machine.pythons = ("python3",)
    assert ask(machine, _screen) == Size(64, 48)


async def _screen(client: OSWorldClient) -> Size:
    assert not client.sessions
    return client.screen


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"answers": {"/platform": (200, b"Windows")}}, "only Linux desktops"),
        ({"answers": {"/screen_size": (200, b'{"width": -1}')}}, "/screen_size returned"),
        ({"answers": {"/screen_size": (200, b"[]")}}, "no JSON object"),
        (
            {"answers": {"/screen_size": (500, b'{"status": "error", "message": "no\\ndisplay"}')}},
            "500: no display",
        ),
        ({"answers": {"/execute": (200, b"{}")}}, "/execute returned"),
        ({"pythons": ()}, "no Python with python-xlib.*pip install pyautogui"),
    ],
)
def test_unfit_machines(machine: FakeMachine, change: dict[str, Any], told: str) -> None:
    """What is no Linux desktop with pyautogui is refused in one sentence."""
    for name, value in change.items():
        setattr(machine, name, value)
    with pytest.raises(EnvironmentFailure, match=told):
        ask(machine, _screen)


def test_another_resolution(machine: FakeMachine) -> None:
    """A machine whose screen is not the suite's is refused."""

    async def opened() -> None:
        client = OSWorldClient(machine.address, Size(1920, 1080))
        try:
            await client.open()
        finally:
            await client.close()

    with pytest.raises(EnvironmentFailure, match=r"screen of 64x48, but the suite needs 1920x1080"):
        asyncio.run(opened())


ACTIONS: list[Action] = [
    Move(1, 2), Click(), Click(3, 4, "right", 2, ("ctrl", "shift")), MouseDown(5, 6), MouseUp(button="middle"),
    Drag(((1, 1), (9, 9)), modifiers=("alt",)), Scroll(7, 8, dx=-2, dy=3), Key(("ctrl", "a"), 3), KeyDown("shift"),
    KeyUp("shift"), HoldKey(("space",), 0.1), Type("naïve ∑ 😀\n\t'\"\\' {} %s"), Click(1, 1, "back"),
]  # fmt: skip


def test_actions(machine: FakeMachine) -> None:
    """Each action of mouse and keyboard reaches the machine once, as it stands."""
    assert {action.kind for action in ACTIONS} == {
        "move", "click", "mouse_down", "mouse_up", "drag", "scroll", "key", "key_down", "key_up", "hold_key", "type",
    }  # fmt: skip
    results = ask(machine, lambda client: client.perform(ACTIONS))
    assert [result.error for result in results] == [None] * len(ACTIONS)
    assert machine.acted == [action.to_json() for action in ACTIONS]


def test_looking_actions(machine: FakeMachine) -> None:
    """Looking closely, waiting and asking for the pointer are no clicks."""
    asked = (Screenshot(), Zoom((0, 0, 10, 10)), CursorPosition(), Wait(0), CallApi("plot"))
    seen, near, place, waited, refused = ask(machine, lambda client: client.perform(asked))
    assert seen.image == png()
    assert near.image is not None
    assert (place.text, waited.error) == ("(12, 34)", None)
    assert refused.error == "call_api is not available on an OSWorld machine"
    assert machine.acted == []


def test_a_long_text_is_typed_in_pieces(machine: FakeMachine) -> None:
    """No argument of a call grows beyond what Linux takes, and no character is lost between pieces."""
    text = "𝄞é" * (MAX_TEXT // 2)
    ask(machine, lambda client: client.perform([Type(text)]))
    assert "".join(action["text"] for action in machine.acted) == text
    assert max(len(repr(action)) for action in machine.acted) < 60_000


def typed_by(machine: FakeMachine) -> str:
    """Return what the machine's keyboard wrote."""
    return "".join(action["text"] for action in machine.acted)


@pytest.mark.parametrize(
    ("read", "done"),
    [
        ([(True, False), (False, False)], 1000),  # the second part is in the window's queue
        ([(True, False), (None, True)], 1000),  # keys were not free for all of the second part
        ([(None, True)], 500),
    ],
)
def test_a_window_that_stops_reading(
    machine: FakeMachine, read: list[tuple[bool | None, bool]], done: int
) -> None:
    """When a window does not read what was typed, no more is; the error says how much was."""
    machine.read = read
    (result,) = ask(machine, lambda client: client.perform([Type("y" * 2000)]))
    told = f"at most {done} of 2000 characters were typed"
    assert result.error == f"the application is busy and does not read what is typed; {told}"
    assert len(machine.acted) == len(read) or not machine.read


def test_a_window_that_is_busy_after_a_text(machine: FakeMachine) -> None:
    """A text of which all was typed is no error when the window is still busy, such as with computing its result."""
    machine.read = [(True, False), (False, False)]
    (result,) = ask(machine, lambda client: client.perform([Type("y" * 999 + "\n")]))
    assert (result.error, typed_by(machine)) == (None, "y" * 999 + "\n")


def test_a_slow_window(machine: FakeMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typing ends with an error before those who wait for it give it up, however slowly a window reads."""
    monkeypatch.setattr(Type, "extra_seconds", lambda action: 0.0)
    (result,) = ask(machine, lambda client: client.perform([Type("y" * 2000)]))
    assert result.error
    assert "at most 500 of 2000 characters were typed" in result.error
    assert typed_by(machine) == "y" * 500


def test_a_broken_line(machine: FakeMachine) -> None:
    """An action whose answer got lost is asked for again, and done once."""

    async def click(client: OSWorldClient) -> None:
        machine.drop = 2
        await client.perform([Click(1, 2)])

    ask(machine, click)
    assert machine.acted == [Click(1, 2).to_json()]


def test_a_dead_line(machine: FakeMachine) -> None:
    """A machine that goes on breaking the line is a failure of the environment; a program is never sent twice."""

    async def run(client: OSWorldClient) -> None:
        machine.drop = 99
        with pytest.raises(EnvironmentFailure, match="does not answer POST /execute"):
            await client.perform([Click(1, 2)])
        before = machine.asked.count("/execute")
        with pytest.raises(EnvironmentFailure, match="does not answer"):
            await client.run_code("print(1)", "python", 5)
        assert machine.asked.count("/execute") == before + 1

    ask(machine, run)
    assert machine.acted == [Click(1, 2).to_json()]


def test_a_slow_machine(machine: FakeMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes too long is not asked for again."""
    monkeypatch.setattr(osworld, "_COMMAND_SECONDS", -14.8)
    stop = asyncio.Event()

    async def click(client: OSWorldClient) -> None:
        machine.before = lambda path: _hang(path, stop)
        try:
            with pytest.raises(EnvironmentFailure, match=r"did not answer POST /execute within 0\.2 s"):
                await client.perform([Click(1, 2)])
        finally:
            stop.set()

    monkeypatch.setattr(osworld, "_PYTHONS", ("python",))
    ask(machine, click)
    assert machine.asked.count("/execute") == 2  # Python was looked for, and one click sent


def _hang(path: str, stop: asyncio.Event) -> None:
    import time

    while path == "/execute" and not stop.is_set():
        time.sleep(0.01)


def test_an_action_that_fails_in_the_machine(machine: FakeMachine) -> None:
    """An input script that ends with an error is an infrastructure failure with its last line."""
    failed = (
        b'{"status": "success", "output": "", "error": "Traceback\\nDisplayNameError: :0", "returncode": 1}'
    )

    async def click(client: OSWorldClient) -> None:
        machine.answers["/execute"] = (200, failed)
        await client.perform([Click(1, 2)])

    with pytest.raises(EnvironmentFailure, match="click failed in the machine: DisplayNameError: :0"):
        ask(machine, click)


def test_settling(machine: FakeMachine) -> None:
    """An action is over when the picture no longer changes; a caret may blink on."""
    caret = Image.new("RGB", (64, 48), "white")
    caret.paste("black", (10, 10, 12, 26))
    assert not changed(Image.new("RGB", (64, 48), "white"), caret)
    shown = [png(colour=colour) for colour in ("white", "red", "green", "blue", "black", "grey")]

    async def click(client: OSWorldClient) -> bytes:
        machine.screens = list(shown)
        await client.perform([Click(1, 2)])
        return await client.screenshot()

    assert ask(machine, click) == shown[-1]


@pytest.mark.parametrize(
    ("image", "told"),
    [(b"GIF89a", "no PNG"), (png(32, 32), "is of 32x32 pixels, not of 64x48"), (b"", "no PNG")],
)
def test_odd_pictures(machine: FakeMachine, image: bytes, told: str) -> None:
    """A picture that is none, or of another size, is the machine's trouble."""
    machine.screens = [image]
    with pytest.raises(EnvironmentFailure, match=told):
        ask(machine, lambda client: client.screenshot())


def test_a_server_that_fails_for_a_moment(machine: FakeMachine) -> None:
    """What only reads is asked for three times before it is the machine's trouble; an absent file is not."""
    machine.files["/a"] = b"text"

    async def look(client: OSWorldClient) -> None:
        machine.once = [("/screenshot", 500, b"{}"), ("/screenshot", 200, b"<html>")]
        assert await client.screenshot() == png()
        machine.once = [("/accessibility", 502, b"{}"), ("/accessibility", 500, b"{}")]
        assert len(await client.tree()) == 5
        machine.once = [("/file", 500, b"{}")]
        assert await client.read_file("/a") == b"text"
        machine.asked.clear()
        assert await client.read_file("/b") is None
        assert machine.asked == ["/file"]
        machine.once = [("/screenshot", 500, b'{"message": "no display"}')] * 3
        with pytest.raises(EnvironmentFailure, match="/screenshot answered 500: no display"):
            await client.screenshot()

    ask(machine, look)
    assert machine.once == []


def test_endless_replies(machine: FakeMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply that does not end is cut off."""
    monkeypatch.setattr(osworld_http, "MAX_BODY", 1000)
    machine.files["/big"] = b"x" * 100_000
    with pytest.raises(EnvironmentFailure, match="more than 1000 bytes"):
        ask(machine, lambda client: client.read_file("/big"))


def test_programs(machine: FakeMachine) -> None:
    """A model's program runs under a time limit; its result comes back."""
    assert ask(machine, lambda client: client.run_code("print(1)", "python", 5)) == RunResult(0, "ran\n", "")
    ask(machine, lambda client: client.run_code("ls", "bash", 600))
    assert machine.commands == [
        ["timeout", "--kill-after=2", "5", "python", "-c", "print(1)"],
        ["timeout", "--kill-after=2", "105", "bash", "-c", "ls"],
    ]
    assert ask(machine, lambda client: client.run_code("é" * 99_999, "bash", 5)).code == 1


def test_commands(machine: FakeMachine) -> None:
    """Set-up speaks OSWorld's calls: commands, programs that go on, and ScienceBoard's own."""

    async def prepare(client: OSWorldClient) -> Any:
        await client.execute("rm -f x", shell=True)
        await client.launch(["kalgebra", "8000"])
        return await client.post("/tex/check", {"path": "/home/user", "file": "main", "bibtex": False})

    assert ask(machine, prepare) == {"pass": True}
    assert machine.commands == ["rm -f x", ("launch", ["kalgebra", "8000"])]


def test_files(machine: FakeMachine) -> None:
    """Files are read byte for byte; an absent one is none."""
    machine.files["/home/user/é.bin"] = content = bytes(range(256)) * 3

    async def read(client: OSWorldClient) -> tuple[bytes | None, bytes | None]:
        return await client.read_file("/home/user/é.bin"), await client.read_file("/nowhere")

    assert ask(machine, read) == (content, None)


def test_tree(machine: FakeMachine) -> None:
    """The tree keeps roles, states, texts and places; what is not on the screen has no extent."""
    nodes = ask(machine, lambda client: client.tree())
    assert [(node.role, node.depth, node.parent) for node in nodes] == [
        ("desktop-frame", 0, -1), ("application", 1, 0), ("frame", 2, 1), ("entry", 3, 2), ("slider", 3, 2),
    ]  # fmt: skip
    _, application, frame, entry, slider = nodes
    assert application.box == Box(0, 0, 0, 0)
    assert frame.states == ("showing", "visible", "multi-line")
    assert (frame.name, frame.box, frame.value) == ("KAlgebra", Box(0, 20, 800, 600), "")
    assert (entry.value, entry.description, entry.box) == ("x^2 < é", "a line", Box(-5, 30, 100, 20))
    assert slider.value == "0.5"


@pytest.mark.parametrize(
    ("xml", "told"),
    [
        ('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "declares a document type"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', "declares a document type"),
        ("<a>&x;</a>", "is no XML"),
        ("<a><b></a>", "is no XML"),
        ("", "is no XML"),
        ("<a>" * (MAX_DEPTH + 1) + "</a>" * (MAX_DEPTH + 1), "levels"),
    ],
)
def test_odd_trees(xml: str, told: str) -> None:
    """A tree with entities, too deep or broken is refused; no file is read for it."""
    with pytest.raises(EnvironmentFailure, match=told):
        read_tree(xml)


@given(st.text(max_size=30), st.integers(0, len(XML)), st.integers(0, 20))
@settings(max_examples=200)
def test_any_tree(scrap: str, at: int, cut: int) -> None:
    """Whatever stands in a tree, reading it gives elements or says what is wrong."""
    try:
        nodes = read_tree(XML[:at] + scrap + XML[at + cut :])
    except EnvironmentFailure:
        return
    assert all(-1 <= node.parent < index for index, node in enumerate(nodes))


def test_no_tree(machine: FakeMachine) -> None:
    """A server that answers without a tree is in trouble."""
    machine.answers["/accessibility"] = (200, b'{"AT": null}')
    with pytest.raises(EnvironmentFailure, match="returned no tree"):
        ask(machine, lambda client: client.tree())


def test_hand_is_for_old_pythons() -> None:
    """What is sent to a machine needs no syntax that Python 3.8 lacks."""
    import ast

    from .osworld_server import INPUT_SCRIPT

    ast.parse(INPUT_SCRIPT, feature_version=(3, 8))
    told = subprocess.run([sys.executable, "-c", INPUT_SCRIPT], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stdout) == (0, "")
