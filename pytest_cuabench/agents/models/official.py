"""The prompts that models were trained with, as their makers publish them: data in `agents/prompts`.

    source = "..."      where it is published, and which version
    licence = "..."
    system = '''...'''  the system message; empty if there is none
    task = '''...'''    the first user message; {goal} is what the task says
    answering = '''...''' ours: how an answer is given, where the maker's text does not say it (optional)

{width} and {height} are the size of the picture that the model sees.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task import library
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.toml import read_strict


class PromptFile(BaseModel):
    """A file of `agents/prompts`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str = Field(min_length=1)
    licence: str = Field(min_length=1)
    system: str
    task: str = Field(pattern=r"\{goal\}")
    answering: str = ""


@dataclass(frozen=True, slots=True)
class Opening:
    """How a conversation begins: the system message, empty if there is none, and the first user message."""

    system: str
    task: str


def official_opening(name: str, briefing: Briefing, image: Size) -> Opening:
    """Return the beginning of a conversation in a maker's own words.

    Raises:
        SettingError: No prompt has this name, or its file is malformed.
    """
    file = library.AGENTS / "prompts" / f"{name}.toml"
    if not file.is_file():
        raise SettingError(f"there is no official prompt {name}; leave prompt out, or add {file}")
    found = read_strict(file, PromptFile)
    beside = [found.answering, prompts.kind_of_look(briefing)]
    words = "\n".join(text for text in (prompts.task(briefing), *beside) if text)
    size = {"{width}": str(image.width), "{height}": str(image.height)}
    system, task = (_filled(text, size) for text in (found.system, found.task))
    return Opening(system, task.replace("{goal}", words))


def _filled(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text
