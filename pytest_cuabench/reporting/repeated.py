"""What instances that were played several times (`--cua-epochs`) come to, as the reports show it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from pytest_cuabench.ledger import Attempt
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.stats import wilson


class Figure(NamedTuple):
    """One figure over repeated instances, ready to be shown.

    Attributes:
        value, low, high: A share and its 95 % interval, 0 to 1.
        n: What it is a share of, such as tasks.
        words: One sentence on what it means and how the interval was found.
    """

    name: str
    value: float
    low: float
    high: float
    n: int
    words: str


def repeated(attempts: Sequence[Attempt]) -> list[Figure]:
    """Return the figures, none where nothing was played twice.

    A case is a task in one wording on one seed. Cases of which an epoch could not be graded are left out.
    """
    epochs = len({attempt.epoch for attempt in attempts})
    cases: dict[tuple[str, str, str, int], list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        cases[attempt.application, attempt.task, attempt.variant, attempt.seed].append(attempt)
    whole = [
        [attempt.result is Outcome.SUCCESS for attempt in played]
        for played in cases.values()
        if len(played) == epochs and all(attempt.result.graded for attempt in played)
    ]
    if epochs < 2 or not whole:
        return []
    left_out = len(cases) - len(whole)
    apart = f"; {left_out} not wholly graded and left out" if left_out else ""
    return [
        _share("solved every time", f"pass^{epochs}", [all(played) for played in whole], apart),
        _share("solved at least once", f"pass@{epochs}", [any(played) for played in whole], apart),
        _share("now and then", "some epochs yes, some no", [any(p) and not all(p) for p in whole], apart),
    ]


def _share(name: str, form: str, held: Sequence[bool], apart: str) -> Figure:
    count, n = sum(held), len(held)
    words = f"{form}: {count} of {n} cases{apart}; Wilson interval over cases"
    return Figure(name, count / n, *wilson(count, n), n, words)
