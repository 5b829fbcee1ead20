"""A run that is played now, as its folder tells it: some episodes in progress, some that ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sample_run

from pytest_cuabench.ledger import live
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.ledger.record import Recorder, Run


def begin(run: Run, planned: int = 0, *, take_over: bool = False) -> Run:
    """Let this process lead a session that plays the run."""
    run.create({"agent": "scripted", "started": "2025-11-21T07:45:00.000+00:00"})
    names = (f"desk/task{number}-intent" for number in range(planned))
    run.plan(
        Planned(name, "small", "desk", name, "Front Desk", "easy", "intent", seed=0, epoch=0)
        for name in names
    )
    live.open_session(run.folder, take_over=take_over)
    return run


def episode(run: Run, number: int, steps: int = 2, goal: str = sample_run.GOAL, **more: Any) -> Recorder:
    """Record an episode that is waiting for its next decision."""
    recorder = Recorder(run, f"desk/task{number}-intent", 1)
    recorder.publish(state="resetting", instance=recorder.instance, number=1, max_steps=30)
    recorder.publish(state="starting", goal=goal)
    for at in range(steps):
        step(recorder, at, **more)
    decides(recorder, steps)
    return recorder


def decides(recorder: Recorder, at: int) -> None:
    """Let the agent look at the screen before a step."""
    picture = recorder.picture(f"step-{at:03d}", sample_run.picture(at % 7))
    recorder.publish(state="deciding", picture=picture)


def step(recorder: Recorder, at: int, **more: Any) -> None:
    """Record one step."""
    decides(recorder, at)
    actions: list[Mapping[str, Any]] = [sample_run.ACTIONS[at % len(sample_run.ACTIONS)]]
    data = sample_run.step(at, actions, **more)
    recorder.step(data)
    told = {name: value for name, value in data.items() if name not in ("usage", "raw")}
    recorder.publish(step=told, cost=0.01 * (at + 1), seconds=2.5 * (at + 1))


def end(recorder: Recorder, outcome: str = "success") -> None:
    """End an episode."""
    application, _, task = recorder.instance.removesuffix("-intent").partition("/")
    record = sample_run.attempt(application, task, outcome, trajectory=recorder.commands.attempt)
    recorder.document("case", {"goal": record.goal, "values": {}})
    recorder.run.append(record)
    recorder.publish(state="ended", outcome=outcome)
