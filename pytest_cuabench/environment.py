"""The seam to a world: reset it, look at it, act on it, and ask out of band what is true in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from pytest_cuabench.action import Action, Capability, Size
from pytest_cuabench.evidence import Activity, State
from pytest_cuabench.observation import ActionResult, Box, Observation, ObservationKind

if TYPE_CHECKING:
    from pytest_cuabench.task import Instance


class Environment(Protocol):
    """A computer with an application on it.

    Every method raises `EnvironmentFailure` when the computer broke; `reset` mends what it can by starting
    anew, so the next attempt on the same object is a fair one.
    """

    screen: Size
    capabilities: tuple[Capability, ...]

    async def reset(self, instance: Instance) -> None:
        """Bring the instance's starting point on the screen, probed to be ready."""

    async def observe(self, kind: ObservationKind) -> Observation:
        """Return what is on the screen now."""

    async def perform(self, action: Action) -> ActionResult:
        """Carry out one action and return when the screen has settled.

        An action that makes no sense here is the agent's mistake: it comes back as `ActionResult.error`.
        """

    async def settle(self) -> None:
        """Return when the screen has come to rest, at the latest after the driver's cap."""

    async def revision(self) -> int | None:
        """Return a number that grows with every write to the world, or None where that is not known cheaply."""

    async def state(self) -> State:
        """Return what is true in the world, by a channel the agent cannot reach."""

    async def activity(self) -> Activity:
        """Return what went over the wire since reset: requests, navigations, downloads."""

    async def close(self) -> None:
        """Release everything; may be called twice."""


@runtime_checkable
class Locatable(Protocol):
    """An environment in which privileged agents can find an element by a selector."""

    async def locate(self, target: str) -> Box | None:
        """Return the box of the one element that `target` selects, None when there is none on the page.

        Raises:
            LookupError: The target selects several elements.
        """

    async def read(self, target: str) -> str | None:
        """Return the visible text (or value) of the one element that `target` selects."""


LAYERS = ("clean", "home", "desktop", "snapshot", "start", "recreate")


@dataclass(frozen=True, slots=True)
class Reset:
    """How the last reset brought a machine to its starting point.

    Attributes:
        machine: The driver's name.
        layer: What had to be made anew, one of `LAYERS`: nothing; the application with its HOME; the whole
            desktop; what a snapshot holds; the machine for the first time; the machine in place of a broken one.
        reason: Why the machine was made anew, where it was.
        tier: How close to the real software it is, where it is not what the task says: see `Task.tier`.
    """

    machine: str
    layer: str
    reason: str | None = None
    tier: str | None = None


@runtime_checkable
class Layered(Protocol):
    """An environment whose resets cost more or less, and that tells which it was.

    Attributes:
        reset_seconds: What a reset may take before it counts as broken.
    """

    last_reset: Reset | None
    reset_seconds: float


@runtime_checkable
class Prepared(Protocol):
    """An environment that needs software which may not be installed."""

    async def lacking(self, instance: Instance) -> str | None:
        """Return what is not installed for an instance, in a sentence that says what to type; None where all is.

        Raises:
            SettingError: The place that the user chose cannot be used at all.
        """


@runtime_checkable
class Documented(Protocol):
    """An environment with something to read for whoever is to act in it."""

    def documents(self) -> tuple[str, ...]:
        """Return texts that an agent is given with its task, once the environment is reset."""


@runtime_checkable
class Thorough(Protocol):
    """An environment whose state takes its time to be read: something is built or compiled for it.

    Attributes:
        state_seconds: What that may take before it counts as broken.
    """

    state_seconds: float


@runtime_checkable
class Shortened(Protocol):
    """An environment whose rules may take decisions away from an agent, beside those that it takes itself."""

    def steps_left(self) -> int:
        """Return how many decisions the agent has left."""


DEEDS = ("click", "key", "scroll")


class Deed(NamedTuple):
    """One thing a person did: seconds since the start, what it was (`DEEDS`), and where in screen pixels.

    A key is only counted: which one it was is nobody's business.
    """

    seconds: float
    kind: str
    x: int
    y: int


@runtime_checkable
class Watched(Protocol):
    """An environment that knows what a person does in it."""

    def deeds(self) -> tuple[Deed, ...]:
        """Return what was done since reset, in order."""
