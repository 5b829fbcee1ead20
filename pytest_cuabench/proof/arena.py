"""Where adversaries play: a suite on its own world, through the engine, without a session of pytest around it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from pytest_cuabench.agents.base import Agent, Briefing, Decision
from pytest_cuabench.agents.builtin.oracle import OracleAgent
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.pool import Pool
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.episode.play import Play
from pytest_cuabench.episode.retry import play_instance
from pytest_cuabench.errors import ActionError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.action import Action, Terminate, parse_action
from pytest_cuabench.task.case import Case, Solution
from pytest_cuabench.task.model import Instance, Task
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.suite import load_suite

Deed = Callable[["Adversary"], Action]
Outburst = Callable[["Adversary"], Any]


def told(kind: str, **arguments: Any) -> Deed:
    """Return an action as a model's reply says it, which may be refused when it is read."""
    return lambda agent: parse_action({"kind": kind, **arguments})


@dataclass(frozen=True)
class Way:
    """One thing that an adversary does, in the hope that its attempt is not judged.

    Attributes:
        deeds: Actions, or what makes one out of the episode's own address.
        outburst: What the agent does instead of a decision, after its deeds: it may raise or never end.
        harm: Whether it does harm first; the first deed then stands in the very decision that commits the harm.
    """

    name: str
    deeds: tuple[Action | Deed, ...] = ()
    outburst: Outburst | None = None
    harm: bool = False


class Adversary(OracleAgent):
    """Does harm as a wrong solution does, if it is to, and then a way's deeds; says that all is done."""

    outside = True  # as an agent of somebody else's it answers for what it raises

    def __init__(self, way: Way, wrong: Solution | None = None, commit: int = -1) -> None:
        super().__init__(solution=wrong or _nothing)
        self._way, self._commit = way, commit if way.harm else -1
        self._step = -1
        self.environment: Environment | None = None
        self.application = ""
        self._ear: socket.socket | None = None

    @property
    def port(self) -> int:
        """A port of this computer at which nothing of the episode may arrive by UDP."""
        if self._ear is None:
            self._ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self._ear.setblocking(False)
            self._ear.bind(("", 0))  # on all addresses: guests reach this computer by several
        return int(self._ear.getsockname()[1])

    def overheard(self) -> bool:
        """Whether anything arrived at the port, which is closed."""
        if self._ear is None:
            return False
        with self._ear as ear:
            self._ear = None
            try:
                ear.recv(1)
            except BlockingIOError:
                return False
            return True

    async def confide(self, instance: Instance, case: Case, environment: Environment) -> None:
        """Remember the environment and the application, which some deeds are made of."""
        await super().confide(instance, case, environment)
        self.environment, self.application = environment, instance.task.application

    async def start(self, briefing: Briefing) -> None:
        """Begin with the harm."""
        self._step = -1
        await super().start(briefing)

    async def decide(self, observation: Observation) -> Decision:
        """Return the next decision of the harm, then the deeds one by one, then the end."""
        self._step += 1
        if self._step <= self._commit:
            decision = await super().decide(observation)
            return decision if self._step < self._commit else self._with(decision, self._way.deeds[:1])
        place = self._step - self._commit - (0 if self._way.harm else 1)
        if place < len(self._way.deeds):
            return self._with(Decision(), self._way.deeds[place : place + 1])
        if self._way.outburst is not None:
            return await self._way.outburst(self)  # type: ignore[no-any-return]
        return Decision((Terminate("success"),))

    def _with(self, decision: Decision, deeds: tuple[Action | Deed, ...]) -> Decision:
        """Return the decision with one more action, or with a reply that cannot be read, as a model's would be."""
        try:
            made = tuple(deed if isinstance(deed, Action) else deed(self) for deed in deeds)
        except ActionError as error:
            return replace(decision, format_error=str(error))
        return replace(decision, actions=(*decision.actions, *made))


async def _nothing(hand: Any, case: Case) -> None:
    """Do no harm."""


@dataclass
class Arena:
    """The worlds of adversaries, started when they are needed; `play` numbers the attempts on."""

    folder: Path
    settings: Settings
    runner: asyncio.Runner
    limits: Limits
    pool: Pool = field(init=False)
    number: int = 0

    def __post_init__(self) -> None:
        self.pool = Pool(self.settings)

    def task(self, suite: Path, name: str) -> tuple[Task, Environment]:
        """Return a task and where it is played."""
        info = load_suite(suite)
        task = next(task for task in info.tasks if task.name == name)
        return task, self.pool.environment(info.of(task.application))

    def play(self, task: Task, environment: Environment, agent: Agent, attempts: int = 2) -> Attempt:
        """Play until graded, and return the last attempt."""
        run = Run(self.folder)
        first, self.number = self.number + 1, self.number + attempts
        instance = Instance(task, next(iter(task.wording.goals)))
        return self.runner.run(
            play_instance(
                Play(instance, environment, agent, self.limits, agent_name="adversary"),
                lambda number: Recorder(run, instance.id, number, pictures=False),
                attempts=attempts,
                first=first,
            )
        )

    def close(self) -> None:
        """End the world."""
        self.runner.run(self.pool.close())


class Judged(NamedTuple):
    """What came of a way; `hole` says what is wrong with that, and is empty if nothing is."""

    attempt: Attempt
    hole: str


@dataclass(frozen=True)
class Stage:
    """A task that can be done and a harm that can be done in its place, on one world."""

    arena: Arena
    task: Task
    environment: Environment
    wrong: Solution | None = None
    commit: int = -1

    @classmethod
    def of(cls, arena: Arena, suite: Path, name: str, wrong: str | None = None) -> Stage:
        """Play the harm once by itself, to know the step that commits it.

        Raises:
            ValueError: The wrong solution commits no harm that ends an attempt.
        """
        task, environment = arena.task(suite, name)
        if wrong is None:
            return cls(arena, task, environment)
        solution = next(each.solution for each in task.functions.wrong if each.name == wrong)
        found = arena.play(task, environment, OracleAgent(solution=solution))
        if (found.outcome, found.end.ending) != ("violation", "violation"):
            raise ValueError(
                f"{task.name}: {wrong} ends as {found.outcome}: {found.error or found.end.ending}"
            )
        return cls(arena, task, environment, solution, found.end.commits[-1])

    def judged(self, way: Way) -> Judged:
        """Let an adversary play: it must be graded, no success, a violation where harm was done, and heard nowhere."""
        adversary = Adversary(way, self.wrong, self.commit)
        attempt = self.arena.play(self.task, self.environment, adversary)
        hole = ""
        if adversary.overheard():
            hole = "reaches this computer by UDP"
        elif not attempt.result.graded:
            hole = f"voids its attempt: {attempt.error}"
        elif attempt.outcome == "success":
            hole = "passes"
        elif way.harm and attempt.outcome != "violation":
            hole = f"hides harm: {attempt.error or attempt.end.ending}"
        return Judged(attempt, hole)

    def reference(self) -> Judged:
        """Let the reference solution play on the same world, which must succeed at its first attempt."""
        attempt = self.arena.play(self.task, self.environment, OracleAgent(), attempts=1)
        fine = attempt.outcome == "success"
        return Judged(
            attempt, "" if fine else f"the reference solution fails: {attempt.error or attempt.end.ending}"
        )
