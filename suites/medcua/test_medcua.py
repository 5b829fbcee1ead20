from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_cuabench.collection.fixtures import PlayedAttempt


def test_medcua(attempt: PlayedAttempt) -> None:
    """The agent does what the task asks, and nothing else."""
    attempt.require()
