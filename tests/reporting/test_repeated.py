from __future__ import annotations

import sample_run

from pytest_cuabench.ledger import Attempt
from pytest_cuabench.reporting.repeated import repeated
from pytest_cuabench.stats import wilson


def played(task: str, *outcomes: str) -> list[Attempt]:
    return [sample_run.attempt("a", task, outcome, epoch=epoch) for epoch, outcome in enumerate(outcomes)]


def test_nothing_is_said_of_a_single_epoch() -> None:
    """Where nothing was played twice there is no figure."""
    assert repeated([]) == repeated(played("b", "success")) == []


def test_figures_of_repeated_cases() -> None:
    """A case counts once; one that could not be graded in every epoch is left out, and that is said."""
    attempts = [
        *played("always", "success", "success"),
        *played("sometimes", "success", "failure"),
        *played("never", "failure", "violation"),
        *played("broken", "success", "environment_error"),
    ]
    every, once, both = repeated(attempts)
    assert (every.value, once.value, both.value) == (1 / 3, 2 / 3, 1 / 3)
    assert (every.low, every.high) == wilson(1, 3)
    assert every.words == (
        "pass^2: 1 of 3 cases; 1 not wholly graded and left out; Wilson interval over cases"
    )
