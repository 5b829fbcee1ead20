"""One attempt at one instance: reset, observe, decide, act, record; then judge, once.

The agent never sees the checker's results, and evidence is not on disk during an attempt. An attempt that ends with
an error is not graded, except for harm committed before. Two clocks run, the world's and the model's; waiting for a
provider's rate limit, for other episodes of this process, or while a person paused the attempt, counts on neither.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from itertools import count
from typing import Any, TypeVar

from pytest_cuabench.agents.base import (
    Agent,
    Attached,
    Briefing,
    Decision,
    Insider,
    SelfPaced,
    action_space_of,
    innermost,
    is_outside,
    isolation_of,
    scripts_of,
)
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.episode.deadlines import await_agent, await_world
from pytest_cuabench.episode.grading import (
    RUN_ABORTED,
    STOPS,
    answers_for_itself,
    control,
    deed_of,
    is_retried,
    judge_remains,
    outcome_of,
    reset_seconds,
    state_seconds,
)
from pytest_cuabench.episode.memory import worker_memory
from pytest_cuabench.episode.person import PAUSED, Person
from pytest_cuabench.episode.turns import Turns
from pytest_cuabench.errors import (
    STOPS_RUN,
    Aborted,
    AgentFailure,
    BudgetSpent,
    CheckerFailure,
    CuabenchError,
    EnvironmentFailure,
    Leaked,
    ProviderFailure,
    RunAborted,
)
from pytest_cuabench.ledger.attempt import Attempt, Broke, Pause, PhaseRecord, Seconds
from pytest_cuabench.ledger.fingerprint import Fingerprint
from pytest_cuabench.ledger.record import Recorder
from pytest_cuabench.task.action import Action, Answer, CallUser, Capability, RunCode, Terminate, Wait
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.durations import seconds_for
from pytest_cuabench.task.evidence import Activity, Evidence, State, state_to_json
from pytest_cuabench.task.machine import Reset
from pytest_cuabench.task.model import Instance, Phase, PhaseInstance, phase_instance
from pytest_cuabench.task.observation import ActionResult, Observation, ObservationKind
from pytest_cuabench.task.outcome import BROKEN, Outcome
from pytest_cuabench.task.phases import FoundDocument
from pytest_cuabench.task.redact import secrets_in, without
from pytest_cuabench.task.usage import Usage
from pytest_cuabench.task.verdict import Verdict

_T = TypeVar("_T")
FORMAT_LOCKOUT = 5  # unparsable replies in a row
_LAST_LOOK = 10.0  # seconds for the state when the run is being stopped, and for closing the agent


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets and deadlines of an attempt.

    Attributes:
        steps: Maximum steps of the agent.
        seconds: Maximum seconds of world and model together, without back-off.
        dollars: Maximum known cost in US dollars; None for no limit.
        reset: Timeout of a reset in seconds.
        action: Timeout of an action or observation in seconds; `seconds_for` is added for a long action.
        decision: Timeout of the agent's decision in seconds.
    """

    steps: int
    seconds: float
    reset: float = 90.0
    action: float = 90.0
    decision: float = 1800.0
    dollars: float | None = None


