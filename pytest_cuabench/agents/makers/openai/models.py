"""What OpenAI's models take: which computer tool, how large a picture, how long a reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast, get_args

from pytest_cuabench.agents.models.known import find_known
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.errors import SettingError

Tool = Literal["computer", "computer_use_preview"]


@dataclass(frozen=True, slots=True)
class Terms:
    """What one of the two tools takes, beside what the table of models says.

    Attributes:
        detail: How closely a picture is looked at; not said where the API knows no such word.
        longest: Tokens of a reply, reasoning included, where the profile does not say.
    """

    detail: str | None
    longest: int


TERMS: dict[Tool, Terms] = {
    "computer": Terms("original", 16_384),
    "computer_use_preview": Terms(None, 1024),
}


def tool_of(profile: Profile, maker: str = "openai") -> Tool:
    """Return the computer tool that a profile's model takes; the option `tool` overrides it.

    Raises:
        SettingError: None is known.
    """
    row = find_known(maker, profile.model or "")
    if row is not None and row.tool in get_args(Tool):
        return cast("Tool", row.tool)
    raise SettingError(
        f"agent {profile.name!r}: no computer tool is known for the model {profile.model!r}; if it has one, add "
        f'tool = "computer" (or "computer_use_preview") to its options'
    )
