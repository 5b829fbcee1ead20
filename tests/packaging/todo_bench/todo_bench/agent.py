"""An agent that types what stands in quotes in its goal."""

from pytest_cuabench import Briefing, Decision, Observation, Profile
from pytest_cuabench.task.action import Terminate, Type


class Typist:
    """Types once, then says that it is done."""

    def __init__(self, profile: Profile) -> None:
        self.text = ""

    async def start(self, briefing: Briefing) -> None:
        """Read the goal."""
        self.text = briefing.goal.split('"')[1]

    async def decide(self, observation: Observation) -> Decision:
        """Type, or end."""
        text, self.text = self.text, ""
        return Decision((Type(text),) if text else (Terminate("success"),))

    async def close(self) -> None:
        """Nothing is open."""
