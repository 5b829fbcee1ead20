"""A person takes over an episode: what is performed and recorded, and that it is not graded as the agent's."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from small_world import Table, check, make_task, make_world, press

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.episode.play import Play
from pytest_cuabench.episode.retry import play_instance
from pytest_cuabench.ledger import live
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Recorder
from pytest_cuabench.task.action import Action, Move, Terminate
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence
from pytest_cuabench.task.model import Instance, Task
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.verdict import Milestone, Violation
from pytest_cuabench.testing import ScriptedAgent

DONE = Terminate("success")
KEY = "trajectories/desk/note-intent/1"
Asked = tuple[live.Command, Any]
CLICK: Asked = ("act", {"kind": "click", "x": 3, "y": 4})


class Helped(ScriptedAgent):
    """A scripted agent; while it makes its first decision a person takes over and asks for some things."""

    def __init__(self, table: Table, script: list[Action], asked: list[Asked]) -> None:
        super().__init__(tuple(script))
        self._table, self._asked = table, asked
        self.seen: list[Observation] = []

    async def decide(self, observation: Observation) -> Decision:
        """Ask, then decide."""
        if not self.seen:
            for command, action in self._asked:
                live.ask(self._table.run.folder, command, KEY, action)
        self.seen.append(observation)
        return await super().decide(observation)


def play(
    table: Table,
    script: list[Action],
    asked: list[Asked],
    *,
    take_over: bool = True,
    task: Task | None = None,
    attempts: int = 2,
    **limits: Any,
) -> tuple[Attempt, Helped, Any]:
    """Play in a session that lets a person take over; return the last attempt, the agent and the world."""
    table.run.folder.mkdir(parents=True, exist_ok=True)
    live.open_session(table.run.folder, take_over=take_over)
    agent, world = Helped(table, script, asked), make_world()

    async def playing() -> Attempt:
        return await play_instance(
            Play(
                Instance(task or make_task(), "intent"),
                world,
                agent,
                Limits(**{"steps": 10, "seconds": 60.0} | limits),
            ),
            lambda number: Recorder(table.run, "desk/note-intent", number, take_over=take_over),
            attempts=attempts,
        )

    return asyncio.run(playing()), agent, world


def human_steps(table: Table) -> list[dict[str, Any]]:
    """Return the recorded steps of the person."""
    text = (table.run.folder / KEY / "human.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def test_help_is_not_graded(table: Table) -> None:
    """An attempt in which a person acted is no success, has no verdict, is not retried, and is never regraded."""
    last, agent, _ = play(table, [Move(1, 1), press("n"), DONE], [("take", None), CLICK, ("give", None)])
    assert (last.outcome, last.verdict, last.intervention.human_help, last.intervention.human_steps) == (
        "human_help",
        None,
        True,
        1,
    )
    assert (last.number, last.steps) == (1, 3)
    assert not (table.run.folder / KEY / "after.json").exists()
    assert "The screen has changed since your last action." in agent.seen[1].notices


def test_steps_of_the_person_are_recorded_apart(table: Table) -> None:
    """A person's action has its own record, with the pictures before and after it, and is no step of the agent."""
    play(table, [Move(1, 1), DONE], [("take", None), CLICK, ("give", None)])
    (step,) = human_steps(table)
    assert step["who"] == "human"
    assert step["action"] == {"kind": "click", "x": 3, "y": 4}
    assert (step["step"], step["error"]) == (1, None)
    assert (step["before"], step["after"]) == ("human-000.png", "human-001.png")
    agents = (table.run.folder / KEY / "steps.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in agents] == [0, 1]


def test_person_uses_no_budget(table: Table) -> None:
    """A person's actions use no steps, and their time counts on no clock."""
    asked = [("take", None), *[CLICK] * 5, ("give", None)]
    last, _, _ = play(table, [Move(1, 1), DONE], asked, steps=2)  # type: ignore[arg-type]
    assert (last.steps, last.intervention.human_steps, last.ending) == (2, 5, "success")
    assert len(last.intervention.pauses) == 1


def test_end(table: Table) -> None:
    """A person can end the episode, which then is not graded either."""
    last, agent, _ = play(table, [Move(1, 1)], [("take", None), ("end", None)])
    assert (last.outcome, last.ending, last.intervention.human_steps, len(agent.seen)) == (
        "human_help",
        "human",
        0,
        1,
    )


def test_look_only(table: Table) -> None:
    """An attempt that is given back without any action stays the agent's."""
    last, agent, _ = play(table, [press("n"), DONE], [("take", None), ("give", None)])
    assert (last.outcome, last.intervention.human_help) == ("success", False)
    assert agent.seen[1].notices == ()


@pytest.mark.parametrize(
    "action",
    [
        {"kind": "click", "x": 3, "y": 99_999},
        {"kind": "click", "x": "3", "y": 4},
        {"kind": "terminate", "status": "success"},
        {"kind": "answer", "text": "42"},
        {"kind": "run_code", "code": "1"},
        {"kind": "navigate", "url": "http://a/"},
        {"kind": "nothing"},
        "click",
    ],
)
def test_actions_are_read_strictly(table: Table, action: object) -> None:
    """What is no input by mouse or keyboard on the screen is refused with a sentence, and helps nobody."""
    told: list[str] = []
    live_tell = Recorder.publish

    def tell(self: Recorder, **facts: Any) -> None:
        told.append(facts.get("problem", ""))
        live_tell(self, **facts)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Recorder, "publish", tell)
        last, _, _ = play(table, [press("n"), DONE], [("take", None), ("act", action), ("give", None)])
    assert (last.outcome, last.intervention.human_steps) == ("success", 0)
    assert any(told)


def test_refused_without_the_option(table: Table) -> None:
    """Without `--cua-take-over` the session itself ignores the commands."""
    asked = [("take", None), CLICK, ("end", None)]
    last, _, _ = play(table, [press("n"), DONE], asked, take_over=False)  # type: ignore[arg-type]
    assert (last.outcome, last.intervention.human_help) == ("success", False)
    assert not (table.run.folder / KEY / "human.jsonl").exists()


def _major(evidence: Evidence, case: Case) -> Iterator[Milestone | Violation]:
    for found in check(evidence, case):
        yield replace(found, severity="major") if isinstance(found, Violation) else found


def test_earlier_harm_stays(table: Table) -> None:
    """Harm that the agent had committed before a person acted stays its violation."""
    asked = [("take", None), CLICK, ("give", None)]
    last, _, _ = play(table, [press("x"), DONE], asked, task=make_task(check=_major))  # type: ignore[arg-type]
    assert (last.outcome, last.intervention.human_help) == ("violation", True)
    assert last.verdict
    assert last.verdict.harmed


@pytest.mark.parametrize("after", [DONE, RuntimeError("broken")], ids=["ends", "breaks"])
def test_harm_of_the_person(table: Table, after: Any) -> None:
    """Harm that a person did is not the agent's, however the attempt ends."""
    (pressed,) = press("x").actions
    harm = ("act", pressed.to_json())
    asked = [("take", None), harm, ("give", None)]
    last, _, _ = play(table, [Move(1, 1), after], asked, task=make_task(check=_major), attempts=1)  # type: ignore[arg-type]
    assert (last.outcome, last.verdict) == ("human_help", None)
    assert (last.intervention.human_help, last.intervention.human_steps) == (True, 1)
