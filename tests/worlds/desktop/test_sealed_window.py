from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from guest.accessibility import Accessibility
from guest.errors import DesktopFailure, Ended, NotReady, SealBroken
from guest.nodes import Ref
from guest.places import GUEST
from guest.sealed.window import Window

ROOT = "/org/a11y/atspi/accessible/root"
Said = Callable[[dict[str, Any]], list[object]]


def asked(window: Window, say: Said, times: int = 1) -> dict[str, Any]:
    """Ask a window whose wrapper says so, and return its last answer."""

    async def wrapper(channel: socket.socket) -> None:
        reader, writer = await asyncio.open_unix_connection(sock=channel)
        while line := await reader.readline():
            for said in say(json.loads(line)):
                writer.write(json.dumps(said).encode() + b"\n")
        writer.close()

    async def ask() -> dict[str, Any]:
        wrapping = asyncio.create_task(wrapper(window.channel.dup()))
        window.channel.close()
        try:
            for _ in range(times):
                answer = await window.ask("state")
            return answer
        finally:
            window.close()
            await wrapping

    return asyncio.run(ask())


def test_the_window_is_believed():
    """The answer to this very question is taken, not one that comes too late."""

    def say(request: dict[str, Any]) -> list[object]:
        return [
            {"number": request["number"] - 1, "answer": {"layers": ["old"]}},
            {"number": request["number"], "answer": {"layers": []}},
        ]

    assert asked(Window("GRASS"), say, times=2) == {"layers": []}


def test_a_broken_seal_stays_broken():
    """When code of others has begun to run, nothing that follows is believed, and the reason is told."""
    window = Window("PyMOL")

    def say(request: dict[str, Any]) -> list[object]:
        return [{"broken": "code ran"}, {"number": request["number"], "answer": {"forged": True}}]

    with pytest.raises(SealBroken, match="PyMOL is not believed any more, since code ran"):
        asked(window, say)
    assert window.broken == "code ran"


def test_a_window_that_has_ended_is_told_from_a_slow_one():
    """A channel whose other end is closed is that of a program that has ended."""
    window = Window("PyMOL")
    window.channel.close()
    with pytest.raises(Ended, match="does not answer when asked for state"):
        asyncio.run(window.ask("state"))
    window.close()


def test_what_the_window_cannot_do_is_told():
    """Its sentence is passed on."""
    with pytest.raises(DesktopFailure, match=r"asked for state: Failed: no"):
        asked(Window("GRASS"), lambda request: [{"number": 1, "answer": {"error": "Failed: no"}}])


def test_the_window_before_answers_when_a_later_one_has_ended():
    """A second start that ends at once takes nothing away; without another window nothing is known."""

    async def ask() -> dict[str, Any]:
        before = Window("GRASS")
        later = Window("GRASS", before)
        later.channel.close()
        with pytest.raises(NotReady, match="does not answer when asked for state"):
            await Window("GRASS").ask("state")
        reader, writer = await asyncio.open_unix_connection(sock=before.channel.dup())
        asking = asyncio.create_task(later.ask("state"))
        number = json.loads(await reader.readline())["number"]
        writer.write(json.dumps({"number": number, "answer": {"title": "first"}}).encode() + b"\n")
        found = await asking
        writer.close()
        later.close()
        return found

    assert asyncio.run(ask()) == {"title": "first"}


class Buses(Accessibility):
    """The shared bus and some launches' own ones; each has named connections."""

    def __init__(self, *names: str) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self.roots = {0: [Ref(name, ROOT) for name in names]}

    def launch(self, application: str, alive: bool, *roots: Ref) -> None:
        """Add the bus of a launch, whose first connection is the application's."""
        self.add(Own(application, alive, roots[0].bus))  # type: ignore[arg-type]
        self.roots[len(self.roots)] = list(roots)

    async def call(self, ref: Ref, interface: str, member: str, signature: str = "", *body: Any) -> list[Any]:
        """Return what is registered at a registry."""
        assert (ref.bus, member) == ("registry" if ref.number else "org.a11y.atspi.Registry", "GetChildren")
        return [[root[:2] for root in self.roots[ref.number]]]


class Own(NamedTuple):
    """The bus of a launch."""

    application: str
    alive: bool
    name: str
    registry: str = "registry"
    connection: None = None

    async def is_program(self, name: str) -> bool:
        """Whether it is the application's own connection."""
        return name == self.name