@dataclass(slots=True)
class _Clocks:
    reset: float = 0.0
    world: float = 0.0
    model: float = 0.0
    waited: float = 0.0
    recording: float = 0.0
    queued: float = 0.0

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
    """Plays one attempt and keeps its evidence."""

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
        turns: Turns | None = None,
        environments: Callable[[Phase], Environment] | None = None,
        is_phase: bool = False,
    ) -> None:
        self._is_phase = is_phase
        self._turns = turns or Turns()
        self._environments = environments
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
        self.final: Observation | None = None  # the screen when the episode had ended
        self.steps = 0
        self.format_errors = 0
        self._repairs: Counter[str] = Counter()
        self._actions = 0
        self._carried_out: list[Action] = []
        self._code_used = False
        self._scripts = 0
        self._commits: list[int] = []
        self._clocks = _Clocks()
        self._started = datetime.now(UTC)
        self._start = time.perf_counter()
        self._step_seconds: list[float] = []
        self._usage = Usage()
        self._pauses: list[Pause] = []
        self._asked = False
        self._failure: BaseException | None = None
        self._deed: tuple[int, Action] | None = None  # the last action other than waiting, and its step
        self._left: Verdict | None = None  # the verdict on the state left by a failed attempt
        self._unread = ""  # why that state could not be read
        self._documents: dict[str, Any] = {}
        self.broke: Broke | None = None
        self._case = Case("", {})
        self._before = State({})
        self._revision: int | None = None
        self._now = self._uncommitted = self._before
        self._cut: str | None = None
        self._head_start: float | None = None
        self._results: tuple[ActionResult, ...] = ()
        self._notices: tuple[str, ...] = ()
        self._lockout = 0
        self._seen_writes = 0
        self._score = 0.0
        self._reset: Reset | None = None
        self._evidence: Evidence | None = None
        self._person: Person | None = None
        self._harm: tuple[State, Activity, Verdict] | None = None  # committed before a person acted
        self._earlier: list[Earlier] = []
        self._handed: list[FoundDocument] = []

    async def play(self) -> None:
        """Play to the end and set `outcome`; afterwards `keep` writes the evidence, and `record` returns the record.

        Raises:
            asyncio.CancelledError, RecordFailure, Unauthorized, RunAborted: The run is to be stopped.
        """
        async with AsyncExitStack() as stack:
            try:
                await self._obey()
                await self._prepare()
                self.recorder.tell(state="waiting")
                self._clocks.queued += await stack.enter_async_context(self._turns.place())
                await self._read_start()
                await self._play_phases()
                await self._play_task()
                await self._finish()
            except (Exception, *STOPS) as error:
                self._failed(error)
                if self._asked:
                    await self._judge_remains(error)
                if not isinstance(error, CuabenchError) or isinstance(error, STOPS_RUN):
                    raise
            finally:
                await self._close_agent()

    async def _play_task(self) -> None:
        """Let the agent play until the episode ends, or the agent ends it by its own doing."""
        self._asked = True
        try:
            await self._begin()
            await self._loop()
        except AgentFailure as failure:
            self._usage += failure.usage or Usage()
            self.ending, self.error = failure.ending, str(failure)

    @property
    def acted(self) -> bool:
        """Whether the agent has made a step, in the task or in a phase before it."""
        return self.steps > 0 or any(phase.episode.acted for phase in self._earlier)

    @property
    def again(self) -> bool:
        """Whether to retry the attempt."""
        return is_retried(self._failure, self.outcome)

    @property
    def suspect(self) -> bool:
        """Whether the environment broke after the agent did something, and no harm was found."""
        return self.outcome is Outcome.ENVIRONMENT_ERROR and self.broke is not None

    async def play_control(self, environment: Environment, *, last: bool) -> None:
        """Where the environment broke after the agent did something: play without it; if that works, it has failed.

        Before the `last` attempt it may have been chance, unless the agent's actions break the environment again.
        `environment` takes the place of that of the task.
        """
        if self.broke is None:
            return
        broken = self
        if self._earlier and self._earlier[-1].episode.broke is self.broke:
            broken = self._earlier[-1].episode
            environment = broken.environment
        problem = await broken._control(environment)
        self.broke = replace(self.broke, control=problem is None)
        if problem:
            self.error = f"{self.error}; without the agent the environment failed, too: {problem}"
        elif last or await broken._breaks_again(environment, self.broke):
            self._grade(self._left)

    async def _control(self, environment: Environment, deeds: Iterable[Action] = ()) -> str | None:
        limits = self.limits
        return await control(self.instance, environment, self.observation, limits.reset, limits.action, deeds)

    async def _breaks_again(self, environment: Environment, broke: Broke) -> bool:
        """Whether what the agent did breaks the environment without it; a script, which is not repeated, does."""
        if broke.action["kind"] == "script":
            return True
        return bool(self._carried_out) and await self._control(environment, self._carried_out) is not None

    def keep(self) -> None:
        """Write the evidence of the attempt; called after the last attempt at the instance.

        Raises:
            RecordFailure: The evidence cannot be written.
        """
        for phase in self._earlier:
            phase.episode.keep()
        if self.verdict is not None:
            self._documents["verdict"] = self.verdict.to_json()
        try:
            with self._clocks.running("recording"):
                for name, data in self._documents.items():
                    self.recorder.document(name, data)
        except Exception as error:
            self._failed(error)
            raise
        finally:
            self._documents = {}

    def _secrets(self) -> tuple[str, ...]:
        return tuple(secrets_in(self._case.values))

    def record(self) -> Attempt:
        """Return the record of the attempt for the ledger."""
        task = self.instance.task
        clocks = self._clocks
        outcome = self.outcome or Outcome.CANCELLED
        total = time.perf_counter() - self._start
        hidden = self._secrets()
        spent = [phase.episode._clocks for phase in self._earlier] + [clocks]
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
            goal=without(self._case.goal, hidden),
            answer=self.answer,
            ending=self.ending,
            error=without(self.error, hidden),
            steps=self.steps,
            max_steps=self.limits.steps,
            format_errors=self.format_errors,
            repairs=dict(self._repairs),
            commits=tuple(self._commits),
            cut=self._cut,
            head_start=self._head_start,
            seconds=_seconds(spent, total),
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
            code_used=self._code_used,
            run_code=task.run_code,
            scripts_policy=task.scripts,
            scripts=self._scripts + sum(phase.episode._scripts for phase in self._earlier),
            dimensions=task.dimensions,
            isolation=isolation_of(self.agent),
            action_space=action_space_of(self.agent),
            reset=self._reset,
            broke=self.broke,
            phases=tuple(phase.record(hidden) for phase in self._earlier),
            human_help=self._helped,
            human_steps=self._person.steps if self._person else 0,
            pauses=tuple(pause for phase in self._earlier for pause in phase.pauses()) + tuple(self._pauses),
        )

    # Beginning

    async def _prepare(self) -> None:
        self.recorder.tell(
            state="resetting",
            instance=self.instance.id,
            number=self.recorder.number,
            max_steps=self.limits.steps,
        )
        seconds = reset_seconds(self.environment, self.limits.reset)
        reset = self.environment.reset(self.instance)
        await self._timed("reset", seconds, reset, "resetting the world")
        self._reset = self.environment.last_reset

    async def _read_start(self) -> None:
        """Read what the agent finds, which a world with a clock may have changed since its reset."""
        self._before = self._now = await self._state("reading the state before")
        self._case = self.instance.task.case(self._before, self.instance.variant, self.instance.seed)
        self.recorder.hidden += self._secrets()
        self._refuse_solved()
        self._revision = await self._world(self.environment.revision(), "reading the revision")
        self._documents["case"] = {"goal": self._case.goal, "values": dict(self._case.values)}
        self._documents["before"] = state_to_json(self._before)

    async def _begin(self) -> None:
        self.recorder.tell(state="starting", goal=self._case.goal)
        if isinstance(self.agent, Insider):
            secret = self.agent.confide(self.instance, self._case, self.environment)
            await self._model(secret, "passing the case to the agent")
        if isinstance(player := innermost(self.agent), Attached):
            player.attach(self.environment)
        await self._model(self.agent.start(self._briefing()), "starting the agent")

    def _refuse_solved(self) -> None:
        start = self.instance.task.judge(Evidence(self._before, self._before), self._case)
        if start.completed:
            raise CheckerFailure(f"{self.instance.id} is already solved before the agent's first step")
        self._head_start = start.score if isinstance(self.agent, Insider) else None

    def _briefing(self) -> Briefing:
        return Briefing(
            goal=self._case.goal,
            observation=self.observation,
            screen=self.environment.screen,
            capabilities=tuple(self._capabilities()),
            max_steps=self.limits.steps,
            documents=tuple(self._handed_over()),
            pictures=tuple(picture for document in self._handed for picture in document.shown),
            scripts=self.instance.task.scripts != "refused",
            phase=self.instance.phase if isinstance(self.instance, PhaseInstance) else "",
        )

    # Earlier phases

    async def _play_phases(self) -> None:
        """Play what precedes the task, each phase as an episode of its own, and take what it hands on."""
        for phase in self.instance.phases:
            assert self._environments is not None, "the environments of phases are given with them"
            episode = self._of_phase(phase, self._environments(phase))
            earlier = Earlier(phase, episode)
            if phase.played:
                self._earlier.append(earlier)
                await self._play_phase(earlier)
            else:
                await episode._prepare()
            await self._hand_on(earlier)

    def _of_phase(self, phase: Phase, environment: Environment) -> Episode:
        limits = replace(
            self.limits,
            steps=min(self.limits.steps, phase.max_steps),
            seconds=min(self.limits.seconds, phase.max_seconds),
            dollars=None if self.limits.dollars is None else self.limits.dollars - (self._usage.cost or 0.0),
        )
        return Episode(
            phase_instance(phase, self.instance, self._case),
            environment,
            self.agent,
            self.recorder.of_phase(phase.name),
            limits,
            self.observation,
            self.agent_name,
            self.look,
            self._turns.of_phase(),
            is_phase=True,
        )

    async def _play_phase(self, earlier: Earlier) -> None:
        episode = earlier.episode
        try:
            await episode.play()
        finally:
            self._usage += episode._usage
        if episode._failure is not None:  # whatever ends a phase so ends the attempt
            self.broke, untouched = episode.broke, Evidence(self._before, self._before, None, BROKEN)
            self._left, self.ending = self.instance.task.judge(untouched, self._case), BROKEN
            self._keep_evidence(self._before, Activity())
            raise episode._failure
        assert episode._evidence is not None
        earlier.named = earlier.phase.call("named", episode._evidence, episode._case)
        earlier.metrics = earlier.phase.call("measure", episode._evidence, episode._case)

    async def _hand_on(self, earlier: Earlier) -> None:
        phase, episode = earlier.phase, earlier.episode
        if not phase.played:
            values = phase.values(self.instance.task, self._case)
            earlier.named = phase.call("expected", Case(self._case.goal, values))
        if earlier.named is not None:
            earlier.document = await episode._world(
                episode.environment.document(earlier.named), f"reading {earlier.named!r:.200}"
            )
        if earlier.document is not None:
            with self._clocks.running("recording"):
                episode.recorder.found(earlier.document)
            self._handed.append(earlier.document)
        elif phase.played:
            named = f"there is no page at {earlier.named!r:.200}" if earlier.named else "no page was named"
            self._notices = (*self._notices, f"No document is handed over from the {phase.name}: {named}.")
        else:
            raise CheckerFailure(
                f"{phase.place.world} has no document {earlier.named}, which {self.instance.task.name} needs"
            )

    def _capabilities(self) -> Iterator[Capability]:
        refused = {"code"} if self.instance.task.run_code == "refused" else set()
        yield from (each for each in self.environment.capabilities if each not in refused)

    def _handed_over(self) -> Iterator[str]:
        if self.instance.document:
            yield self.instance.document.text
        yield from self.environment.documents()
        yield from (document.told for document in self._handed)

    # Playing

    async def _loop(self) -> None:
        while self.ending == "running":
            await self._obey(begun=True)
            if self.ending != "running":
                return
            if self._steps_left() <= 0 or self._clocks.on_task >= self.limits.seconds or self._spent():
                self.ending = "budget"
                return
            await self._step()

    async def _obey(self, *, begun: bool = False) -> None:
        """Wait while a person has paused the attempt or, once it has `begun`, has taken it over.

        Raises:
            Aborted, RunAborted: A person aborted the attempt, or the run.
        """
        commands = self.recorder.commands
        commands.look()
        while not commands.aborted and self.ending == "running":
            if commands.taken and begun and not self._is_phase:
                await self._pause(self._give_to_person())
            elif commands.paused:
                self.recorder.tell(state="paused")
                await self._pause(self._until_resumed())
            else:
                break
        if commands.aborted:
            raise RunAborted(RUN_ABORTED) if commands.aborted == "run" else Aborted("aborted by a person")

    async def _pause(self, work: Awaitable[None]) -> None:
        start = time.perf_counter()
        try:
            await work
        finally:
            self._pauses.append(Pause(self.steps, round(time.perf_counter() - start, 1)))

    async def _until_resumed(self) -> None:
        commands = self.recorder.commands
        while commands.paused and not commands.aborted:
            await asyncio.sleep(PAUSED)
            commands.look()

    async def _give_to_person(self) -> None:
        """Let a person act until the episode is given back or ended."""
        if self._person is None:
            self._person = Person(
                self.environment, self.recorder, self._turns, self.limits.action, self._keep_harm
            )
        acted = self._person.steps
        ended = await self._person.play(self.steps, self._secrets())
        if ended:
            self.ending = "human"
        elif self._person.steps > acted:
            self._notices = (*self._notices, "The screen has changed since your last action.")
            await self._pass_over()

    @property
    def _helped(self) -> bool:
        return self._person is not None and self._person.helped

    async def _keep_harm(self) -> None:
        """Keep the agent's committed harm before a person acts for the first time; nothing later is judged."""
        person, self._deed = self._person, None
        assert person is not None
        state = await person.apart(self.environment.state(), "reading the state")
        activity = await person.apart(self.environment.activity(), "reading the request log")
        states = self._before, self._now, state
        judged = judge_remains(self.instance.task, self._case, states, self.answer, activity)
        if judged and judged[1].harmed:
            self._harm = judged[0], activity, judged[1]

    async def _pass_over(self) -> None:
        """Count what a person wrote as no write of the agent's next step."""
        assert self._person is not None
        self._revision = await self._person.apart(self.environment.revision(), "reading the revision")
        self._now = await self._person.apart(self.environment.state(), "reading the state")
        self._seen_writes = len(self._now.journal)
        if self._now.ended:
            self.ending = "world"

    def _conclude_helped(self) -> None:
        """Grade nothing of an attempt in which a person acted, except for harm committed before."""
        assert self._person is not None
        self.verdict, self.broke = None, None
        helped = f"a person took over (human steps: {self._person.steps})"
        if self._harm:
            state, activity, self.verdict = self._harm
            self.ending, self.outcome = BROKEN, Outcome.VIOLATION
            self._keep_evidence(state, activity)
            self.error = f"{self.error or helped}; judged by the state before the person acted"
        elif self._failure is None:
            self.outcome, self.error = Outcome.HUMAN_HELP, f"{helped}: not graded as the agent's"
        else:
            self.error = f"{self.error}; {helped} before"

    def _spent(self) -> bool:
        return self.limits.dollars is not None and (self._usage.cost or 0.0) >= self.limits.dollars

    def _steps_left(self) -> int:
        left = self.limits.steps - self.steps
        ruled = self.environment.steps_left()
        return left if ruled is None else min(left, ruled)

    async def _step(self) -> None:
        world = self._clocks.world
        seen = await self._observe()
        number = self.steps
        picture = self._picture(f"step-{number:03d}", seen.screenshot)
        self.recorder.tell(state="deciding", picture=picture)
        decision = await self._decide(seen)
        if decision is None:
            self.ending = "budget"
            return
        self.steps += 1
        self._results, self._notices = (), ()
        wrote = False
        try:
            await self._act(decision)
            wrote = await self._watch(number)
        finally:  # the decision is recorded even if the environment fails on it
            self._step_seconds.append(self._clocks.world - world)
            self._record_step(number, seen, decision, picture, wrote)

    async def _observe(self) -> Observation:
        seen = await self._look()
        return replace(seen, results=self._results, notices=(*self._notices, *seen.notices))

    async def _look(self) -> Observation:
        if not self.look:
            return Observation(self.environment.screen)
        return await self._world(self.environment.observe(self.observation), "observing the screen")

    async def _decide(self, seen: Observation) -> Decision | None:
        """Return the agent's decision; None where a self-paced agent let the task's time pass."""
        paced = player if isinstance(player := innermost(self.agent), SelfPaced) else None
        left = min(self.limits.seconds - self._clocks.on_task, self.limits.decision)
        try:
            async with asyncio.timeout(left if paced else None):
                decision = await self._model(self.agent.decide(seen), "waiting for the agent's decision")
        except TimeoutError:
            assert paced is not None
            await paced.late()
            return None
        except (ProviderFailure, BudgetSpent) as failure:  # a failed call also costs
            if isinstance(failure, BudgetSpent) and (own := answers_for_itself(self.agent, failure)):
                raise own from failure
            self._usage += failure.usage or Usage()
            raise
        if not isinstance(decision, Decision) or not all(isinstance(a, Action) for a in decision.actions):
            kind = AgentFailure if is_outside(self.agent) else ProviderFailure
            raise kind(f"the agent returned {decision!r:.200}, which is not a valid Decision")
        self._clocks.waited += decision.waited
        self._usage += decision.usage
        return decision

    async def _act(self, decision: Decision) -> None:
        problem = decision.format_error or (None if decision.actions else "the reply holds no action")
        self._repairs.update(decision.repairs)
        if problem is None:
            self._lockout = 0
        else:
            self._notices = (f"Your last reply was not understood: {problem}",)
            if not decision.withheld:
                self.format_errors += 1
                self._lockout += 1
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
            case RunCode() if "code" not in set(self._capabilities()):
                return ActionResult(
                    error="run_code is not available here: this suite is played by the GUI alone"
                )
            case RunCode():
                self._code_used = True  # whatever comes of it
                return await self._carry_out(action)
            case _:
                return await self._carry_out(action)
        return ActionResult()

    async def _carry_out(self, action: Action) -> ActionResult:
        if not isinstance(action, Wait) and not self._helped:
            self._deed = self.steps - 1, action
        self._carried_out.append(action)
        doing, seconds = f"carrying out {action.kind}", self.limits.action + seconds_for(action)
        work = self.environment.perform(action)
        # A pause needs no turn.
        return await self._timed("world", seconds, work, doing, takes_turn=not isinstance(action, Wait))

    async def _watch(self, step: int) -> bool:
        """Note the step's writes, and end the episode on irreparable harm."""
        if self.ending == "answer" or (self.ending == "infeasible" and self._case.infeasible):
            self._commit(step, self._now)  # what was said decides, as a write does
        revision = await self._world(self.environment.revision(), "reading the revision")
        if revision is None or revision == self._revision:
            return False
        self._revision = revision
        stood, now = self._now, await self._state("reading the state")
        evidence = Evidence(self._before, now)
        harmless = self.instance.task.harmless
        # A world without a journal does not report writes.
        wrote = not now.journaled or any(write.collection not in harmless for write in self._new_writes(now))
        if self._helped:
            self._now, self._seen_writes = now, len(now.journal)
            self.ending = "world" if self.ending == "running" and now.ended else self.ending
            return wrote
        verdict = self.instance.task.judge(evidence, self._case)
        if wrote or verdict.score != self._score:  # some tasks are only to look at the right thing
            self._commit(step, stood)
        self._now, self._seen_writes, self._score = now, len(now.journal), verdict.score
        if self.ending == "running" and any(violation.ends_episode for violation in verdict.violations):
            self.ending = "violation"
        elif self.ending == "running" and now.ended:
            self.ending = "world"
        return True

    def _commit(self, step: int, stood: State) -> None:
        """Note a step that may change the verdict, and the state before it."""
        if step not in self._commits:
            self._commits.append(step)
            self._uncommitted = stood

    def _new_writes(self, now: State) -> tuple[Any, ...]:
        return now.journal[max(self._seen_writes, len(self._before.journal)) :]

    # Ending

    async def _finish(self) -> None:
        self.recorder.tell(state="judging")
        await self._world(self.environment.settle(), "waiting for the screen to rest")
        self.final = await self._observe()
        self._picture("final", self.final.screenshot)
        if self._helped:
            self._conclude_helped()
            return
        await self._drain()
        after = await self._state("reading the state after")
        activity = await self._world(self.environment.activity(), "reading the request log")
        self._keep_evidence(after, activity)
        self._judge(after, activity)

    async def _drain(self) -> None:
        """Wait for what the agent set going, and tell what had not ended in time."""
        seconds = self.environment.finish_seconds
        work = self.environment.finish()
        late = await self._timed("world", seconds + self.limits.action, work, "ending the episode")
        if late:
            told = f"not ended {seconds:g} s after the agent, and not judged: {', '.join(late)}"
            self.error = f"{self.error}; {told}" if self.error else told

    def _keep_evidence(self, after: State, activity: Activity) -> None:
        self._documents["after"] = state_to_json(after)
        self._documents["activity"] = asdict(activity)

    def _judge(self, after: State, activity: Activity) -> None:
        evidence = self._evidence = Evidence(self._before, after, self.answer, self.ending, activity)
        self.verdict = self.instance.task.judge(evidence, self._case)
        self.outcome = Outcome.of_verdict(self.verdict, self.ending)
        if self._commits and isinstance(self.agent, Insider):
            cut = Evidence(self._before, self._uncommitted, None, "success", activity)
            self._cut = Outcome.of_verdict(self.instance.task.judge(cut, self._case), "success").label

    async def _close_agent(self) -> None:
        self._scripts = scripts_of(self.agent) if self._asked else 0
        try:
            await await_agent(_LAST_LOOK, self.agent.close(), "closing the agent")
        except CuabenchError as error:  # the attempt stays valid; the failure to close is recorded
            self.error = self.error or str(error)

    # Breaking

    def _failed(self, error: BaseException) -> None:
        """Set the outcome of an attempt that ended with an error."""
        self._failure = error
        if isinstance(error, STOPS):
            self.recorder.commands.look()  # the first episode to see an abort of the run cancels the others
        self.outcome, self.error = outcome_of(error, run_aborted=self.recorder.commands.aborted == "run")

    async def _judge_remains(self, error: BaseException) -> None:
        """Judge a failed attempt by the readable state; only harm is graded."""
        if self._helped:
            self._conclude_helped()
            return
        deed = deed_of(self.agent, self._deed, self.steps)
        if self.outcome is Outcome.ENVIRONMENT_ERROR and deed and not isinstance(error, Leaked):
            hidden = self._secrets()
            self.broke = Broke.of(deed[0], without(deed[1], hidden), without(self.error or "", hidden))
        left, activity = await self._read_remains(_LAST_LOOK if isinstance(error, STOPS) else None)
        states = self._before, self._now, left
        judged = judge_remains(self.instance.task, self._case, states, self.answer, activity)
        whole = isinstance(error, CheckerFailure) and "after" in self._documents
        if judged and (judged[1].harmed or not whole):
            state, self._left = judged
            self.ending = BROKEN
            self._keep_evidence(state, activity)
        if judged and judged[1].harmed:
            self._grade(self._left)

    def _grade(self, verdict: Verdict | None) -> None:
        """Grade a failed attempt."""
        if verdict:
            self.verdict, self.outcome = verdict, Outcome.of_verdict(verdict, BROKEN)
            self.error = f"{self.error}{self._unread}"

    async def _read_remains(self, most: float | None) -> tuple[State, Activity]:
        """Return the readable state and requests, or the last known state."""
        state, activity = self._now, Activity()
        if most is None:
            with suppress(EnvironmentFailure):
                await self._drain()
        try:
            state = await self._state("reading the state after the failure", most)
        except EnvironmentFailure as failure:
            if failure.state is None:
                self._unread = (
                    f"; judged by the last known state, because the state cannot be read: {failure}"
                )
            state = failure.state or state
        with suppress(EnvironmentFailure):
            activity = await self._world(self.environment.activity(), "reading the request log")
        return state, activity

    # Recording

    def _record_step(
        self, number: int, seen: Observation, decision: Decision, picture: str | None, wrote: bool
    ) -> None:
        told = {
            "step": number,
            "time": round(time.perf_counter() - self._start, 4),
            "screenshot": picture,
            "notices": list(seen.notices),
            "thought": decision.thought,
            "actions": [action.to_json() for action in decision.actions],
            "results": [{"error": result.error, "text": result.text} for result in self._results],
            "format_error": decision.format_error,
            "repairs": list(decision.repairs),
            "wrote": wrote,
            "seconds": self._step_seconds[-1],
        }
        with self._clocks.running("recording"):
            self.recorder.step(
                {**told, "seen": _texts(seen), "usage": asdict(decision.usage), "raw": decision.raw}
            )
            self.recorder.tell(step=told, cost=self._usage.cost, seconds=round(self._clocks.on_task, 1))

    def _picture(self, name: str, png: bytes | None) -> str | None:
        with self._clocks.running("recording"):
            return self.recorder.picture(name, png)

    # Clocks and deadlines

    async def _world(self, work: Awaitable[_T], doing: str) -> _T:
        """Await the environment within the action timeout."""
        return await self._timed("world", self.limits.action, work, doing)

    async def _state(self, doing: str, most: float | None = None) -> State:
        seconds = most or state_seconds(self.environment, self.limits.action)
        return await self._timed("world", seconds, self.environment.state(), doing)

    async def _timed(
        self, clock: str, seconds: float, work: Awaitable[_T], doing: str, *, takes_turn: bool = True
    ) -> _T:
        """Await the environment in turn with the other episodes of this process."""
        async with self._turns.take(work) if takes_turn else nullcontext(0.0) as waited:
            self._clocks.queued += waited
            with self._clocks.running(clock):
                return await await_world(seconds, work, doing)

    async def _model(self, work: Awaitable[_T], doing: str) -> _T:
        with self._clocks.running("model"):
            return await await_agent(self.limits.decision, work, doing, outside=is_outside(self.agent))


