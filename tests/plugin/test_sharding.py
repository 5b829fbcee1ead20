"""`--cua-shard`: machines that collect the same instances play each of them once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_cuabench.commands.cli import main
from pytest_cuabench.ledger.attempt import Seconds
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.plan import PLAN
from pytest_cuabench.ledger.record import Run

Play = Callable[..., pytest.RunResult]


def instances(sample: pytest.Pytester, name: str) -> list[str]:
    """Return what was played in a run."""
    return sorted(Run(sample.path / "reports" / name).last_attempts())


def test_shards_are_the_whole(play: Play, sample: pytest.Pytester) -> None:
    """The parts are disjoint and together everything; merged they are one run."""
    for number in (1, 2, 3):
        result = play(
            "--agent=oracle", f"--cua-shard={number}/3", f"--cua-run=part{number}", "--cua-seeds=0-1"
        )
        result.assert_outcomes(passed=4, deselected=8)
    parts = [instances(sample, f"part{number}") for number in (1, 2, 3)]
    assert len({name for part in parts for name in part}) == 12


@pytest.mark.parametrize("shard", ["1/2", "7/7"])
def test_workers_of_a_shard_plan_once(play: Play, sample: pytest.Pytester, shard: str) -> None:
    """With xdist a shard has one plan, also where nothing is left for it; a gate counts plans as sessions."""
    play("--agent=oracle", f"--cua-shard={shard}", "--cua-run=part", "-n1")
    run = Run(sample.path / "reports" / "part")
    (plan,) = run.records(PLAN)
    assert sorted(one["instance"] for one in plan["instances"]) == instances(sample, "part")


def test_what_k_leaves_is_split(play: Play, sample: pytest.Pytester) -> None:
    """`-k` chooses first, then the machines share what is left; other tests stay on each of them."""
    (sample.path / "suites" / "sample" / "test_own.py").write_text("def test_note():\n    pass\n")
    play("--agent=oracle", "--cua-shard=1/2", "--cua-run=one", "-k", "note").assert_outcomes(
        passed=2, deselected=5
    )
    play("--agent=oracle", "--cua-shard=2/2", "--cua-run=two", "-k", "note").assert_outcomes(
        passed=2, deselected=5
    )
    assert instances(sample, "one") == ["desk/note-intent"]
    assert instances(sample, "two") == ["desk/note-step"]


def test_recorded_times_balance(play: Play, sample: pytest.Pytester) -> None:
    """With a recorded run one long instance is worth the five others."""
    play("--agent=oracle", "--cua-run=before")
    run = Run(sample.path / "reports" / "before")
    attempts = list(run.attempts())
    (run.folder / LEDGER).unlink()
    for attempt in attempts:
        run.append(
            attempt.with_values(seconds=Seconds(total=60.0 if attempt.instance == "desk/both-step" else 5.0))
        )
    options = ("--agent=oracle", "--cua-durations=before")
    play(*options, "--cua-shard=1/2", "--cua-run=one").assert_outcomes(passed=1, deselected=5)
    play(*options, "--cua-shard=2/2", "--cua-run=two").assert_outcomes(passed=5, deselected=1)
    assert instances(sample, "one") == ["desk/both-step"]


def test_more_machines_than_instances(play: Play) -> None:
    """A machine for which nothing is left has not failed; a choice that chose nothing has, as ever."""
    options = ("--agent=oracle", "--cua-shard=3/3")
    assert play(*options, "-k", "note").ret == pytest.ExitCode.OK
    assert play(*options, "-k", "nothing").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_an_empty_shard_is_merged(
    play: Play, sample: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    """A machine for which nothing was left is not missing from the merged run."""
    for number in (1, 2, 3):
        play("--agent=oracle", f"--cua-shard={number}/3", f"--cua-run=part{number}", "-k", "note")
    parts = [str(sample.path / "reports" / f"part{number}") for number in (1, 2, 3)]
    capsys.readouterr()
    assert main(["merge", *parts, "--into", str(sample.path / "all")]) == 0
    assert "missing: " not in capsys.readouterr().out


def test_a_dry_run_of_a_shard(play: Play) -> None:
    """A dry run tells what this machine would play."""
    play("--agent=oracle", "--cua-shard=1/2", "--cua-dry-run").stdout.fnmatch_lines(
        ["instances   3 with budgets *"]
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ("--cua-shard=3/2",),
            "ERROR: invalid value for --cua-shard: '3/2'; expected a shard and the number of shards*",
        ),
        (
            ("--cua-shard=0/2",),
            "ERROR: invalid value for --cua-shard: '0/2'; expected a shard and the number of shards*",
        ),
        (
            ("--cua-shard=half",),
            "ERROR: invalid value for --cua-shard: 'half'; expected a shard *, such as 2/4",
        ),
        (
            ("--cua-shard=1/2", "--cua-durations=x"),
            "ERROR: --cua-durations: no run named 'x'; *",
        ),
    ],
)
def test_mistakes(play: Play, options: tuple[str, ...], sentence: str) -> None:
    """A wrong part or a run that is none is one sentence, and nothing is played."""
    result = play("--agent=oracle", *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([sentence])


@pytest.mark.slow
def test_shards_on_workers(sample: pytest.Pytester, players: Any) -> None:
    """Workers agree on what this machine plays."""
    options = ("-p", "no:anyio", "-p", "no:hypothesispytest", "suites/sample")
    result = sample.runpytest_subprocess(*options, players("n =2"), "-n2", "--cua-shard=2/2")
    result.assert_outcomes(passed=3)


@pytest.mark.slow
def test_nothing_left_for_workers(sample: pytest.Pytester) -> None:
    """Nothing is left for a machine with workers, too: that is no failure."""
    options = ("-p", "no:anyio", "-p", "no:hypothesispytest", "suites/sample")
    result = sample.runpytest_subprocess(
        *options, "--agent=oracle", "-n1", "--cua-shard=3/3", "-k", "note", "--cua-run=three"
    )
    assert result.ret == pytest.ExitCode.OK
    assert (sample.path / "reports" / "three" / LEDGER).is_file()
