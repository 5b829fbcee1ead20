"""Write docs/gate-burn-in.md: how often the release gate is wrong about agents whose true success rates are known.

    scripts/burn-in [--repetitions N]

An agent here is a true success rate for each task, drawn from a beta distribution: tasks differ in difficulty, and
each play is a coin of the task's rate. Its plays become records of attempts, the same that a session writes, and go
through the very code that decides: evidence of earlier runs into a baseline, one more run into the gate with its
documented defaults. Then the agent loses skill by a known amount, and the same is done again.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from burn_in_session import EPOCHS
from burn_in_session import played as played_sessions

from pytest_cuabench.gate.baseline import Baseline, Evidence
from pytest_cuabench.gate.config import BaselineDemands, Gate
from pytest_cuabench.gate.decision import Decision, Judgement
from pytest_cuabench.gate.judge import judge
from pytest_cuabench.gate.recorded import Recorded
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.fingerprint import Fingerprint
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.ledger.stats import clopper_pearson
from pytest_cuabench.task.verdict import Milestone, Verdict

PAGE = Path(__file__).resolve().parents[1] / "docs" / "gate-burn-in.md"
DIFFICULTY = (2.25, 0.75)  # beta: mean 75 %, many tasks that nearly always succeed, some that nearly never do
EFFECTS = (0.0, 0.05, 0.10, 0.15, 0.25)
MEASURED = Fingerprint("task", "world", "1", {})
DONE, MISSED = (Verdict((Milestone("done", reached, 1.0),)) for reached in (True, False))
COMPARING = Gate(baseline=BaselineDemands())
Rates = np.ndarray[Any, np.dtype[np.float64]]
Loss = Callable[[Rates, float, np.random.Generator], Rates]


def spread(rates: Rates, loss: float, chance: np.random.Generator) -> Rates:
    """Take from every task in proportion, so that the mean falls by `loss`."""
    return rates * max(0.0, 1 - loss / rates.mean())


def concentrated(rates: Rates, loss: float, chance: np.random.Generator) -> Rates:
    """Take everything from some tasks, as a broken tool does, so that the mean falls by `loss`."""
    order = chance.permutation(len(rates))
    left = np.clip(np.cumsum(rates[order]) - loss * rates.sum() / rates.mean(), 0, rates[order])
    worse = rates.copy()
    worse[order] = left
    return worse


LOSSES: dict[str, Loss] = {"every task a little": spread, "some tasks entirely": concentrated}


@cache
def record(task: int, epoch: int, success: bool) -> Attempt:
    """Return the record of one play."""
    suffix = f"-e{epoch}" if epoch else ""
    return Attempt.of(
        instance=f"app/task{task:03d}-step{suffix}",
        number=1,
        suite="burn_in",
        application="app",
        task=f"task{task:03d}",
        domain="none",
        difficulty="medium",
        variant="step",
        seed=0,
        epoch=epoch,
        agent="scripted",
        outcome="success" if success else "failure",
        verdict=DONE if success else MISSED,
        trajectory=f"{task}-{epoch}",
        fingerprint=MEASURED,
    )


@cache
def plan(tasks: int, epochs: int) -> dict[str, Planned]:
    """Return what a run of so many tasks was going to play."""
    records = (record(task, epoch, True) for task in range(tasks) for epoch in range(epochs))
    return {each.instance: each.item for each in records}


def played(rates: Rates, epochs: int, chance: np.random.Generator) -> list[Attempt]:
    """Return the records of one run."""
    coins = chance.random((len(rates), epochs)) < rates[:, None]
    return [record(t, e, bool(coins[t, e])) for t in range(len(rates)) for e in range(epochs)]


def shifted(rates: Rates, day: float, chance: np.random.Generator) -> Rates:
    """Return the rates of one day, on which all tasks are a little better or worse."""
    return np.clip(rates + chance.normal(0, day), 0, 1) if day else rates


@dataclass(frozen=True)
class Setting:
    """What is played how often: tasks, epochs, runs in the baseline, and how much days differ."""

    tasks: int = 100
    epochs: int = 3
    runs: int = 10
    day: float = 0.0
    difficulty: tuple[float, float] = DIFFICULTY

    def rates(self, chance: np.random.Generator) -> Rates:
        """Draw the true rates of an agent."""
        return chance.beta(*self.difficulty, size=self.tasks)

    def baseline(self, rates: Rates, chance: np.random.Generator) -> Baseline:
        """Record the runs that the baseline is made of."""
        runs = (played(shifted(rates, self.day, chance), self.epochs, chance) for _ in range(self.runs))
        return Baseline(tuple(Evidence.of(f"{n}", "", "scripted", run) for n, run in enumerate(runs)))

    def judged(
        self, rates: Rates, baseline: Baseline | None, chance: np.random.Generator, gate: Gate
    ) -> Judgement:
        """Play once more and let the gate judge it."""
        run = played(shifted(rates, self.day, chance), self.epochs, chance)
        return judge(Recorded.from_attempts(run, plan(self.tasks, self.epochs)), gate, baseline, "burn-in")


Counts = dict[tuple[str, float], Counter[Decision]]


def compared(
    setting: Setting,
    repetitions: int,
    effects: Sequence[float] = EFFECTS,
    gate: Gate = COMPARING,
    seed: int = 1,
) -> Counts:
    """Return how often each decision is taken, by kind and size of the loss; no loss is counted once."""
    counts: Counts = {}
    for repetition in range(repetitions):
        chance = np.random.default_rng([seed, setting.tasks, setting.epochs, setting.runs, repetition])
        rates = setting.rates(chance)
        baseline = setting.baseline(rates, chance)
        for kind, lose in LOSSES.items():
            for effect in effects:
                if effect or kind == next(iter(LOSSES)):
                    judgement = setting.judged(lose(rates, effect, chance), baseline, chance, gate)
                    counts.setdefault((kind if effect else "none", effect), Counter())[
                        judgement.decision
                    ] += 1
    return counts


def collapsed(setting: Setting, repetitions: int, rate: float, seed: int = 2) -> tuple[int, int]:
    """Return how often the collapse of one task of this rate is found, and how often another is blamed."""
    found = blamed = 0
    for repetition in range(repetitions):
        chance = np.random.default_rng([seed, setting.runs, setting.epochs, int(1000 * rate), repetition])
        rates = setting.rates(chance)
        rates[0] = rate
        baseline = setting.baseline(rates, chance)
        rates[0] = 0.0
        judgement = setting.judged(rates, baseline, chance, COMPARING)
        named = [each.subject for each in judgement.findings if each.check == "collapse"]
        named = [name for name in named if name.startswith("app/")]
        found += "app/task000-step" in named
        blamed += any(name != "app/task000-step" for name in named)
    return found, blamed


def bounded(setting: Setting, repetitions: int, bound: float, rule: str, seed: int = 3) -> Counter[Decision]:
    """Return how often each decision is taken by a bound on the rate alone."""
    gate = Gate.model_validate({"rate": bound, "rule": rule})
    counts: Counter[Decision] = Counter()
    for repetition in range(repetitions):
        chance = np.random.default_rng([seed, setting.tasks, setting.epochs, repetition])
        counts[setting.judged(setting.rates(chance), None, chance, gate).decision] += 1
    return counts


# The page


def _percent(count: int, n: int) -> str:
    low, high = clopper_pearson(count, n)
    return f"{100 * count / n:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _decisions(counts: Counter[Decision]) -> list[str]:
    order = (Decision.FAIL, Decision.PASS, Decision.INCONCLUSIVE)
    return [_percent(counts[decision], counts.total()) for decision in order]


HEAD = """# How often the release gate is wrong