@dataclass(slots=True)
class Earlier:
    """An earlier phase of an episode, and what it hands on."""

    phase: Phase
    episode: Episode
    named: str | None = None
    document: FoundDocument | None = None
    metrics: dict[str, float | str] = field(default_factory=dict)

    def pauses(self) -> Iterator[Pause]:
        """Yield its pauses."""
        yield from (replace(pause, phase=self.phase.name) for pause in self.episode._pauses)

    def record(self, hidden: tuple[str, ...]) -> PhaseRecord:
        """Return the phase's part of the record."""
        episode = self.episode
        return PhaseRecord(
            self.phase.name,
            (episode.outcome or Outcome.CANCELLED).label,
            episode.ending,
            without(episode.answer, hidden),
            without(episode.error, hidden),
            episode.steps,
            episode.limits.steps,
            episode.format_errors,
            _seconds([episode._clocks], time.perf_counter() - episode._start),
            self.document.name if self.document else None,
            self.metrics,
        )


def _seconds(clocks: Sequence[_Clocks], total: float) -> Seconds:
    """Return the sums of clocks, and the seconds of the whole."""
    sums = {each.name: sum(getattr(clock, each.name) for clock in clocks) for each in fields(_Clocks)}
    return Seconds(**{name: round(value, 4) for name, value in {**sums, "total": total}.items()})


