"""A task of DocOS with its search, solved by every way to play that repeats what the reference solution did."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from serving.conftest import PLAIN

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run, read_steps

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("geany") is None, reason="geany is not installed"),
]
SELECT = "geany and know_extension and search"
PROGRAM = """
import json, os, socket, urllib.request

def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": "Bearer " + os.environ["CUABENCH_TOKEN"]}
    with urllib.request.urlopen(urllib.request.Request(os.environ["CUABENCH_URL"] + path, data, headers)) as answer:
        return json.load(answer)

for port, banner in ((5900, b"RFB"), (2222, b"SSH")):
    with socket.create_connection(("127.0.0.1", port)) as door:
        assert door.recv(3) == banner
briefing = call("/v1/briefing")
for step in json.load(open("script.json"))[briefing["phase"]]:
    call("/v1/step", step)
"""


def played(folder: Path, agent: str) -> Attempt:
    """Play the instance by an agent as a new session of pytest."""
    words = ["--cua-suite=docos", f"--agent={agent}", f"--cua-reports={folder}", "--cua-run=it", "-k", SELECT]
    command = [sys.executable, "-m", "pytest", *PLAIN, "-q", "-n0", *words]
    done = subprocess.run(command, cwd=folder, env=dict(os.environ), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    (attempt,) = Run(folder / "it").attempts()
    return attempt


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of the reference solution."""
    folder = tmp_path_factory.mktemp("reference")
    played(folder, "oracle")
    return folder / "it"


@pytest.fixture(scope="module")
def script(reference: Path) -> dict[str, list[dict[str, Any]]]:
    """Its steps, by phase."""
    (attempt,) = Run(reference).attempts()
    folder = reference / str(attempt.trajectory)
    return {
        phase: [{"actions": step["actions"]} for step in read_steps(folder / phase)]
        for phase in ("search", "")
    }


def test_replay(reference: Path, tmp_path: Path) -> None:
    """A replay repeats both phases."""
    attempt = played(tmp_path, f"replay:{reference}")
    assert (attempt.outcome, attempt.phases[0].outcome) == ("success", "success")


def test_program(script: dict[str, Any], tmp_path: Path) -> None:
    """A program is started for each phase with the phase's name in its briefing, and all its doors are open in each."""
    write = json.dumps(json.dumps(script))
    (tmp_path / "mine.toml").write_text(
        f'adapter = "program"\n[options]\ncommand = ["python3", "play.py"]\ndoor = ["http", "mcp", "vnc", "ssh"]\n'
        f'[options.write]\n"play.py" = {json.dumps(PROGRAM)}\n"script.json" = {write}\n'
    )
    attempt = played(tmp_path, "mine.toml")
    assert (attempt.outcome, attempt.phases[0].outcome) == ("success", "success")


def test_gymnasium(script: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The Gymnasium environment goes from the browser to the desktop, and gives the reward at the end."""
    gym: Any = pytest.importorskip("pytest_cuabench.serving.gym")
    monkeypatch.chdir(tmp_path)
    env = gym.make("docos", select=SELECT, seeds="0", held_out=(), options=PLAIN)
    try:
        _, info = env.reset(options={"index": 0})
        assert info["phase"] == "search"
        for step in script["search"]:
            seen, reward, _, _, info = env.step(json.dumps(step["actions"]))
        assert (reward, info["phase"]) == (0.0, "")
        assert "Geany" in seen["goal"]
        for step in script[""]:
            _, reward, terminated, _, info = env.step(json.dumps(step["actions"]))
        assert (reward, terminated, info["phases"][0]["outcome"]) == (1.0, True, "success")
    finally:
        env.close()
