"""Replies of open models, one file for each shipped profile: what they mean, and those that no maker's parser reads.

[[replies]]
text = "..."                     # the whole reply
actions = [{ kind = "click" }]   # on a screen of 1280x720
repairs = ["unclosed tag"]       # what was written wrongly, by kind (optional)

[[refused]]
text = "..."
why = "..."                      # part of what the model is told
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from pytest_cuabench.agents.profile import Profile, load_profile
from pytest_cuabench.task.action import Action, Size, parse_action
from pytest_cuabench.task.toml import read_strict

FOLDER = Path(__file__).parent
FILES = sorted(file.stem for file in FOLDER.glob("*.toml"))
SCREEN = Size(1280, 720)


class Good(BaseModel):
    """A reply that is read."""

    model_config = ConfigDict(extra="forbid")

    text: str
    actions: list[dict[str, Any]]
    repairs: list[str] = []

    @property
    def meant(self) -> list[Action]:
        """The actions."""
        return [parse_action(one) for one in self.actions]


class Bad(BaseModel):
    """A reply that is not read."""

    model_config = ConfigDict(extra="forbid")

    text: str
    why: str


class Golden(BaseModel):
    """The replies of one profile's model."""

    model_config = ConfigDict(extra="forbid")

    replies: list[Good]
    refused: list[Bad]
    profile: Profile | None = None

    @property
    def dialect(self) -> str:
        """The action space of the profile."""
        assert self.profile
        return str(self.profile.options["dialect"])

    @property
    def repaired(self) -> list[Good]:
        """The replies that are repaired."""
        return [one for one in self.replies if one.repairs]


@cache
def golden(name: str) -> Golden:
    """Return the file of a profile."""
    found = read_strict(FOLDER / f"{name}.toml", Golden)
    return found.model_copy(update={"profile": load_profile(name, FOLDER)})
