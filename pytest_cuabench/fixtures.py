"""The fixture ladder. A user replaces one rung by defining a fixture of the same name.

    cua_settings   the resolved settings                              session
    cua_run        the folder that the run is recorded in             session
    cua_loop       the event loop that everything of ours runs on     session
    cua_pool       this worker's browsers, worlds and machines        session
    instance       what is played (parametrized by the suite)
    environment    where it is played
    agent          who plays
    attempt        plays and judges: this is where an episode happens

An episode is played while `attempt` is set up. So trouble of ours is a pytest *error*, and what the agent
did wrong is a *failure*, raised by `attempt.require()` in the test.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_cuabench.keys import CHOSEN, RUN, SETTINGS, SUITES

if TYPE_CHECKING:
    import asyncio

    from pytest_cuabench.agent import Agent
    from pytest_cuabench.environment import Environment
    from pytest_cuabench.ledger import Attempt, Run
    from pytest_cuabench.pool import Pool
    from pytest_cuabench.settings import Settings
    from pytest_cuabench.task import Instance
    from pytest_cuabench.verdict import Verdict

CHOOSE = (
    "choose an agent, such as --agent=oracle (the reference solution), or prove the tasks with --cua-audit"
)


@dataclass(frozen=True, slots=True)
class PlayedAttempt:
    """What a test is given: the last attempt at its instance, played and judged, now or before `--cua-resume`."""

    record: Attempt
    run_folder: Path
    broken_claim: str | None = None
    is_proof: bool = False
    recalled: bool = False

    @property
    def verdict(self) -> Verdict:
        """The judgement; an attempt that was not graded never reaches a test."""
        assert self.record.verdict is not None
        return self.record.verdict

    def require(self) -> None:
        """Fail the test unless the task was done and nothing else changed; in an audit, unless the claim holds."""
        __tracebackhide__ = True
        from pytest_cuabench.outcome import Outcome
        from pytest_cuabench.reporting.words import failure_message, recalled_note

        failed = self.broken_claim if self.is_proof else self.record.result is not Outcome.SUCCESS
        if failed:
            claim = f"{self.broken_claim}\n" if self.broken_claim else ""
            note = f"\n{recalled_note(self.record)}" if self.recalled else ""
            pytest.fail(claim + failure_message(self.record, self.run_folder) + note, pytrace=False)


@pytest.fixture(scope="session")
def cua_settings(request: pytest.FixtureRequest) -> Settings:
    """The resolved settings of this run."""
    return request.config.stash[SETTINGS]


@pytest.fixture(scope="session")
def cua_run(request: pytest.FixtureRequest) -> Run:
    """The folder that this run is recorded in; shared by all workers."""
    if RUN not in request.config.stash:
        pytest.skip(CHOOSE)
    return request.config.stash[RUN]


@pytest.fixture(scope="session")
def cua_loop() -> Iterator[asyncio.Runner]:
    """The event loop of this worker; it turns Ctrl-C into the orderly end of the episode in flight."""
    import asyncio

    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="session")
def cua_pool(
    request: pytest.FixtureRequest, cua_settings: Settings, cua_loop: asyncio.Runner
) -> Iterator[Pool]:
    """This worker's environments; browsers and worlds start when first needed and end with the session."""
    from pytest_cuabench.pool import Pool

    chosen = request.config.stash.get(CHOSEN, None)
    pool = Pool(cua_settings, headed=bool(chosen and chosen.headed))
    yield pool
    cua_loop.run(pool.close())


@pytest.fixture
def environment(instance: Instance, cua_pool: Pool, request: pytest.FixtureRequest) -> Environment:
    """Where the instance is played; override it to play somewhere else."""
    from pytest_cuabench.collect import suite_of
    from pytest_cuabench.places import refuse_unknown_worlds

    refuse_unknown_worlds(cua_pool.settings, request.config.stash.get(SUITES, {}).values())
    return cua_pool.environment(suite_of(request.node))


@pytest.fixture
def agent(request: pytest.FixtureRequest, cua_settings: Settings) -> Agent | None:
    """Who plays; with `--agent=fixture` a fixture of this name in your conftest.py returns your own agent.

    None in an audit, where each claim brings its own player.
    """
    if cua_settings.audit:
        return None
    chosen = request.config.stash.get(CHOSEN, None)
    return chosen.make() if chosen else pytest.skip(CHOOSE)


@pytest.fixture
def attempt(
    request: pytest.FixtureRequest,
    instance: Instance,
    agent: Agent | None,
    environment: Environment,
    cua_settings: Settings,
    cua_run: Run,
    cua_loop: asyncio.Runner,
) -> PlayedAttempt:
    """Play the instance, with further attempts where the trouble was ours, and judge it.

    Raises:
        CuabenchError: No attempt could be graded; pytest shows it as an error.
    """
    from pytest_cuabench.attempts import ItemRunner
    from pytest_cuabench.audit import Proof

    runner = ItemRunner(request.node, cua_settings, cua_run)
    if isinstance(instance, Proof):
        record, broken = cua_loop.run(runner.prove(instance, environment))
        return PlayedAttempt(record, cua_run.folder, broken, is_proof=True, recalled=runner.recalled)
    assert agent is not None, "only audits play without an agent"
    record = cua_loop.run(runner.play(instance, environment, agent))
    return PlayedAttempt(record, cua_run.folder, recalled=runner.recalled)
