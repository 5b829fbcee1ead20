"""The last lines of a run's summary: what resets and steps took, and what is in no rate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pytest_cuabench.ledger import LEDGER, Attempt, Run
from pytest_cuabench.stats import percentile
from pytest_cuabench.task import SYNTHETIC


def closing(run: Run, attempts: list[Attempt]) -> Iterator[str]:
    """Yield the lines on a run; `attempts` are the last ones of its instances."""
    yield from _tiers(attempts)
    yield from _times(attempts)
    yield from _resets(run)
    yield from _ungraded(attempts)
    yield from _cut(run)


def _tiers(attempts: list[Attempt]) -> Iterator[str]:
    """Say how close to the real software the applications are, unless all were made for the benchmark."""
    tiers = {attempt.tier for attempt in attempts}
    if tiers - {SYNTHETIC}:
        yield f"tier: {', '.join(sorted(tiers))}"


def _times(attempts: list[Attempt]) -> Iterator[str]:
    resets = [attempt.seconds.reset for attempt in attempts if attempt.seconds.reset]
    steps = [seconds for attempt in attempts for seconds in attempt.step_seconds]
    shown = [
        f"{name} p50 {_ms(values, 50)}, p95 {_ms(values, 95)}"
        for name, values in (("reset", resets), ("step", steps))
        if values
    ]
    if shown:
        yield "; ".join(shown) + " (without the agent's thinking); intervals are Wilson, 95 %"
    held = max((attempt.memory or 0 for attempt in attempts), default=0)
    if held:
        yield f"memory of a worker with its browser and world: up to {held / 2**20:.0f} MiB"


def _resets(run: Run) -> Iterator[str]:
    """Say what resets cost on each machine by layer, over all attempts, and what had to be made anew, and why."""
    from pytest_cuabench.reporting.figures import resets

    attempts = list(run.attempts())
    for machine, layers in resets(attempts).items():
        everything = [seconds for found in layers.values() for seconds in found]
        shown = [
            f"{layer} {_ms(found, 50)}/{_ms(found, 95)} ({len(found)})" for layer, found in layers.items()
        ]
        yield f"reset on {machine} p50 {_ms(everything, 50)}, p95 {_ms(everything, 95)}: {', '.join(shown)}"
    for attempt in attempts:
        if attempt.reset and attempt.reset.reason:
            yield f"{attempt.reset.machine} was made anew before {attempt.instance}: {attempt.reset.reason}"


def _ms(values: Iterable[float], q: float) -> str:
    return f"{1000 * (percentile(values, q) or 0):.0f} ms"


def _ungraded(attempts: list[Attempt]) -> Iterator[str]:
    kinds = Counter(attempt.outcome for attempt in attempts if not attempt.result.graded)
    if kinds:
        named = ", ".join(f"{count} {label}" for label, count in kinds.most_common())
        yield f"not graded, and in no rate: {named}"


def _cut(run: Run) -> Iterator[str]:
    """Say what a crash took from the ledger."""
    if cut := run.cut_lines():
        lines = "1 line" if cut == 1 else f"{cut} lines"
        yield f"passed over {lines} of {LEDGER} that was cut short while it was written"
