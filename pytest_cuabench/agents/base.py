"""The agent interface: three methods, with plain data in both directions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pytest_cuabench.task.action import Action, Capability, Size
from pytest_cuabench.task.model import Isolation
from pytest_cuabench.task.observation import Observation, ObservationKind
from pytest_cuabench.task.usage import Usage

if TYPE_CHECKING:
    from pytest_cuabench.drivers.base import Environment
    from pytest_cuabench.drivers.driver import Driver
    from pytest_cuabench.task.case import Case
    from pytest_cuabench.task.model import Instance


@dataclass(frozen=True, slots=True)
class Briefing:
    """The data that an agent gets before its first observation.

    Attributes:
        goal: The task as text, with credentials.
        observation: The observation type.
        screen: Screen size in pixels.
        capabilities: Supported groups of actions.
        max_steps: Maximum number of steps.
        documents: Texts besides the goal (demonstrations, manuals, what an earlier phase found).
        pictures: PNG files that belong to the documents.
        scripts: Whether scripts may be evaluated in the application's pages, by an agent that could.
        phase: The name of the phase that precedes the task, such as "search"; empty for the task itself.
    """

    goal: str
    observation: ObservationKind
    screen: Size
    capabilities: tuple[Capability, ...]
    max_steps: int
    documents: tuple[str, ...] = ()
    pictures: tuple[bytes, ...] = ()
    scripts: bool = True
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """One step of an agent.

    Attributes:
        actions: Performed in order; a batch stops at its first error.
        thought: The agent's comment, for the record.
        usage: Tokens and cost.
        waited: Seconds spent in rate-limit back-off; they do not count against the task's time.
        format_error: Why the model's reply could not be parsed; returned to the agent and counted.
        withheld: Whether `format_error` tells of a refusal or of a filter: the agent is told, but could write it
            no other way, so it is not counted as unreadable.
        raw: The model's reply as plain data, for the record.
        repairs: What was understood although it was written wrongly, one kind for each time; counted.
    """

    actions: tuple[Action, ...] = ()
    thought: str = ""
    usage: Usage = Usage()
    waited: float = 0.0
    format_error: str | None = None
    raw: Mapping[str, Any] | None = None
    repairs: tuple[str, ...] = ()
    withheld: bool = False


def Reading(
    actions: tuple[Action, ...] = (),
    thought: str = "",
    format_error: str | None = None,
    raw: Mapping[str, Any] | None = None,
    repairs: tuple[str, ...] = (),
    withheld: bool = False,
) -> Decision:
    """Return a decision, as subclasses of `ModelAgent` were used to write a parsed reply before 0.2."""
    return Decision(actions, thought, format_error=format_error, raw=raw, repairs=repairs, withheld=withheld)


class Agent(Protocol):
    """An agent. One object may play many episodes in sequence: start, decide..., close."""

    async def start(self, briefing: Briefing) -> None:
        """Begin a new episode and forget the one before."""

    async def decide(self, observation: Observation) -> Decision:
        """Return the next actions.

        Raises:
            ProviderFailure: The model's server failed permanently; anything else that is raised is the agent's doing.
        """

    async def close(self) -> None:
        """End the episode and release its resources; called even if `start` failed."""


@runtime_checkable
class Checked(Protocol):
    """An agent that can check its requirements before the run."""

    def check(self) -> None:
        """Check the requirements, without any cost.

        Raises:
            SettingError: A requirement is missing.
        """


@runtime_checkable
class ChecksDriver(Protocol):
    """An agent that cannot play on every driver."""

    def check_driver(self, driver: Driver) -> None:
        """Called before the run, with the driver of each suite and of each phase.

        Raises:
            SettingError: It cannot play there.
        """


@runtime_checkable
class Insider(Protocol):
    """A built-in agent that is not measured (the oracle, a replay) and gets the case."""

    async def confide(self, instance: Instance, case: Case, environment: Environment) -> None:
        """Called before `start`."""


@runtime_checkable
class Attached(Protocol):
    """A built-in agent that reaches the environment by another door than actions, such as a program by CDP or VNC."""

    def attach(self, environment: Environment) -> None:
        """Called before `start`."""


@runtime_checkable
class SelfPaced(Protocol):
    """A built-in agent that works at its own pace: the seconds of the task also end a decision that it never makes."""

    @property
    def deed(self) -> Mapping[str, Any] | None:
        """What it did since its last step by another way than actions, such as a script in the page; None for nothing.

        In the form of an action, for the record.
        """

    async def late(self) -> None:
        """Called when they are over.

        Raises:
            ProviderFailure: What it needs does not work without it either, so that this is no fault of its play.
            AgentFailure: It has not acted, and the sentence tells what it did instead.
        """


def innermost(agent: Agent) -> Agent:
    """Return the agent itself, without what wraps it, such as what charges its cost."""
    while (wrapped := getattr(agent, "wrapped", None)) is not None:
        agent = wrapped
    return agent


def action_space_of(agent: Agent) -> str:
    """Return what a model's actions are called: its maker's tool or its notation; empty where there is no model."""
    return str(getattr(innermost(agent), "action_space", ""))


def scripts_of(agent: Agent) -> int:
    """Return how many scripts an agent had evaluated in pages of its last episode; only programs by CDP can."""
    return int(getattr(innermost(agent), "scripts", 0))


def is_outside(agent: Agent) -> bool:
    """Whether an agent is code from outside of this package, which answers for what it raises."""
    agent = innermost(agent)
    return getattr(agent, "outside", type(agent).__module__.partition(".")[0] != "pytest_cuabench")


def isolation_of(agent: Agent) -> Isolation:
    """Return the isolation of an agent from the judge; code from outside this package is `in_process`."""
    agent = innermost(agent)
    if isinstance(agent, Insider):
        return "insider"
    if is_outside(agent):
        return "in_process"
    own: Isolation = getattr(agent, "isolation", "adapter")
    return own
