"""One attempt at one instance: reset, observe, decide, act, record; then judge, once.

The agent never sees the checker's results, and evidence is not on disk during an attempt. An attempt that ends with
an error is not graded, except for harm committed before. `Episode` is the loop; what it fills belongs to

    End         how it ends                             play.py
    Clocks      what it takes, and within which limits  clocks.py
    Progress    what has changed in the world           progress.py
    Recording   what is left on disk                    recording.py
    TakeOver    a person who pauses it or acts          person.py
    Salvage     what becomes of it after an error       salvage.py

`phases.py` plays what comes before a task, and `retry.py` the attempts at an instance.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace

from pytest_cuabench.agents.base import (
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
from pytest_cuabench.episode.clocks import Clocks, seconds_of
from pytest_cuabench.episode.deadlines import await_agent
from pytest_cuabench.episode.grading import STOPS, answers_for_itself, reset_seconds
from pytest_cuabench.episode.memory import worker_memory
from pytest_cuabench.episode.person import TakeOver
from pytest_cuabench.episode.play import End, Play
from pytest_cuabench.episode.progress import Progress
from pytest_cuabench.episode.recording import Recording
from pytest_cuabench.episode.salvage import LAST_LOOK, Salvage, drain
from pytest_cuabench.errors import (
    STOPS_RUN,
    AgentFailure,
    BudgetSpent,
    CheckerFailure,
    CuabenchError,
    ProviderFailure,
)
from pytest_cuabench.ledger.attempt import Attempt, Conditions, Cost, Ending, Intervention, PlayCounts
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.ledger.record import Recorder
from pytest_cuabench.task.action import Action, Answer, CallUser, Capability, RunCode, Terminate, Wait
from pytest_cuabench.task.evidence import Activity, Evidence, State
from pytest_cuabench.task.machine import Reset
from pytest_cuabench.task.model import PhaseInstance
from pytest_cuabench.task.observation import ActionResult, Observation
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.phases import FoundDocument
from pytest_cuabench.task.redact import secrets_in, without
from pytest_cuabench.task.usage import Usage

FORMAT_LOCKOUT = 5  # unparsable replies in a row


@dataclass(slots=True)
class Counts:
    """What an agent has done so far.

    Attributes:
        lockout: Replies in a row that were not understood.
        code_used: Whether it ran a program in the guest, whatever came of it.
        scripts: How many scripts it had evaluated in pages.
    """

    steps: int = 0
    actions: int = 0
    format_errors: int = 0
    lockout: int = 0
    code_used: bool = False
    scripts: int = 0
    repairs: Counter[str] = field(default_factory=Counter)
    usage: Usage = Usage()


class Episode:
    """Plays one attempt and keeps its evidence."""

    may_be_taken = True  # whether a person may take it over

    def __init__(self, play: Play, recorder: Recorder) -> None:
        self.spec = play
        self.recorder = recorder
        self.end = End()
        self.counts = Counts()
        self.clocks = Clocks(play.limits, play.lane.turns)
        self.progress = Progress(play.instance)
        self.recording = Recording(recorder, self.clocks)
        self.salvage = Salvage(play, self.end, self.progress, self.clocks, self.recording)
        self.take_over = TakeOver(play, recorder, self.end, self.progress, self.salvage)
        self.evidence: Evidence | None = None
        self.final: Observation | None = None  # the screen when the episode had ended
        self.handed: list[FoundDocument] = []  # documents from earlier phases
        self._begun = False
        self._reset: Reset | None = None
        self._initial_score: float | None = None
        self._outcome_before_commits: str | None = None
        self._results: tuple[ActionResult, ...] = ()
        self._notices: tuple[str, ...] = ()

    @property
    def environment(self) -> Environment:
        """Where it is played."""
        return self.spec.environment

    @property
    def acted(self) -> bool:
        """Whether the agent has made a step."""
        return self.counts.steps > 0

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no record may show."""
        return tuple(secrets_in(self.progress.case.values))

    async def play(self) -> None:
        """Play to the end and set its outcome; afterwards `keep` writes the evidence, and `record` returns the record.

        Raises:
            asyncio.CancelledError, RecordFailure, Unauthorized, RunAborted: The run is to be stopped.
        """
        async with AsyncExitStack() as stack:
            try:
                await self._obey()
                await self.prepare()
                self.recorder.publish(state="waiting")
                self.clocks.queued += await stack.enter_async_context(self.spec.lane.turns.place())
                await self._read_start()
                await self._play_before()
                await self._play_task()
                await self._finish()
            except (Exception, *STOPS) as error:
                self._fail(error)
                if self._begun and self.take_over.helped:
                    self.take_over.conclude(self.recording)
                elif self._begun:
                    await self.salvage.judge(error, self.counts.steps)
                if not isinstance(error, CuabenchError) or isinstance(error, STOPS_RUN):
                    raise
            finally:
                await self._close_agent()

    async def play_control(self, environment: Environment, *, last: bool) -> None:
        """Play without the agent where the environment broke, see `Salvage`; `environment` stands for the task's."""
        await self.salvage.play_control(environment, last=last)

    def keep(self) -> None:
        """Write the evidence of the attempt; called after the last attempt at the instance.

        Raises:
            RecordFailure: The evidence cannot be written.
        """
        if self.end.verdict is not None:
            self.recording.documents["verdict"] = self.end.verdict.to_json()
        try:
            self.recording.write_evidence()
        except Exception as error:
            self._fail(error)
            raise

    def record(self) -> Attempt:
        """Return the record of the attempt for the ledger."""
        instance, end = self.spec.instance, self.end
        outcome = end.outcome or Outcome.CANCELLED
        item = Planned.of(instance)
        return Attempt(
            replace(item, tier=(self._reset and self._reset.tier) or item.tier),
            number=self.recorder.number,
            agent=self.spec.agent_name,
            outcome=outcome.label,
            verdict=end.verdict if outcome.graded else None,
            goal=without(self.progress.case.goal, self.secrets),
            error=without(end.error, self.secrets),
            started=self.clocks.started.isoformat(timespec="milliseconds"),
            end=Ending(
                end.ending,
                end.answer,
                tuple(self.progress.commits),
                self._outcome_before_commits,
                self._initial_score,
                self.salvage.broke,
            ),
            counts=self._play_counts(),
            cost=Cost(
                self.counts.usage,
                seconds_of([self.clocks], self.clocks.elapsed),
                tuple(round(value, 4) for value in self.recording.step_seconds),
                worker_memory(),
            ),
            conditions=self._conditions(),
            files=self.recorder.files,
            intervention=Intervention(
                tuple(self.take_over.pauses), self.take_over.helped, self.take_over.steps
            ),
        )

    def _play_counts(self) -> PlayCounts:
        counts = self.counts
        return PlayCounts(
            counts.steps,
            self.spec.limits.steps,
            counts.format_errors,
            counts.actions,
            dict(counts.repairs),
            counts.scripts,
            counts.code_used,
        )

    def _conditions(self) -> Conditions:
        rules, agent = self.spec.instance.task.rules, self.spec.agent
        return Conditions(
            reset=self._reset,
            run_code=rules.run_code,
            scripts_policy=rules.scripts,
            isolation=isolation_of(agent),
            dimensions=rules.dimensions,
            action_space=action_space_of(agent),
        )

    # Beginning

    async def prepare(self) -> None:
        """Reset the world."""
        limits, instance = self.spec.limits, self.spec.instance
        self.recorder.publish(
            state="resetting", instance=instance.id, number=self.recorder.number, max_steps=limits.steps
        )
        seconds = reset_seconds(self.environment, limits.reset)
        reset = self.environment.reset(instance)
        await self.clocks.timed("reset", seconds, reset, "resetting the world")
        self._reset = self.environment.last_reset

    async def _read_start(self) -> None:
        """Read what the agent finds, which a world with a clock may have changed since its reset."""
        progress = self.progress
        progress.start(await self.clocks.state(self.environment, "reading the state before"))
        self.recorder.hidden += self.secrets
        start = progress.judge(progress.before)
        if start.completed:
            raise CheckerFailure(f"{self.spec.instance.id} is already solved before the agent's first step")
        self._initial_score = start.score if isinstance(self.spec.agent, Insider) else None
        progress.revision = await self.clocks.of_world(self.environment.revision(), "reading the revision")
        self.recording.keep_start(progress.documents(), progress.before)

    async def _play_before(self) -> None:
        """Play what comes before the task."""

    async def _play_task(self) -> None:
        """Let the agent play until the episode ends, or the agent ends it by its own doing."""
        self._begun = True
        try:
            await self._begin()
            await self._loop()
        except AgentFailure as failure:
            self.counts.usage += failure.usage or Usage()
            self.end.ending, self.end.error = failure.ending, str(failure)

    async def _begin(self) -> None:
        agent, case, clocks = self.spec.agent, self.progress.case, self.clocks
        self.recorder.publish(state="starting", goal=case.goal)
        if isinstance(agent, Insider):
            secret = agent.confide(self.spec.instance, case, self.environment)
            await clocks.of_agent(agent, secret, "passing the case to the agent")
        if isinstance(player := innermost(agent), Attached):
            player.attach(self.environment)
        await clocks.of_agent(agent, agent.start(self._briefing()), "starting the agent")

    def _briefing(self) -> Briefing:
        instance = self.spec.instance
        return Briefing(
            goal=self.progress.case.goal,
            observation=self.spec.observation,
            screen=self.environment.screen,
            capabilities=tuple(self._capabilities()),
            max_steps=self.spec.limits.steps,
            documents=tuple(self._documents()),
            pictures=tuple(picture for document in self.handed for picture in document.shown),
            scripts=instance.task.rules.scripts != "refused",
            phase=instance.phase if isinstance(instance, PhaseInstance) else "",
        )

    def _capabilities(self) -> Iterator[Capability]:
        refused = {"code"} if self.spec.instance.task.rules.run_code == "refused" else set()
        yield from (each for each in self.environment.capabilities if each not in refused)

    def _documents(self) -> Iterator[str]:
        if document := self.spec.instance.document:
            yield document.text
        yield from self.environment.documents()
        yield from (document.told for document in self.handed)

    # Playing

    async def _loop(self) -> None:
        while self.end.running:
            await self._obey(begun=True)
            if not self.end.running:
                return
            if self._steps_left() <= 0 or self.clocks.left <= 0 or self._is_paid_up():
                self.end.ending = "budget"
                return
            await self._step()

    async def _obey(self, *, begun: bool = False) -> None:
        """Do what a person who watches asks for; see `TakeOver`."""
        if await self.take_over.obey(self.counts.steps, may_take=begun and self.may_be_taken):
            self._notices = (*self._notices, "The screen has changed since your last action.")

    def _is_paid_up(self) -> bool:
        dollars = self.spec.limits.dollars
        return dollars is not None and (self.counts.usage.cost or 0.0) >= dollars

    def _steps_left(self) -> int:
        left = self.spec.limits.steps - self.counts.steps
        ruled = self.environment.steps_left()
        return left if ruled is None else min(left, ruled)

    async def _step(self) -> None:
        world = self.clocks.world
        seen = await self._observe()
        number = self.counts.steps
        picture = self.recording.picture(f"step-{number:03d}", seen.screenshot)
        self.recorder.publish(state="deciding", picture=picture)
        decision = await self._decide(seen)
        if decision is None:
            self.end.ending = "budget"
            return
        self.counts.steps += 1
        self._results, self._notices = (), ()
        wrote = False
        try:
            await self._act(decision)
            wrote = await self._watch(number)
        finally:  # the decision is recorded even if the environment fails on it
            self.recording.step_seconds.append(self.clocks.world - world)
            self.recording.step(
                number, seen, decision, self._results, picture=picture, wrote=wrote, usage=self.counts.usage
            )

    async def _observe(self) -> Observation:
        if self.spec.look:
            work = self.environment.observe(self.spec.observation)
            seen = await self.clocks.of_world(work, "observing the screen")
        else:
            seen = Observation(self.environment.screen)
        return replace(seen, results=self._results, notices=(*self._notices, *seen.notices))

    async def _decide(self, seen: Observation) -> Decision | None:
        """Return the agent's decision; None where a self-paced agent let the task's time pass."""
        agent, counts = self.spec.agent, self.counts
        paced = player if isinstance(player := innermost(agent), SelfPaced) else None
        left = min(self.clocks.left, self.spec.limits.decision)
        try:
            # A self-paced agent acts within its decision, so the task's time ends it; others are only charged.
            async with asyncio.timeout(left if paced else None):
                work = agent.decide(seen)
                decision = await self.clocks.of_agent(agent, work, "waiting for the agent's decision")
        except TimeoutError:
            assert paced is not None
            await paced.late()
            return None
        except (ProviderFailure, BudgetSpent) as failure:  # a failed call also costs
            if isinstance(failure, BudgetSpent) and (own := answers_for_itself(agent, failure)):
                raise own from failure
            counts.usage += failure.usage or Usage()
            raise
        if not isinstance(decision, Decision) or not all(isinstance(a, Action) for a in decision.actions):
            kind = AgentFailure if is_outside(agent) else ProviderFailure
            raise kind(f"the agent returned {decision!r:.200}, which is not a valid Decision")
        self.clocks.waited += decision.waited
        counts.usage += decision.usage
        return decision

    async def _act(self, decision: Decision) -> None:
        problem = decision.format_error or (None if decision.actions else "the reply holds no action")
        counts = self.counts
        counts.repairs.update(decision.repairs)
        if problem is None:
            counts.lockout = 0
        else:
            self._notices = (f"Your last reply was not understood: {problem}",)
            if not decision.withheld:
                counts.format_errors += 1
                counts.lockout += 1
            if counts.lockout >= FORMAT_LOCKOUT:
                self.end.ending = "lockout"
        for action in decision.actions:
            if not self.end.running:
                return
            counts.actions += 1
            result = await self._perform(action)
            self._results = (*self._results, result)
            if result.error or self.clocks.left <= 0:
                return

    async def _perform(self, action: Action) -> ActionResult:
        match action:
            case Answer():
                self.end.answer, self.end.ending = action.text, "answer"
            case Terminate():
                self.end.ending = action.status
            case CallUser():
                return ActionResult(text="No user is present; go on by yourself.")
            case RunCode() if "code" not in set(self._capabilities()):
                return ActionResult(
                    error="run_code is not available here: this suite is played by the GUI alone"
                )
            case RunCode():
                self.counts.code_used = True
                return await self._carry_out(action)
            case _:
                return await self._carry_out(action)
        return ActionResult()

    async def _carry_out(self, action: Action) -> ActionResult:
        self.salvage.note(self.counts.steps - 1, action, by_person=self.take_over.helped)
        doing, seconds = f"carrying out {action.kind}", self.spec.limits.action + action.extra_seconds()
        work = self.environment.perform(action)
        # A pause needs no turn.
        return await self.clocks.timed("world", seconds, work, doing, takes_turn=not isinstance(action, Wait))

    async def _watch(self, step: int) -> bool:
        """Note the step's writes, and end the episode on irreparable harm."""
        progress, end = self.progress, self.end
        if end.ending == "answer" or (end.ending == "infeasible" and progress.case.infeasible):
            progress.commit(step, progress.current)  # what was said decides, as a write does
        revision = await self.clocks.of_world(self.environment.revision(), "reading the revision")
        if revision is None or revision == progress.revision:
            return False
        progress.revision = revision
        state = await self.clocks.state(self.environment, "reading the state")
        wrote = progress.wrote(state)
        harmed = False if self.take_over.helped else self._judge_step(step, state, wrote=wrote)
        progress.advance(state)
        if end.running and harmed:
            end.ending = "violation"
        elif end.running and state.ended:
            end.ending = "world"
        return wrote if self.take_over.helped else True

    def _judge_step(self, step: int, state: State, *, wrote: bool) -> bool:
        """Judge a step's state; return whether it holds harm that ends the episode."""
        verdict = self.progress.judge(state)
        if wrote or verdict.score != self.progress.score:  # some tasks are only to look at the right thing
            self.progress.commit(step, self.progress.current)
        self.progress.score = verdict.score
        return any(violation.ends_episode for violation in verdict.violations)

    # Ending

    async def _finish(self) -> None:
        self.recorder.publish(state="judging")
        await self.clocks.of_world(self.environment.settle(), "waiting for the screen to rest")
        self.final = await self._observe()
        self.recording.picture("final", self.final.screenshot)
        if self.take_over.helped:
            self.take_over.conclude(self.recording)
            return
        # After the last look, since it leaves the pages; before the state, which late writes still change.
        await drain(self.spec, self.end, self.clocks)
        after = await self.clocks.state(self.environment, "reading the state after")
        activity = await self.clocks.of_world(self.environment.activity(), "reading the request log")
        self.recording.keep_end(after, activity)
        self._judge(after, activity)

    def _judge(self, after: State, activity: Activity) -> None:
        end, progress = self.end, self.progress
        self.evidence = Evidence(progress.before, after, end.answer, end.ending, activity)
        end.verdict = self.spec.instance.task.judge(self.evidence, progress.case)
        end.outcome = Outcome.of_verdict(end.verdict, end.ending)
        if isinstance(self.spec.agent, Insider):
            self._outcome_before_commits = progress.outcome_before_commits(activity)

    async def _close_agent(self) -> None:
        agent = self.spec.agent
        self.counts.scripts = scripts_of(agent) if self._begun else 0
        try:
            await await_agent(LAST_LOOK, agent.close(), "closing the agent")
        except CuabenchError as error:  # the attempt stays valid; the failure to close is recorded
            self.end.error = self.end.error or str(error)

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, STOPS):
            self.recorder.commands.look()  # the first episode to see an abort of the run cancels the others
        self.salvage.fail(error, run_aborted=self.recorder.commands.aborted == "run")
