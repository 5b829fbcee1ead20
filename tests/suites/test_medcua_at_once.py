"""Real workstations played at once: the same results as one at a time, also when what they share is killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.library import SUITES

pytestmark = pytest.mark.slow
SELECTED = "icu_central"  # pages that move by themselves


KILLER = '''
"""The oracle, which kills what all episodes share before its fifth step, once."""
import os
import signal
from pathlib import Path

from pytest_cuabench.agents.builtin.oracle import OracleAgent


class Killer(OracleAgent):
    steps = 0

    async def confide(self, instance, case, environment):
        self.environment = environment
        await super().confide(instance, case, environment)

    async def decide(self, observation):
        Killer.steps += 1
        if Killer.steps == 12:
            session = self.environment._world
            pids = {"browser": self.environment._browser.pid, "world": session.world.pid}
            pid = pids[os.environ["KILLED"]]
            os.kill(pid, signal.SIGKILL)
        return await super().decide(observation)
'''


def play(folder: Path, *how: str) -> list[Attempt]:
    """Play some of the tasks and return the attempts."""
    try:
        find_chromium(None)
    except SettingError as error:
        pytest.skip(str(error))
    command = [
        *(sys.executable, "-m", "pytest", str(SUITES / "medcua"), "-q", "-p", "no:cacheprovider"),
        *(f"--rootdir={folder}", "--cua-reports=reports", "--cua-run=this", *how),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    return list(Run(folder / "reports" / "this").attempts())


def results(folder: Path, *how: str) -> dict[str, Any]:
    """Return what the verdicts of an audit are made of."""
    folder.mkdir()
    selected = f"({SELECTED}) and (reference-s0 or noop)"
    return {
        attempt.instance: (
            *(attempt.number, attempt.outcome, attempt.verdict, attempt.goal, attempt.answer),
            *(
                attempt.steps,
                attempt.counts.actions,
                attempt.end.commits,
                attempt.end.cut,
                attempt.end.head_start,
            ),
        )
        for attempt in play(folder, "--cua-audit-quick", "-k", selected, *how)
    }


def test_results_do_not_depend_on_what_is_played_beside(tmp_path: Path) -> None:
    """One at a time, and sixteen at once in one browser: each claim ends the same way, with the same steps."""
    one = results(tmp_path / "one", "-n2")
    many = results(tmp_path / "many", "--cua-at-once=16")
    assert len(one) > 10
    assert many == one


@pytest.mark.parametrize("killed", ["browser", "world"])
def test_a_crash_costs_retries_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed: str) -> None:
    """When the shared browser or world program dies, all of its episodes are retried, and nobody has failed."""
    (tmp_path / "killer.py").write_text(KILLER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("KILLED", killed)
    attempts = play(
        tmp_path, "--agent=killer:Killer", "--cua-at-once=6", "-k", "icu_central and easy and intent"
    )
    outcomes: dict[str, list[str]] = {}
    for attempt in attempts:
        outcomes.setdefault(attempt.instance, []).append(attempt.outcome)
    assert {each[-1] for each in outcomes.values()} == {"success"}
    broken = [each for each in outcomes.values() if each[0] == "environment_error"]
    assert len(broken) > 1
