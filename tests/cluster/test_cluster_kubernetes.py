"""Shards under Kubernetes: manifests by its own schemas, the commands of kubectl, and the container's command."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from drivers.machines_here import plugin_image, require_engine

from pytest_cuabench.commands.cli import main
from pytest_cuabench.commands.clusters.kubernetes import SPOT, Kubernetes, job
from pytest_cuabench.commands.clusters.plan import Plan
from pytest_cuabench.commands.clusters.progress import State, shards_of

Capture = pytest.CaptureFixture[str]
# As much of kubectl as is called: it keeps the jobs that it is given in a file, and says what the test wrote of pods.
KUBECTL = """#!{python}
import json, sys
from pathlib import Path

here = Path({folder!r})
state = here / "jobs.json"
jobs = json.loads(state.read_text()) if state.exists() else []
words = [word for word in sys.argv[1:] if not word.startswith("--namespace")]
with (here / "calls.txt").open("a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
if words[0] == "get":
    pods = here / "pods.json"
    found = jobs if words[1] == "jobs" else json.loads(pods.read_text()) if pods.exists() else []
    print(json.dumps({{"items": found}}))
else:
    base = Path(words[words.index("--kustomize") + 1]) / "job.yaml" if words[0] == "apply" else None
    jobs.append(json.loads(base.read_text() if base else sys.stdin.read()))
    state.write_text(json.dumps(jobs))
"""


def plan(**options: Any) -> Plan:
    """Return a plan of four shards."""
    return Plan(
        "nightly",
        "kubernetes",
        4,
        ("suites/sample", "--agent=oracle"),
        "s3://bucket/nightly",
        "/srv",
        16,
        100,
        (600.0, 600.0, 500.0, 400.0),
        None,
        {"image": "registry.example/agent:1", **options},
    )


OPTIONS = [
    {},
    {"parallel": 2, "secret": "keys", "account": "writer", "namespace": "bench"},
    *({"spot": name} for name in SPOT),
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("version", ["1.31", "1.34"])
def test_manifests_are_valid(options: dict[str, Any], version: str, tmp_path: Path) -> None:
    """Every manifest holds by Kubernetes' own schema, strictly: no field that it would ignore."""
    kubernetes_validate = pytest.importorskip(
        "kubernetes_validate", reason="schemas need more; type: pip install kubernetes-validate"
    )
    for shards in (range(1, 5), [2, 4]):
        kubernetes_validate.validate(job(plan(**options), shards, "nightly"), version, strict=True)
    written = Kubernetes().write(plan(**options), tmp_path)
    assert {file.name for file in written} == {"job.yaml", "kustomization.yaml"}
    assert json.loads(written[1].read_text())["resources"] == ["job.yaml"]


def test_what_a_pod_asks_for() -> None:
    """Requests and the time limit follow from what was measured; the limit of memory leaves room."""
    made = job(plan(), range(1, 5), "nightly")
    container = made["spec"]["template"]["spec"]["containers"][0]
    assert container["resources"] == {
        "requests": {"cpu": "1000m", "memory": "1290Mi"},
        "limits": {"memory": "2580Mi"},
    }
    assert made["spec"]["activeDeadlineSeconds"] == 2 * 600 + 3600
    assert job(plan(parallel=2), range(1, 5), "nightly")["spec"]["activeDeadlineSeconds"] == 2 * (
        2 * 600 + 3600
    )


def test_a_submission_of_some_shards() -> None:
    """A job of some shards says which, so that its pods, counted from 0, play these."""
    made = job(plan(), [2, 4], "nightly-2")
    command = made["spec"]["template"]["spec"]["containers"][0]["command"]
    assert command[:8] == ["cuabench", "cluster", "play", "nightly", "--shards", "4", "--only", "2,4"]
    assert made["spec"]["completions"] == 2


@pytest.fixture
def kubectl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a kubectl that remembers what it was given."""
    program = tmp_path / "bin" / "kubectl"
    program.parent.mkdir()
    program.write_text(KUBECTL.format(python=sys.executable, folder=str(tmp_path)))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def ended(folder: Path, number: int, **status: Any) -> None:
    """Let a job have a status."""
    jobs = json.loads((folder / "jobs.json").read_text())
    jobs[number]["status"] = status
    (folder / "jobs.json").write_text(json.dumps(jobs))


def states(engine: Kubernetes, folder: Path) -> Sequence[State]:
    """Return the state of each shard, none of which has recorded anything."""
    active, known = engine.active(plan(), folder)
    nothing = replace(plan(), reports=f"file://{folder}/store")
    return [shard.state for shard in shards_of(nothing, active, known)]


def test_submitting(kubectl: Path) -> None:
    """The first submission applies the base; lost shards get a job of their own; waiting and running are told apart."""
    engine = Kubernetes()
    engine.write(plan(), kubectl)
    assert states(engine, kubectl) == [State.NEW] * 4
    assert engine.submit(plan(), kubectl, [1, 2, 3, 4]) == "job nightly"
    pod = {
        "metadata": {
            "labels": {"job-name": "nightly"},
            "annotations": {"batch.kubernetes.io/job-completion-index": "2"},
        },
        "status": {"phase": "Running"},
    }
    (kubectl / "pods.json").write_text(json.dumps([pod]))
    assert states(engine, kubectl) == [State.WAITING, State.WAITING, State.RUNNING, State.WAITING]
    ended(kubectl, 0, completedIndexes="0,2", failedIndexes="1")
    assert states(engine, kubectl) == [State.LOST, State.LOST, State.LOST, State.WAITING]
    ended(kubectl, 0, conditions=[{"type": "Failed", "status": "True"}])
    assert states(engine, kubectl) == [State.LOST] * 4
    assert engine.submit(plan(), kubectl, [2, 4]) == "job nightly-2"
    assert states(engine, kubectl) == [State.LOST, State.WAITING, State.LOST, State.WAITING]
    assert "apply --kustomize" in (kubectl / "calls.txt").read_text()


def test_the_command_line(
    sample: pytest.Pytester, kubectl: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planned, submitted, and submitted again: the second time there is nothing to do."""
    pytest.importorskip("s3fs", reason="S3 needs more; type: pip install 'pytest-cuabench[s3]'")
    monkeypatch.setattr("pytest_cuabench.commands.clusters.progress._begun", lambda plan: {})
    rest = ("--", "suites/sample", "--agent=oracle", "--cua-reports=s3://bucket/n", "-p", "no:anyio")
    options = ("--engine=kubernetes", "--shards=2", "--image=x/y:1", "--namespace=bench")
    assert main(["cluster", "plan", "nightly", *options, *rest]) == 0
    assert main(["cluster", "submit", "nightly"]) == 0
    assert "submitted as job nightly: 2 shards, 1-2" in capsys.readouterr().out
    assert main(["cluster", "submit", "nightly"]) == 0
    assert "2 shards: 2 waiting\nnothing to submit" in capsys.readouterr().out
    calls = (kubectl / "calls.txt").read_text().splitlines()
    assert all(call.startswith("--namespace=bench ") for call in calls)
    assert sum("get" not in call for call in calls) == 1


def test_no_kubectl(sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """Without kubectl a plan can be written, and submitting says what is missing."""
    folder = sample.path / "cluster" / "nightly"
    folder.mkdir(parents=True)
    plan().write(folder)
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["cluster", "submit", "nightly"]) == 2
    assert "kubectl is not installed on this computer" in capsys.readouterr().err


@pytest.mark.slow
def test_the_command_in_a_container(
    sample: pytest.Pytester, s3_server: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """The very command of the manifest, in the image of the plugin with a job's index, plays a shard of the clinic.

    A container that is started again for the same index resumes its shard.
    """
    fsspec = pytest.importorskip("fsspec", reason="S3 needs more; type: pip install 'pytest-cuabench[s3]'")
    require_engine()
    variables = {
        "AWS_ENDPOINT_URL": s3_server,
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": "something",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    fsspec.filesystem("s3").mkdir("container")
    rest = (
        "--",
        "--cua-suite=medcua",
        "--agent=oracle",
        "--cua-reports=s3://container/n",
        "-k",
        "swap_beds or handle_bed",
    )
    options = ("--engine=kubernetes", "--shards=2", f"--image={plugin_image('s3')}")
    assert main(["cluster", "plan", "nightly", *options, *rest]) == 0
    manifest = json.loads((sample.path / "cluster/nightly/kubernetes/job.yaml").read_text())
    container = manifest["spec"]["template"]["spec"]["containers"][0]

    program, *arguments = container["command"]  # which replaces the image's entry point under Kubernetes

    def start(index: int) -> str:
        told = [f"--env={name}={value}" for name, value in variables.items()]
        done = subprocess.run(
            [
                *("docker", "run", "--rm", "--network=host", "--shm-size=512m"),
                *(*told, f"--env=JOB_COMPLETION_INDEX={index}"),
                *(f"--entrypoint={program}", container["image"], *arguments),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    assert "shard 1 of 2: --cua-run=nightly-1" in start(0)
    assert "shard 2 of 2: --cua-run=nightly-2" in start(1)
    assert "resuming nightly-1: 2 of 2 instances are finished" in start(0)
    capsys.readouterr()
    assert main(["cluster", "collect", "nightly"]) == 0
    assert "2 runs: 4 instances, 4 attempts" in capsys.readouterr().out
