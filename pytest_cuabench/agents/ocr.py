"""An agent without a language model: it reads the screen by OCR and follows the goal's sentences.

A baseline for pixel agents. It needs the extra `ocr`, but no key and no network; it is deterministic and has no
knowledge of applications or tasks.
"""

from __future__ import annotations

import asyncio

from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.agents.reader.executor import Move, Moves, Player
from pytest_cuabench.agents.reader.instruction_parser import read_goal
from pytest_cuabench.agents.reader.reading import Reader
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
        self._player: Player | None = None
        self._moves: Moves[None] | None = None

    async def start(self, briefing: Briefing) -> None:
        """Make a plan of the goal."""
        self._player, self._moves = Player(read_goal(briefing.goal), briefing.screen), None

    async def decide(self, observation: Observation) -> Decision:
        """Read the screen and return the next move.

        Raises:
            EnvironmentFailure: There is no screenshot, or it is no picture.
            ProviderFailure: It was asked before its start, or after its end.
        """
        if self._player is None:
            raise ProviderFailure("the reader was called before its start")
        if observation.screenshot is None:
            raise EnvironmentFailure("the reader needs a screenshot, but the observation has none")
        screen = await asyncio.to_thread(self._reader.read, observation.screenshot)
        try:
            if self._moves is None:
                self._moves = self._player.play(screen)
                move: Move = next(self._moves)
            else:
                move = self._moves.send(screen)
        except StopIteration:
            raise ProviderFailure("the reader was called after its end") from None
        return Decision(move.actions, move.thought)

    async def close(self) -> None:
        """Forget the plan; what was read stays known to the next episode."""
        self._player = self._moves = None


def _options(profile: Profile | None) -> OcrOptions:
    return profile.read_options(OcrOptions) if profile else OcrOptions()
