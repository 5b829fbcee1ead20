"""The profile `codex` plays: the real program in a box without a network, against a scripted model server."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from small_world import Table

from pytest_cuabench.agents.profile import load_profile
from pytest_cuabench.agents.program.agent import ProgramAgent
from pytest_cuabench.task import library

from .boxed import needs_box

CODEX = shutil.which("codex")
MODEL = Path(__file__).with_name("scripted_codex.py")


def programs(found: str) -> Path:
    """Return the folder of the programs themselves, the first of which npm's `codex` starts by Node."""
    package = Path(found).resolve().parents[1]
    inside = "vendor/*/bin/codex"
    near = [*package.glob(f"node_modules/@openai/*/{inside}"), *package.parent.glob(f"*/{inside}")]
    return near[0].parent


@needs_box
@pytest.mark.slow
@pytest.mark.skipif(
    CODEX is None, reason="Codex is not installed; type: npm install -g @openai/codex@0.169.0"
)
def test_plays(table: Table) -> None:
    """Codex sees pictures, acts by the tools of the door, and finishes."""
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    profile = load_profile("codex", library.ROOT)
    options = {
        **profile.options,
        "command": [
            "python3",
            f"/opt/agent/{MODEL.name}",
            "/opt/agent/bin/codex",
            *profile.options["command"][1:],
        ],
        "files": [str(MODEL), str(programs(CODEX or ""))],
        "network": "none",
    }
    agent = ProgramAgent(profile.model_copy(update={"options": options, "key": None}))
    last = table.play(agent, seconds=300.0).last
    assert (last.outcome, last.answer, last.steps) == ("success", "done", 2), (last.error, agent._box.tail())
    assert last.conditions.isolation == "box"
