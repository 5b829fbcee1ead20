"""Open models' replies as their makers document them: each is read, repaired and counted as its golden file says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from lazily import lazily
from small_world import ROWS, Table, react

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.makers.chat.action_spaces import Reply
from pytest_cuabench.episode.loop import FORMAT_LOCKOUT
from pytest_cuabench.task.action import Answer, CallUser, Terminate
from pytest_cuabench.testing import FakeEnvironment

from .desk import Naps
from .golden import FILES, SCREEN, Good, golden
from .servers.chat import Server, serving

if TYPE_CHECKING:
    from pytest_cuabench.agents.makers.chat.agent import ChatAgent

adapter = lazily("pytest_cuabench.agents.makers.chat.agent")
completions = lazily("pytest_cuabench.agents.makers.chat.completions")
ENDS = (Answer, CallUser, Terminate)
EVERYTHING = ("pointer", "keyboard", "browser")


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    """The one server of this module, whose chat templates take messages in any order, as these models' do."""
    with serving() as served:
        served.by_turns = False
        yield served


def player(name: str, url: str = "http://127.0.0.1:9/v1") -> ChatAgent:
    """Return the agent of a shipped profile."""
    profile = golden(name).profile
    assert profile
    options = {**profile.options, "url": url}
    agent: ChatAgent = adapter.ChatAgent(profile.model_copy(update={"options": options}))
    Naps().of(agent._caller)
    return agent


def read(name: str, text: str) -> Decision:
    """Return what a reply means to a profile's action space, with the picture that the profile sends."""
    agent = player(name)
    image = (agent.limits.image or agent.picture_limit()).fit(SCREEN)
    thought, said = completions.set_apart(text)
    return agent.dialect.read(Reply(said, thought=thought), agent.dialect.space(SCREEN, image))


@pytest.mark.parametrize("name", FILES)
def test_replies(name: str, record_property: Callable[[str, object], None]) -> None:
    """Every reply means its actions, and its repairs are counted by kind."""
    for one in golden(name).replies:
        reading = read(name, one.text)
        assert reading.format_error is None, one.text
        assert (list(reading.actions), list(reading.repairs)) == (one.meant, one.repairs), one.text
    kinds = Counter(kind for one in golden(name).replies for kind in one.repairs)
    record_property("golden", json.dumps([name, len(golden(name).replies), len(golden(name).refused), kinds]))


@pytest.mark.parametrize("name", FILES)
def test_refused(name: str) -> None:
    """What no maker's parser reads is told to the model, and never guessed."""
    for one in golden(name).refused:
        reading = read(name, one.text)
        assert one.why in (reading.format_error or ""), one.text
        assert not reading.actions


def goes_on(one: Good) -> bool:
    """Whether a reply does not end an episode."""
    return not any(isinstance(action, ENDS) for action in one.meant)


@pytest.mark.parametrize("name", FILES)
def test_repairs_are_in_the_record(name: str, running: Server, table: Table) -> None:
    """An episode counts and names each repair; four replies that are not read, and a good one, never lock out."""
    file = golden(name)
    repaired = [one for one in file.repaired if goes_on(one)]
    bad = [file.refused[0].text] * (FORMAT_LOCKOUT - 1)
    good = next(one.text for one in file.replies if goes_on(one) and not one.repairs)
    ending = next(one.text for one in reversed(file.replies) if not goes_on(one) and not one.repairs)
    attempt = episode(name, running, table, [*(one.text for one in repaired), *bad, good, *bad, ending])
    assert attempt.counts.repairs == Counter(kind for one in repaired for kind in one.repairs)
    assert attempt.counts.format_errors == 2 * len(bad)
    assert attempt.outcome != "format_lockout"


@pytest.mark.parametrize("name", FILES)
def test_lockout(name: str, running: Server, table: Table) -> None:
    """Five replies in a row that no maker's parser reads end the episode."""
    refused = [one.text for one in golden(name).refused]
    attempt = episode(name, running, table, (refused * FORMAT_LOCKOUT)[:FORMAT_LOCKOUT])
    assert (attempt.outcome, attempt.counts.format_errors) == ("format_lockout", FORMAT_LOCKOUT)


def episode(name: str, running: Server, table: Table, replies: list[str]) -> Any:
    """Return the attempt that these replies are."""
    profile = golden(name).profile
    assert profile
    running.models = (str(profile.model),)
    running.play(*replies)
    agent = player(name, running.url)
    world = FakeEnvironment(ROWS, react, SCREEN)
    attempt = table.play(agent, world=world, steps=len(replies)).last
    assert running.refused == []
    assert attempt.steps == len(replies)
    return attempt
