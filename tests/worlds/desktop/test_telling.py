"""What is told of the state of applications whose program ends, crashes or hangs, as fakes and as they are."""

from __future__ import annotations

import asyncio
import gc
import os
import re
import signal
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from drivers.guests import Guest, absent, labelled

from guest import telling
from guest.errors import Ended, NotReady
from guest.program import Program

OPEN = {"window": {"main": {"open": True}}}
SHUT: dict[str, Any] = {"window": {}}


class Fake:
    """An application with a file, and a program that tells whether its window is open."""

    name, packages, programs = "fake", (), ()
    closed: Any = SHUT

    def __init__(self, tell: Callable[[], Awaitable[Any]]) -> None:
        self.tell = tell

    async def prepare(self, *_: object) -> None:
        """Do nothing."""

    launch = ready = arrange = prepare

    async def state(self, desktop: object) -> Any:
        """Return what the file holds."""
        return {"file": {"a.txt": {"text": "saved"}}}

    async def live_state(self, desktop: object) -> Any:
        """Return what the program tells."""
        return await self.tell()


def told(
    script: str, tell: Callable[[Program], Awaitable[Any]], touched: bool = True, closed: Any = SHUT
) -> Any:
    """Return collections, failure and the reason for not believing, where a shell script is the running program.

    Nothing is left behind that complains of itself afterwards, which a guest does once for each reading.
    """
    complaints: list[Any] = []

    async def read() -> Any:
        asyncio.get_running_loop().set_exception_handler(lambda _, complaint: complaints.append(complaint))
        process = await asyncio.create_subprocess_exec("sh", "-c", script)
        program = Program("fake", process, Path(os.devnull))
        application = Fake(lambda: tell(program))
        application.closed = closed
        launches = defaultdict(list, fake=[program])
        session = SimpleNamespace(launches=launches, accessibility=SimpleNamespace(only=nullcontext))
        known = {("fake", "live"): OPEN}
        episode = SimpleNamespace(application=application, setup=[], touched=touched, told=known)
        try:
            return await telling.read(SimpleNamespace(session=session), episode)  # type: ignore[arg-type]
        finally:
            if program.alive:
                await program.kill()

    found = asyncio.run(read())
    gc.collect()
    assert complaints == []
    return found


async def open_now(program: Program) -> Any:
    """Tell that the window is open."""
    return OPEN


async def silent(program: Program) -> Any:
    """Never answer."""
    await asyncio.Event().wait()


async def killed(program: Program) -> Any:
    """Crash while the state is read, and never answer."""
    program.process.kill()
    await silent(program)


async def closed_channel(program: Program) -> Any:
    """Close the channel while the program still ends."""
    raise Ended("it does not answer")


async def busy(program: Program) -> Any:
    """Compute."""
    raise NotReady("it computes")


FILE = {"file": {"a.txt": {"text": "saved"}}}


@pytest.mark.parametrize("touched", [False, True])
def test_a_crash_ends_a_reading(touched: bool) -> None:
    """What never answers is waited for until its program crashes; its last state counts, or is trouble of nobody's."""
    why = "fake ended with signal SIGKILL"
    expected = ({**OPEN, **FILE}, None, why) if touched else ({**OPEN, **FILE}, why, None)
    assert told("sleep 60", killed, touched) == expected


def test_a_crash_before_a_reading() -> None:
    """A program that has crashed is not asked."""

    async def ended(program: Program) -> Any:
        raise AssertionError("it is asked")

    async def crash(program: Program) -> Any:
        await program.process.wait()
        raise Ended("it does not answer")

    assert told("exit 3", crash)[2] == "fake ended with code 3"


def test_a_closed_program() -> None:
    """A program that was closed tells what its application says of that; what it told last, if it says nothing."""
    assert told("exit 0", closed_channel) == ({**SHUT, **FILE}, None, None)
    assert told("exit 0", silent) == ({**SHUT, **FILE}, None, None)
    assert told("exit 0", silent, closed=None) == ({**OPEN, **FILE}, None, "fake was closed")


def test_files_are_read_beside_a_program_that_hangs() -> None:
    """A program that hangs is a failure with its reason, and what files hold is told."""
    assert told("sleep 60", busy) == ({**OPEN, **FILE}, "it computes", None)


def test_a_program_that_is_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    """A channel that is closed before its program ends is explained by how that ends, or else by itself."""
    assert told("sleep 0.2; exit 7", closed_channel)[2] == "fake ended with code 7"
    monkeypatch.setattr(telling, "_ENDING", 0.1)
    assert told("sleep 60", closed_channel)[2] == "it does not answer"


def test_a_running_program() -> None:
    """What a running program tells is told."""
    assert told("sleep 60", open_now) == ({**OPEN, **FILE}, None, None)


LIVE = {
    "coq": "coqide", "kalgebra": "kalgebra", "texstudio": "texstudio", "pymol": "python3", "grass": "python3",
    "stellarium": "stellarium", "probe": "python3",
}  # fmt: skip


@pytest.fixture
def guest() -> Iterator[Guest]:
    """A guest of its own."""
    if reason := absent():
        pytest.skip(reason)
    guest = Guest(screen="1920x1080")
    yield guest
    guest.close()


def signalled(guest: Guest, application: str, number: signal.Signals) -> None:
    """Send a signal to the processes of an application."""
    for process in labelled(guest.state):
        with suppress(OSError):  # it has just ended
            if Path(f"/proc/{process}/comm").read_text().strip() == LIVE[application]:
                os.kill(process, number)


def begun(guest: Guest, application: str) -> dict[str, Any]:
    """Start an application, and return its state."""
    health = guest.call("GET", "/health")["applications"][application]
    if not health["available"]:
        pytest.skip(f"type: apt-get install {' '.join(health['packages'])}")
    guest.begin(application)
    state = guest.call("GET", "/session/state")
    assert (state["trouble"], state["unsealed"]) == (None, None)
    return state


@pytest.mark.slow
@pytest.mark.parametrize("application", list(LIVE))
def test_a_crash_is_told(guest: Guest, application: str) -> None:
    """That a program crashed is told at the first reading, as trouble; after an action its last state counts."""
    before = begun(guest, application)
    # CoqIDE handles SIGSEGV, which only a stack overflow sends it
    signalled(guest, application, signal.SIGKILL if application == "coq" else signal.SIGSEGV)
    assert f"{application} ended with code" in guest.call("GET", "/session/state")["trouble"]
    begun(guest, application)
    guest.act({"kind": "wait", "seconds": 0})
    signalled(guest, application, signal.SIGKILL)
    after = guest.call("GET", "/session/state")
    assert (after["trouble"], after["collections"]) == (None, before["collections"])
    assert f"{application} ended with code" in after["unsealed"]


@pytest.mark.slow
@pytest.mark.parametrize("application", list(LIVE))
def test_a_program_that_hangs_is_told(guest: Guest, application: str) -> None:
    """A program that hangs is trouble with a reason of its own; killed while it is read, it has ended."""
    begun(guest, application)
    signalled(guest, application, signal.SIGSTOP)
    state = guest.call("GET", "/session/state")
    assert re.search("(does|did) not answer", state["trouble"])
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(guest.call, "GET", "/session/state")
        signalled(guest, application, signal.SIGKILL)
        assert f"{application} ended with code" in reading.result()["trouble"]
