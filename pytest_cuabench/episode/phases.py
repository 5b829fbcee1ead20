"""An episode with earlier phases: each is an episode of its own, in its own environment, and may hand a document on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.episode.clocks import seconds_of
from pytest_cuabench.episode.loop import Episode
from pytest_cuabench.episode.play import Lane, Play
from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.ledger.attempt import Attempt, Pause, PhaseRecord
from pytest_cuabench.ledger.record import Recorder
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Activity
from pytest_cuabench.task.model import Phase, phase_instance
from pytest_cuabench.task.outcome import BROKEN, Outcome
from pytest_cuabench.task.phases import FoundDocument
from pytest_cuabench.task.redact import without


class PhaseEpisode(Episode):
    """An earlier phase, which no person takes over."""

    may_be_taken = False


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
        yield from (replace(pause, phase=self.phase.name) for pause in self.episode.take_over.pauses)

    def record(self, hidden: tuple[str, ...]) -> PhaseRecord:
        """Return the phase's part of the record."""
        episode, end = self.episode, self.episode.end
        return PhaseRecord(
            self.phase.name,
            (end.outcome or Outcome.CANCELLED).label,
            end.ending,
            without(end.answer, hidden),
            without(end.error, hidden),
            episode.counts.steps,
            episode.spec.limits.steps,
            episode.counts.format_errors,
            seconds_of([episode.clocks], episode.clocks.elapsed),
            self.document.name if self.document else None,
            self.metrics,
        )


class WholeEpisode(Episode):
    """An attempt at an instance with its phases, if it has any."""

    def __init__(self, play: Play, recorder: Recorder) -> None:
        super().__init__(play, recorder)
        self._earlier: list[Earlier] = []  # those that the agent plays

    @property
    def acted(self) -> bool:
        """Whether the agent has made a step, in the task or in a phase before it."""
        return super().acted or any(phase.episode.acted for phase in self._earlier)

    async def play_control(self, environment: Environment, *, last: bool) -> None:
        """Play without the agent where the environment broke, which may be that of a phase."""
        phase = self._earlier[-1].episode if self._earlier else None
        if phase and phase.salvage.broke is self.salvage.broke:
            await self.salvage.play_control(phase.environment, last=last, phase=phase.salvage)
        else:
            await super().play_control(environment, last=last)

    def keep(self) -> None:
        """Write the evidence of the attempt and its phases.

        Raises:
            RecordFailure: The evidence cannot be written.
        """
        for phase in self._earlier:
            phase.episode.keep()
        super().keep()

    def record(self) -> Attempt:
        """Return the record of the attempt for the ledger."""
        attempt, phases = super().record(), self._earlier
        clocks = [*(phase.episode.clocks for phase in phases), self.clocks]
        return attempt.with_values(
            seconds=seconds_of(clocks, self.clocks.elapsed),
            scripts=attempt.counts.scripts + sum(phase.episode.counts.scripts for phase in phases),
            phases=tuple(phase.record(self.secrets) for phase in phases),
            pauses=tuple(pause for phase in phases for pause in phase.pauses()) + attempt.intervention.pauses,
        )

    async def _play_before(self) -> None:
        for phase in self.spec.instance.phases:
            earlier = Earlier(phase, self._episode(phase))
            if phase.played:
                self._earlier.append(earlier)
                await self._play_phase(earlier)
            else:
                await earlier.episode.prepare()
            await self._hand_on(earlier)

    def _episode(self, phase: Phase) -> Episode:
        limits, lane, spent = self.spec.limits, self.spec.lane, self.counts.usage.cost or 0.0
        play = replace(
            self.spec,
            instance=phase_instance(phase, self.spec.instance, self.progress.case),
            environment=lane.environments(phase),
            limits=replace(
                limits,
                steps=min(limits.steps, phase.budget.steps),
                seconds=min(limits.seconds, phase.budget.seconds),
                dollars=None if limits.dollars is None else limits.dollars - spent,
            ),
            lane=Lane(turns=lane.turns.of_phase()),
        )
        return PhaseEpisode(play, self.recorder.of_phase(phase.name))

    async def _play_phase(self, earlier: Earlier) -> None:
        episode, progress = earlier.episode, self.progress
        try:
            await episode.play()
        finally:
            # Also of a phase that failed, as it was paid for.
            self.counts.usage += episode.counts.usage
        if (failure := episode.salvage.failure) is not None:  # whatever ends a phase so ends the attempt
            untouched = self.spec.instance.task.judge(progress.untouched(BROKEN), progress.case)
            self.salvage.broke, self.salvage.verdict = episode.salvage.broke, untouched
            self.end.ending = BROKEN
            self.recording.keep_end(progress.before, Activity())
            raise failure
        assert episode.evidence is not None
        earlier.named = earlier.phase.call("named", episode.evidence, episode.progress.case)
        earlier.metrics = earlier.phase.call("measure", episode.evidence, episode.progress.case)

    async def _hand_on(self, earlier: Earlier) -> None:
        phase, episode, case = earlier.phase, earlier.episode, self.progress.case
        task = self.spec.instance.task
        if not phase.played:
            earlier.named = phase.call("expected", Case(case.goal, phase.values(task, case)))
        if earlier.named is not None:
            reading = episode.environment.document(earlier.named)
            earlier.document = await episode.clocks.of_world(reading, f"reading {earlier.named!r:.200}")
        if earlier.document is not None:
            episode.recording.found(earlier.document)
            self.handed.append(earlier.document)
        elif phase.played:
            named = f"there is no page at {earlier.named!r:.200}" if earlier.named else "no page was named"
            self._notices = (*self._notices, f"No document is handed over from the {phase.name}: {named}.")
        else:
            raise CheckerFailure(
                f"{phase.place.world} has no document {earlier.named}, which {task.name} needs"
            )
