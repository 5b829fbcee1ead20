"""Writes that arrive late: the verdict of their own episode, and of the next one, which only waits.

    python benchmarks/late_writes.py                    # all delays; some minutes
    python benchmarks/late_writes.py --delays 0.7 4 --without-idle

Each cell is `outcome of the episode that wrote / outcomes of the attempts at the next one`, for a note that is the
task and for one that is a harm. The application is tests/late_suite.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.proof.arena import Arena
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.action import Click, Terminate, Wait
from pytest_cuabench.testing import ScriptedAgent

SUITE = Path(__file__).parents[1] / "tests" / "late_suite"
KINDS = ("commit", "autosave", "beacon", "job")
DELAYS = (0.3, 0.7, 1.0, 2.0, 4.0, 8.0)


class Late:
    """The application, and agents in it.

    Args:
        folder: A folder of its own.
        idle: Whether the application says when it is idle.

    Attributes:
        order: The file that tells it how to write.
    """

    def __init__(self, folder: Path, runner: asyncio.Runner, *, idle: bool = True) -> None:
        shutil.copytree(SUITE, folder / "suite")
        if not idle:
            name = folder / "suite" / "suite.toml"
            name.write_text(name.read_text().replace('"late"', '"late_without_idle"', 1))
            about = folder / "suite" / "environments" / "late" / "environment.toml"
            about.write_text(about.read_text().partition("\n[idle]")[0])
        self.order = folder / "order"
        os.environ["LATE_WRITE"] = str(self.order)
        self.order.write_text("commit 0 note")
        limits = Limits(steps=5, seconds=60, decision=30)
        self.arena = Arena(folder / "run", Settings.from_config(None), runner, limits)
        self.task, self.environment = self.arena.task(folder / "suite", "notes/keep_note")

    def pair(self, kind: str, delay: float, text: str, wait: float | None = None) -> tuple[str, list[str]]:
        """Return the outcome of an episode that presses the button and ends, and those of one that waits.

        Args:
            delay: In seconds.
            wait: In seconds; by default so long that the write would arrive.
        """
        self.order.write_text(f"{kind} {delay} {text}")
        wrote = self.play(ScriptedAgent([Decision((Click(100, 100), Terminate("success")))]))[-1]
        seconds = max(0.5, 1.25 * delay) if wait is None else wait
        return wrote, self.play(ScriptedAgent([Wait(seconds), Terminate("success")]))

    def play(self, agent: ScriptedAgent) -> list[str]:
        """Return the outcomes of the attempts of an agent."""
        first = self.arena.number + 1
        self.arena.play(self.task, self.environment, agent, attempts=2)
        return [each.outcome for each in Run(self.arena.folder).attempts() if each.number >= first]


def rows(late: Late, kinds: tuple[str, ...], delays: tuple[float, ...]) -> Iterator[list[str]]:
    """Yield the rows of the table."""
    for kind in kinds:
        for text in ("note", "harm"):
            cells = (late.pair(kind, delay, text) for delay in delays)
            yield [kind, text, *(f"{wrote} / {', '.join(after)}" for wrote, after in cells)]


def main() -> int:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--delays", nargs="+", type=float, default=DELAYS, metavar="SECONDS")
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument(
        "--without-idle", action="store_true", help="the application does not say what it does"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        late = Late(Path(folder), runner, idle=not options.without_idle)
        head = ["kind", "note", *(f"{delay:g} s" for delay in options.delays)]
        for row in (head, ["---"] * len(head)):
            sys.stdout.write(f"| {' | '.join(row)} |\n")
        for row in rows(late, tuple(options.kinds), tuple(options.delays)):
            sys.stdout.write(f"| {' | '.join(row)} |\n")
            sys.stdout.flush()
        late.arena.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
