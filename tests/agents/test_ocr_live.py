"""The reading agent in a real Chromium, through the plugin, as a user types it."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from pytest_cuabench.ledger.record import Run

AGENT = "pytest_cuabench.agents.builtin.ocr:OcrAgent"


@pytest.mark.skipif(find_spec("rapidocr_onnxruntime") is None, reason="needs the extra ocr")
@pytest.mark.slow
def test_the_agent_signs_in_by_reading_the_screen(tmp_path: Path) -> None:
    """From screenshots alone the agent signs in at a workstation; its record holds what it did, and no key."""
    options = [
        "--cua-suite=medcua",
        f"--agent={AGENT}",
        "-k=emergency_triage and login-step",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options], cwd=tmp_path, capture_output=True, text=True
    )

    assert "1 passed" in done.stdout, done.stdout + done.stderr
    (ledger,) = tmp_path.glob("reports/*/ledger.jsonl")
    (attempt,) = Run(ledger.parent).attempts()
    assert attempt.outcome == "success"
    assert attempt.steps == 4
    (steps,) = ledger.parent.glob("trajectories/*/*/1/steps.jsonl")
    thoughts = [json.loads(line)["thought"] for line in steps.read_text().splitlines()]
    assert thoughts == ["Fill in “User ID”", "Fill in “Password”", "Press “Sign in”", "Done."]
