"""Every exception this package raises on purpose.

CuabenchError
├── SettingError          a setting, name or file the user gave is wrong
│   └── Missing           a program or package is not installed; what needs it is skipped
├── ActionError           an action is malformed, or not possible on this screen
├── EnvironmentFailure    the world, or our connection to it, broke
├── ProviderFailure       the agent's side broke: a model's server, or an adapter's code
├── BudgetSpent           the run's money does not cover the next call
├── RecordFailure         what happens cannot be written down, so the run is stopped
└── CheckerFailure        a task could not be built or judged

Messages are one sentence: what is wrong, where, and what to type next.
"""

from __future__ import annotations

from pytest_cuabench.usage import Usage


class CuabenchError(Exception):
    """Base of every error in this package."""


class SettingError(CuabenchError):
    """A setting, a name or a file that the user gave is wrong; pytest shows it as a usage error."""


class Missing(SettingError):
    """A program or package that is needed is not installed; what needs it is skipped with this sentence."""


class ActionError(CuabenchError):
    """An action is malformed or impossible; it is told to the agent and counted, never guessed."""


class EnvironmentFailure(CuabenchError):
    """The world or our connection to it broke; the attempt is not graded and is tried again."""


class ProviderFailure(CuabenchError):
    """The agent's side broke; the attempt is not graded and is tried again.

    Attributes:
        usage: What the decision had consumed before it broke.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage or Usage()


class BudgetSpent(CuabenchError):
    """The run's money does not cover the next call; the attempt is not graded, and not tried again.

    Attributes:
        usage: What the decision had consumed before.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage or Usage()


class RecordFailure(CuabenchError):
    """What happens cannot be written down: the disk is full, or the folder is closed; nothing more is played."""


class CheckerFailure(CuabenchError):
    """A task could not be built or judged; this is a fault of the suite, never of the agent."""
