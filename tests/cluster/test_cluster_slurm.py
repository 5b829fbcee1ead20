"""Shards under a real Slurm: submitted once, lost ones named and played again, and the same results in the end."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cluster.slurm_here import slurm

from pytest_cuabench.commands.cli import main
from pytest_cuabench.commands.clusters.slurm import script
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.record import Run

pytestmark = pytest.mark.slow
Capture = pytest.CaptureFixture[str]
# Plays as the reference solution would, but waits at one task for as long as there is a file named `wait`.
PLAYER = """
import asyncio
from pathlib import Path
from pytest_cuabench.task.action import Key, Terminate
from pytest_cuabench.testing import ScriptedAgent
from pytest_cuabench.agents.base import Decision

class Player(ScriptedAgent):
    def __init__(self):
        super().__init__(())

    async def start(self, briefing):
        self.goal = briefing.goal

    async def decide(self, observation):
        if "Note that" in self.goal:
            Path("playing").touch()
            while Path("wait").exists():
                await asyncio.sleep(0.1)
        return Decision((Key(("n",)), Terminate("success")))
"""


@pytest.fixture(scope="module")
def configuration() -> Iterator[Path]:
    """The configuration of a Slurm on this computer."""
    with slurm() as file:
        yield file


@pytest.fixture
def planned(
    sample: pytest.Pytester, configuration: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> Iterator[Path]:
    """A project with a plan of three shards; what it leaves in the queue is taken out."""
    monkeypatch.setenv("SLURM_CONF", str(configuration))
    monkeypatch.setenv("PYTHONPATH", f"{sample.path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    (sample.path / "the_player.py").write_text(PLAYER)
    monkeypatch.syspath_prepend(str(sample.path))
    options = ("--", "suites/sample", "--agent=the_player:Player", "-p", "no:anyio")
    assert main(["cluster", "plan", "nightly", "--engine=slurm", "--shards=3", *options]) == 0
    capsys.readouterr()
    yield sample.path
    subprocess.run(["scancel", "--name=cuabench-nightly", "--signal=KILL"], check=False)
    subprocess.run(["scancel", "--name=cuabench-nightly"], check=False)
    _until(lambda: not _queue())


def _queue() -> str:
    found = subprocess.run(["squeue", "--noheader"], capture_output=True, text=True, check=True)
    return found.stdout.strip()


def _until(there: Callable[[], object]) -> None:
    for _ in range(1200):
        if there():
            return
        time.sleep(0.1)
    raise AssertionError(f"waited in vain; the queue is {_queue()!r}")


def submit(capsys: Capture) -> str:
    """Submit what is due, and return what is said."""
    assert main(["cluster", "submit", "nightly"]) == 0
    return capsys.readouterr().out


def test_from_plan_to_report(planned: Path, capsys: Capture) -> None:
    """All shards are played and merged; submitting again while they run, or afterwards, submits nothing."""
    assert "submitted as job" in submit(capsys)
    assert "nothing to submit" in submit(capsys)
    _until(lambda: not _queue())
    assert main(["cluster", "status", "nightly"]) == 0
    assert "3 shards: 3 finished" in capsys.readouterr().out
    assert "nothing to submit" in submit(capsys)
    assert main(["cluster", "collect", "nightly"]) == 0
    assert "3 runs: 6 instances, 6 attempts" in capsys.readouterr().out
    merged = Run(planned / "reports/nightly")
    outcomes = {attempt.instance: attempt.outcome for attempt in merged.attempts()}
    assert len(outcomes) == 6
    assert outcomes["desk/note-step"] == "success"
    assert (merged.folder / "report.html").is_file()


def test_a_shard_that_is_killed(planned: Path, capsys: Capture) -> None:
    """A shard whose node dies is named, and only it is submitted again; what it had finished is not played twice."""
    (planned / "wait").touch()
    submit(capsys)
    _until((planned / "playing").exists)
    _until(lambda: len(_queue().splitlines()) == 1)
    subprocess.run(["scancel", "--name=cuabench-nightly", "--signal=KILL", "--full"], check=True)
    subprocess.run(["scancel", "--name=cuabench-nightly"], check=True)
    _until(lambda: not _queue())
    assert main(["cluster", "status", "nightly"]) == 1
    said = capsys.readouterr().out
    assert "3 shards: 2 finished, 1 lost" in said
    assert main(["cluster", "collect", "nightly", "--into", "partly"]) == 1
    assert "not finished: 1 shard" in capsys.readouterr().out
    before = {
        run.name: len(list(run.attempts())) for run in map(Run, (planned / "reports").glob("nightly-*"))
    }
    (planned / "wait").unlink()
    assert ": 1 shard, " in submit(capsys)
    _until(lambda: not _queue())
    assert main(["cluster", "collect", "nightly"]) == 0
    assert "6 instances" in capsys.readouterr().out
    after = {run.name: len(list(run.attempts())) for run in map(Run, (planned / "reports").glob("nightly-*"))}
    assert sum(after[name] > count for name, count in before.items()) == 1
    logs = sorted((planned / "cluster/nightly/logs").glob("*.txt"))
    assert sum("--cua-resume=nightly-" in file.read_text() for file in logs) == 1


def test_a_shard_that_is_told_to_end(planned: Path, capsys: Capture) -> None:
    """A preempted shard records what is in progress as cancelled, and goes on from there."""
    (planned / "wait").touch()
    submit(capsys)
    _until((planned / "playing").exists)
    _until(lambda: len(_queue().splitlines()) == 1)
    subprocess.run(["scancel", "--name=cuabench-nightly", "--batch", "--signal=TERM"], check=True)
    _until(lambda: not _queue())
    lines = [
        json.loads(line)
        for file in (planned / "reports").glob("nightly-*/ledger.jsonl")
        for line in file.read_text().splitlines()
    ]
    assert [line["instance"] for line in lines if line.get("outcome") == "cancelled"] == ["desk/note-intent"]
    (planned / "wait").unlink()
    submit(capsys)
    _until(lambda: not _queue())
    assert main(["cluster", "status", "nightly"]) == 0


def test_folders_that_slurm_would_misread(planned: Path) -> None:
    """Slurm reads % in the name of an output file as a pattern, so such a folder is refused."""
    from pytest_cuabench.commands.clusters.plan import Plan

    plan = Plan.read(planned / "cluster/nightly")
    with pytest.raises(SettingError, match="characters that Slurm reads as patterns"):
        script(plan, planned / "50%")
