"""An agent that does nothing; no task may be solved by it."""

from __future__ import annotations

from pytest_cuabench.action import Terminate
from pytest_cuabench.agent import Briefing, Decision
from pytest_cuabench.observation import Observation
from pytest_cuabench.profile import Profile


class NoopAgent:
    """Looks once and says that it is done."""

    def __init__(self, profile: Profile | None = None) -> None:
        self.profile = profile

    async def start(self, briefing: Briefing) -> None:
        """Nothing to prepare."""

    async def decide(self, observation: Observation) -> Decision:
        """End the episode."""
        return Decision((Terminate("success"),), thought="I do nothing.")

    async def close(self) -> None:
        """Nothing to release."""
