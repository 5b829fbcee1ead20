"""What is played, where, by whom, and within which limits; and how an attempt ends."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from pytest_cuabench.agents.base import Agent
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.episode.turns import Turns
from pytest_cuabench.task.model import Instance, Phase
from pytest_cuabench.task.observation import ObservationKind
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.verdict import Verdict


def _no_environment(phase: Phase) -> Environment:
    raise AssertionError(f"nobody said where the phase {phase.name} is played")


@dataclass(frozen=True, slots=True)
class Lane:
    """Where an episode is played beside others.

    Attributes:
        environments: Returns the environment of an earlier phase.
        turns: What is taken with other episodes that use this computer.
        alone: Opens an environment that shares nothing with other episodes, which may have broken what they share.
    """

    environments: Callable[[Phase], Environment] = _no_environment
    turns: Turns = field(default_factory=Turns)
    alone: Callable[[], AbstractAsyncContextManager[Environment]] | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """One attempt as it is asked for.

    Attributes:
        look: Whether the screen is observed; an agent may need no observations.
    """

    instance: Instance
    environment: Environment
    agent: Agent
    limits: Limits
    observation: ObservationKind = "screenshot"
    agent_name: str = ""
    look: bool = True
    lane: Lane = field(default_factory=Lane)


@dataclass(slots=True)
class End:
    """How an attempt ends, as far as it is known.

    Attributes:
        ending: What ended it, see `Attempt.ending`; `running` until then.
        outcome: None while it is played.
        verdict: None where nothing is graded.
        error: What went wrong, in sentences.
    """

    ending: str = "running"
    answer: str | None = None
    outcome: Outcome | None = None
    verdict: Verdict | None = None
    error: str | None = None

    @property
    def running(self) -> bool:
        """Whether nothing has ended it yet."""
        return self.ending == "running"

    def add_error(self, sentence: str) -> None:
        """Add what else went wrong."""
        self.error = f"{self.error}; {sentence}" if self.error else sentence
