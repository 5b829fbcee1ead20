"""The seam to a player: three methods, plain data in both directions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pytest_cuabench.action import Action, Capability, Size
from pytest_cuabench.observation import Observation, ObservationKind
from pytest_cuabench.usage import Usage

if TYPE_CHECKING:
    from pytest_cuabench.environment import Environment
    from pytest_cuabench.task import Case, Instance


@dataclass(frozen=True, slots=True)
class Briefing:
    """All that an agent is told before its first look at the screen.

    Attributes:
        goal: The task in words, with the credentials a person would be given.
        observation: The kind of observation that will come.
        screen: Screen size in pixels.
        capabilities: Which groups of actions work here.
        max_steps: How many decisions the agent may take.
        documents: Texts handed over with the goal (demonstrations, manuals).
    """

    goal: str
    observation: ObservationKind
    screen: Size
    capabilities: tuple[Capability, ...]
    max_steps: int
    documents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """One step of an agent.

    Attributes:
        actions: Carried out in order; a batch stops at its first error.
        thought: What the agent says of it, for the record.
        usage: Tokens and money.
        waited: Seconds spent in rate-limit back-off; they do not count against the task's time.
        format_error: Set when the model's reply could not be understood; told to the agent and counted.
        raw: The model's reply as plain data, for the record.
    """

    actions: tuple[Action, ...] = ()
    thought: str = ""
    usage: Usage = Usage()
    waited: float = 0.0
    format_error: str | None = None
    raw: Mapping[str, Any] | None = None


class Agent(Protocol):
    """A player. One object may play many episodes, one after the other: start, decide..., close."""

    async def start(self, briefing: Briefing) -> None:
        """Begin a new episode and forget the one before."""

    async def decide(self, observation: Observation) -> Decision:
        """Return the next actions.

        Raises:
            ProviderFailure: The model's server failed for good.
        """

    async def close(self) -> None:
        """End the episode and let go of what it held; called even when `start` failed."""


@runtime_checkable
class Insider(Protocol):
    """An agent of ours that is not measured (the oracle, a replay) and may know what it plays."""

    async def confide(self, instance: Instance, case: Case, environment: Environment) -> None:
        """Called before `start`."""
