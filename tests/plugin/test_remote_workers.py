"""Workers of pytest-xdist on another computer: here a socket server that does not see the reports of this one."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cluster.elsewhere import other_computer

from pytest_cuabench.collection.shipping import Receiving
from pytest_cuabench.errors import RecordFailure
from pytest_cuabench.ledger.record import Run

OTHERS = ("-p", "no:anyio", "-p", "no:hypothesispytest")
Remote = Callable[..., pytest.RunResult]


@pytest.fixture
def elsewhere(sample: pytest.Pytester) -> Iterator[str]:
    """The `--tx` of a Python with a copy of the project, which sees an empty folder in place of the reports."""
    (sample.path / "pytest.ini").write_text("[pytest]\ntestpaths = suites/sample\n")
    (sample.path / "tox.ini").unlink(missing_ok=True)
    with other_computer(sample.path) as there:
        yield there


@pytest.fixture
def play_there(sample: pytest.Pytester, elsewhere: str) -> Remote:
    """Play the sample suite on the other computer."""

    def run(*options: str, name: str = "--cua-run=one") -> pytest.RunResult:
        return sample.runpytest_subprocess(*OTHERS, "--dist=load", f"--tx={elsewhere}", name, *options)

    return run


def recorded(sample: pytest.Pytester) -> Run:
    """Return the run on this computer."""
    return Run(sample.path / "reports" / "one")


@pytest.mark.parametrize("at_once", ["1", "4"])
def test_records_come_back(play_there: Remote, sample: pytest.Pytester, at_once: str) -> None:
    """What a worker elsewhere plays is in the run here as if it had been played here: ledger, pictures, report."""
    done = play_there("--agent=oracle", f"--cua-at-once={at_once}")
    done.assert_outcomes(passed=6)
    run = recorded(sample)
    attempts = list(run.attempts())
    assert len(attempts) == 6
    for attempt in attempts:
        assert attempt.trajectory is not None
        names = {file.name for file in (run.folder / attempt.trajectory).iterdir()}
        assert {"steps.jsonl", "case.json", "before.json", "after.json", "final.png"} <= names
    assert next(record["type"] for record in run.records()) == "plan"
    assert (run.folder / "report.html").is_file()
    assert not list(Path(os.environ.get("TMPDIR", "/tmp")).glob("cuabench-worker-*/trajectories"))


def test_failures_name_files_here(play_there: Remote, sample: pytest.Pytester) -> None:
    """The words of a failure name the picture in the run on this computer."""
    done = play_there("--agent=noop", "-k", "note-step")
    done.assert_outcomes(failed=1)
    attempt = next(recorded(sample).attempts())
    assert attempt.screenshot is not None
    done.stdout.fnmatch_lines([f"*last seen*reports/one/{attempt.screenshot}"])


def test_resuming_with_a_worker_elsewhere(play_there: Remote, sample: pytest.Pytester) -> None:
    """The worker is told what was finished, and does not play it again."""
    play_there("--agent=oracle", "-k", "note").assert_outcomes(passed=2)
    done = play_there("--agent=oracle", name="--cua-resume=one")
    done.assert_outcomes(passed=6)
    done.stdout.fnmatch_lines(["*resuming one: 2 of 6 instances are finished*"])
    assert len(list(recorded(sample).attempts())) == 6


def test_settings_of_the_environment_go_along(
    play_there: Remote, sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker elsewhere plays by this computer's environment variables, which its own does not have."""
    monkeypatch.setenv("CUABENCH_AGENT", "oracle")
    monkeypatch.setenv("CUABENCH_SEEDS", "0-1")
    play_there("-k", "note").assert_outcomes(passed=4)
    assert len(list(recorded(sample).attempts())) == 4


def test_signed_here(play_there: Remote, sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines of a worker elsewhere are signed on this computer, which the key never leaves."""
    from pytest_cuabench.ledger.signing import Key, admit

    monkeypatch.setenv("CUABENCH_LEDGER_KEY", "k" * 32)
    play_there("--agent=oracle").assert_outcomes(passed=6)
    run = recorded(sample)
    assert {record["signed"]["by"].rpartition(".")[2] for record in run.records()} == {"main"}
    assert admit(run.folder, Key("k" * 32), "test") is True


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (
            "--cua-max-cost=5",
            "*which the spending limit of --cua-max-cost needs; leave it out, or play shards there*",
        ),
        ("--cua-durations=two", "*nor the run of --cua-durations; give that run's URL*--cua-shard*"),
    ],
)
def test_what_needs_a_shared_folder(
    play_there: Remote, sample: pytest.Pytester, option: str, sentence: str
) -> None:
    """A run that needs its folder on every computer is refused in one sentence, before anything is played."""
    if "durations" in option:
        sample.runpytest_inprocess(*OTHERS, "--agent=oracle", "--cua-run=two")
    done = play_there("--agent=oracle", "--cua-shard=1/1", option)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines([f"ERROR: --tx *that computer does not share {sentence}"])
    assert "INTERNALERROR" not in done.stdout.str() + done.stderr.str()


def test_a_worker_here_shares_the_folder(sample: pytest.Pytester) -> None:
    """A worker that was started by another Python of this computer writes into the run itself."""
    (sample.path / "pytest.ini").write_text("[pytest]\ntestpaths = suites/sample\n")
    tx = f"--tx=popen//python={sys.executable}//chdir={sample.path}"
    done = sample.runpytest_subprocess(*OTHERS, "--dist=load", tx, "--agent=oracle", "--cua-run=one")
    done.assert_outcomes(passed=6)
    assert len(list(recorded(sample).attempts())) == 6


@pytest.mark.parametrize("name", ["../out.png", "/etc/out.png", "run.json", "trajectories/../../out.png"])
def test_files_that_are_no_part_of_a_run(pytestconfig: Any, tmp_path: Path, name: str) -> None:
    """A worker cannot write outside of the run's trajectories."""
    receiving = Receiving(pytestconfig, Run(tmp_path / "run"))
    with pytest.raises(RecordFailure, match="no part of a run"):
        receiving._write("gw0", {"lines": b"", "files": {name: b"x"}})


def test_a_trajectory_that_is_taken(pytestconfig: Any, tmp_path: Path) -> None:
    """Where a worker that died has left a folder, the next one's attempt gets another, and its record says which."""
    run = Run(tmp_path / "run")
    left = run.folder / "trajectories/desk/note-step/1"
    left.mkdir(parents=True)
    place = "trajectories/desk/note-step/1"
    lines = f'{{"type":"other","trajectory":"{place}","screenshot":"{place}/final.png"}}\n'.encode()
    Receiving(pytestconfig, run)._write("gw1", {"lines": lines, "files": {f"{place}/final.png": b"x"}})
    assert list(run.records()) == [
        {"type": "other", "trajectory": f"{place}-2", "screenshot": f"{place}-2/final.png"}
    ]
    assert (run.folder / f"{place}-2/final.png").read_bytes() == b"x"
    assert not list(left.iterdir())
