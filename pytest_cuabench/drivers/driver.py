"""The base class of drivers: what a suite's `driver = "..."` names, and what a driver says about itself.

An installed package brings one by an entry point in `pytest_cuabench.drivers`, a suite by `module:name` of its folder.
Both name a subclass of `Driver`, or only the function that would be its `open`. Importing the module should be cheap:
collection does it, so import what is heavy in `open`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.observation import ObservationKind

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_cuabench.drivers.base import Environment
    from pytest_cuabench.settings import Settings
    from pytest_cuabench.task.model import SuiteInfo


class Closable(Protocol):
    """What a worker closes at its end."""

    async def close(self) -> None: ...


_C = TypeVar("_C", bound=Closable)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a suite is played.

    Attributes:
        driver: Name of the driver.
        detail: What the driver needs to know besides: an address, an image; None for the driver's default.
        chosen: Whether `--cua-world` moved the suite here from its own driver.
        shown: How records and messages name the place, where it is not `driver:detail`.
        browser: Where the browser of a web world has its window; None without a window.
    """

    driver: str
    detail: str | None = None
    chosen: bool = False
    shown: str = field(default="", compare=False)
    browser: str | None = None

    def __str__(self) -> str:
        place = self.shown or ":".join(filter(None, (self.driver, self.detail)))
        return f"{place} browser={self.browser}" if self.browser else place


@dataclass(slots=True)
class DriverContext:
    """What a driver is given.

    Attributes:
        suite: The suite that needs a computer.
        settings: The run's settings.
        scratch: A private folder of this worker that is removed at its end.
        headed: Whether a person will look at the screen.
        place: Which driver this is, and what the user said beside its name.
    """

    suite: SuiteInfo
    settings: Settings
    scratch: Path
    headed: bool
    place: Place
    _resources: dict[str, Closable]

    def shared(self, name: str, make: Callable[[], _C]) -> _C:
        """Return the worker's one object of this name; the pool closes it."""
        if name not in self._resources:
            self._resources[name] = make()
        found: Any = self._resources[name]
        return found  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class PlannedSuite:
    """A suite that is going to be played.

    Attributes:
        headed: Whether a person will look at the screen.
        workers: How many processes play it at the same time.
    """

    suite: SuiteInfo
    settings: Settings
    place: Place
    headed: bool = False
    workers: int = 1


class Driver(ABC):
    """One way to reach worlds. Only `open` is required.

    Attributes:
        name: Under which it is installed, or `module:name` within a suite; set when it is found.
        family: Drivers of one family run each other's worlds, so that `--cua-world` may choose among them.
        places: What `place` accepts, for messages, such as `("docker", "docker:IMAGE")`.
        observations: The kinds of observation that its environments have.
        pages: Whether its worlds are web pages, which `cuabench world` serves for a person to look at.
    """

    name: str = ""
    family: ClassVar[str] = ""
    places: ClassVar[tuple[str, ...]] = ()
    observations: ClassVar[tuple[ObservationKind, ...]] = (
        "screenshot",
        "tree",
        "screenshot+tree",
        "marks",
        "dom",
    )
    pages: ClassVar[bool] = True

    @abstractmethod
    def open(self, context: DriverContext) -> Environment:
        """Return an environment for a suite; what is slow to start waits for its first reset.

        Raises:
            SettingError: What the user chose cannot be used.
        """

    def place(self, where: str) -> Place | None:
        """Return the place that `where` in `--cua-world WORLD=where` means to this driver; None if nothing.

        Raises:
            SettingError: It was meant for this driver, but is malformed.
        """
        return None

    def accepted(self, suite: SuiteInfo) -> tuple[str, ...]:
        """Return what `--cua-world` may say for a suite: what `place` accepts, for messages, and further words."""
        return self.places

    def browsers_at(self, place: Place) -> tuple[str, ...]:
        """Return where `--cua-world browser=...` may put the browser in front of a world; nowhere without one."""
        return ()

    def concurrent(self, suite: SuiteInfo, place: Place) -> bool:
        """Return whether one process may play several episodes of a suite at a place at the same time.

        Then each episode has an environment of its own; what `DriverContext.shared` returns is shared by them.
        """
        return False

    def check(self, planned: PlannedSuite) -> None:  # noqa: B027 - optional
        """Find mistakes in the settings before anything is played, on the process that leads the run.

        Raises:
            SettingError: The place cannot be used, in one sentence that says what to type.
        """

    def image(self, place: Place) -> str | None:
        """Return what identifies the image that a place runs, for fingerprints; None if that is unknown."""
        return None

    def reap(self, resource: Mapping[str, str]) -> None:
        """End what a lease of a killed session names (`leases.py`); it may have ended already."""
        raise SettingError(f"the driver {self.name} takes no leases")


class OpenFunction(Driver):
    """A driver that is only a function."""

    def __init__(self, function: Callable[[DriverContext], Environment]) -> None:
        self._function = function

    def open(self, context: DriverContext) -> Environment:
        """See `Driver.open`."""
        return self._function(context)
