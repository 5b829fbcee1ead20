"""Judge a failed attempt, and check whether its environment works without the agent."""

from __future__ import annotations

from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.episode.deadlines import await_world
from pytest_cuabench.errors import CheckerFailure, CuabenchError
from pytest_cuabench.task.evidence import Activity, Evidence, State
from pytest_cuabench.task.model import Case, Instance, Task
from pytest_cuabench.task.observation import ObservationKind
from pytest_cuabench.task.outcome import BROKEN
from pytest_cuabench.task.verdict import Verdict


def judge_remains(
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
    earlier = judged(known) if found and not found[1].harmed and known is not left else None
    return earlier if earlier and earlier[1].harmed else found


async def control(
    instance: Instance, environment: Environment, kind: ObservationKind, reset: float, action: float
) -> str | None:
    """Reset, observe, settle and read the state without an agent; return the failure, None if all works."""
    try:
        await await_world(
            reset_seconds(environment, reset), environment.reset(instance), "resetting the world"
        )
        await await_world(action, environment.observe(kind), "observing the screen")
        await await_world(action, environment.settle(), "waiting for the screen to rest")
        await await_world(state_seconds(environment, action), environment.state(), "reading the state")
    except CuabenchError as error:
        return str(error)
    return None


def reset_seconds(environment: Environment, limit: float) -> float:
    """Return what a reset may take."""
    return limit if environment.reset_seconds is None else environment.reset_seconds


def state_seconds(environment: Environment, limit: float) -> float:
    """Return what reading the state may take."""
    return max(environment.state_seconds or 0.0, limit)
