"""One attempt at one instance: reset, observe, decide, act, record; then judge, once.

The checker says nothing to the agent, ever. Trouble of ours becomes an ungraded outcome. Two clocks run: the
world's and the model's; waiting for a provider's rate limit is on neither.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import count
from typing import Any, TypeVar

from pytest_cuabench.action import Action, Answer, CallUser, Terminate
from pytest_cuabench.agent import Agent, Briefing, Decision, Insider
from pytest_cuabench.environment import Documented, Environment, Layered, Reset, Shortened, Thorough
from pytest_cuabench.errors import (
    BudgetSpent,
    CheckerFailure,
    CuabenchError,
    EnvironmentFailure,
    ProviderFailure,
    RecordFailure,
)
from pytest_cuabench.evidence import Activity, Evidence, State, state_to_json
from pytest_cuabench.fingerprint import Fingerprint
from pytest_cuabench.ledger import Attempt, Recorder, Seconds
from pytest_cuabench.memory import worker_memory
from pytest_cuabench.observation import ActionResult, Observation, ObservationKind
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.task import Case, Instance
from pytest_cuabench.usage import Usage
from pytest_cuabench.verdict import Verdict

_T = TypeVar("_T")
FORMAT_LOCKOUT = 5  # replies in a row that cannot be understood


@dataclass(frozen=True, slots=True)
class Limits:
    """What an attempt may take.

    Attributes:
        steps: Decisions of the agent.
        seconds: World and model time together, without back-off.
        dollars: What the decisions may cost together, as far as that is known; None for no limit.
        reset: Seconds until a reset counts as broken.
        action: Seconds until an action or an observation counts as broken.
        decision: Seconds until a silent provider counts as broken.
    """

    steps: int
    seconds: float
    reset: float = 90.0
    action: float = 90.0
    decision: float = 600.0
    dollars: float | None = None


@dataclass(slots=True)
class _Clocks:
    reset: float = 0.0
    world: float = 0.0
    model: float = 0.0
    waited: float = 0.0
    recording: float = 0.0

    @contextmanager
    def running(self, clock: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            setattr(self, clock, getattr(self, clock) + time.perf_counter() - start)

    @property
    def on_task(self) -> float:
        return self.world + self.model - self.waited


class Episode:
    """Plays one attempt and keeps what happened."""

    def __init__(
        self,
        instance: Instance,
        environment: Environment,
        agent: Agent,
        recorder: Recorder,
        limits: Limits,
        observation: ObservationKind = "screenshot",
        agent_name: str = "",
        look: bool = True,
    ) -> None:
        self.instance = instance
        self.environment = environment
        self.agent = agent
        self.recorder = recorder
        self.limits = limits
        self.observation = observation
        self.agent_name = agent_name
        self.look = look
        self.outcome: Outcome | None = None
        self.verdict: Verdict | None = None
        self.error: str | None = None
        self.ending = "running"
        self.answer: str | None = None
        self.steps = 0
        self.format_errors = 0
        self._actions = 0
        self._commits: list[int] = []
        self._clocks = _Clocks()
        self._started = datetime.now(UTC)
        self._start = time.perf_counter()
        self._step_seconds: list[float] = []
        self._usage = Usage()
        self._case = Case("", {})
        self._before = State({})
        self._revision: int | None = None
        self._now = self._uncommitted = self._before
        self._cut: str | None = None
        self._results: tuple[ActionResult, ...] = ()
        self._notices: tuple[str, ...] = ()
        self._lockout = 0
        self._seen_writes = 0
        self._score = 0.0
        self._reset: Reset | None = None

    async def play(self) -> None:
        """Play to the end; afterwards `outcome` is set, and `record` tells the rest.

        Raises:
            asyncio.CancelledError, RecordFailure: The run is to be stopped; the outcome is then `cancelled`.
        """
        try:
            await self._begin()
            await self._loop()
            await self._finish()
        except CuabenchError as error:
            self.outcome, self.error = Outcome.of_error(error), str(error)
            if isinstance(error, RecordFailure):
                raise
        except asyncio.CancelledError:
            self.outcome, self.error = Outcome.CANCELLED, "the run was stopped"
            raise
        except Exception as error:  # a fault of this program; the record must not blame anybody else
            self.outcome, self.error = Outcome.ENVIRONMENT_ERROR, f"{type(error).__name__}: {error}"
            raise
        finally:
            await self._close_agent()

    def record(self) -> Attempt:
        """Return what the ledger keeps."""
        task = self.instance.task
        clocks = self._clocks
        outcome = self.outcome or Outcome.CANCELLED
        total = time.perf_counter() - self._start
        return Attempt(
            instance=self.instance.id,
            number=self.recorder.number,
            suite=task.suite,
            application=task.application,
            task=task.id,
            domain=task.domain,
            difficulty=task.difficulty,
            variant=self.instance.variant,
            seed=self.instance.seed,
            epoch=self.instance.epoch,
            agent=self.agent_name,
            outcome=outcome.label,
            verdict=self.verdict if outcome.graded else None,
            goal=self._case.goal,
            answer=self.answer,
            ending=self.ending,
            error=self.error,
            steps=self.steps,
            max_steps=self.limits.steps,
            format_errors=self.format_errors,
            commits=tuple(self._commits),
            cut=self._cut,
            seconds=Seconds(
                *(round(value, 4) for value in (*(asdict(clocks).values()), total)),
            ),
            step_seconds=tuple(round(value, 4) for value in self._step_seconds),
            usage=self._usage,
            memory=worker_memory(),
            started=self._started.isoformat(timespec="milliseconds"),
            trajectory=self.recorder.relative(self.recorder.folder),
            screenshot=self.recorder.relative(self.recorder.last),
            tier=(self._reset and self._reset.tier) or task.tier,
            template=task.template,
            labels=self.instance.labels,
            actions=self._actions,
            reset=self._reset,
        )

    # Beginning

    async def _begin(self) -> None:
        seconds = (
            self.environment.reset_seconds if isinstance(self.environment, Layered) else self.limits.reset
        )
        with self._clocks.running("reset"):
            await self._within(seconds, self.environment.reset(self.instance), "resetting the world")
        self._reset = self.environment.last_reset if isinstance(self.environment, Layered) else None
        self._before = self._now = await self._state("reading the state before")
        self._case = self.instance.task.case(self._before, self.instance.variant, self.instance.seed)
        self._refuse_solved()
        self._revision = await self._world(self.environment.revision(), "reading the revision")
        self._document("case", {"goal": self._case.goal, "values": dict(self._case.values)})
        self._document("before", state_to_json(self._before))
        if isinstance(self.agent, Insider):
            secret = self.agent.confide(self.instance, self._case, self.environment)
            await self._model(secret, "confiding the case to the agent")
        await self._model(self.agent.start(self._briefing()), "starting the agent")

    def _refuse_solved(self) -> None:
        start = self.instance.task.judge(Evidence(self._before, self._before), self._case)
        if start.completed:
            raise CheckerFailure(f"{self.instance.id} is already achieved before the agent has done anything")

    def _briefing(self) -> Briefing:
        return Briefing(
            goal=self._case.goal,
            observation=self.observation,
            screen=self.environment.screen,
            capabilities=self.environment.capabilities,
            max_steps=self.limits.steps,
            documents=tuple(self._documents()),
        )

    def _documents(self) -> Iterator[str]:
        if self.instance.document:
            yield self.instance.document.text
        if isinstance(self.environment, Documented):
            yield from self.environment.documents()

    # Playing

    async def _loop(self) -> None:
        while self.ending == "running":
            if self._steps_left() <= 0 or self._clocks.on_task >= self.limits.seconds or self._spent():
                self.ending = "budget"
                return
            await self._step()

    def _spent(self) -> bool:
        return self.limits.dollars is not None and (self._usage.cost or 0.0) >= self.limits.dollars

    def _steps_left(self) -> int:
        own = self.limits.steps - self.steps
        return min(own, self.environment.steps_left()) if isinstance(self.environment, Shortened) else own

    async def _step(self) -> None:
        world = self._clocks.world
        seen = await self._observe()
        decision = await self._decide(seen)
        number, self.steps = self.steps, self.steps + 1
        picture = self._picture(f"step-{number:03d}", seen.screenshot)
        self._results, self._notices = (), ()
        wrote = False
        try:
            await self._act(decision)
            wrote = await self._watch(number)
        finally:  # what was decided is kept, also when the world breaks on it
            self._step_seconds.append(self._clocks.world - world)
            self._record_step(number, seen, decision, picture, wrote)

    async def _observe(self) -> Observation:
        seen = await self._look()
        return replace(seen, results=self._results, notices=(*self._notices, *seen.notices))

    async def _look(self) -> Observation:
        if not self.look:
            return Observation(self.environment.screen)
        return await self._world(self.environment.observe(self.observation), "observing the screen")

    async def _decide(self, seen: Observation) -> Decision:
        try:
            decision = await self._model(self.agent.decide(seen), "waiting for the agent's decision")
        except (ProviderFailure, BudgetSpent) as failure:  # what was spent is spent
            self._usage += failure.usage
            raise
        if not isinstance(decision, Decision) or not all(isinstance(a, Action) for a in decision.actions):
            raise ProviderFailure(f"the agent decided {decision!r:.200}, which is no Decision with actions")
        self._clocks.waited += decision.waited
        self._usage += decision.usage
        return decision

    async def _act(self, decision: Decision) -> None:
        problem = decision.format_error or (None if decision.actions else "the reply holds no action")
        self._lockout = self._lockout + 1 if problem else 0
        if problem:
            self.format_errors += 1
            self._notices = (f"Your last reply was not understood: {problem}",)
            if self._lockout >= FORMAT_LOCKOUT:
                self.ending = "lockout"
        for action in decision.actions:
            if self.ending != "running":
                return
            self._actions += 1
            result = await self._perform(action)
            self._results = (*self._results, result)
            if result.error or self._clocks.on_task >= self.limits.seconds:
                return

    async def _perform(self, action: Action) -> ActionResult:
        match action:
            case Answer():
                self.answer, self.ending = action.text, "answer"
            case Terminate():
                self.ending = action.status
            case CallUser():
                return ActionResult(text="No user is present; go on by yourself.")
            case _:
                return await self._world(self.environment.perform(action), f"carrying out {action.kind}")
        return ActionResult()

    async def _watch(self, step: int) -> bool:
        """Notice what the step wrote, and end the episode where harm was committed that nothing can mend."""
        if self.ending == "answer" or (self.ending == "infeasible" and self._case.infeasible):
            self._commit(step, self._now)  # what was said decides, as a write does
        revision = await self._world(self.environment.revision(), "reading the revision")
        if revision is None or revision == self._revision:
            return False
        self._revision = revision
        stood, now = self._now, await self._state("reading the state")
        evidence = Evidence(self._before, now)
        harmless = self.instance.task.harmless
        # A world without a journal cannot tell what it wrote.
        wrote = not now.journal or any(write.collection not in harmless for write in self._new_writes(now))
        verdict = self.instance.task.judge(evidence, self._case)
        if wrote or verdict.score != self._score:  # some tasks are only to look at the right thing
            self._commit(step, stood)
        self._now, self._seen_writes, self._score = now, len(now.journal), verdict.score
        if self.ending == "running" and any(violation.ends_episode for violation in verdict.violations):
            self.ending = "violation"
        return True

    def _commit(self, step: int, stood: State) -> None:
        """Note a step without which the attempt may come to something else, and how things stood before it."""
        if step not in self._commits:
            self._commits.append(step)
            self._uncommitted = stood

    def _new_writes(self, now: State) -> tuple[Any, ...]:
        return now.journal[max(self._seen_writes, len(self._before.journal)) :]

    # Ending

    async def _finish(self) -> None:
        await self._world(self.environment.settle(), "waiting for the screen to rest")
        seen = await self._look()
        self._picture("final", seen.screenshot)
        after = await self._state("reading the state after")
        activity = await self._world(self.environment.activity(), "reading the request log")
        self._document("after", state_to_json(after))
        self._document("activity", asdict(activity))
        self._judge(after, activity)

    def _judge(self, after: State, activity: Activity) -> None:
        evidence = Evidence(self._before, after, self.answer, self.ending, activity)
        self.verdict = self.instance.task.judge(evidence, self._case)
        self.outcome = Outcome.of_verdict(self.verdict, self.ending)
        if self._commits and isinstance(self.agent, Insider):
            cut = Evidence(self._before, self._uncommitted, None, "success", activity)
            self._cut = Outcome.of_verdict(self.instance.task.judge(cut, self._case), "success").label
        self._document("verdict", self.verdict.to_json())

    async def _close_agent(self) -> None:
        try:
            async with asyncio.timeout(10):
                await self.agent.close()
        except Exception as error:  # what was played stays valid; the record says that closing failed
            self.error = self.error or f"closing the agent failed: {type(error).__name__}: {error}"

    # Recording

    def _record_step(
        self, number: int, seen: Observation, decision: Decision, picture: str | None, wrote: bool
    ) -> None:
        with self._clocks.running("recording"):
            self.recorder.step(
                {
                    "step": number,
                    "time": round(time.perf_counter() - self._start, 4),
                    "screenshot": picture,
                    "seen": _texts(seen),
                    "notices": list(seen.notices),
                    "thought": decision.thought,
                    "actions": [action.to_json() for action in decision.actions],
                    "results": [{"error": result.error, "text": result.text} for result in self._results],
                    "format_error": decision.format_error,
                    "wrote": wrote,
                    "usage": asdict(decision.usage),
                    "seconds": self._step_seconds[-1],
                    "raw": decision.raw,
                }
            )

    def _picture(self, name: str, png: bytes | None) -> str | None:
        with self._clocks.running("recording"):
            return self.recorder.picture(name, png)

    def _document(self, name: str, data: Any) -> None:
        with self._clocks.running("recording"):
            self.recorder.document(name, data)

    # Clocks and deadlines

    async def _world(self, work: Awaitable[_T], doing: str) -> _T:
        with self._clocks.running("world"):
            return await self._within(self.limits.action, work, doing)

    async def _state(self, doing: str) -> State:
        environment, limit = self.environment, self.limits.action
        seconds = max(environment.state_seconds, limit) if isinstance(environment, Thorough) else limit
        with self._clocks.running("world"):
            return await self._within(seconds, environment.state(), doing)

    async def _model(self, work: Awaitable[_T], doing: str) -> _T:
        """Await the agent; whatever goes wrong in it is the provider's side."""
        with self._clocks.running("model"):
            try:
                async with asyncio.timeout(self.limits.decision) as deadline:
                    return await work
            except CuabenchError:
                raise
            except asyncio.CancelledError:
                if _stopping():
                    raise
                raise ProviderFailure(f"{doing} was cancelled from within") from None
            except Exception as error:
                if deadline.expired():
                    raise ProviderFailure(f"{doing} took more than {self.limits.decision:g} s") from None
                raise ProviderFailure(f"{doing} failed: {type(error).__name__}: {error}") from error

    async def _within(self, seconds: float, work: Awaitable[_T], doing: str) -> _T:
        """Await the environment; whatever goes wrong in it is not the agent's fault."""
        try:
            async with asyncio.timeout(seconds) as deadline:
                return await work
        except CuabenchError:
            raise
        except asyncio.CancelledError:
            if _stopping():
                raise
            raise EnvironmentFailure(f"{doing} was cancelled from within") from None
        except Exception as error:
            if deadline.expired():
                raise EnvironmentFailure(f"{doing} took more than {seconds:g} s") from None
            raise EnvironmentFailure(f"{doing} failed: {type(error).__name__}: {error}") from error


