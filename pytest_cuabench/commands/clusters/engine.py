"""What a scheduler does for a cluster run; each engine asks the scheduler's own command line."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from pytest_cuabench.commands.clusters.plan import Plan
from pytest_cuabench.commands.clusters.progress import State
from pytest_cuabench.errors import EngineFailure, Missing
from pytest_cuabench.task.text import short

_PATIENCE = 120.0  # seconds for one command


class Engine(Protocol):
    """A scheduler.

    It is the only one who knows what was submitted: nothing about that is kept beside the plan, so a submission that
    was interrupted is neither lost nor repeated.
    """

    def write(self, plan: Plan, folder: Path) -> list[Path]:
        """Write what is submitted for all shards, to be read before; return the files."""
        ...

    def active(self, plan: Plan, folder: Path) -> tuple[Mapping[int, State], Sequence[int]]:
        """Return the shards that run or wait, and all that were ever submitted, as far as is known.

        Raises:
            EngineFailure: The scheduler cannot be asked.
        """
        ...

    def submit(self, plan: Plan, folder: Path, shards: Sequence[int]) -> str:
        """Submit these shards, and return the scheduler's name for them.

        Raises:
            EngineFailure: The scheduler refuses them.
        """
        ...


def call(*command: str, stdin: str | None = None) -> str:
    """Run a command of a scheduler and return what it prints.

    Raises:
        Missing: It is not installed.
        EngineFailure: It failed.
    """
    program = shutil.which(command[0])
    if program is None:
        raise Missing(f"{command[0]} is not installed on this computer; submit from one that has it")
    try:
        done = subprocess.run(  # noqa: S603 - the scheduler's own command line
            [program, *command[1:]],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise EngineFailure(f"{command[0]} did not answer within {_PATIENCE:.0f} s; try again") from None
    if done.returncode:
        raise EngineFailure(f"{command[0]} failed: {short(done.stderr.strip() or done.stdout.strip(), 400)}")
    return done.stdout


def ranges(numbers: Sequence[int]) -> str:
    """Return numbers as Slurm writes them: `1-3,7`."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ",".join(f"{part[0]}-{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)


def numbers(text: str) -> list[int]:
    """Return the numbers of `1-3,7`; nothing of an empty text."""
    found: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        found.extend(range(int(first), int(last or first) + 1))
    return found
