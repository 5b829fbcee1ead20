"""`cuabench floors`: agents that know nothing play, a file for gates is written, and a table is printed."""

from __future__ import annotations

import json

import pytest

from pytest_cuabench.commands.cli import main

pytestmark = pytest.mark.slow
AGENTS = "--agents=noop,answer-spam"


def test_floors_are_played_once(sample: pytest.Pytester, capfd: pytest.CaptureFixture[str]) -> None:
    """Each agent has a run and a line; typed again, nothing is played or written twice."""
    for _ in range(2):
        assert main(["floors", str(sample.path), AGENTS, "--options", "-k note -p no:cacheprovider"]) == 0
    said = capfd.readouterr().out
    assert "sample  noop" in said
    assert "for gates, as [floor] file = 'cuabench-floors.jsonl'" in said
    lines = [json.loads(line) for line in (sample.path / "cuabench-floors.jsonl").read_text().splitlines()]
    assert [(line["agent"], line["run"], len(line["instances"])) for line in lines] == [
        ("noop", "floors-noop", 2),
        ("answer-spam", "floors-answer-spam", 2),
    ]


def test_a_run_that_cannot_be_played(sample: pytest.Pytester, capfd: pytest.CaptureFixture[str]) -> None:
    """An unknown agent is one sentence of pytest's, and one that says how to go on."""
    assert main(["floors", str(sample.path), "--agents=nobody"]) == 1
    said = capfd.readouterr()
    assert "nobody" in said.out + said.err
    assert "cuabench floors: pytest ended with exit code 4 for nobody; fix the error above" in said.err
