"""An agent that does nothing; no task may be solved by it."""

from __future__ import annotations

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.task.action import Terminate
from pytest_cuabench.task.observation import Observation


class NoopAgent:
    """Ends each episode at its first step."""

    def __init__(self, profile: Profile | None = None) -> None:
        self.profile = profile

    async def start(self, briefing: Briefing) -> None:
        """Nothing to prepare."""

    async def decide(self, observation: Observation) -> Decision:
        """End the episode."""
        return Decision((Terminate("success"),), thought="I do nothing.")

    async def close(self) -> None:
        """Nothing to release."""