Written by `scripts/burn-in`. Agents with known true success rates (for each task drawn from a beta distribution of
mean 75 %: many tasks that nearly always succeed, some that nearly never do) are played as records of attempts and
judged by the very code that judges a run, with the documented defaults of [the gate](gate.md): margin
{margin:g} points, alpha {alpha:g} %, collapse alpha {collapse:g} %, {runs} runs and {plays} plays before an instance is
compared. In brackets: exact 95 % interval over the repetitions.

* *fail* without a change is a **false fail**;
* *pass* after a loss is a **false pass**, the worse the larger the loss;
* *inconclusive* is neither: the exit code says so, and more epochs decide.
"""


def page(repetitions: int) -> Iterator[str]:
    """Yield the lines of the page."""
    demands = COMPARING.baseline
    assert demands is not None
    yield HEAD.format(
        margin=100 * demands.margin,
        alpha=100 * demands.alpha,
        collapse=100 * demands.collapse_alpha,
        runs=demands.min_runs,
        plays=demands.min_plays,
    )
    yield from _headline(repetitions)
    yield from _everything(repetitions // 2)
    yield from _days(repetitions)
    yield from _collapses(repetitions)
    yield from _bounds(repetitions)
    yield from _sessions()


def _headline(repetitions: int) -> Iterator[str]:
    yield "## 100 tasks, 3 epochs, a baseline of 10 runs\n"
    yield _row(["loss", "points", "fail", "pass", "inconclusive"])
    yield _row(["---", *["---:"] * 4])
    for (kind, effect), counts in compared(Setting(), 4 * repetitions).items():
        yield _row([kind, f"{100 * effect:g}", *_decisions(counts)])
    yield f"\n{4 * repetitions} repetitions of each row.\n"


def _everything(repetitions: int) -> Iterator[str]:
    sizes = [Setting(tasks, epochs) for tasks in (25, 50, 100, 200) for epochs in (1, 3, 5)]
    found = {setting: compared(setting, repetitions, seed=4) for setting in sizes}
    yield "## Other numbers of tasks and epochs\n"
    yield "No loss, a baseline of 10 runs:\n"
    yield _row(["tasks", "epochs", "fail", "pass", "inconclusive"])
    yield _row(["---:"] * 5)
    for setting, counts in found.items():
        yield _row([setting.tasks, setting.epochs, *_decisions(counts["none", 0.0])])
    for kind in LOSSES:
        yield f"\nLosses, {kind}: how often they are found / pass / remain inconclusive, in per cent:\n"
        yield _row(["tasks", "epochs", *(f"{100 * effect:g} points" for effect in EFFECTS[1:])])
        yield _row(["---:"] * (1 + len(EFFECTS)))
        for setting, counts in found.items():
            cells = (_short(counts[kind, effect]) for effect in EFFECTS[1:])
            yield _row([setting.tasks, setting.epochs, *cells])
    yield f"\n{repetitions} repetitions of each cell.\n"


def _short(counts: Counter[Decision]) -> str:
    order = (Decision.FAIL, Decision.PASS, Decision.INCONCLUSIVE)
    return " / ".join(f"{100 * counts[each] / counts.total():.0f}" for each in order)


def _days(repetitions: int) -> Iterator[str]:
    yield "## Where the assumption does not hold\n"
    yield (
        "The figures above take plays for independent. A model's server has better and worse days, on which all tasks\n"
        "move together; a single run cannot tell such a day from a worse agent. 100 tasks, 3 epochs, no loss:\n"
    )
    yield _row(
        ["days differ by (standard deviation)", "runs in the baseline", "fail", "pass", "inconclusive"]
    )
    yield _row(["---:"] * 5)
    for day, runs in ((0.0, 5), (0.0, 20), (0.01, 10), (0.02, 10), (0.04, 10)):
        counts = compared(Setting(day=day, runs=runs), repetitions, effects=(0.0,), seed=5)["none", 0.0]
        yield _row([f"{100 * day:g} points", runs, *_decisions(counts)])
    yield f"\n{repetitions} repetitions of each row.\n"


def _collapses(repetitions: int) -> Iterator[str]:
    yield "## One task of 100 that fails from now on\n"
    yield (
        "How often its collapse alone is named, and how often another task is blamed, by its success rate before:\n"
    )
    yield _row(["epochs", "runs in the baseline", "rate before", "found", "another blamed"])
    yield _row(["---:"] * 5)
    for epochs, runs, rate in (
        (1, 20, 1.0),
        (3, 5, 1.0),
        (3, 10, 1.0),
        (3, 20, 1.0),
        (3, 20, 0.98),
        (5, 10, 0.98),
    ):
        found, blamed = collapsed(Setting(epochs=epochs, runs=runs), repetitions, rate)
        shown = (_percent(count, repetitions) for count in (found, blamed))
        yield _row([epochs, runs, f"{100 * rate:g} %", *shown])
    yield f"\n{repetitions} repetitions of each row.\n"


def _bounds(repetitions: int) -> Iterator[str]:
    yield "## Bounds on a rate\n"
    yield (
        "No baseline, only `rate = ...`, 100 tasks of a mean true rate of 75 % and 3 epochs. A bound above 75 %\n"
        "should not pass, one below should not fail.\n"
    )
    yield _row(["bound", "rule", "fail", "pass", "inconclusive"])
    yield _row(["---:", "---", *["---:"] * 3])
    for bound in (0.60, 0.70, 0.75, 0.80, 0.90):
        for rule in ("estimate", "proven"):
            yield _row(
                [f"{100 * bound:g} %", rule, *_decisions(bounded(Setting(), repetitions, bound, rule))]
            )
    yield f"\n{repetitions} repetitions of each row.\n"


def _sessions() -> Iterator[str]:
    yield "## The whole path, once\n"
    yield (
        f"Real sessions of pytest on three tasks in two wordings, {EPOCHS} epochs, with an agent that does the task or "
        "nothing by a coin: six nights go into a baseline (`cuabench baseline update`), then each candidate is played "
        "with `--cua-gate`.\n"
    )
    yield _row(["candidate", "pytest's last line", "the gate's first reason", "exit code"])
    yield _row(["---", "---", "---", "---:"])
    for candidate, last, reason, code in played_sessions():
        yield _row([candidate, re.sub(r" in [0-9.]+s.*", "", last), reason, code])


def main() -> None:
    """Write the page, and say how long it took."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--repetitions", type=int, default=500, metavar="N", help="of each cell (default: 500)"
    )
    start = perf_counter()
    lines = []
    for line in page(parser.parse_args().repetitions):
        lines.append(line)
        print(line, flush=True)
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stderr.write(f"{PAGE}: {perf_counter() - start:.0f} s\n")


if __name__ == "__main__":
    main()
