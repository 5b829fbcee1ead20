"""`cuabench cluster plan`: shards, what they take, and what is refused; and which shard a scheduler means."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_cuabench.commands.cli import main
from pytest_cuabench.commands.cluster import _finish, _number
from pytest_cuabench.commands.clusters.engine import numbers, ranges
from pytest_cuabench.commands.clusters.plan import Plan
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.record import Run

SLURM = ("cluster", "plan", "nightly", "--engine=slurm")
ORACLE = ("--", "suites/sample", "--agent=oracle", "-p", "no:anyio")
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def project(sample: pytest.Pytester) -> Path:
    """A project with the sample suite, as the working directory."""
    return sample.path


@pytest.fixture
def early(sample: pytest.Pytester) -> str:
    """The option of an earlier run, whose durations and costs are known: 100 s and 0.5 dollars for each instance."""
    sample.runpytest_inprocess("suites/sample", "--agent=oracle", "--cua-run=early", "-p", "no:anyio")
    ledger = sample.path / "reports/early/ledger.jsonl"
    lines = []
    for line in map(json.loads, ledger.read_text().splitlines()):
        if line["type"] == "attempt":
            line["seconds"] = dict.fromkeys(line["seconds"], 0.0) | {"total": 100.0}
            line["usage"] |= {"cost": 0.5}
        lines.append(json.dumps(line))
    ledger.write_text("\n".join(lines) + "\n")
    return "--cua-durations=early"


def plan_of(project: Path) -> Plan:
    """Return the plan that was written."""
    return Plan.read(project / "cluster/nightly")


def test_what_a_plan_says(project: Path, early: str, capsys: Capture) -> None:
    """A plan tells instances, machines, time and money before anything is submitted."""
    assert main([*SLURM, "--shards=3", "--parallel=2", "--node-price=3.6", *ORACLE, early]) == 0
    said = capsys.readouterr().out
    assert "nightly: 6 instances in 3 shards, 1 at once; each shard needs 1 CPU and 784 MiB" in said
    assert "time: 9 min until the last of 3 shards, the longest takes 4 min; 13 min of machines" in said
    assert "cost: models $3.00, machines $0.78; by the records of an earlier run" in said
    assert "to submit it: cuabench cluster submit nightly" in said


def test_shards_that_take_so_long(project: Path, early: str) -> None:
    """`--minutes` makes as many shards as are needed for that, with the start of each machine."""
    assert main([*SLURM, "--minutes=5", *ORACLE, early]) == 0
    assert plan_of(project).shards == 3  # 600 s of episodes, 240 s beside the start
    assert max(plan_of(project).seconds or ()) == 260.0


def test_episodes_at_once(project: Path, early: str) -> None:
    """Several episodes at once take less time, and a larger machine; no less than the longest episode."""
    assert main([*SLURM, "--shards=1", *ORACLE, early, "--cua-at-once=90"]) == 0
    plan = plan_of(project)
    assert plan.seconds == (160.0,)
    assert (plan.cores, plan.mebibytes) == (2.0, 3788)


def test_without_an_earlier_run(project: Path, capsys: Capture) -> None:
    """Without durations a plan says that time and cost are unknown, and how they become known."""
    assert main([*SLURM, "--shards=2", *ORACLE]) == 0
    assert "time and cost are unknown; add --cua-durations=RUN" in capsys.readouterr().out
    assert plan_of(project).limit is None


@pytest.mark.parametrize(
    ("options", "arguments", "sentence"),
    [
        ((), ORACLE, "add --shards=N, or --minutes=M"),
        (("--minutes=5",), ORACLE, "--minutes needs durations; add --cua-durations=RUN"),
        (("--shards=7",), ORACLE, "7 shards do not fit 6 instances; use 1 to 6"),
        (("--shards=0",), ORACLE, "0 shards do not fit"),
        (("--shards=2",), (*ORACLE, "--cua-run=x"), "--cua-run cannot be used in a cluster run; remove it"),
        (("--shards=2",), (*ORACLE, "--cua-shard=1/2"), "--cua-shard cannot be used in a cluster run"),
        (("--shards=2",), (*ORACLE, "-k", "nothing"), "these arguments select no instances"),
        (("--shards=2",), ("--", "suites/nowhere", "--agent=oracle"), "pytest cannot collect this: ERROR: file or"),
        (("--shards=2",), ("--", "suites/sample"), "the agent is missing; add --agent=NAME after --"),
        (("--shards=2", "--engine=kubernetes"), ORACLE, "pods share no disk; add --cua-reports=URL"),
    ],
)  # fmt: skip
def test_plans_that_are_refused(
    project: Path,
    capsys: Capture,
    options: tuple[str, ...],
    arguments: tuple[str, ...],
    sentence: str,
) -> None:
    """What cannot be played in shards is refused in one sentence, and no plan is left."""
    assert main([*SLURM, *options, *arguments]) == 2
    assert sentence in capsys.readouterr().err
    assert not (project / "cluster/nightly/plan.json").exists()


@pytest.mark.parametrize("name", ["Nightly", "../x", "a b", "x-", "", "x" * 43])
def test_names(project: Path, capsys: Capture, name: str) -> None:
    """A name that a scheduler or a folder would not take is refused."""
    assert main(["cluster", "plan", name, "--engine=slurm", "--shards=2", *ORACLE]) == 2
    assert "of a cluster run; use up to 40" in capsys.readouterr().err
    assert not (project / "cluster").exists()


def test_without_a_plan(project: Path, capsys: Capture) -> None:
    """A run that was not planned cannot be submitted; the sentence says what to type."""
    assert main(["cluster", "submit", "other"]) == 2
    assert "no plan in" in (said := capsys.readouterr().err)
    assert "type: cuabench cluster plan other ..." in said


def test_arguments_of_other_commands(capsys: Capture) -> None:
    """Commands that start no other program take nothing behind `--`."""
    with pytest.raises(SystemExit):
        main(["merge", "a", "--into", "b", "--", "c"])
    assert "unrecognized arguments: -- c" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("variables", "only", "shard"),
    [
        ({"SLURM_ARRAY_TASK_ID": "3"}, None, 3),
        ({"JOB_COMPLETION_INDEX": "0"}, None, 1),
        ({"JOB_COMPLETION_INDEX": "1"}, [2, 4], 4),
    ],
)
def test_which_shard(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], only: list[int] | None, shard: int
) -> None:
    """Slurm's task number is the shard; Kubernetes counts the shards of a job from 0."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert _number(SimpleNamespace(shards=4, only=only)) == shard  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({}, "neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set"),
        ({"SLURM_ARRAY_TASK_ID": "9"}, "there is no shard 9 of 4"),
        ({"JOB_COMPLETION_INDEX": "4"}, "this job has 4 shards"),
    ],
)
def test_no_shard(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], sentence: str) -> None:
    """A number that belongs to no shard is refused; nothing is played twice by mistake."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingError, match=re.escape(sentence)):
        _number(SimpleNamespace(shards=4, only=None))  # type: ignore[arg-type]


def test_lists_of_shards() -> None:
    """Numbers are written as Slurm and Kubernetes write them, and read again."""
    assert ranges([3, 1, 2, 7]) == "1-3,7"
    assert numbers("1-3,7") == [1, 2, 3, 7]
    assert numbers("") == []


def test_when_the_last_shard_ends() -> None:
    """Shards wait for a place: with two at a time the third begins when the first ends."""
    assert _finish([3.0, 2.0, 2.0], 3) == 3.0
    assert _finish([3.0, 2.0, 2.0], 2) == 4.0
    assert _finish([3.0, 2.0, 2.0], 1) == 7.0


def test_a_shard_is_begun_then_resumed(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """The command that a scheduler starts plays its shard, signs it by the key, and resumes it the next time."""
    command = ["cluster", "play", "nightly", "--shards=2", "--reports=reports", *ORACLE]
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)  # this process keeps its own
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "2")
    for words in ("--cua-run=nightly-2", "resuming nightly-2: 3 of 3 instances are finished"):
        monkeypatch.setenv("CUABENCH_LEDGER_KEY", "k" * 32)
        assert main(command) == 0
        assert words in capsys.readouterr().out
        assert "CUABENCH_LEDGER_KEY" not in os.environ
    records = list(Run(project / "reports/nightly-2").records())
    assert sum(record["type"] == "attempt" for record in records) == 3
    assert all("signed" in record for record in records)
