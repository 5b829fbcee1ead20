"""Closing lines of the terminal summary: tiers, isolation, times, resets, ungraded attempts, damaged lines."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.history import warnings
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.stats import percentile
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.parts import REPORTED, SYNTHETIC
from pytest_cuabench.task.text import many, visible


def closing(run: Run, attempts: list[Attempt]) -> Iterator[str]:
    """Yield the closing lines of a run; `attempts` are the last ones of its instances."""
    yield from _tiers(attempts)
    yield from code_used(attempts)
    yield from _isolations(attempts)
    yield from _times(attempts)
    yield from _resets(run)
    yield from _ungraded(attempts)
    yield from _cut(run)
    yield from (visible(warning) for warning in warnings(run))


def _tiers(attempts: list[Attempt]) -> Iterator[str]:
    """Yield the applications' tiers, unless all applications were made for the benchmark."""
    tiers = Counter(attempt.item.tier for attempt in attempts)
    if len(tiers) > 1:
        shown = (f"{tier} {count}" for tier, count in tiers.most_common())
        yield f"instances by tier: {', '.join(shown)}"
    elif tiers.keys() - {SYNTHETIC}:
        yield f"tier: {', '.join(tiers)}"


def code_used(attempts: list[Attempt]) -> Iterator[str]:
    """Yield the number of successes in attempts that ran code, for suites that report it, or scripts in pages."""
    ran = [
        attempt
        for attempt in attempts
        if attempt.counts.code_used and attempt.conditions.run_code == REPORTED
    ]
    if ran:
        done = sum(attempt.result is Outcome.SUCCESS for attempt in ran)
        yield f"{len(ran)} of {len(attempts)} instances ran code; {done} of these succeeded"
    scripted = [attempt for attempt in attempts if attempt.counts.scripts]
    if scripted:
        done = sum(attempt.result is Outcome.SUCCESS for attempt in scripted)
        scripts = many(sum(attempt.counts.scripts for attempt in scripted), "script")
        yield (
            f"{len(scripted)} of {len(attempts)} instances evaluated {scripts} in the application's pages; {done} of "
            "these succeeded"
        )


def _isolations(attempts: list[Attempt]) -> Iterator[str]:
    """Yield a line if an agent was Python code in the judge's own process, or boxes were not of users of their own."""
    if any(attempt.conditions.isolation == "in_process" for attempt in attempts):
        yield "isolation: in_process (the agent's Python code runs in the judge's process; see docs/trust.md)"
    if os.geteuid() != 0 and any(map(_boxed, attempts)):
        yield (
            "isolation: boxes of an ordinary user (those that run at the same time share its limits of watched files, "
            "pipes and signals; see docs/trust.md)"
        )


def _boxed(attempt: Attempt) -> bool:
    """Whether programs of an agent ran in a box of bubblewrap."""
    on_desktop = (
        attempt.counts.code_used
        and attempt.conditions.reset is not None
        and attempt.conditions.reset.machine == "xvfb"
    )
    return attempt.conditions.isolation.startswith("box") or on_desktop


def _times(attempts: list[Attempt]) -> Iterator[str]:
    resets = [attempt.cost.seconds.reset for attempt in attempts if attempt.cost.seconds.reset]
    steps = [seconds for attempt in attempts for seconds in attempt.cost.step_seconds]
    shown = [
        f"{name} p50 {_ms(values, 50)}, p95 {_ms(values, 95)}"
        for name, values in (("reset", resets), ("step", steps))
        if values
    ]
    if shown:
        yield "; ".join(shown) + " (without the agent's own time); success rates with Wilson 95 % intervals"
    held = max((attempt.cost.memory or 0 for attempt in attempts), default=0)
    if held:
        yield f"peak memory of a worker with its browser and world: {held / 2**20:.0f} MiB"


def _resets(run: Run) -> Iterator[str]:
    """Yield the reset times of all attempts by machine and layer, and each recreated machine with the reason."""
    from pytest_cuabench.reporting.figures import resets

    attempts = list(run.attempts())
    for machine, layers in resets(attempts).items():
        everything = [seconds for found in layers.values() for seconds in found]
        shown = [
            f"{layer} {_ms(found, 50)}/{_ms(found, 95)} ({len(found)})" for layer, found in layers.items()
        ]
        yield f"reset on {machine} p50 {_ms(everything, 50)}, p95 {_ms(everything, 95)}: {', '.join(shown)}"
    for attempt in attempts:
        reset = attempt.conditions.reset
        if reset and reset.reason:
            yield visible(f"{reset.machine} was recreated before {attempt.item.instance}: {reset.reason}")


def _ms(values: Iterable[float], q: float) -> str:
    return f"{1000 * (percentile(values, q) or 0):.0f} ms"


def _ungraded(attempts: list[Attempt]) -> Iterator[str]:
    kinds = Counter(attempt.outcome for attempt in attempts if not attempt.result.graded)
    if kinds:
        named = ", ".join(f"{count} {label}" for label, count in kinds.most_common())
        yield f"not graded, excluded from all rates: {named}"


def _cut(run: Run) -> Iterator[str]:
    """Yield how many ledger lines a crash cut short."""
    if cut := run.cut_lines():
        lines = "1 line" if cut == 1 else f"{cut} lines"
        yield f"skipped {lines} of {LEDGER} cut short by a crash"
