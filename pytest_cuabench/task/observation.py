"""Observations of an agent: screenshots and texts of the screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from pytest_cuabench.task.action import Point, Size

ObservationKind = Literal["screenshot", "tree", "screenshot+tree", "marks", "dom"]
OBSERVATION_KINDS: tuple[ObservationKind, ...] = get_args(ObservationKind)


class Box(NamedTuple):
    """A rectangle in screen pixels; it may lie partly outside the screen."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> Point:
        """The pixel in the middle."""
        return Point(int(self.x + self.width / 2), int(self.y + self.height / 2))

    def inside(self, screen: Size) -> bool:
        """Whether the middle of the box can be clicked on this screen."""
        return self.shown_in(Box(0, 0, *screen))

    def shown_in(self, window: Box) -> bool:
        """Whether the middle of the box lies in another one."""
        x, y = self.middle
        return 0 <= x - window.x < window.width and 0 <= y - window.y < window.height

    def clipped(self, window: Box) -> Box:
        """Return the part that lies in another box; its sides are zero where none does."""
        left, top = max(self.x, window.x), max(self.y, window.y)
        right = min(self.x + self.width, window.x + window.width)
        bottom = min(self.y + self.height, window.y + window.height)
        return Box(left, top, max(0, right - left), max(0, bottom - top))


class Placed(NamedTuple):
    """What to bring into view, and where it can be seen.

    Attributes:
        box: The element, or a frame around it that is out of view as a whole.
        window: The part of the screen that the frames around it leave.
    """

    box: Box
    window: Box


class Node(NamedTuple):
    """One element of the accessibility tree, as assistive technology sees it."""

    role: str
    name: str
    value: str
    states: tuple[str, ...]
    box: Box
    depth: int


class Mark(NamedTuple):
    """A numbered box drawn on the screenshot; actions may name its number."""

    number: int
    role: str
    name: str
    box: Box


class Tab(NamedTuple):
    """A browser tab as shown in the tab strip."""

    title: str
    active: bool


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a program in the guest; `code` is the negative signal number if a signal ended it."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The result of one action; `error` describes a mistake of the agent, and is returned to it.

    Attributes:
        ran: What `text` tells of a program in the guest, in its parts.
    """

    error: str | None = None
    text: str | None = None
    image: bytes | None = None
    ran: RunResult | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """The screen after the last step.

    Attributes:
        size: The screen in pixels.
        screenshot: PNG of exactly that size, or None where the observation kind has no picture.
        tree: The accessibility tree in reading order, if requested.
        marks: The numbered boxes of set-of-marks, if requested.
        dom: The page's text, if requested.
        tabs: Open tabs, for browsers.
        cursor: The pointer's position.
        results: One per action of the last step, in order.
        notices: Messages for the agent: malformed replies, closed dialogs, rejected navigations.
    """

    size: Size
    screenshot: bytes | None = None
    tree: tuple[Node, ...] | None = None
    marks: tuple[Mark, ...] | None = None
    dom: str | None = None
    tabs: tuple[Tab, ...] = ()
    cursor: Point = Point(0, 0)
    results: tuple[ActionResult, ...] = ()
    notices: tuple[str, ...] = ()
