"""Doing nothing is a player, too."""

from __future__ import annotations

from small_world import Table

from pytest_cuabench.agents.builtin.noop import NoopAgent


def test_noop(table: Table) -> None:
    """Doing nothing takes one step and touches nothing."""
    played = table.play(NoopAgent())
    assert (played.last.outcome, played.last.steps, played.world.performed) == ("failure", 1, [])
