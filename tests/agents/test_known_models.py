"""The table of known models is complete: no model for computer use that a maker's SDK names is missing."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from pytest_cuabench.agents.models.known import FILE, find_known, known_models, rows_of
from pytest_cuabench.commands.cli import main

_OPENAI = re.compile(r"computer-use-preview.*|gpt-(5\.([4-9]|\d\d)|[6-9]|\d\d)(?![a-z]).*")
_GEMINI = re.compile(r"gemini-(.*computer-use.*|([3-9]|\d\d)(\.\d+)?-(flash|pro).*|(flash|pro)-latest)")
_NOT_SEEING = re.compile(r"image|live|tts|audio|embedding|customtools|lite|native|banana")


def literals(union: Any) -> list[str]:
    """Return the words of a union of literals."""
    return [word for part in (union, *get_args(union)) for word in get_args(part) if isinstance(word, str)]


def test_anthropic() -> None:
    """Every Claude of the SDK stands in a row, without its date."""
    from anthropic.types import Model

    names = {re.sub(r"-\d{8}$", "", name) for name in literals(Model)}
    assert [name for name in names if find_known("anthropic", name) is None] == []


def test_openai() -> None:
    """Every model since gpt-5.4 fits a row, with a tool or without."""
    from openai.types import AllModels, ChatModel

    names = [name for name in {*literals(ChatModel), *literals(AllModels)} if _OPENAI.fullmatch(name)]
    assert names
    assert [name for name in names if find_known("openai", name) is None] == []


def test_google() -> None:
    """Every Gemini of the SDK that may see and act fits a row."""
    from google.genai._gaos.types.interactions.model import Model

    names = [name for name in literals(Model) if _GEMINI.fullmatch(name) and not _NOT_SEEING.search(name)]
    assert names
    assert [name for name in names if find_known("google", name) is None] == []


def test_no_name_stands_twice() -> None:
    """A name leads to one row only."""
    names = [name for row in known_models() for name in row.names]
    assert len(names) == len(set(names))


def test_every_row_of_a_maker_has_a_known_tool() -> None:
    """What adapters cannot speak is in no row."""
    tools = {maker: {row.tool for row in rows_of(maker)} for maker in ("anthropic", "openai", "google")}
    assert tools["openai"] == {"computer", "computer_use_preview", ""}
    assert tools["google"] == {"legacy", "current"}
    assert all(tool.startswith("computer_") for tool in tools["anthropic"])


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """It prints a model with its tool, the largest picture, prices and status."""
    assert main(["models", "opus-4-8"]) == 0
    heading, row = capsys.readouterr().out.splitlines()
    assert heading.split()[0] == "model"
    assert re.search(
        r"claude-opus-4-8 +computer_toolset_20260801, bedrock: computer_20251124 +2,576 px, 4,784", row
    )
    assert re.search(r"\d / \d.* current +2026-\d\d-\d\d$", row)


def test_the_file_is_shipped() -> None:
    """The table is part of the library."""
    assert FILE.is_file()
