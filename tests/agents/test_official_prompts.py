"""Makers' own prompts: each is data with its source, and says the task once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.chat.action_spaces import ACTION_SPACES, find_action_space
from pytest_cuabench.agents.makers.chat.agent import ChatAgent
from pytest_cuabench.agents.makers.chat.conversation import filled
from pytest_cuabench.agents.makers.chat.official import official_opening
from pytest_cuabench.agents.profile import load_profile
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task import library
from pytest_cuabench.task.action import Size

from .golden import FILES

NAMES = sorted(file.stem for file in (library.AGENTS / "prompts").glob("*.toml"))
IMAGE = Size(1280, 720)
BRIEFING = Briefing("Note that Ada was seen.", "screenshot", IMAGE, ("pointer", "keyboard"), 12)


@pytest.mark.parametrize("name", NAMES)
def test_the_task_is_said_once(name: str) -> None:
    """The goal is in the first user message, once, and no placeholder of it is left."""
    opening = official_opening(name, BRIEFING, IMAGE)
    (said,) = [
        part for part in filled(opening.task, opening.values) if isinstance(part, str) and "Ada" in part
    ]
    assert said.count(BRIEFING.goal) == 1
    assert BRIEFING.goal not in opening.system
    left = set(re.findall(r"\{(\w+)\}", opening.task)) - {
        "goal",
        "previous",
        "remembered",
        "screenshot",
        "number",
    }
    assert not left
    assert not re.findall(r"\{(?:goal|width|height|password|language|instruction)\}", opening.system)


@pytest.mark.parametrize("name", NAMES)
def test_some_action_space_or_grounder_uses_it(name: str) -> None:
    """No prompt lies there unused: a dialect names it, or the table of grounders."""
    grounders = (library.AGENTS / "prompts" / "README.md").read_text().partition("Grounders")[2]
    dialects = {find_action_space(space).official for space in ACTION_SPACES}
    assert name in dialects or f"`{name}.toml`" in grounders


@pytest.mark.parametrize("name", NAMES)
def test_its_licence_is_listed(name: str) -> None:
    """The folder's page names every file."""
    assert f"`{name}.toml`" in (library.AGENTS / "prompts" / "README.md").read_text()


def test_sizes_are_those_of_the_picture() -> None:
    """A model that answers in pixels is told the size of the picture that it sees."""
    assert "The screen's resolution is 1280x720." in official_opening("qwen2.5-vl", BRIEFING, IMAGE).system


def test_other_observations_are_explained() -> None:
    """What comes beside or instead of a screenshot is said in our words."""
    briefing = Briefing("Go.", "marks", IMAGE, ("pointer", "keyboard"), 12)
    assert "numbered boxes" in official_opening("ui-tars", briefing, IMAGE).values["goal"]


@pytest.mark.parametrize("profile", FILES)
def test_profiles_of_known_models_use_it(profile: str) -> None:
    """They are asked as they were trained."""
    found = load_profile(profile, Path())
    agent = ChatAgent(found)
    assert found.options["prompt"] == "official"
    assert agent.dialect.official in NAMES


def test_no_official_prompt(tmp_path: Path) -> None:
    """A dialect without one is told with what to remove."""
    file = tmp_path / "mine.toml"
    file.write_text('adapter = "chat"\nmodel = "m"\n[options]\ndialect = "pyautogui"\nprompt = "official"\n')
    with pytest.raises(SettingError, match=r"pyautogui has none; remove options\.prompt"):
        ChatAgent(load_profile(str(file), tmp_path))
