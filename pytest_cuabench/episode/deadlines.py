"""Deadlines of an episode, and attribution of failures to the environment or the agent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from pytest_cuabench.errors import (
    AgentFailure,
    BudgetSpent,
    CheckerFailure,
    CuabenchError,
    EnvironmentFailure,
    ProviderFailure,
    RecordFailure,
    SettingError,
)

_T = TypeVar("_T")


async def await_world(seconds: float, work: Awaitable[_T], doing: str) -> _T:
    """Await work of the environment.

    Raises:
        EnvironmentFailure: The work raised any exception, or took more than `seconds`.
    """
    try:
        async with asyncio.timeout(seconds) as deadline:
            return await work
    except CuabenchError:
        raise
    except asyncio.CancelledError:
        if _stopping():
            raise
        raise EnvironmentFailure(f"{doing} was cancelled by its own code") from None
    except Exception as error:
        if deadline.expired():
            raise EnvironmentFailure(f"{doing} took more than {seconds:g} s") from None
        raise EnvironmentFailure(f"{doing} failed: {type(error).__name__}: {error}") from error


async def await_agent(seconds: float, work: Awaitable[_T], doing: str, *, outside: bool = False) -> _T:
    """Await work of the agent, which can neither raise failures of other parts, nor skip or end the test.

    Args:
        outside: Whether the agent is code from outside of this package: it answers for its exceptions and its silence.
            It may only tell that its model's server failed, a setting is wrong, or a spending limit is reached.

    Raises:
        ProviderFailure: The agent raised it, or, unless it is `outside`, something unforeseen, or took too long.
        AgentFailure: The agent raised it, or, where it is `outside`, something unforeseen, or took too long.
        BudgetSpent, EnvironmentFailure: The agent raised it.
    """
    own = AgentFailure if outside else ProviderFailure
    try:
        async with asyncio.timeout(seconds) as deadline:
            return await work
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except asyncio.CancelledError:
        if _stopping():
            raise
        raise own(f"{doing} was cancelled by its own code") from None
    except BaseException as error:  # SystemExit and pytest.skip.Exception do not inherit from Exception
        if _may_raise(error, outside):
            raise
        if deadline.expired():
            raise own(f"{doing} took more than {seconds:g} s") from None
        raise own(f"{doing} failed: {type(error).__name__}: {error}") from error


def _may_raise(error: BaseException, outside: bool) -> bool:
    """Whether an agent may raise this in its own name."""
    if outside:
        return isinstance(error, ProviderFailure | AgentFailure | BudgetSpent | SettingError)
    return isinstance(error, CuabenchError) and not isinstance(error, CheckerFailure | RecordFailure)


def _stopping() -> bool:
    """Whether this episode's task is cancelled, not only a subtask of the agent or the environment."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
