"""Sessions: episodes whose decisions come from a caller, such as a trainer.

A session plays the same `Episode` as a test: the same budgets, policies, evidence and verdict. `Sessions` owns the
environments. At most `at_once` episodes run; each one keeps a place from its reset to its end, and the next one waits
for it. An episode that broke, or that its caller left, is followed by a new environment on its place.

The reward is told once, at the end. An episode without a verdict has none: its `info` has an `error`.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, cast

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.program.endpoints.exchange import Exchange
from pytest_cuabench.agents.program.endpoints.wire import read_step
from pytest_cuabench.collection.attempts import limits_of
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.pool import Pool
from pytest_cuabench.episode.phases import WholeEpisode
from pytest_cuabench.episode.play import Lane, Play
from pytest_cuabench.episode.turns import Turns
from pytest_cuabench.errors import ActionError, EnvironmentFailure, Missing
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.serving.catalogue import Catalogue, Offer
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.model import Instance, Isolation, phase_instance
from pytest_cuabench.task.observation import Observation, ObservationKind

_FOR_EVER = 30 * 86_400.0  # seconds; a number that timers accept


@dataclass(frozen=True, slots=True)
class Turn:
    """What a caller is told after a reset or a step.

    Attributes:
        seen: The screen; None if the episode ended without another look at it.
        briefing: After a reset, and after a step that ended a phase: what the caller's model is told next.
        steps: Steps so far, of the task or of the phase before it.
        reward: Only at the end, and only with a verdict.
        ended_by_budget: Whether the steps or seconds were used up, or the episode broke.
        info: The outcome, at the end.
    """

    seen: Observation | None
    briefing: Briefing | None = None
    steps: int = 0
    done: bool = False
    reward: float | None = None
    ended_by_budget: bool = False
    info: Mapping[str, Any] = field(default_factory=dict)


class Caller:
    """The agent of a session: its decisions are those of the caller, in one exchange over all phases.

    Attributes:
        isolation: The caller is told the verdict of each episode, so it is trusted to keep that from its model.
    """

    isolation: Isolation = "in_process"

    def __init__(self) -> None:
        self.exchange: Exchange
        self.begun = asyncio.Event()

    async def start(self, briefing: Briefing) -> None:
        """Begin the exchange, or its next phase."""
        if self.begun.is_set():
            self.exchange.begin_phase(briefing)
        else:
            self.exchange = Exchange(briefing)
            self.begun.set()

    async def decide(self, observation: Observation) -> Decision:
        """Wait for the caller's next step."""
        return await self.exchange.decide(observation)

    async def close(self) -> None:
        """Do nothing: another phase may follow."""

    def end(self) -> None:
        """Answer the step in progress with the end."""
        if self.begun.is_set():
            self.exchange.end()


