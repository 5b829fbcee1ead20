"""Waiting for programs: what is not yet is asked again, and who answers is given time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from dbus_fast import Message, MessageType, Variant

from guest import accessibility
from guest.accessibility import Accessibility
from guest.errors import DesktopFailure, NotReady
from guest.nodes import Node, Ref
from guest.timeouts import wait_until

pytestmark = pytest.mark.asyncio
ROOT = Node("application", "", "", "", "", frozenset(), None, 0, None, Ref(":1.1", "/0"))


async def test_what_is_not_yet_is_asked_again() -> None:
    """Whatever the answers before, the one that comes is returned."""
    answers = iter([NotReady("busy"), NotReady("busy"), "there"])

    async def ask() -> str:
        answer = next(answers)
        if isinstance(answer, NotReady):
            raise answer
        return answer

    assert await wait_until(ask, "it did not come", every=0) == "there"


async def test_what_never_comes_is_trouble() -> None:
    """The sentence says what was waited for, how long, and what was lacking last; other trouble ends the wait."""

    async def never() -> None:
        raise NotReady("its window is not there")

    async def broken() -> None:
        raise DesktopFailure("the X server has ended")

    async def hangs() -> None:
        await asyncio.Event().wait()

    with pytest.raises(DesktopFailure, match=r"^it was not ready within 0\.02 s: its window is not there$"):
        await wait_until(never, "it was not ready", seconds=0.02, every=0.001)
    with pytest.raises(DesktopFailure, match=r"^the X server has ended$"):
        await wait_until(broken, "it was not ready")
    with pytest.raises(DesktopFailure, match=r"within 0\.02 s: there was no answer"):
        await wait_until(hangs, "it was not ready", seconds=0.02)


class Bus:
    """A bus with one application: a window with buttons, of which each answer takes a while, and some never come."""

    connected = True

    def __init__(self, pause: float, silent_after: int | None = None) -> None:
        self._pause, self._left, self.calls = pause, silent_after, 0

    async def call(self, message: Message) -> Message:
        self.calls += 1
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                await asyncio.Event().wait()
        await asyncio.sleep(self._pause)
        return Message(message_type=MessageType.METHOD_RETURN, reply_serial=1, **self._answer(message))

    def _answer(self, message: Message) -> dict[str, Any]:
        if message.member == "GetChildren":
            below = [[":1.1", f"{message.path}{number}"] for number in range(3)]
            return {"signature": "a(so)", "body": [below]}
        if message.member == "Get":
            number = 3 if len(str(message.path)) < 4 else 0
            count = message.body[1] == "ChildCount"
            return {"signature": "v", "body": [Variant("i", number) if count else Variant("s", "name")]}
        shape: dict[str, tuple[str, Any]] = {"GetState": ("au", [0, 0]), "GetRole": ("u", 0)}
        signature, body = shape.get(message.member or "", ("as", []))
        return {"signature": signature, "body": [body]}


async def test_an_application_that_answers_is_given_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow one is read to its end, though that takes many times as long as a silence may."""
    silence, pause = 1.0, 0.02
    monkeypatch.setattr(accessibility, "_SILENCE", silence)
    monkeypatch.setattr(accessibility, "_IN_FLIGHT", 1)
    bus: Any = Bus(pause)
    node = await Accessibility(bus).reread(ROOT)
    assert node is not None
    assert [len(child.children) for child in node.children] == [3, 3, 3]
    assert bus.calls * pause > silence  # one after the other


async def test_half_a_tree_is_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read of an application that fell silent is never taken for all that there is."""
    monkeypatch.setattr(accessibility, "_SILENCE", 0.05)
    bus: Any = Bus(0, silent_after=12)
    with pytest.raises(NotReady, match="does not answer the accessibility bus"):
        await Accessibility(bus).reread(ROOT)
