"""The base class of what the episode loop plays in: reset it, observe it, act on it, read its state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_cuabench.task.action import Action, Capability, Size
from pytest_cuabench.task.evidence import Activity, State
from pytest_cuabench.task.machine import Reset
from pytest_cuabench.task.observation import ActionResult, Box, Observation, ObservationKind, Placed

if TYPE_CHECKING:
    from pytest_cuabench.task.model import Instance
    from pytest_cuabench.task.phases import FoundDocument


class InputEvent(NamedTuple):
    """One input of a person.

    Keys are counted, not recorded: which key it was is private.

    Attributes:
        seconds: Since the reset.
        kind: One of `task.machine.INPUT_EVENTS`.
        x: In pixels of the screen, from its left edge; 0 for keys.
        y: In pixels of the screen, from its top edge; 0 for keys.
    """

    seconds: float
    kind: str
    x: int
    y: int


class Environment(ABC):
    """A computer with an application on it.

    Six methods are required: `reset`, `observe`, `perform`, `settle`, `state` and `close`. The defaults of the others
    say that the environment does not have this feature. Every method raises `EnvironmentFailure` when the computer
    broke; `reset` repairs or recreates it, so that the next attempt with the same object is a fair one.

    Attributes:
        screen: Width and height in pixels; actions and boxes are in these pixels, from the top left corner.
        capabilities: Groups of actions that `perform` accepts; may change with a reset.
        last_reset: How the last reset was done; None where that is not known.
        reset_seconds: What a reset may take before it counts as broken; None for the limit of all environments.
        state_seconds: What `state` may take before it counts as broken, if it is more than any action may take.
        late_seconds: How long an element may take to appear after the screen has settled, as on a busy machine; the
            oracle waits for it.
        finish_seconds: How long `finish` waits for what was set going.
    """

    screen: Size
    capabilities: tuple[Capability, ...]
    last_reset: Reset | None = None
    reset_seconds: float | None = None
    state_seconds: float | None = None
    late_seconds: float = 0.0
    finish_seconds: float = 10.0

    @abstractmethod
    async def reset(self, instance: Instance) -> None:
        """Show the instance's starting point, ready for the first action.

        Raises:
            CheckerFailure: The instance cannot be prepared here, however often it is tried.
            SettingError: A setting makes this environment unusable.
        """

    @abstractmethod
    async def observe(self, kind: ObservationKind) -> Observation:
        """Return the screen as it is now: a PNG, an accessibility tree, marks or page text, as `kind` says.

        Raises:
            SettingError: The environment has no observation of this kind.
        """

    @abstractmethod
    async def perform(self, action: Action) -> ActionResult:
        """Carry out one action and return when the screen has settled.

        An action that is invalid here is the agent's mistake: return it as `ActionResult.error`, do not raise.
        """

    @abstractmethod
    async def settle(self) -> None:
        """Return when the screen has stopped changing, at the latest after the driver's own limit."""

    @abstractmethod
    async def state(self) -> State:
        """Return the world's data, read through a channel that the agent cannot reach."""

    @abstractmethod
    async def close(self) -> None:
        """Release everything; may be called twice."""

    async def finish(self) -> tuple[str, ...]:
        """End the agent's use of the computer, after the last look: what it set going is waited for.

        That is what pages send when they are left, open requests that write, jobs of the world, programs of the agent;
        at most `finish_seconds`. Afterwards only `state`, `activity`, `document`, `reset` and `close` are called.

        Returns:
            What had not ended by then, each in a few words; by default there is nothing to wait for.
        """
        return ()

    async def revision(self) -> int | None:
        """Return a number that grows with every write to the world; None where only `state` could tell."""
        return None

    async def activity(self) -> Activity:
        """Return the requests, navigations and downloads since the reset; by default none are known."""
        return Activity()

    async def lacking(self, instance: Instance) -> str | None:
        """Return which software is not installed for an instance, and the command that installs it; None if all is.

        Raises:
            SettingError: The place that `--cua-world` names cannot be used at all.
        """
        return None

    async def document(self, name: str) -> FoundDocument | None:
        """Return a document of the world, to hand it on to the phase after this one; None if it has none of this name.

        Raises:
            EnvironmentFailure: The world does not answer.
        """
        return None

    def documents(self) -> tuple[str, ...]:
        """Return texts that the agent is given with its task, after a reset."""
        return ()

    def steps_left(self) -> int | None:
        """Return how many decisions the world's own rules leave the agent; None where it has no such rules."""
        return None

    def input_events(self) -> tuple[InputEvent, ...]:
        """Return the inputs of a person since the reset, in order; by default none are recorded."""
        return ()

    @property
    def pages(self) -> Any | None:
        """The session of the browser whose pages are all that is seen, for programs by the browser's own protocol.

        None where there is more to see than pages.
        """
        return None

    @property
    def origin(self) -> str | None:
        """The only web origin that the agent can reach, after a reset; None where it is not held to one."""
        return None

    @property
    def locates(self) -> bool:
        """Whether elements can be found by selectors, as solutions need: the class overrides `locate`."""
        return type(self).locate is not Environment.locate

    async def locate(self, target: str) -> Box | None:
        """Return the box, in screen pixels, of the one element that a selector matches, or None.

        Raises:
            LookupError: The selector matches several elements, or the environment has no selectors.
        """
        raise LookupError(f"{type(self).__name__} does not find elements by selectors, such as {target}")

    async def place(self, target: str) -> Placed | None:
        """Return what has to come into view to click that element, and in which part of the screen; see `locate`."""
        box = await self.locate(target)
        return box and Placed(box, Box(0, 0, *self.screen))

    async def read(self, target: str) -> str | None:
        """Return the visible text, or the value, of the one element that a selector matches, or None.

        Raises:
            LookupError: The selector matches several elements, or the environment has no selectors.
        """
        raise LookupError(f"{type(self).__name__} does not read elements by selectors, such as {target}")
