"""A desk with two patients: key n notes one, x harms the other, u undoes the harm, b breaks the desk."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pytest_cuabench.agents.base import Agent, Briefing, Decision
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.episode.play import Lane, Play
from pytest_cuabench.episode.retry import play_instance
from pytest_cuabench.errors import EnvironmentFailure, Unauthorized
from pytest_cuabench.ledger.attempt import Attempt, Seconds
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.task.action import Action, Key, Size
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State, Write
from pytest_cuabench.task.model import Instance, SuiteInfo, Task
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.parts import Scope, TaskBudget, TaskFunctions, TaskMeta, Wording
from pytest_cuabench.task.usage import Usage
from pytest_cuabench.task.verdict import Milestone, Verdict, Violation
from pytest_cuabench.testing import FakeEnvironment, ScriptedAgent

ALONE = Lane()
ATTEMPT = Attempt.of(
    instance="desk/note-intent",
    number=1,
    suite="small",
    application="desk",
    task="note",
    domain="Front Desk",
    difficulty="easy",
    variant="intent",
    seed=0,
    epoch=0,
    agent="scripted",
    outcome="violation",
    verdict=Verdict((Milestone("noted", True, 1.0),), (Violation("a", "minor", "b", "c"),)),
    goal="do it",
    answer="42",
    commits=(1, 2),
    seconds=Seconds(0.1, 0.2, 0.3, 0.0, 0.1, 0.7),
    step_seconds=(0.1, 0.1),
    usage=Usage(10, 20, 5, 0.25),
)

PARTS = ("meta", "wording", "functions", "budget", "scope", "rules", "proof")
ROWS = {"patients": {"A": {"name": "Ada"}, "B": {"name": "Bo"}}}
SCREEN = Size(64, 48)
SECRET = "the-expected-value-4711"


def react(world: FakeEnvironment, action: Action) -> None:
    """Change the world as a key says."""
    match action:
        case Key(keys=("n",)):
            world.write("notes", "1", patient="A", text="seen")
        case Key(keys=("x",)):
            world.write("notes", "2", patient="B", text="seen")
        case Key(keys=("l",)):
            world.write("log", "1", who="agent")
        case Key(keys=("u",)):
            gone = world.rows["notes"].pop("2")
            world.journal.append(Write("notes", "2", "delete", gone, None))
        case Key(keys=("b",)):
            raise EnvironmentFailure("the desk fell over")
        case Key(keys=("e",)):
            raise ZeroDivisionError("a bug of the driver")
        case Key(keys=("f",)) if world.resets == 1:
            raise EnvironmentFailure("the desk shook")


def build(state: State, chance: random.Random) -> dict[str, Any]:
    """Say whom the task is about."""
    return {"name": state.row("patients", name="Ada")["name"], "secret": SECRET}


def check(evidence: Evidence, case: Case) -> Iterator[Milestone | Violation]:
    """Want a note for Ada and none for Bo."""
    yield Milestone(
        "noted", bool(evidence.after.rows("notes", patient="A")), 1.0, "a note for Ada", "nothing"
    )
    for write in evidence.journal:
        if write.row.get("patient") == "B" and write.op == "insert":
            yield Violation(
                "patient_identity", "critical", "notes", "a note was written for Bo", committed=True
            )


async def solve(hand: Any, case: Case) -> None:
    """Note Ada."""
    await hand.press("n")


def make_task(**changes: Any) -> Task:
    """Return the desk's task, with some of it changed."""
    return of_parts(
        Task(
            "note",
            "small",
            "desk",
            TaskMeta("Write a note", "Front Desk", "easy"),
            Wording(
                {"intent": ("Note that {name} was seen.",), "step": ("Press n for {name}.",)}, "Sit down."
            ),
            TaskFunctions(build, check, solve),
            TaskBudget(10, 60.0),
            Scope(harmless=frozenset({"log"})),
        ),
        **changes,
    )


def of_parts(task: Task, **changes: Any) -> Task:
    """Return a task with other values, each in the part that has a field of its name."""
    whole: dict[str, Any] = {}
    for name, value in changes.items():
        part = next((part for part in PARTS if name in getattr(task, part).__dataclass_fields__), None)
        if part is None:
            whole[name] = value
        else:
            whole[part] = replace(whole.get(part, getattr(task, part)), **{name: value})
    return replace(task, **whole)


def make_suite(*tasks: Task) -> SuiteInfo:
    """Return a suite of these tasks."""
    return SuiteInfo(
        "small",
        "Small",
        "none",
        "chromium",
        "clinic",
        Size(640, 480),
        (0, 1, 2),
        tasks,
        Path(__file__).parent,
    )


def make_world() -> FakeEnvironment:
    """Return the desk."""
    return FakeEnvironment(ROWS, react)


def press(*chords: str) -> Decision:
    """Return one decision that presses keys one after the other."""
    return Decision(tuple(Key((chord,)) for chord in chords))


@dataclass
class Played:
    """What a play left behind; `stopped` is what would end a session."""

    last: Attempt
    attempts: list[Attempt]
    run: Run
    agent: Any
    world: Any
    stopped: Unauthorized | None = None

    def folder(self, number: int = 1) -> Path:
        """Return the trajectory of an attempt."""
        return self.run.folder / "trajectories" / self.last.instance / str(number)


@dataclass
class Table:
    """Plays on one run's folder."""

    folder: Path
    told: list[Attempt] = field(default_factory=list)

    def play(
        self,
        agent: Agent | Iterable[Decision | Action | Exception],
        *,
        task: Task | None = None,
        world: Environment | None = None,
        instance: Instance | None = None,
        attempts: int = 1,
        **limits: Any,
    ) -> Played:
        """Play a task to its end and return what is known of it."""
        player: Any = ScriptedAgent(agent) if isinstance(agent, list | tuple) else agent
        world = world or make_world()
        stopped = None
        try:
            asyncio.run(self.playing(player, world, task, instance, attempts, **limits))
        except Unauthorized as refusal:
            stopped = refusal
        played = list(self.run.attempts())
        return Played(played[-1], played, self.run, player, world, stopped)

    async def playing(
        self,
        agent: Agent,
        world: Environment,
        task: Task | None = None,
        instance: Instance | None = None,
        attempts: int = 1,
        lane: Lane = ALONE,
        **limits: Any,
    ) -> Attempt:
        """Play within a loop that is already running."""
        return await play_instance(
            Play(
                instance or Instance(task or make_task(), "intent"),
                world,
                agent,
                Limits(**{"steps": 10, "seconds": 60.0} | limits),
                agent_name="scripted",
                lane=lane,
            ),
            lambda number: Recorder(self.run, "desk/note-intent", number),
            attempts=attempts,
            ended=self.told.append,
        )

    @property
    def run(self) -> Run:
        """The run that everything is written to."""
        return Run(self.folder)


class FakeClock:
    """A clock that only goes when it is told to; put it in place of a module's `time`."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        """Return the time."""
        return self.now

    def passing(self, seconds: float, then: Callable[..., Any]) -> Callable[..., Any]:
        """Return a coroutine function that takes some seconds of this clock."""

        async def wrapped(*arguments: Any) -> Any:
            self.now += seconds
            return await then(*arguments)

        return wrapped


def drawn(agent: Agent, goal: str = "do it", count: int = 30) -> list[Decision]:
    """Return the first decisions of an episode."""

    async def play() -> list[Decision]:
        await agent.start(Briefing(goal, "screenshot", SCREEN, ("pointer", "keyboard"), 10))
        return [await agent.decide(Observation(SCREEN)) for _ in range(count)]

    return asyncio.run(play())
