"""The interface to a guest, for our protocol and OSWorld's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from pytest_cuabench.task.action import Action, Point, Size
from pytest_cuabench.task.observation import ActionResult, Box, RunResult

Language = Literal["python", "bash"]


class TreeNode(NamedTuple):
    """One unfiltered element of the guest's accessibility tree.

    Attributes:
        role: As in OSWorld's XML: `push-button`, `menu-item`, `page-tab`.
        value: The number of a slider or the text of a field; empty if it has none.
        box: Screen pixels; without extent if the element is not on the screen.
        parent: The index of the parent in the same sequence, -1 for an application's root.
    """

    role: str
    name: str
    value: str
    description: str
    states: tuple[str, ...]
    box: Box
    depth: int
    parent: int


class GuestClient(Protocol):
    """A remote desktop.

    Every method raises `EnvironmentFailure` if the guest does not answer or its answer is malformed.

    Attributes:
        screen: Pixels; known after `open`.
        sessions: Whether the guest has sessions and state; an OSWorld machine has not.
    """

    screen: Size
    sessions: bool

    async def open(self) -> None:
        """Check that a guest of this protocol answers, and read its screen size."""

    async def screenshot(self) -> bytes:
        """Return the screen as PNG, with the pointer."""

    async def tree(self) -> tuple[TreeNode, ...]:
        """Return the accessibility tree in reading order."""

    async def perform(self, actions: Sequence[Action]) -> tuple[ActionResult, ...]:
        """Perform actions in order, wait until the screen has settled, and return a result for each.

        What the guest rejects is the agent's mistake and is returned as `ActionResult.error`.
        """

    async def settle(self) -> None:
        """Wait until the screen has settled, at most for the guest's cap."""

    async def cursor(self) -> Point:
        """Return the position of the pointer."""

    async def run_code(self, code: str, language: Language, seconds: float) -> RunResult:
        """Run a model's program as the desktop's user, with a timeout in seconds."""

    async def read_file(self, path: str) -> bytes | None:
        """Return a file of the desktop's user; None if it does not exist."""

    async def close(self) -> None:
        """Close the connection; may be called twice."""
