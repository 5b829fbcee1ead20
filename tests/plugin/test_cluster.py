"""Sessions on a Ray cluster: the same outcomes as on one computer, and a lost node takes only what it was playing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import psutil
import pytest

from pytest_cuabench.collection.ray_workers import Cluster
from pytest_cuabench.errors import SettingError
from pytest_cuabench.settings import SETTINGS

OTHERS = ("-p", "no:anyio", "-p", "no:hypothesispytest")
MIXED = {"note_step": "x", "count_step": "=5", "both_intent": "idle", "both_step": "f =2"}


@pytest.fixture
def ray() -> Any:
    """Ray, where it is installed."""
    return pytest.importorskip("ray", reason="Ray is not installed; type: pip install 'pytest-cuabench[ray]'")


@pytest.fixture
def nodes(ray: Any) -> Iterator[Any]:
    """A cluster of several nodes on this computer; the first one has no CPU to play on."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    yield cluster
    cluster.shutdown()


@pytest.fixture
def play_on(sample: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run the sample suite in a process of its own."""

    def run(*options: str) -> pytest.RunResult:
        return sample.runpytest_subprocess(*OTHERS, "suites/sample", *options)

    return run


@pytest.mark.slow
def test_same_outcomes(ray: Any, players: Any, play_on: Any, outcomes: Any) -> None:
    """On a cluster each instance ends as it does on one computer, in one run."""
    result = play_on(players("n =2", **MIXED), "--cua-cluster=local", "-n2")
    result.assert_outcomes(passed=3, failed=2, errors=1)
    assert outcomes() == {
        "desk/note-intent": ["success"],
        "desk/note-step": ["violation"],
        "desk/count-intent": ["success"],
        "desk/count-step": ["failure"],
        "desk/both-intent": ["environment_error"] * 3,
        "desk/both-step": ["environment_error", "success"],
    }


def test_a_worker_that_dies_while_it_starts(ray: Any) -> None:
    """It is one sentence with what Ray said, not an internal error of pytest."""
    lost = ray.exceptions.RaySystemError("the node ran out of memory")
    library = MagicMock(exceptions=ray.exceptions, **{"get.side_effect": lost})
    cluster = Cluster.__new__(Cluster)
    cluster._source, cluster._actors, cluster._number, cluster._ray = "--cua-cluster", {}, 0, library
    with pytest.raises(SettingError, match=r"^--cua-cluster: worker 1 did not start: .*memory"):
        cluster._started()


@pytest.mark.slow
def test_a_lost_node(nodes: Any, players: Any, sample: pytest.Pytester, played: Any) -> None:
    """A node that is killed loses the instance it was playing; the rest is played, and a resumed run plays that too."""
    two = [nodes.add_node(num_cpus=1), nodes.add_node(num_cpus=1)]
    nodes.wait_for_nodes()
    agent = players("n =2", count_intent="wait")
    command = [sys.executable, "-m", "pytest", *OTHERS, "suites/sample", agent, "-n2", "--cua-run=mine"]
    cluster = f"--cua-cluster={nodes.address}"
    with subprocess.Popen([*command, cluster], cwd=sample.path, env=os.environ) as session:
        try:
            nodes.remove_node(_node_of(_waiting(sample.path), two), allow_graceful=False)
            session.wait(timeout=200)
        finally:
            session.kill()
    (lost,) = played()["desk/count-intent"]
    assert (lost.outcome, lost.error) == ("environment_error", "its worker process died")
    assert {name for name, tries in played().items() if tries[-1].outcome == "success"} == {
        f"desk/{name}" for name in ("note-intent", "note-step", "count-step", "both-intent", "both-step")
    }
    players("n =2")
    resumed = subprocess.run(
        [*command[:-1], "--cua-resume=mine"], cwd=sample.path, capture_output=True, check=False
    )
    assert resumed.returncode == 0, resumed.stdout
    assert played()["desk/count-intent"][-1].outcome == "success"


def _waiting(folder: Path) -> int:
    """Return the process of the worker whose agent waits."""
    deadline = time.monotonic() + 150
    while time.monotonic() < deadline:
        for file in folder.glob("waiting-*"):
            return int(file.name.split("-")[1])
        time.sleep(0.2)
    raise AssertionError("no agent waits")


def _node_of(worker: int, nodes: list[Any]) -> Any:
    """Return the node that a worker runs on."""
    above = {each.pid for each in psutil.Process(worker).parents()}
    return next(node for node in nodes if node.all_processes["raylet"][0].process.pid in above)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--cua-cluster=local",), "--cua-cluster starts as many workers as -n says; add -n 4, and no --tx"),
        (
            ("--cua-cluster=nowhere", "-n2"),
            "invalid value for --cua-cluster: 'nowhere'; expected local, auto",
        ),
    ],
)
def test_mistakes(options: tuple[str, ...], sentence: str, sample: pytest.Pytester) -> None:
    """What cannot be is one sentence before anything is played."""
    result = sample.runpytest_inprocess(*OTHERS, "suites/sample", "--agent=noop", *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{sentence.replace('[', '[[]')}*"])


@pytest.mark.parametrize("text", ["local", "auto", "ray://head:10001", "10.0.0.7:6379"])
def test_places(text: str) -> None:
    """A cluster is this computer, the one it belongs to, or another one's address."""
    read = next(setting.read for setting in SETTINGS if setting.name == "cluster")
    assert read(text) == text
    with pytest.raises(ValueError, match="local, auto"):
        read(f"{text}/x y")
