"""Whether an agent may run programs, whether it did, and what kept it from the judge: in every record."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from small_world import Table, make_task, make_world, press

from pytest_cuabench.agents.base import Briefing, Decision, isolation_of
from pytest_cuabench.agents.builtin.noop import NoopAgent
from pytest_cuabench.agents.models.budget import SpendLimit, paying
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.closing import closing, code_used
from pytest_cuabench.task.action import Action, RunCode, Terminate
from pytest_cuabench.task.machine import Reset
from pytest_cuabench.testing import FakeEnvironment, ScriptedAgent

SCRIPT = [RunCode("print(1)"), press("n"), Terminate("success")]


class Stranger:
    """An agent from outside of the plugin."""

    async def start(self, briefing: Briefing) -> None:
        """Nothing to prepare."""

    async def decide(self, observation: Any) -> Decision:
        """End the episode."""
        return Decision((Terminate("success"),))

    async def close(self) -> None:
        """Nothing to release."""


class WithGuest(FakeEnvironment):
    """The desk with a guest that runs programs."""

    def __init__(self) -> None:
        desk = make_world()
        super().__init__(desk._start, desk._reaction)
        self.capabilities = ("pointer", "keyboard", "code")


def played(table: Table, policy: str, script: list[Any] = SCRIPT) -> tuple[Attempt, WithGuest, ScriptedAgent]:
    """Play a script in a suite with this policy."""
    found = table.play(script, task=make_task(run_code=policy), world=WithGuest())
    return found.last, found.world, found.agent


def ran(world: FakeEnvironment) -> list[Action]:
    return [action for action in world.performed if isinstance(action, RunCode)]


@pytest.mark.parametrize("policy", ["allowed", "reported"])
def test_code_that_was_run_is_recorded(table: Table, policy: str) -> None:
    """A suite that lets programs run keeps in the record that one was run."""
    attempt, world, agent = played(table, policy)
    assert (attempt.outcome, attempt.counts.code_used, attempt.conditions.run_code) == (
        "success",
        True,
        policy,
    )
    assert len(ran(world)) == 1
    assert agent.briefing is not None
    assert "code" in agent.briefing.capabilities


def test_refused_code_is_an_action_error(table: Table) -> None:
    """A suite for the GUI alone neither offers `run_code` nor carries it out, and the episode goes on."""
    attempt, world, agent = played(table, "refused")
    assert (attempt.outcome, attempt.counts.code_used) == ("success", False)
    assert ran(world) == []
    assert agent.briefing is not None
    assert "code" not in agent.briefing.capabilities
    assert "not available" in str(agent.observations[1].results[0].error)


def test_without_code_nothing_is_said(table: Table) -> None:
    """An attempt without programs says so, and no summary mentions code."""
    attempt, _, _ = played(table, "reported", SCRIPT[1:])
    assert not attempt.counts.code_used
    assert list(code_used([attempt])) == []


def test_summaries_tell_of_reported_code_only(table: Table) -> None:
    """How many instances ran code, and how many of them succeeded, is told where the suite wants it told."""
    reported, _, _ = played(table, "reported")
    assert list(code_used([reported])) == ["1 of 1 instances ran code; 1 of these succeeded"]
    allowed, _, _ = played(table, "allowed")
    assert list(code_used([allowed])) == []


def test_isolation_of_agents(tmp_path: Path) -> None:
    """An agent's own Python code is in the judge's process, also behind what charges its cost."""
    assert isolation_of(NoopAgent()) == "adapter"
    assert isolation_of(Stranger()) == "in_process"
    spend_limit = SpendLimit(tmp_path / "spend_limit", 1.0)
    assert isolation_of(paying(Stranger(), spend_limit)) == "in_process"
    assert isolation_of(paying(NoopAgent(), spend_limit)) == "adapter"


def test_isolation_is_recorded(table: Table) -> None:
    """The record says what kept the agent from the judge."""
    assert table.play(Stranger()).last.conditions.isolation == "in_process"
    assert table.play(NoopAgent()).last.conditions.isolation == "adapter"


def test_boxes_of_an_ordinary_user(table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where boxes cannot have users of their own, which only root can give them, one line says what they share."""
    attempt = table.play(NoopAgent()).last
    boxed = attempt.with_values(isolation="box_with_hosts")
    ran = attempt.with_values(code_used=True, reset=Reset("xvfb", "start"))
    away = ran.with_values(reset=Reset("docker", "start"))
    for user, attempts, told in (
        (1000, boxed, 1),
        (1000, ran, 1),
        (1000, away, 0),
        (1000, attempt, 0),
        (0, boxed, 0),
    ):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        lines = [line for line in closing(Run(tmp_path), [attempts]) if "boxes of an ordinary user" in line]
        assert len(lines) == told, (user, attempts)
