"""The prompts that models were trained with, as their makers publish them: data in `agents/prompts`.

    source = "..."      where it is published, and which version
    licence = "..."
    system = '''...'''  the system message; empty if there is none
    task = '''...'''    the first user message; {goal} is what the task says
    answering = '''...''' ours: how an answer is given, where the maker's text does not say it (optional)

    [history]           how the steps before are told, see `conversation.Telling`

{width} and {height} are the size of the picture that the model sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.chat.conversation import Part, Telling, filled
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
    history: Telling = Telling(task="before")


@dataclass(frozen=True, slots=True)
class Opening:
    """How a conversation begins.

    Attributes:
        system: The system message, empty if there is none.
        task: The first words of the user; `values` fill its placeholders, beside those of `telling`.
    """

    system: str
    task: str
    values: Mapping[str, str]
    telling: Telling


def official_opening(name: str, briefing: Briefing, image: Size) -> Opening:
    """Return the beginning of a conversation in a maker's own words.

    Raises:
        SettingError: No prompt has this name, or its file is malformed.
    """
    found = prompt_file(name)
    beside = [found.answering, prompts.kind_of_look(briefing)]
    goal = "\n".join(text for text in (prompts.task(briefing), *beside) if text)
    return Opening(
        filled_text(found.system, image), found.task, {**_sizes(image), "goal": goal}, found.history
    )


def prompt_file(name: str) -> PromptFile:
    """Return a prompt of `agents/prompts`.

    Raises:
        SettingError: No prompt has this name, or its file is malformed.
    """
    file = library.AGENTS / "prompts" / f"{name}.toml"
    if not file.is_file():
        known = ", ".join(sorted(one.stem for one in file.parent.glob("*.toml")))
        raise SettingError(f"there is no official prompt {name!r}; known: {known}")
    return read_strict(file, PromptFile)


def filled_text(template: str, image: Size, **values: str) -> str:
    """Return a text of a prompt with the size of the picture and these values."""
    parts: list[Part] = filled(template, {**_sizes(image), **values})
    return "".join(part for part in parts if isinstance(part, str))


def _sizes(image: Size) -> dict[str, str]:
    return {"width": str(image.width), "height": str(image.height)}
