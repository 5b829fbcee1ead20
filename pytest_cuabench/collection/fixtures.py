"""The fixture ladder. A user replaces one rung by defining a fixture of the same name.

    cua_settings   the resolved settings                              session
    cua_run        the folder that the run is recorded in             session
    cua_pool       this worker's browsers, worlds and machines        session
    instance       what is played (parametrized by the suite)
    environment    where it is played
    agent          who plays
    attempt        plays and judges: this is where an episode happens

An episode is played while `attempt` is set up. So an infrastructure failure is a pytest *error*, and what the agent
did wrong is a *failure*, raised by `attempt.require()` in the test.

`cua_pool` and `attempt` are async fixtures on pytest-asyncio's session loop, so browsers and worlds serve every test
of a worker, whether the test is sync or async. Async fixtures and async tests of an item that plays run on the
same loop (`collection/session_loop.py`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from pytest_cuabench.collection.stash import CHOSEN, RUN, SETTINGS, SUITES

if TYPE_CHECKING:
    from pytest_cuabench.agents.base import Agent
    from pytest_cuabench.collection.lanes import ConcurrentEpisodes
    from pytest_cuabench.collection.played import PlayedAttempt
    from pytest_cuabench.drivers.base import Environment
    from pytest_cuabench.drivers.pool import Pool
    from pytest_cuabench.ledger.record import Run
    from pytest_cuabench.settings import Settings
    from pytest_cuabench.task.model import Instance

CHOOSE = (
    "choose an agent, such as --agent=oracle (the reference solution), or prove the tasks with --cua-audit"
)


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


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def cua_pool(request: pytest.FixtureRequest, cua_settings: Settings) -> AsyncIterator[Pool]:
    """This worker's environments; browsers and worlds start when first needed and end with the session."""
    from pytest_cuabench.drivers.pool import Pool

    chosen = request.config.stash.get(CHOSEN, None)
    pool = Pool(cua_settings, headed=bool(chosen and chosen.headed))
    if cua_settings.at_once == 1:
        yield pool
    else:
        from pytest_cuabench.collection.lanes import AHEAD, ConcurrentEpisodes

        ahead = request.config.stash[AHEAD] = ConcurrentEpisodes(request.session, pool)
        yield pool
        del request.config.stash[AHEAD]
        await ahead.stop()
    await pool.close()


@pytest.fixture
def environment(instance: Instance, cua_pool: Pool, request: pytest.FixtureRequest) -> Environment:
    """Where the instance is played; override it to play somewhere else."""
    from pytest_cuabench.collection.items import suite_of
    from pytest_cuabench.drivers.backend import refuse_unknown_worlds

    refuse_unknown_worlds(cua_pool.settings, request.config.stash.get(SUITES, {}).values())
    return cua_pool.environment(suite_of(request.node))


@pytest.fixture
def agent(request: pytest.FixtureRequest, cua_settings: Settings) -> Agent | None:
    """Who plays; with `--agent=fixture` a fixture of this name in your conftest.py returns your own agent.

    None in an audit, where each claim brings its own player.
    """
    if cua_settings.audit:
        return None
    if ahead := _ahead(request.node, cua_settings):
        return ahead.agent(request.node)
    chosen = request.config.stash.get(CHOSEN, None)
    return chosen.make() if chosen else pytest.skip(CHOOSE)


@pytest_asyncio.fixture(loop_scope="session")
async def attempt(
    request: pytest.FixtureRequest,
    instance: Instance,
    agent: Agent | None,
    environment: Environment,
    cua_pool: Pool,
    cua_settings: Settings,
    cua_run: Run,
) -> PlayedAttempt:
    """Play the instance, with further attempts where the trouble was ours, and judge it.

    Raises:
        CuabenchError: No attempt could be graded, or the agent is none; pytest shows it as an error.
    """
    from pytest_cuabench.collection.attempts import ItemRunner
    from pytest_cuabench.collection.played import play_item
    from pytest_cuabench.episode.play import Lane

    if ahead := _ahead(request.node, cua_settings):
        return await ahead.result(request.node)
    runner = ItemRunner(
        request.node, cua_settings, cua_run, Lane(lambda phase: cua_pool.environment(phase.place))
    )
    return await play_item(runner, instance, environment, agent)


def _ahead(item: pytest.Item, settings: Settings) -> ConcurrentEpisodes | None:
    """Return what plays an item before pytest reaches its test, if anything does."""
    if settings.at_once == 1:
        return None
    from pytest_cuabench.collection.lanes import AHEAD

    ahead = item.config.stash.get(AHEAD, None)
    return ahead if ahead is not None and ahead.plays(item) else None