class Sessions:
    """The environments of one process, and the sessions that share them.

    Args:
        at_once: How many episodes run at once; None for as many as there are sessions.
        idle: Seconds without a step after which an episode ends ungraded; None to wait for ever.
        patience: Seconds that a reset may wait for a place.
        run: Where episodes with at least one step are recorded; None for nowhere.
        name: The agent's name in the record.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        at_once: int | None = None,
        idle: float | None = None,
        patience: float = 45.0,
        run: Run | None = None,
        name: str = "caller",
    ) -> None:
        self.catalogue, self.settings = catalogue, catalogue.settings
        self.at_once, self.idle, self.patience = at_once, idle or _FOR_EVER, patience
        self.run, self.name = run, name
        self.pool = Pool(catalogue.settings)
        self._unrecorded = Run(self.pool.scratch / "unrecorded")
        self._places = asyncio.Semaphore(at_once) if at_once else nullcontext()
        self._lanes: set[int] = set()
        self._turns = Turns(shared=at_once != 1)
        self._numbers: Counter[str] = Counter()
        self._open: set[Session] = set()

    @property
    def playing(self) -> int:
        """How many places are in use."""
        return len(self._lanes)

    def session(self) -> Session:
        """Return a new session; it costs nothing before its first reset."""
        session = Session(self)
        self._open.add(session)
        return session

    def forget(self, session: Session) -> None:
        """Take a closed session off."""
        self._open.discard(session)

    async def close(self) -> None:
        """End all sessions and close all environments."""
        await asyncio.gather(*(session.close() for session in tuple(self._open)))
        await self.pool.close()

    @asynccontextmanager
    async def place(self) -> AsyncIterator[int]:
        """Wait for a place, and keep it during the block.

        Raises:
            EnvironmentFailure: None came free in time.
        """
        try:
            async with asyncio.timeout(self.patience):
                # Not `async with`: the timeout is for the wait, and not for the block.
                await self._places.__aenter__()
        except TimeoutError:
            raise EnvironmentFailure(
                f"all {self.at_once} places were in use for {self.patience:g} s; reset again later, or serve with a "
                "larger --at-once"
            ) from None
        # The lowest free number, whose environment may be there from an earlier episode.
        lane = next(number for number in count(1) if number not in self._lanes)
        self._lanes.add(lane)
        try:
            yield lane
        finally:
            self._lanes.discard(lane)
            await self._places.__aexit__(None, None, None)

    async def play(self, offer: Offer, caller: Caller) -> Turn:
        """Play one episode to its end and return what its caller is told of it.

        Raises:
            SettingError: The instance cannot be played here.
            EnvironmentFailure: There is no place.
        """
        async with self.place() as lane:
            whole = False
            try:
                episode, attempt = await self._episode(offer, caller, lane)
                whole = attempt.result.graded
            finally:
                # First: closing an environment takes time, in which the caller waits for the answer to its step.
                caller.end()
                if not whole:
                    await self.pool.leave(lane)
            return _last_turn(episode, attempt)

    async def _episode(self, offer: Offer, caller: Caller, lane: int) -> tuple[WholeEpisode, Attempt]:
        instance, suite = offer.instance, offer.suite
        environment = self.pool.environment(suite, lane)
        for where, what in self._machines(offer, environment, lane):
            if lacking := await where.lacking(what):
                raise Missing(lacking)
        number = self._numbers[instance.id] = self._numbers[instance.id] + 1
        pictures = self.run is not None and self.settings.screenshots != "off"
        recorder = Recorder(self.run or self._unrecorded, instance.id, number, pictures=pictures)
        limits = replace(limits_of(instance, self.settings), decision=self.idle)

        kind = cast(ObservationKind, self.settings.observation)
        beside = Lane(lambda phase: self.pool.environment(phase.place, lane), self._turns)
        play = Play(instance, environment, caller, limits, kind, self.name, lane=beside)
        episode = WholeEpisode(play, recorder)
        try:
            await episode.play()
        finally:
            attempt = self._keep(offer, episode)
        return episode, attempt

    def _machines(
        self, offer: Offer, environment: Environment, lane: int
    ) -> Iterator[tuple[Environment, Instance]]:
        """Yield the environments that an instance is played in."""
        yield environment, offer.instance
        for phase in offer.instance.phases:
            yield (
                self.pool.environment(phase.place, lane),
                phase_instance(phase, offer.instance, Case("", {})),
            )

    def _keep(self, offer: Offer, episode: WholeEpisode) -> Attempt:
        """Record an episode; one without a step counts as nothing."""
        attempt = episode.record().with_values(markers=offer.markers)
        if self.run is None or not episode.acted:
            shutil.rmtree(episode.recorder.folder, ignore_errors=True)
            return attempt
        try:
            episode.keep()
        finally:
            attempt = episode.record().with_values(
                markers=offer.markers, fingerprint=self.catalogue.fingerprint(offer)
            )
            self.run.append(attempt)
        return attempt


class Session:
    """One caller's episodes, one after the other."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._caller = Caller()
        self._playing: asyncio.Task[Turn] | None = None
        self._told = False
        self.offer: Offer | None = None

    @property
    def briefing(self) -> Briefing | None:
        """What the caller's model is told before its first step; None before a reset."""
        return self._caller.exchange.briefing if self._caller.begun.is_set() else None

    @property
    def steps(self) -> int:
        """Steps of the episode so far."""
        return self._caller.exchange.steps if self._caller.begun.is_set() else 0

    @property
    def done(self) -> bool:
        """Whether no episode is being played."""
        return self._playing is None or self._playing.done()

    async def reset(self, offer: Offer) -> Turn:
        """Begin an episode, and end the one before; a world that breaks in doing so is told in the result.

        Raises:
            SettingError: The instance cannot be played here.
            EnvironmentFailure: There is no place.
        """
        await self.close()
        # `close` has just taken it off.
        self._sessions._open.add(self)
        self._caller, self.offer, self._told = Caller(), offer, False
        self._playing = asyncio.create_task(self._sessions.play(offer, self._caller))
        begun = asyncio.create_task(self._caller.begun.wait())
        try:
            await asyncio.wait({self._playing, begun}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await self.close()
            raise
        finally:
            begun.cancel()
        if not self._caller.begun.is_set():
            return await self._end()
        return await self._turn(await self._caller.exchange.observe(), None)

    async def step(self, data: object) -> Turn:
        """Carry out a step, which is plain data: `{"actions": [...], "thought": "..."}`.

        Raises:
            ActionError: The data has another form, or there is nothing to step in; no step is counted.
        """
        if self._playing is None or not self._caller.begun.is_set():
            raise ActionError("no episode has begun: reset the session before its first step")
        if self._told:
            raise ActionError("the episode has ended: reset the session to begin another one")
        exchange = self._caller.exchange
        told = exchange.briefing
        return await self._turn(await exchange.act(read_step(data, told.screen)), told)

    async def close(self) -> None:
        """End the episode in progress, if any, and leave its place."""
        playing, self._playing = self._playing, None
        if playing is not None and not playing.done():
            playing.cancel()
            # Raises neither its exception nor its cancellation, as awaiting it would.
            await asyncio.wait({playing})
        if playing is not None and not playing.cancelled():
            playing.exception()  # told already, or of no interest to a caller that left
        self._sessions.forget(self)

    async def _turn(self, seen: Observation | None, told: Briefing | None) -> Turn:
        """Return what was seen, with the briefing if it is not the one that was `told` before."""
        if seen is None:
            return await self._end()
        return Turn(seen, None if self.briefing is told else self.briefing, self.steps)

    async def _end(self) -> Turn:
        self._told = True
        playing = self._playing
        if playing is None:
            raise ActionError("the session was closed")
        await asyncio.wait({playing})
        if playing.cancelled():
            raise ActionError("the session was closed")
        return playing.result()


def _last_turn(episode: WholeEpisode, attempt: Attempt) -> Turn:
    verdict, phases = attempt.verdict, attempt.phases
    info: dict[str, Any] = {
        "instance": attempt.item.instance,
        "outcome": attempt.outcome,
        "ending": attempt.end.ending,
        "steps": attempt.counts.steps,
        "seconds": attempt.cost.seconds.total,
        "phases": [{"name": each.name, "outcome": each.outcome, **each.metrics} for each in phases],
    }
    if verdict is None:
        info["error"] = attempt.error or attempt.result.words
    else:
        info |= {"success": verdict.success, **verdict.to_json()}
    return Turn(
        episode.final,
        steps=episode.counts.steps,
        done=True,
        reward=verdict.reward if verdict else None,
        ended_by_budget=verdict is None or attempt.end.ending == "budget",
        info=info,
    )
