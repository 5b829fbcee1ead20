"""Where a run is written, and what is kept of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.ledger.record import Run, read_steps
from pytest_cuabench.reporting.safety import safety

Play = Callable[..., pytest.RunResult]


def names(folder: Path) -> set[str]:
    """Return the names of what lies in a folder."""
    return {path.name for path in folder.iterdir()}


def test_run(play: Play, the_run: Any) -> None:
    """A run is a folder with its settings, its ledger, its trajectories and its reports."""
    play("--agent=oracle", "--cua-seeds=0-1", "-k", "note").assert_outcomes(passed=4)
    run: Run = the_run()
    assert names(run.folder) >= {"run.json", "ledger.jsonl", "trajectories", "report.html"}
    about = json.loads((run.folder / "run.json").read_text())
    assert about["agent"] == "oracle"
    assert about["settings"] == {"agent": "oracle (--agent)", "seeds": "(0, 1) (--cua-seeds)"}
    assert about["versions"]["pytest"] == pytest.__version__
    assert len(list(run.attempts())) == 4
    for attempt in run.attempts():
        assert attempt.trajectory is not None
        assert read_steps(run.folder / attempt.trajectory)


def test_the_report_shows_what_the_suite_declares(play: Play, change: Any, the_run: Any) -> None:
    """The dimensions of harm in `suite.toml` have rows in the report, also where no harm occurred."""
    change("suite.toml", 'title = "Sample"', 'title = "Sample"\ndimensions = ["privacy", "accuracy"]')
    play("--agent=oracle", "-k", "note-step").assert_outcomes(passed=1)
    assert list(safety(list(the_run().attempts()))) == ["privacy", "accuracy", "any"]


def test_default_name(play: Play, sample: pytest.Pytester) -> None:
    """A run without a name is called by its time and its agent; two of the same second do not meet."""
    for _ in range(2):
        play("--agent=oracle", "-k", "note-step")
    reports = sorted(names(sample.path / "reports"))
    assert len(reports) == 2
    assert all(name.split("-")[2] == "oracle" for name in reports)


def test_named_run(play: Play, sample: pytest.Pytester) -> None:
    """A run may be named, and written somewhere else."""
    play("--agent=oracle", "-k", "note-step", "--cua-run=nightly-1.0", "--cua-reports=out/cua")
    assert names(sample.path / "out" / "cua") == {"nightly-1.0"}
    assert not (sample.path / "reports").exists()


def test_existing_run(play: Play, sample: pytest.Pytester) -> None:
    """A name that is taken is refused, and what lies there stays as it is."""
    play("--agent=oracle", "-k", "note-step", "--cua-run=here")
    ledger = sample.path / "reports" / "here" / "ledger.jsonl"
    before = ledger.read_text()
    result = play("--agent=noop", "-k", "note-step", "--cua-run=here")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --cua-run: */reports/here already exists; resume it with --cua-resume=here, *or remove it"]
    )
    assert ledger.read_text() == before


@pytest.mark.parametrize("options", [("-k", "nothing of that name"), ("--deselect", "suites/sample")])
def test_users_files_are_safe(play: Play, sample: pytest.Pytester, options: tuple[str, str]) -> None:
    """A folder that a user has is neither written to nor removed, even when nothing is played."""
    mine = sample.path / "reports" / "mine"
    mine.mkdir(parents=True)
    (mine / "thesis.txt").write_text("years of work")
    play("--agent=oracle", "--cua-run=mine", *options)
    assert names(mine) == {"thesis.txt"}


def test_nothing_played_leaves_nothing(play: Play, sample: pytest.Pytester) -> None:
    """A session in which nothing is played leaves no folder of a run."""
    play("--agent=oracle", "-k", "nothing of that name")
    assert names(sample.path / "reports") == set()


@pytest.mark.parametrize(
    ("mode", "success", "failure"),
    [
        ("on", {"step-000.png", "step-001.png", "final.png"}, {"step-000.png", "step-001.png", "final.png"}),
        ("off", set(), set()),
        ("retain-on-failure", set(), {"step-000.png", "step-001.png", "final.png"}),
    ],
)
def test_screenshots(
    players: Any, play: Play, the_run: Any, mode: str, success: set[str], failure: set[str]
) -> None:
    """Screenshots are kept always, never, or of what failed; everything else is kept in any case."""
    option = players("n .", note_step="l .")
    play(option, "-k", "note", f"--cua-screenshots={mode}").assert_outcomes(passed=1, failed=1)
    folder = the_run().folder / "trajectories" / "desk"
    texts = {"case.json", "before.json", "after.json", "activity.json", "verdict.json", "steps.jsonl"}
    assert names(folder / "note-intent" / "1") == texts | success
    assert names(folder / "note-step" / "1") == texts | failure
    assert (the_run().folder / "report.html").is_file()


def test_screenshots_of_broken_attempts(players: Any, play: Play, the_run: Any) -> None:
    """With `retain-on-failure` the attempts before a success keep their screenshots: they show what broke."""
    play(players("l f =2"), "-k", "both-step", "--cua-screenshots=retain-on-failure").assert_outcomes(
        passed=1
    )
    folder = the_run().folder / "trajectories" / "desk" / "both-step"
    assert list((folder / "1").glob("*.png"))
    assert not list((folder / "2").glob("*.png"))


def test_replay_of_a_run(players: Any, play: Play, sample: pytest.Pytester) -> None:
    """A run can be played again from its record, with the same outcomes."""
    play(players("n =2", note_step="x", count_step="=5"), "--cua-run=first").assert_outcomes(
        passed=4, failed=2
    )
    again = play("--agent=replay:reports/first", "--cua-run=second")
    again.assert_outcomes(passed=4, failed=2)
    first, second = (Run(sample.path / "reports" / name).last_attempts() for name in ("first", "second"))
    assert {name: a.verdict for name, a in first.items()} == {name: a.verdict for name, a in second.items()}


def test_fingerprints(play: Play, the_run: Any, sample: pytest.Pytester) -> None:
    """Each attempt keeps what it was played with, budgets of the command line included, and a user's markers."""
    test = sample.path / "suites" / "sample" / "test_sample.py"
    test.write_text(f"import pytest\n\n\n@pytest.mark.nightly\n{test.read_text()}")
    (sample.path / "pytest.ini").write_text("[pytest]\nmarkers = nightly: not every day\n")
    play("--agent=oracle", "-k", "note or both-step", "--cua-max-seconds=9", "--cua-observation=tree")
    attempts = {attempt.instance: attempt for attempt in the_run().attempts()}
    note, other = attempts["desk/note-intent"].fingerprint, attempts["desk/note-step"].fingerprint
    assert note == other
    assert note is not None
    assert note.settings == {
        "cua_observation": "tree",
        "cua_max_steps": "10",
        "cua_max_seconds": "9",
        "screen": "640x480",
    }
    both = attempts["desk/both-step"].fingerprint
    assert both.settings["cua_max_steps"] == "20"
    assert both.digest != note.digest
    assert {attempt.item.markers for attempt in attempts.values()} == {("nightly",)}
