"""What a test is given: the last attempt at its instance, played and judged."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_cuabench.agents.base import Agent
    from pytest_cuabench.collection.attempts import ItemRunner
    from pytest_cuabench.drivers.base import Environment
    from pytest_cuabench.ledger.attempt import Attempt
    from pytest_cuabench.task.model import Instance
    from pytest_cuabench.task.verdict import Verdict


@dataclass(frozen=True, slots=True)
class PlayedAttempt:
    """The last attempt at an instance, played and judged now or before `--cua-resume`."""

    record: Attempt
    run_folder: Path
    broken_claim: str | None = None
    is_proof: bool = False
    recalled: bool = False

    @property
    def verdict(self) -> Verdict:
        """The judgement; an attempt that was not graded never reaches a test."""
        assert self.record.verdict is not None
        return self.record.verdict

    def require(self) -> None:
        """Fail the test unless the task was done and nothing else changed; in an audit, unless the claim holds."""
        __tracebackhide__ = True
        from pytest_cuabench.reporting.words import failure_message, recalled_note
        from pytest_cuabench.task.outcome import Outcome

        failed = self.broken_claim if self.is_proof else self.record.result is not Outcome.SUCCESS
        if failed:
            claim = f"{self.broken_claim}\n" if self.broken_claim else ""
            note = f"\n{recalled_note(self.record)}" if self.recalled else ""
            pytest.fail(claim + failure_message(self.record, self.run_folder) + note, pytrace=False)


async def play_item(
    runner: ItemRunner, instance: Instance, environment: Environment, agent: Agent | None
) -> PlayedAttempt:
    """Play an item's instance, or its claim of an audit.

    Raises:
        CuabenchError: No attempt could be graded, or what is given as the agent cannot play.
    """
    from pytest_cuabench.agents.profile import check_agent
    from pytest_cuabench.proof.claims import Proof

    if isinstance(instance, Proof):
        record, broken = await runner.prove(instance, environment)
        return PlayedAttempt(record, runner.run.shown, broken, is_proof=True, recalled=runner.recalled)
    check_agent(agent, "what the fixture 'agent' returns")
    assert agent is not None, "only audits play without an agent"
    record = await runner.play(instance, environment, agent)
    return PlayedAttempt(record, runner.run.shown, recalled=runner.recalled)