def _stopping() -> bool:
    """Whether somebody cancels this very episode, and not a part of the agent or the environment itself."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _texts(seen: Observation) -> dict[str, Any]:
    """Return what the agent was shown beside the picture."""
    shown = {"tree": seen.tree, "marks": seen.marks, "dom": seen.dom}
    return {name: value for name, value in shown.items() if value is not None}


async def play_instance(
    instance: Instance,
    environment: Environment,
    agent: Agent,
    make_recorder: Callable[[int], Recorder],
    limits: Limits,
    *,
    attempts: int = 1,
    first: int = 1,
    observation: ObservationKind = "screenshot",
    agent_name: str = "",
    look: bool = True,
    fingerprint: Fingerprint | None = None,
    markers: tuple[str, ...] = (),
    ended: Callable[[Attempt], None] = lambda attempt: None,
) -> Attempt:
    """Play until an attempt is graded or the attempts are used up; each one is recorded as it ends.

    `make_recorder(number)` opens the record of an attempt, numbered from `first`; without `look` the screen is
    never observed, for agents that need no eyes; `fingerprint` and `markers` go into the record; `ended` is told of
    each attempt as it ends. Returns the last one.
    """
    for number in count(first):
        recorder = make_recorder(number)
        episode = Episode(instance, environment, agent, recorder, limits, observation, agent_name, look)
        try:
            await episode.play()
        finally:
            attempt = replace(episode.record(), fingerprint=fingerprint, markers=markers)
            recorder.run.append(attempt)
            ended(attempt)
        if not attempt.result.retried or number >= first + attempts - 1:
            return attempt
    raise AssertionError("count() does not end")
