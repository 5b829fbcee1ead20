"""An agent without any model of language: it reads the screen by OCR and follows the goal's sentences.

An honest baseline for pixel agents. It needs the extra `ocr`, no key and no network; it knows no application and
no task, and is the same every time.
"""

from __future__ import annotations

import asyncio

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_cuabench.agent import Briefing, Decision
from pytest_cuabench.errors import EnvironmentFailure, ProviderFailure, SettingError
from pytest_cuabench.observation import Observation
from pytest_cuabench.players.sight.goal import read_goal
from pytest_cuabench.players.sight.play import Move, Moves, Player
from pytest_cuabench.players.sight.reading import Reader
from pytest_cuabench.profile import Profile


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
            raise ProviderFailure("the reader was asked before its start")
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
            raise ProviderFailure("the reader was asked after its end") from None
        return Decision(move.actions, move.thought)

    async def close(self) -> None:
        """Forget the plan; what was read stays known to the next episode."""
        self._player = self._moves = None


def _options(profile: Profile | None) -> OcrOptions:
    try:
        return OcrOptions.model_validate(dict(profile.options) if profile else {})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise SettingError(
            f"agent {profile.name if profile else 'ocr'!r}: options.{place}: {first['msg']}"
        ) from None
