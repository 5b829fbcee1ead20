"""What a model points at is what is hit: targets all over a real screen, for every way to name a place."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.profile import agent_factory
from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.task.action import Click, ClickElement, Navigate, Size
from pytest_cuabench.testing.probe_page import Server
from pytest_cuabench.testing.served_world import FakeWorld, instance

from .grid_page import TARGETS, Score, application, find_targets, size
from .speakers import CHATS, MAKERS, SPEAKERS
from .speaking import Body, Line, Speaker

pytestmark = pytest.mark.asyncio(loop_scope="module")

SCREENS = (Size(1280, 720), Size(1920, 1080), Size(2560, 1440), Size(1367, 771))
MARKS = {"chat browser-use": (), "chat browsergym": pytest.mark.slow, "chat pyautogui": pytest.mark.slow}
MARKED = [
    pytest.param(speaker, marks=marks, id=speaker.name)
    for speaker in CHATS
    for name, marks in MARKS.items()
    if speaker.name == name
]


def matrix() -> Iterator[Any]:
    """Give every speaker with every screen: one at once, each maker on a screen in CI, all of it at night."""
    default = (MAKERS[0], SCREENS[0])
    ordinary = set(zip(MAKERS, cycle(SCREENS), strict=False))
    for speaker in SPEAKERS:
        for screen in SCREENS:
            mark = pytest.mark.slow if (speaker, screen) in ordinary else pytest.mark.nightly
            marks = () if (speaker, screen) == default else (mark,)
            yield pytest.param(speaker, screen, marks=marks, id=f"{speaker}-{screen}")


Screens = Callable[[Size], Any]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def screens(chromium: Chromium, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Screens]:
    """Screens that show the page, one of each size, made when they are first wanted."""
    server = Server(application())
    made: dict[Size, ChromiumEnvironment] = {}
    folder: Path = tmp_path_factory.mktemp("downloads")

    async def of_size(wanted: Size) -> ChromiumEnvironment:
        if wanted not in made:
            made[wanted] = ChromiumEnvironment(chromium, FakeWorld(server.port), wanted, downloads=folder)
            await made[wanted].reset(instance())
        await made[wanted].perform(Navigate("/"))
        return made[wanted]

    yield of_size
    for environment in made.values():
        await environment.close()
    server.stop()


@dataclass
class Aim:
    """A model that clicks target after target, as many in a reply as it can; it sees them on its picture."""

    speaker: Speaker
    shift: int = 0  # pixels of the picture that it points beside, towards the middle
    done: int = 0

    def __call__(self, body: Body) -> Any:
        if (answer := self.speaker.aside(body)) is not None:
            return answer
        picture = self.speaker.picture(body)
        targets = find_targets(picture)[self.done :][: self.speaker.most]
        self.done += len(targets)
        return self.speaker.reply(
            body, [self._shifted(click, picture.width) for click in targets], size(picture)
        )

    def _shifted(self, click: Click, width: int) -> Click:
        x = click.x or 0
        return replace(click, x=x + (self.shift if 2 * x < width else -self.shift))


@dataclass
class AimAtMarks:
    """A model that clicks the numbers of all boxes in the table that it is given."""

    speaker: Speaker
    done: int = 0

    def __call__(self, body: Body) -> Any:
        parts = body["messages"][-1]["content"]
        table = "\n".join(part["text"] for part in parts if part["type"] == "text")
        numbers = [int(number) for number in re.findall(r'^(\d+): button "target \d+"$', table, re.MULTILINE)]
        self.done += len(numbers)
        return self.speaker.reply(
            body, [ClickElement(number) for number in numbers], size(self.speaker.picture(body))
        )


async def play(speaker: Speaker, line: Line, environment: Any, aim: Any, kind: str = "screenshot") -> Score:
    """Let a model aim until it clicked as often as there are targets; the adapter reads, the environment acts."""
    line.answer(aim)
    agent: Any = agent_factory(profile := speaker.profile(line.url))(profile)
    await agent.start(Briefing("Click all.", kind, environment.screen, environment.capabilities, 100))
    seen = await environment.observe(kind)
    while aim.done < TARGETS:
        decision = await agent.decide(seen)
        assert decision.format_error is None, decision.raw
        results = [await environment.perform(action) for action in decision.actions]
        assert [result.error for result in results if result.error] == []
        seen = replace(seen, results=tuple(results))
    await agent.close()
    assert list(line.refused()) == []
    return Score.read(await environment.read("#out") or "")


@pytest.mark.slow
@pytest.mark.parametrize(("speaker", "screen"), list(matrix()))
async def test_every_target_is_hit(
    speaker: Speaker, screen: Size, screens: Screens, lines: Any, keyed: Any, record_property: Any
) -> None:
    """A click on the middle of what a model sees lands on it, wherever it is and whatever size was sent."""
    keyed(speaker)

    score = await play(speaker, lines(speaker), await screens(screen), Aim(speaker))

    record_property("grid", json.dumps([speaker.name, str(screen), score.hits, TARGETS, score.drift]))
    assert (score.hits, score.beside, len(score.landed)) == (TARGETS, 0, TARGETS)


@pytest.mark.slow
@pytest.mark.parametrize("speaker", MARKED)
async def test_every_mark_is_hit(
    speaker: Speaker, screens: Screens, lines: Any, keyed: Any, record_property: Any
) -> None:
    """A click on the number of a box lands on what the box is around."""
    screen = await screens(SCREENS[0])

    score = await play(speaker, lines(speaker), screen, AimAtMarks(speaker), "marks")

    row = [f"{speaker.name} (marks)", str(SCREENS[0]), score.hits, TARGETS, score.drift]
    record_property("grid", json.dumps(row))
    assert (score.hits, score.beside, len(score.landed)) == (TARGETS, 0, TARGETS)


@pytest.mark.slow
async def test_a_model_that_points_beside_is_seen_to(screens: Screens, lines: Any, keyed: Any) -> None:
    """Eight pixels beside hit nothing at all: the page, not the test, says what was hit."""
    speaker = SPEAKERS[0]
    keyed(speaker)

    score = await play(speaker, lines(speaker), await screens(SCREENS[0]), Aim(speaker, shift=8))

    assert (score.hits, score.beside) == (0, TARGETS)
