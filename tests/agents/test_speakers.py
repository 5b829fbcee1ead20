"""Whatever a model does in its own words, the page sees done: typing, scrolling and dragging, not clicks alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from drivers.conformance import LINE, PAD, SCREEN, SCROLLER

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.profile import agent_factory
from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.task.action import Click, Drag, Key, Navigate, Scroll, Type
from pytest_cuabench.testing.probe_page import Record, Server
from pytest_cuabench.testing.served_world import FakeWorld, instance

from .conductor import Conductor, turns
from .speakers import MAKERS, SPEAKERS
from .speaking import Speaker

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]

WORDS = "Größe 1.72 m – “ok”, it's 5 < 6\\n"
END = (PAD[0] + 140, PAD[1] + 20)
STEPS = [
    (Click(*LINE), Key(("ctrl", "a")), Type(WORDS)),
    (Scroll(*SCROLLER, dy=5),),
    (Drag((PAD, END)),),
]
HANDY = [
    pytest.param(speaker, id=speaker.name, marks=() if speaker in MAKERS else pytest.mark.slow)
    for speaker in SPEAKERS
    if speaker.name != "chat browser-use"  # which knows no drag at all
]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def probed(
    chromium: Chromium, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[ChromiumEnvironment, Record]]:
    """A screen with the page that records events."""
    record = Record()
    server = Server(record.app())
    folder: Path = tmp_path_factory.mktemp("downloads")
    environment = ChromiumEnvironment(chromium, FakeWorld(server.port), SCREEN, downloads=folder)
    await environment.reset(instance())
    yield environment, record
    await environment.close()
    server.stop()


@pytest.mark.parametrize("speaker", HANDY)
async def test_hands_do_what_was_said(speaker: Speaker, probed: Any, lines: Any, keyed: Any) -> None:
    """A text arrives character by character, a list scrolls by the notches meant, a drag goes from place to place."""
    environment, record = probed
    keyed(speaker)
    await environment.perform(Navigate("/"))
    record.clear()

    await play(speaker, lines(speaker), environment)

    events = record.events
    assert record.fields["line"] == WORDS
    assert max(event["top"] for event in events if event["type"] == "scroll") == 5 * 120
    pressed = [event for event in events if event["type"] in ("mousedown", "mouseup")][-2:]
    assert [event["type"] for event in pressed] == ["mousedown", "mouseup"]
    assert near(pressed[0], PAD)
    assert near(pressed[1], END)


def near(event: dict[str, Any], place: tuple[int, int]) -> bool:
    """Whether an event was at a place, but for what a scale of a thousand steps cannot name."""
    return max(abs(event["x"] - place[0]), abs(event["y"] - place[1])) <= 1


async def play(speaker: Speaker, line: Any, environment: ChromiumEnvironment) -> None:
    """Let a model do all steps."""
    said = turns(STEPS, speaker.most)
    line.answer(Conductor(speaker, SCREEN, [said]))
    agent: Any = agent_factory(profile := speaker.profile(line.url))(profile)
    await agent.start(Briefing("Do it.", "screenshot", SCREEN, environment.capabilities, 100))
    for _ in said:
        decision = await agent.decide(await environment.observe("screenshot"))
        assert decision.format_error is None
        for action in decision.actions:
            assert (await environment.perform(action)).error is None
    await agent.close()
    assert list(line.refused()) == []
