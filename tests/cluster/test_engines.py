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
# Who does what is asked, and who does something else, the same each time.
PLAYERS = {"oracle": (), "random": ("--cua-max-steps=6",)}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to play the clinic in."""
    folder = tmp_path_factory.mktemp("engines") / "project"
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")
    return folder


def play(project: Path, name: str, player: str, *options: str) -> Run:
    """Run a session."""
    call(project, "-m", "pytest", f"--cua-run={name}", *suite(player), *options)
    return Run(project / "reports" / name)


def suite(player: str) -> Sequence[str]:
    """Return what is played."""
    return "--cua-suite=medcua", f"--agent={player}", "-k", TASKS, *PLAYERS[player], "-p", "no:cacheprovider"


def call(project: Path, *command: str) -> str:
    """Run Python there; tasks may fail, but nothing else."""
    done = subprocess.run(
        [sys.executable, *command], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module", params=PLAYERS)
def alone(project: Path, request: pytest.FixtureRequest) -> tuple[str, Run]:
    """A player, and what it did in one process, one instance after the other."""
    return request.param, play(project, f"alone-{request.param}", request.param)


def shards(project: Path, player: str) -> Run:
    """Play three shards, as a matrix of GitHub or GitLab does, and merge them."""
    for number in (1, 2, 3):
        play(project, f"shard-{player}-{number}", player, f"--cua-shard={number}/3")
    return merged(project, f"shards-{player}", *(f"shard-{player}-{number}" for number in (1, 2, 3)))


def merged(project: Path, name: str, *runs: str) -> Run:
    """Merge runs."""
    call(
        project,
        CUABENCH,
        "merge",
        *(f"reports/{run}" for run in runs),
        "--into",
        f"reports/{name}",
    )
    return Run(project / "reports" / name)


def at_once(project: Path, player: str) -> Run:
    """Play four episodes at once in one process."""
    return play(project, f"at-once-{player}", player, "--cua-at-once=4")


def workers(project: Path, player: str) -> Run:
    """Play with two workers of xdist."""
    return play(project, f"workers-{player}", player, "-n2")


def remote(project: Path, player: str) -> Run:
    """Play with a worker of xdist on a computer that does not see the reports."""
    with other_computer(project) as there:
        return play(project, f"remote-{player}", player, "--dist=load", f"--tx={there}")


def ray(project: Path, player: str) -> Run:
    """Play on a cluster of Ray."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed; type: pip install 'pytest-cuabench[ray]'")
    return play(project, f"ray-{player}", player, "--cua-cluster=local", "-n2")


def slurm_array(project: Path, player: str) -> Run:
    """Play a job array of Slurm."""
    with slurm() as configuration:
        before = os.environ.get("SLURM_CONF")
        os.environ["SLURM_CONF"] = str(configuration)
        try:
            cluster = (CUABENCH, "cluster")
            plan = ("plan", f"slurm-{player}", "--engine=slurm", "--shards=3", "--")
            call(project, *cluster, *plan, *suite(player))
            call(project, *cluster, "submit", f"slurm-{player}")
            _wait_for("squeue", "--noheader")
            call(project, *cluster, "collect", f"slurm-{player}")
        finally:
            os.environ.pop("SLURM_CONF") if before is None else os.environ.update(SLURM_CONF=before)
    return Run(project / "reports" / f"slurm-{player}")


def _wait_for(*command: str) -> None:
    for _ in range(1200):
        if not subprocess.run(command, capture_output=True, check=True).stdout.strip():
            return
        time.sleep(0.2)
    raise AssertionError("the queue of Slurm does not become empty")


@pytest.mark.parametrize(
    "engine", [at_once, workers, shards, remote, ray, slurm_array], ids=lambda one: one.__name__
)
def test_same_results(engine: Callable[[Path, str], Run], alone: tuple[str, Run], project: Path) -> None:
    """An engine's run agrees with that of one process in every verdict, final state and screen."""
    player, run = alone
    found = list(agreements(played_in([run, engine(project, player)])))
    assert sum(each.plays for each in found) == 2 * INSTANCES
    assert not list(_deviating(found))


def _deviating(found: Sequence[Agreement]) -> Iterator[str]:
    for each in found:
        yield from (f"{each.task}: {aspect}: {where}" for aspect, where in each.first.items())
