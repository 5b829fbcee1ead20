"""An agent without a language model: it reads the screen by OCR and follows the goal's sentences.

A baseline for pixel agents. It needs the extra `ocr`, but no key and no network; it is deterministic and has no
knowledge of applications or tasks.
"""

from __future__ import annotations

import asyncio

from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.builtin.reader.executor import ActionBatch, ActionBatches, PlanExecutor
from pytest_cuabench.agents.builtin.reader.instruction_parser import read_goal
from pytest_cuabench.agents.builtin.reader.reading import Reader
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.errors import EnvironmentFailure, ProviderFailure
from pytest_cuabench.task.observation import Observation


class OcrOptions(BaseModel):
    """`[options]` of the profile.

    Attributes:
        threads: Threads of one worker that read the screen.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    threads: int = Field(default=1, ge=1, le=16)


class OcrAgent:
    """Reads screenshots and carries out the instructions of the goal, one at a time."""

    def __init__(self, profile: Profile | None = None) -> None:
        self._reader = Reader(_options(profile).threads)
        self._executor: PlanExecutor | None = None
        self._batches: ActionBatches[None] | None = None

    async def start(self, briefing: Briefing) -> None:
        """Parse the goal into a plan."""
        self._executor, self._batches = PlanExecutor(read_goal(briefing.goal), briefing.screen), None

    async def decide(self, observation: Observation) -> Decision:
        """Read the screen and return the next actions.

        Raises:
            EnvironmentFailure: There is no screenshot, or it is not an image.
            ProviderFailure: It was called before its start or after its end.
        """
        if self._executor is None:
            raise ProviderFailure("the reader was called before its start")
        if observation.screenshot is None:
            raise EnvironmentFailure("the reader needs a screenshot, but the observation has none")
        screen = await asyncio.to_thread(self._reader.read, observation.screenshot)
        try:
            if self._batches is None:
                self._batches = self._executor.run(screen)
                batch: ActionBatch = next(self._batches)
            else:
                batch = self._batches.send(screen)
        except StopIteration:
            raise ProviderFailure("the reader was called after its end") from None
        return Decision(batch.actions, batch.thought)

    async def close(self) -> None:
        """Discard the plan; the OCR cache is kept for the next episode."""
        self._executor = self._batches = None


def _options(profile: Profile | None) -> OcrOptions:
    return profile.read_options(OcrOptions) if profile else OcrOptions()
