from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_cuabench.collection.fixtures import PlayedAttempt


def test_osworld(attempt: PlayedAttempt) -> None:
    """The agent does what the record asks, and changes no other file."""
    attempt.require()
