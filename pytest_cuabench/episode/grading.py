"""What is graded: an attempt is ungraded only for what also happens in a control without the agent.

What follows from an agent's input, scripts, messages, costs, load, silence, exceptions or exit is the agent's,
whichever way it came. Errors in this package's own handling of what an agent sends are no excuse. The table is in
docs/outcomes.md.

* The environment failed after the agent did something: `control` plays without the agent (`deed_of` says what it did),
  and then its actions once more: where they break the environment again, there is no other attempt.
* A program failed: it is stopped, and `ProgramAgent` tries the door, the box and its hosts without it.
* An agent's own code failed: without the agent its code does not run (`await_agent`, `answers_for_itself`).
* A model's server failed: that is the server's, except for what the model's own replies have made too long or invalid.
* A person, the user's spending limit or a full disk ended it: nobody is graded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from pytest_cuabench.agents.base import Agent, SelfPaced, innermost, is_outside
from pytest_cuabench.agents.models.budget import Charged, Payer
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.episode.deadlines import await_world
from pytest_cuabench.errors import AgentFailure, BudgetSpent, CheckerFailure, CuabenchError, Refused
from pytest_cuabench.task.action import Action, Move
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Activity, Evidence, State
from pytest_cuabench.task.model import Instance, Task
from pytest_cuabench.task.observation import ObservationKind
from pytest_cuabench.task.outcome import BROKEN, Outcome
from pytest_cuabench.task.verdict import Verdict

RUN_ABORTED = "the run was aborted by a person"
STOPS = (asyncio.CancelledError, KeyboardInterrupt, SystemExit)


def outcome_of(error: BaseException, *, run_aborted: bool) -> tuple[Outcome, str]:
    """Return the outcome of an attempt that an error ended, as long as no control is played, and the sentence."""
    match error:
        case CuabenchError():
            return Outcome.of_error(error), str(error)
        case asyncio.CancelledError() | KeyboardInterrupt() | SystemExit():
            return Outcome.CANCELLED, RUN_ABORTED if run_aborted else "the run was stopped"
        case _:  # a bug of this package, not attributed to agent or environment
            return Outcome.ENVIRONMENT_ERROR, f"{type(error).__name__}: {error}"


def is_retried(error: BaseException | None, outcome: Outcome | None) -> bool:
    """Whether an attempt that an error ended is played again."""
    foreseen = isinstance(error, CuabenchError) and not isinstance(error, Refused)
    return foreseen and outcome is not None and outcome.retried


def deed_of(
    agent: Agent, action: tuple[int, Action] | None, steps: int
) -> tuple[int, Mapping[str, Any]] | None:
    """Return what an agent did last, and in which step; None if it did nothing that could break its environment.

    `action` is its last one other than waiting. A program also acts by scripts, and its load is its own.
    """
    player = innermost(agent)
    if isinstance(player, SelfPaced) and (deed := player.deed):
        return steps, deed
    if action is not None:
        return action[0], action[1].to_json()
    return (steps, {"kind": "program"}) if isinstance(player, SelfPaced) else None


def answers_for_itself(agent: Agent, failure: BudgetSpent) -> AgentFailure | None:
    """Return the failure of an agent that says that money is spent which nobody limits; None where it is limited."""
    limited = isinstance(agent, Charged | Payer) or not is_outside(agent)
    return None if limited else AgentFailure(str(failure), failure.usage)


def judge_salvage(
    task: Task, case: Case, states: tuple[State, State, State], answer: str | None, activity: Activity
) -> tuple[State, Verdict] | None:
    """Return the verdict on a failed attempt and the judged state; None if no state can be judged.

    `states` are the one before the attempt, the last known one, and the one left. Known harm counts even if only a
    part of the state is left.
    """
    before, known, left = states

    def judged(state: State) -> tuple[State, Verdict] | None:
        try:
            return state, task.judge(Evidence(before, state, answer, BROKEN, activity), case)
        except CheckerFailure:
            return None

    found = judged(left)
    # What is left may be a part of the state, which does not show the harm that the last known one does.
    earlier = judged(known) if found and not found[1].harmed and known is not left else None
    return earlier if earlier and earlier[1].harmed else found


async def control(
    instance: Instance,
    environment: Environment,
    kind: ObservationKind,
    reset: float,
    action: float,
    deeds: Iterable[Action] = (),
) -> str | None:
    """Reset, observe, move the pointer and read the world without an agent; return the failure, None if all works.

    Args:
        reset, action: What they may take, in seconds.
        deeds: Actions that are carried out as well, each after an observation.
    """
    try:
        await await_world(
            reset_seconds(environment, reset), environment.reset(instance), "resetting the world"
        )
        await await_world(action, environment.observe(kind), "observing the screen")
        if Move.needs in environment.capabilities:
            await await_world(action, environment.perform(Move(1, 1)), "moving the pointer")
        for deed in deeds:
            seconds = action + deed.extra_seconds()
            await await_world(seconds, environment.perform(deed), f"carrying out {deed.kind} again")
            await await_world(action, environment.observe(kind), "observing the screen")
        await await_world(action, environment.settle(), "waiting for the screen to rest")
        await await_world(state_seconds(environment, action), environment.state(), "reading the state")
        await await_world(action, environment.revision(), "reading the revision")
        await await_world(action, environment.activity(), "reading the request log")
    except CuabenchError as error:
        return str(error)
    return None


def reset_seconds(environment: Environment, limit: float) -> float:
    """Return what a reset may take."""
    return limit if environment.reset_seconds is None else environment.reset_seconds


def state_seconds(environment: Environment, limit: float) -> float:
    """Return what reading the state may take."""
    return max(environment.state_seconds or 0.0, limit)
