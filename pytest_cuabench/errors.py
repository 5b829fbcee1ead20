"""The exceptions of this package; modules add subclasses for what they alone handle.

CuabenchError
├── SettingError          a setting, name or file of the user is invalid
│   └── Missing           a program or package is not installed; tests that need it are skipped
├── ActionError           an action is malformed, or not possible on this screen
├── EnvironmentFailure    the world, or the connection to it, failed
│   └── Leaked            the world changed by what this episode did not request; not judged
├── AgentFailure          the agent ended its play by its own doing; the attempt is judged
├── ProviderFailure       what the agent needs failed: its model's server, its box
│   └── Refused           the server rejects the request permanently; the attempt is not retried
│       ├── Unacceptable  the same by a server that took an earlier request; graded
│       └── Unauthorized  the server rejects the key or the account; the run is stopped
├── BudgetSpent           the rest of the spending limit does not cover the next call
├── RecordFailure         the run's record cannot be written; the run is stopped
├── EngineFailure         a scheduler (Slurm, Kubernetes) refuses a command or does not answer
├── StoreFailure          object storage cannot be read or written; the local record is kept
├── Aborted               a person aborted the attempt; it is not retried
│   └── RunAborted        a person aborted the run; it is stopped
├── HumanHelp             a person took over the attempt; it is not graded and not retried
└── CheckerFailure        a task could not be set up or judged

A message is one sentence: what is wrong, where, and what to type next.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_cuabench.task.evidence import State
    from pytest_cuabench.task.usage import Usage


class CuabenchError(Exception):
    """Base of every error in this package."""


class SettingError(CuabenchError):
    """Raised for an invalid setting, name or file of the user; pytest shows it as a usage error."""


class Missing(SettingError):
    """Raised when a program or package is not installed; tests that need it are skipped with this message."""

    @classmethod
    def of(cls, feature: str, package: str, extra: str) -> Missing:
        """Return the error for a feature whose extra is not installed."""
        return cls(f"{feature} needs the package {package!r}; type: pip install 'pytest-cuabench[{extra}]'")


@contextmanager
def needing(extra: str, feature: str) -> Iterator[None]:
    """Import packages of an extra within this context.

    Raises:
        Missing: One is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package == __name__.partition(".")[0]:
            raise
        raise Missing.of(feature, package, extra) from error


class ActionError(CuabenchError):
    """Raised for a malformed or impossible action; the message is returned to the agent, and counted."""


class EnvironmentFailure(CuabenchError):
    """Raised when the world, or the connection to it, fails; docs/outcomes.md says what follows.

    Attributes:
        state: The part of the world's state that could be read, where a state was requested.
    """

    def __init__(self, message: str, state: State | None = None) -> None:
        super().__init__(message)
        self.state = state


class AgentFailure(CuabenchError):
    """Raised when an agent ends its play by its own doing; the attempt is judged by what it did, and not retried.

    Attributes:
        usage: What the step used before; None for nothing.
        ending: What the attempt's `ending` is then: `failure`, or `budget` where a limit of the agent was reached.
    """

    def __init__(self, message: str, usage: Usage | None = None, ending: str = "failure") -> None:
        super().__init__(message)
        self.usage = usage
        self.ending = ending


class Leaked(EnvironmentFailure):
    """Raised when the world changes by what this episode has not asked for, such as a late write of the one before.

    Its attempt is not judged, and no action of its agent is to blame.
    """


class ProviderFailure(CuabenchError):
    """Raised when what the agent needs fails; the attempt is not graded, and is retried.

    Attributes:
        usage: What the step used before the failure; None for nothing.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage


class Refused(ProviderFailure):
    """Raised when the model's server rejects the request permanently (400, 404); not graded, not retried."""


class Unacceptable(Refused):
    """Raised when a server that has replied rejects a later request permanently; graded, see docs/outcomes.md."""


class Unauthorized(Refused):
    """Raised when the model's server rejects the key or the account (401, 402, 403); the run is stopped."""


class BudgetSpent(CuabenchError):
    """Raised when the rest of the spending limit does not cover the next call; not graded, not retried.

    Attributes:
        usage: What the step used before; None for nothing.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage


class RecordFailure(CuabenchError):
    """Raised when the run's record cannot be written, such as to a full disk; the run is stopped."""


class EngineFailure(CuabenchError):
    """Raised when a scheduler refuses a command or does not answer."""


class StoreFailure(CuabenchError):
    """Raised when object storage cannot be read or written; the record on disk is not affected."""


class Aborted(CuabenchError):
    """Raised when a person aborts the attempt (`cuabench watch`); not graded, not retried."""


class HumanHelp(CuabenchError):
    """Raised for an attempt in which a person took over; not graded, not retried."""


class RunAborted(Aborted):
    """Raised when a person aborts the whole run; the run is stopped."""


class CheckerFailure(CuabenchError):
    """Raised when a task cannot be set up or judged: a fault of the suite, not of the agent."""


STOPS_RUN = (RecordFailure, Unauthorized, RunAborted)
