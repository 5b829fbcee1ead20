"""Going on with a run: what is finished keeps its result and is not played again, everything else is played."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.record import Run

Play = Callable[..., pytest.RunResult]
MIXED = {"note_step": "x", "count_step": "=5", "both_intent": "idle"}


def properties(sample: pytest.Pytester, name: str) -> list[str]:
    """Return all values of a JUnit property."""
    found = ElementTree.parse(sample.path / "junit.xml").iter("property")
    return [prop.get("value", "") for prop in found if prop.get("name") == name]


def test_finished_instances_keep_their_results(
    players: Any, play: Play, played: Any, sample: pytest.Pytester
) -> None:
    """Passes pass and failures fail again without being played; what broke is played, and the ledger only grows."""
    agent = players("n =2", **MIXED)
    play(agent, "--cua-run=mine").assert_outcomes(passed=3, failed=2, errors=1)
    ledger = sample.path / "reports" / "mine" / LEDGER
    before = ledger.read_bytes()
    players("n =2", note_step="n .", count_step="=2")  # who is played again would now succeed

    result = play(agent, "--cua-resume=mine", "--junitxml=junit.xml")

    result.assert_outcomes(passed=4, failed=2)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "cuabench: resuming mine: 5 of 6 instances are finished and keep their results, 1 will be played",
            "*✓ desk/note-intent * recorded *",
            "*✗ desk/note-step * violation, recorded *",
            "  recorded   20* UTC; the result is kept*",
            "desk * 4/6 67 % *",
        ]
    )
    assert ledger.read_bytes().startswith(before)
    assert [(a.number, a.outcome) for a in played()["desk/both-intent"]] == [
        *((number, "environment_error") for number in (1, 2, 3)),
        (4, "success"),
    ]
    assert sum(map(len, played().values())) == 9
    assert len(properties(sample, "cua_recorded")) == 5
    assert sorted(properties(sample, "cua_outcome")) == ["failure", *["success"] * 4, "violation"]


def test_last_failed_after_going_on(players: Any, play: Play) -> None:
    """`--lf` chooses what failed when it was recorded."""
    agent = players("n =2", **MIXED)
    play(agent, "--cua-run=mine")
    play(agent, "--cua-resume=mine", "-k", "count").assert_outcomes(passed=1, failed=1)
    play("--agent=oracle", "--lf", "--cua-run=other", "-k", "count").stdout.fnmatch_lines(
        ["✓ desk/count-step *", "*= 1 passed*"]
    )


def test_everything_finished(players: Any, play: Play, sample: pytest.Pytester) -> None:
    """A run with nothing left to play is green when it was, by its folder as well as by its name."""
    agent = players("n =2")
    play(agent, "--cua-run=mine")
    for place in ("mine", "reports/mine", str(sample.path / "reports" / "mine")):
        result = play(agent, f"--cua-resume={place}")
        assert result.ret == pytest.ExitCode.OK
        result.stdout.fnmatch_lines(["*6 of 6 instances are finished*, 0 will be played"])
    run = Run(sample.path / "reports" / "mine")
    assert len(list(run.attempts())) == 6
    assert len(run.about()["resumed"]) == 3
    assert run.about()["settings"]["run"] == "mine (--cua-run)"


def test_other_instances_are_added(play: Play, sample: pytest.Pytester) -> None:
    """More seeds and epochs are further instances of the same run."""
    play("--agent=oracle", "--cua-run=mine", "-k", "note")
    play("--agent=oracle", "--cua-resume=mine", "--cua-seeds=0-1", "-k", "note").assert_outcomes(passed=4)
    assert len(list(Run(sample.path / "reports" / "mine").attempts())) == 4


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--cua-max-steps=7",), "settings differ: cua_max_steps 10 -> 7"),
        (("--cua-observation=tree",), "settings differ: cua_observation screenshot -> tree"),
    ],
)
def test_other_settings(play: Play, sample: pytest.Pytester, options: tuple[str, ...], words: str) -> None:
    """Under other settings everything is played again, and before that it is said what differs."""
    play("--agent=oracle", "--cua-run=mine", "-k", "note")
    result = play("--agent=oracle", "--cua-resume=mine", "-k", "note", *options)
    result.stdout.fnmatch_lines(
        [f"cuabench: 2 finished instances will be replayed: {words}", "*✓ desk/note*"]
    )
    attempts = list(Run(sample.path / "reports" / "mine").attempts())
    assert [attempt.number for attempt in attempts] == [1, 1, 2, 2]


def test_another_task(play: Play, change: Any, sample: pytest.Pytester) -> None:
    """A task that changed is played again, and only that."""
    play("--agent=oracle", "--cua-run=mine")
    change("desk/note.toml", "Note that {name} was seen.", "Note that {name} was here.")
    result = play("--agent=oracle", "--cua-resume=mine")
    result.stdout.fnmatch_lines(
        [
            "*: 4 of 6 instances are finished and keep their results, 2 will be played",
            "cuabench: 2 finished instances will be replayed: the task changed",
        ]
    )


def test_another_agent(players: Any, play: Play) -> None:
    """What another agent played counts for that one only."""
    agent = players("n =2")
    play("--agent=oracle", "--cua-run=mine", "-k", "note-step")
    result = play(agent, "--cua-resume=mine", "-k", "note-step")
    result.stdout.fnmatch_lines(
        ["cuabench: 1 finished instance will be replayed: another agent: oracle -> Player"]
    )


def test_records_of_older_versions(play: Play, sample: pytest.Pytester) -> None:
    """What does not tell what it was played with is played again."""
    play("--agent=oracle", "--cua-run=mine", "-k", "note-step")
    run = Run(sample.path / "reports" / "mine")
    (attempt,) = run.attempts()
    (run.folder / LEDGER).unlink()
    run.append(attempt.with_values(fingerprint=None))
    result = play("--agent=oracle", "--cua-resume=mine", "-k", "note-step")
    result.stdout.fnmatch_lines(["*1 finished instance will be replayed: it has no recorded fingerprint"])


def test_going_on_with_an_audit(play: Play, the_run: Any) -> None:
    """Claims that were proved keep their proof."""
    play("--cua-audit", "-k", "note", "--cua-run=proofs")
    count = len(list(the_run().attempts()))
    result = play("--cua-audit", "-k", "note", "--cua-resume=proofs")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*claims hold*"])
    assert len(list(the_run().attempts())) == count


def test_torn_ledger(players: Any, play: Play, sample: pytest.Pytester) -> None:
    """A last line that a crash cut short is said, and its instance is played again."""
    agent = players("n =2")
    play(agent, "--cua-run=mine", "-k", "note")
    ledger = sample.path / "reports" / "mine" / LEDGER
    ledger.write_bytes(ledger.read_bytes()[:-40])
    result = play(agent, "--cua-resume=mine", "-k", "note")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "*1 of 2 instances are finished*, 1 will be played",
            f"skipped 1 line of {LEDGER} cut short by a crash",
        ]
    )


def test_torn_description(play: Play, sample: pytest.Pytester) -> None:
    """A run that no longer says what it is can be resumed all the same."""
    play("--agent=oracle", "--cua-run=mine", "-k", "note-step")
    (sample.path / "reports" / "mine" / "run.json").write_text('{"agent": "ora')
    play("--agent=oracle", "--cua-resume=mine", "-k", "note-step").assert_outcomes(passed=1)
    assert json.loads((sample.path / "reports" / "mine" / "run.json").read_text())["agent"] == "oracle"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ("--cua-resume=mien",),
            "ERROR: --cua-resume: no run named 'mien'; the newest in */reports: mine; did you mean 'mine'[?]",
        ),
        (
            ("--cua-resume=mine", "--cua-run=new"),
            "ERROR: --cua-resume already names the run; *",
        ),
    ],
)
def test_wrong_names(play: Play, options: tuple[str, ...], sentence: str) -> None:
    """A name that is none is one sentence, with those that are."""
    play("--agent=oracle", "--cua-run=mine", "-k", "note-step")
    result = play("--agent=oracle", "-k", "note-step", *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([sentence])
    assert len(result.errlines) <= 2


@pytest.mark.slow
def test_going_on_with_workers(players: Any, sample: pytest.Pytester, played: Any) -> None:
    """Workers agree with the process that leads them on what is finished, and it says so once."""
    agent = players("n =2", **MIXED)
    options = ("-p", "no:anyio", "-p", "no:hypothesispytest", "suites/sample", agent)
    sample.runpytest_subprocess(*options, "--cua-run=mine").assert_outcomes(passed=3, failed=2, errors=1)
    result = sample.runpytest_subprocess(*options, "--cua-resume=mine", "-n2")
    result.assert_outcomes(passed=3, failed=2, errors=1)
    text = result.stdout.str()
    assert text.count("5 of 6 instances are finished and keep their results, 1 will be played") == 1
    assert sum(map(len, played().values())) == 8 + 3
