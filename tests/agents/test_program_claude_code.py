"""The profile `claude-code` plays: the real program in a box without a network, against a scripted model server."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from small_world import Table

from pytest_cuabench.agents.profile import load_profile
from pytest_cuabench.agents.program.agent import ProgramAgent
from pytest_cuabench.task import library

from .boxed import needs_box

CLAUDE = shutil.which("claude")
MODEL = Path(__file__).with_name("scripted_claude.py")


@needs_box
@pytest.mark.slow
@pytest.mark.skipif(CLAUDE is None, reason="Claude Code is not installed")
def test_plays(table: Table) -> None:
    """Claude Code sees pictures, acts by the tools of the door only, and finishes."""
    profile = load_profile("claude-code", library.ROOT)
    options = {
        **profile.options,
        "command": ["python3", f"/opt/agent/{MODEL.name}", *profile.options["command"]],
        "files": [str(MODEL), str(Path(CLAUDE or "").resolve())],
        "environment": {**profile.options["environment"], "ANTHROPIC_API_KEY": "sk-ant-of-the-tests"},
        "network": "none",
    }
    agent = ProgramAgent(profile.model_copy(update={"options": options, "key": None}))
    last = table.play(agent, seconds=300.0).last
    assert (last.outcome, last.answer, last.steps) == ("success", "done", 2), (last.error, agent._box.tail())
    assert last.conditions.isolation == "box"
