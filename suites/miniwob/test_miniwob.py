from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_cuabench.collection.fixtures import PlayedAttempt


def test_miniwob(attempt: PlayedAttempt) -> None:
    """The agent gets the full reward of the page."""
    attempt.require()
