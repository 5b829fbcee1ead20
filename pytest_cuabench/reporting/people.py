"""Human performance, measured as in the MedCUA-Bench paper (Appendix O): success, time and input events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, median
from typing import Any, NamedTuple

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run, read_steps
from pytest_cuabench.reporting.figures import ALL, Rate, difficulties, rate
from pytest_cuabench.task.machine import INPUT_EVENTS

HEADINGS = (
    "difficulty",
    "solved",
    "median time",
    "mean time",
    "inputs",
    *(f"{kind}s" for kind in INPUT_EVENTS),
)


class Performance(NamedTuple):
    """Human performance in a group of attempts.

    Attributes:
        seconds: Duration of each attempt.
        inputs: Number of input events in all attempts, by kind.
    """

    rate: Rate
    seconds: tuple[float, ...]
    inputs: Counter[str]

    def cells(self) -> tuple[str, ...]:
        """Return the table's cells after the group's name; input events are means per attempt."""
        count = len(self.seconds)
        means = [self.inputs[kind] / count for kind in INPUT_EVENTS]
        solved = f"{self.rate.successes}/{self.rate.graded}"
        times = (f"{median(self.seconds):.0f} s", f"{fmean(self.seconds):.0f} s")
        return (solved, *times, f"{sum(means):.1f}", *(f"{mean:.1f}" for mean in means))


def performances(run: Run, attempts: Sequence[Attempt]) -> dict[str, Performance]:
    """Return human performance by difficulty and overall; empty where no person played."""
    played = [(attempt, found) for attempt in attempts if (found := _recorded(run, attempt))]
    groups = [*difficulties(attempt for attempt, _ in played), ALL] if played else []
    return {
        group: _performance([pair for pair in played if group in (ALL, pair[0].item.difficulty)])
        for group in groups
    }


def _performance(played: Sequence[tuple[Attempt, dict[str, Any]]]) -> Performance:
    inputs = Counter(str(event[1]) for _, found in played for event in found["input_events"])
    seconds = tuple(float(found["seconds"]) for _, found in played)
    return Performance(rate(attempt for attempt, _ in played), seconds, inputs)


def _recorded(run: Run, attempt: Attempt) -> dict[str, Any] | None:
    """Return the recorded data of a person's single step."""
    folder = run.folder / (attempt.files.trajectory or "")
    if attempt.agent.partition(":")[0] != "human" or not attempt.result.graded:
        return None
    if attempt.files.trajectory is None or not (folder / "steps.jsonl").is_file():
        return None
    raws = [step.get("raw") or {} for step in read_steps(folder)]
    return next((raw for raw in raws if "seconds" in raw and "input_events" in raw), None)