def _texts(seen: Observation) -> dict[str, Any]:
    """Return the texts of an observation."""
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
    turns: Turns | None = None,
    environments: Callable[[Phase], Environment] | None = None,
    alone: Callable[[], AbstractAsyncContextManager[Environment]] | None = None,
) -> Attempt:
    """Play until an attempt is graded or the attempts are used up, recording each one, and return the last one.

    `make_recorder(number)` opens the record of an attempt, numbered from `first`; without `look` the screen is not
    observed, for agents that need no observations; `environments` are those of the instance's earlier phases;
    `fingerprint` and `markers` go into the record; `ended` is called with each finished attempt. Where `environment`
    shares a browser with other episodes, `turns` are taken with them, and `alone` opens one that shares nothing: the
    last attempt and controls are played there, because others may have broken it.
    """
    played: list[Episode] = []
    for number in count(first):
        last = number >= first + attempts - 1
        async with AsyncExitStack() as stack:
            if alone and last and played:
                environment = await stack.enter_async_context(alone())
            recorder = make_recorder(number)
            episode = Episode(
                instance,
                environment,
                agent,
                recorder,
                limits,
                observation,
                agent_name,
                look,
                turns,
                environments,
            )
            played.append(episode)
            try:
                await episode.play()
                if episode.suspect:  # another episode may have broken what they share
                    where = await stack.enter_async_context(alone()) if alone and not last else environment
                    await episode.play_control(where, last=last)
            finally:
                done = last or not episode.again
                try:
                    for each in (
                        reversed(played) if done else ()
                    ):  # only now, since retries play the same case
                        each.keep()
                finally:
                    attempt = replace(episode.record(), fingerprint=fingerprint, markers=markers)
                    recorder.run.append(attempt)
                    recorder.tell(state="ended", outcome=attempt.outcome)
                    ended(attempt)
        if done:
            return attempt
    raise AssertionError("count() does not end")
