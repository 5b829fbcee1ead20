"""How people perform, measured as the MedCUA-Bench paper does (Appendix O): success, time, and what they did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, median
from typing import Any, NamedTuple

from pytest_cuabench.environment import DEEDS
from pytest_cuabench.ledger import Attempt, Run, read_steps
from pytest_cuabench.reporting.figures import ALL, Rate, difficulties, rate

HEADINGS = ("difficulty", "solved", "median time", "mean time", "deeds", *(f"{kind}s" for kind in DEEDS))


class Performance(NamedTuple):
    """How people did in a group of attempts.

    Attributes:
        seconds: How long each attempt took them.
        deeds: What was done in all of them, counted by kind.
    """

    rate: Rate
    seconds: tuple[float, ...]
    deeds: Counter[str]

    def cells(self) -> tuple[str, ...]:
        """Return the table's cells after the group's name; deeds are means of an attempt."""
        count = len(self.seconds)
        means = [self.deeds[kind] / count for kind in DEEDS]
        solved = f"{self.rate.successes}/{self.rate.graded}"
        times = (f"{median(self.seconds):.0f} s", f"{fmean(self.seconds):.0f} s")
        return (solved, *times, f"{sum(means):.1f}", *(f"{mean:.1f}" for mean in means))


def performances(run: Run, attempts: Sequence[Attempt]) -> dict[str, Performance]:
    """Return people's performance by difficulty and overall; nothing where no person played."""
    played = [(attempt, found) for attempt in attempts if (found := _recorded(run, attempt))]
    groups = [*difficulties(attempt for attempt, _ in played), ALL] if played else []
    return {
        group: _performance([pair for pair in played if group in (ALL, pair[0].difficulty)])
        for group in groups
    }


def _performance(played: Sequence[tuple[Attempt, dict[str, Any]]]) -> Performance:
    deeds = Counter(str(deed[1]) for _, found in played for deed in found["deeds"])
    seconds = tuple(float(found["seconds"]) for _, found in played)
    return Performance(rate(attempt for attempt, _ in played), seconds, deeds)


def _recorded(run: Run, attempt: Attempt) -> dict[str, Any] | None:
    """Return what the record of a person's one decision says."""
    folder = run.folder / (attempt.trajectory or "")
    if attempt.agent.partition(":")[0] != "human" or not attempt.result.graded:
        return None
    if attempt.trajectory is None or not (folder / "steps.jsonl").is_file():
        return None
    raws = [step.get("raw") or {} for step in read_steps(folder)]
    return next((raw for raw in raws if "seconds" in raw and "deeds" in raw), None)
