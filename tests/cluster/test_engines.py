"""Whichever engine plays, the same decisions give the same verdicts, final states and screens."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest
from cluster.elsewhere import other_computer
from cluster.slurm_here import slurm

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.repeats import Agreement, agreements
from pytest_cuabench.reporting.table import played_in

pytestmark = pytest.mark.slow
TASKS = "emergency_triage and (view_queue or record_vitals) and intent or icu_bedside and login"
INSTANCES = 4
CUABENCH = str(Path(sys.executable).with_name("cuabench"))
PLAYER = '''
"""Does what is asked in two of the instances, and in the others something else, the same each time."""
from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.builtin.oracle import OracleAgent
from pytest_cuabench.agents.builtin.random import RandomAgent
from pytest_cuabench.task.action import Terminate


class Either(OracleAgent):
    def __init__(self, profile):
        super().__init__(profile)
        self._other = RandomAgent(profile)

    async def confide(self, instance, case, environment):
        await super().confide(instance, case, environment)
        self._does = "view_queue" in instance.id or "login-intent" in instance.id
        self._left = 6

    async def start(self, briefing):
        await super().start(briefing)
        await self._other.start(briefing)

    async def decide(self, observation):
        if self._does:
            return await super().decide(observation)
        self._left -= 1
        return await self._other.decide(observation) if self._left >= 0 else Decision((Terminate("success"),))
'''
SUITE = ("--cua-suite=medcua", "--agent=either:Either", "-k", TASKS, "-p", "no:cacheprovider")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to play the clinic in."""
    folder = tmp_path_factory.mktemp("engines") / "project"
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    (folder / "either.py").write_text(PLAYER)
    return folder


def play(project: Path, name: str, *options: str) -> Run:
    """Run a session."""
    call(project, "-m", "pytest", f"--cua-run={name}", *SUITE, *options)
    return Run(project / "reports" / name)


def call(project: Path, *command: str) -> str:
    """Run Python there; tasks may fail, but nothing else."""
    done = subprocess.run(
        [sys.executable, *command], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def alone(project: Path) -> Run:
    """What the player did in one process, one instance after the other."""
    return play(project, "alone")


def shards(project: Path) -> Run:
    """Play three shards, as a matrix of GitHub or GitLab does, and merge them."""
    for number in (1, 2, 3):
        play(project, f"shard-{number}", f"--cua-shard={number}/3")
    runs = (f"reports/shard-{number}" for number in (1, 2, 3))
    call(project, CUABENCH, "merge", *runs, "--into", "reports/shards")
    return Run(project / "reports" / "shards")


def at_once(project: Path) -> Run:
    """Play four episodes at once in one process."""
    return play(project, "at-once", "--cua-at-once=4")


def workers(project: Path) -> Run:
    """Play with two workers of xdist."""
    return play(project, "workers", "-n2")


def remote(project: Path) -> Run:
    """Play with a worker of xdist on a computer that does not see the reports."""
    with other_computer(project) as there:
        return play(project, "remote", "--dist=load", f"--tx={there}")


def ray(project: Path) -> Run:
    """Play on a cluster of Ray."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed; type: pip install 'pytest-cuabench[ray]'")
    return play(project, "ray", "--cua-cluster=local", "-n2")


def slurm_array(project: Path) -> Run:
    """Play a job array of Slurm."""
    with slurm() as configuration:
        before = os.environ.get("SLURM_CONF")
        os.environ["SLURM_CONF"] = str(configuration)
        try:
            cluster = (CUABENCH, "cluster")
            plan = ("plan", "slurm", "--engine=slurm", "--shards=3", "--")
            call(project, *cluster, *plan, *SUITE)
            call(project, *cluster, "submit", "slurm")
            _wait_for("squeue", "--noheader")
            call(project, *cluster, "collect", "slurm")
        finally:
            os.environ.pop("SLURM_CONF") if before is None else os.environ.update(SLURM_CONF=before)
    return Run(project / "reports" / "slurm")


def _wait_for(*command: str) -> None:
    for _ in range(1200):
        if not subprocess.run(command, capture_output=True, check=True).stdout.strip():
            return
        time.sleep(0.2)
    raise AssertionError("the queue of Slurm does not become empty")


@pytest.mark.parametrize(
    "engine", [at_once, workers, shards, remote, ray, slurm_array], ids=lambda one: one.__name__
)
def test_same_results(engine: Callable[[Path], Run], alone: Run, project: Path) -> None:
    """An engine's run agrees with that of one process in every verdict, final state and screen."""
    found = list(agreements(played_in([alone, engine(project)])))
    assert sum(each.plays for each in found) == 2 * INSTANCES
    assert not list(_deviating(found))


def _deviating(found: Sequence[Agreement]) -> Iterator[str]:
    for each in found:
        yield from (f"{each.task}: {aspect}: {where}" for aspect, where in each.first.items())
