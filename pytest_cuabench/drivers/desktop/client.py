"""What the driver asks of a guest, whichever protocol it speaks: ours, or that of an OSWorld machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from pytest_cuabench.task.action import Action, Point, Size
from pytest_cuabench.task.observation import ActionResult, Box

Language = Literal["python", "bash"]


class TreeNode(NamedTuple):
    """One element of the accessibility tree as the guest tells it, before anything is filtered.

    Attributes:
        role: As in OSWorld's XML: `push-button`, `menu-item`, `page-tab`.
        value: The number of a slider or the text of a field; empty where there is none.
        box: Screen pixels; without extent where the element is not on the screen.
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


@dataclass(frozen=True, slots=True)
class Ran:
    """What a program in the guest gave back; `code` is negative for the signal that ended it."""

    code: int
    out: str
    err: str


class GuestClient(Protocol):
    """A desktop at the other end of a wire.

    Every method raises `EnvironmentFailure` when the guest does not answer, or answers what no guest says.

    Attributes:
        screen: Pixels; known after `open`.
        sessions: Whether the guest can reset itself and tell its state; an OSWorld machine cannot.
    """

    screen: Size
    sessions: bool

    async def open(self) -> None:
        """Find out that a guest of this protocol answers, and what its screen is."""

    async def screenshot(self) -> bytes:
        """Return the screen as PNG, with the pointer."""

    async def tree(self) -> tuple[TreeNode, ...]:
        """Return the accessibility tree in reading order."""

    async def perform(self, actions: Sequence[Action]) -> tuple[ActionResult, ...]:
        """Carry out actions in order and return when the screen has settled; one result for each.

        What the guest refuses is the agent's mistake and comes back as `ActionResult.error`.
        """

    async def settle(self) -> None:
        """Return when the screen has come to rest, at the latest after the guest's cap."""

    async def cursor(self) -> Point:
        """Return where the pointer is."""

    async def run_code(self, code: str, language: Language, seconds: float) -> Ran:
        """Run a program that a model wrote, as the desktop's user, for at most some seconds."""

    async def read_file(self, path: str) -> bytes | None:
        """Return a file of the desktop's user, None where there is none."""

    async def write_file(self, path: str, content: bytes) -> None:
        """Write a file as the desktop's user."""

    async def close(self) -> None:
        """Close the connection; may be called twice."""