def test_the_tree_of_a_state_is_that_of_its_application():
    """A state is read from launches of its application, not from others, programs they start or registered parts."""

    async def read(application: str | None) -> list[tuple[str, int]]:
        buses = Buses(":1.1", ":1.2")
        buses.launch("coq", True, Ref(":1.1", ROOT), Ref(":1.1", "/a/part"), Ref(":1.2", ROOT))
        buses.launch("texstudio", True, Ref(":1.1", ROOT))
        buses.launch("coq", False, Ref(":1.1", ROOT))
        if application is None:
            return [(ref.bus, ref.number) for ref in await buses.applications()]
        with buses.only(application):
            return [(ref.bus, ref.number) for ref in await buses.applications()]

    assert asyncio.run(read("coq")) == [(":1.1", 1)]
    assert asyncio.run(read("texstudio")) == [(":1.1", 2)]
    assert asyncio.run(read("kalgebra")) == []
    seen = [(":1.1", 0), (":1.2", 0), (":1.1", 1), (":1.1", 1), (":1.2", 1), (":1.1", 2)]
    assert asyncio.run(read(None)) == seen, "an agent sees them all"


@pytest.fixture
def own_code() -> Iterator[Any]:
    """The module that runs in the wrappers."""
    sys.path.insert(0, str(GUEST / "sealed" / "inside"))
    import own_code as module

    yield module
    sys.path.remove(str(GUEST / "sealed" / "inside"))


HARMLESS = (
    "resn", "'%s-%s' % (resn, resi)", "b = b + 1", "stored.found = []", "stored.found.append(resi)", "print(1 + 1)",
    "cmd.show('cartoon', 'all')", "cmd.get_wizard().set_mode('angle')", "util.cba(33, 'x', _self=cmd)", "colr red",
    "x = [1, 2][0]", "rr = []", "rr.append(resn + resi)", "print(', '.join(sorted(set(rr))))",
)  # fmt: skip
HARMFUL = (
    "import os", "exec('1')", "x = cmd\nx.do('1')", "cmd.os.system('x')", "cmd._cmd.x()", "cmd = 1", "print = exec",
    "().__class__", "stored.append(1)", "stored.x.y.append(1)", "stored.x.pop()", "(lambda: 1)()", "[x for x in y]",
    "cmd.get_view().x()", "cmd.get_wizard(1).x()", "'{0.x}'.format(cmd)", "f'{cmd.x}'", "def f(): pass", "__import__",
    b"# coding: utf-7\nimport os", "rr.pop()", "rr.append(exec('1'))", "__x.append(1)", "'{0.x}'.join", "list = exec",
)  # fmt: skip


def test_which_texts_are_harmless(own_code):
    """What computes with names and calls commands does not break the seal; everything else does."""
    rule = own_code.OwnCode(
        print, "/own/", ("/",), commands=("cmd", "util"), getters=("get_wizard",), stores=("stored",)
    )
    assert [text for text in HARMLESS if not rule.harmless(text)] == []
    assert [text for text in HARMFUL if rule.harmless(text)] == []


def test_code_of_others_is_told_before_it_runs(own_code, tmp_path):
    """A module, a compiled module, a library and a pickle from where programs can write are each told."""
    rule = own_code.OwnCode(print, "/own/", ("/own/shell/",), classes=("chempy.Atom",))
    home, imports = str(tmp_path), "<frozen importlib._bootstrap_external>"
    told = {
        "own module": rule._opened(imports, "/usr/lib/python3/x.py"),
        "climbing": rule._opened(imports, f"/usr/lib/..{home}/x.py"),
        "module": rule._opened(imports, f"{home}/x.pyc"),
        "data": rule._opened("/own/a.py", f"{home}/x.py"),
        "extension": rule._imported(imports, "x", f"{home}/x.so"),
        "library": rule._linked("/own/a.py", f"{home}/x.so"),
        "system library": rule._linked("/own/a.py", "libc.so.6"),
        "marshal": rule._unmarshalled("/own/a.py", b""),
        "class": rule._unpickled("/own/a.py", "chempy", "Atom"),
        "function": rule._unpickled("/own/a.py", "os", "system"),
        "typed": rule._compiled("/own/shell/a.py", "import os", "<console>"),
        "generated": rule._compiled("/own/a.py", "import os", "<string>"),
        "script": rule._compiled(f"{home}/a.py", "import os", "<string>"),
    }
    silent = {"own module", "data", "system library", "class", "generated"}
    assert {name for name, why in told.items() if why is None} == silent
