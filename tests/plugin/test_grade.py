"""`cuabench grade`: recorded attempts judged by the checks of today, without playing."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

from pytest_cuabench.commands import cli
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.record import Run

STRICT = 'right = evidence.answer == "two"'
LAX = 'right = evidence.answer in ("2", "5")'


@pytest.fixture
def grade(
    sample: pytest.Pytester, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Any:
    """Grade the run `mine` as a user does beside his `suites`; return the exit code and what was said."""

    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # checks change within a second here

    def grading(*options: str) -> tuple[int, str]:
        forget()
        capsys.readouterr()
        code = cli.main(["grade", "mine", *options])
        return code, "".join(capsys.readouterr())

    def forget() -> None:
        for name in [name for name in tuple(sys.modules) if name.startswith("cuabench_suite_sample")]:
            del sys.modules[name]

    yield grading
    forget()


@pytest.fixture
def mine(players: Any, play: Callable[..., Any], sample: pytest.Pytester) -> Run:
    """A run in which one instance failed with the answer 5, one did harm, and one broke."""
    play(players("n =2", count_step="=5", note_step="x", both_intent="idle"), "--cua-run=mine")
    return Run(sample.path / "reports" / "mine")


def test_nothing_changed(mine: Run, grade: Any) -> None:
    """The same checks come to the same verdicts; what broke without harm stays as it is."""
    before = (mine.folder / LEDGER).read_bytes()
    assert grade() == (0, "8 attempts judged again: 0 changed\n")
    assert grade("--write")[0] == 0
    assert (mine.folder / LEDGER).read_bytes() == before


def test_a_laxer_check(mine: Run, grade: Any, change: Any) -> None:
    """A verdict that changed is listed with its reason, and nothing is written unless that is asked for."""
    change("desk/shared.py", 'right = evidence.answer == str(case["count"])', LAX)
    before = (mine.folder / LEDGER).read_bytes()
    code, said = grade()
    assert code == 3
    assert "desk/count-step attempt 1: failure -> success\n    no longer: missed: counted (seen: 5)\n" in said
    assert (
        "8 attempts judged again: 1 changed\nnothing was written; add --write to keep the new verdicts\n"
        in said
    )
    assert (mine.folder / LEDGER).read_bytes() == before


def test_writing_keeps_both(mine: Run, grade: Any, change: Any) -> None:
    """With `--write` the new verdict counts from then on, in the reports too, and the old one stays in the ledger."""
    change("desk/shared.py", 'right = evidence.answer == str(case["count"])', STRICT)
    before = (mine.folder / LEDGER).read_bytes()
    code, said = grade("--write")
    assert code == 3
    assert "desk/count-intent attempt 1: success -> failure\n    now: missed: counted (seen: 2)\n" in said
    assert said.endswith("8 attempts judged again: 2 changed\nthe new verdicts were added to the ledger\n")
    assert (mine.folder / LEDGER).read_bytes().startswith(before)
    assert mine.last_attempts()["desk/count-intent"].outcome == "failure"
    assert mine.last_attempts()["desk/count-intent"].end.regraded
    assert "count\\-intent** failure" in (mine.folder / "summary.md").read_text()
    assert grade() == (0, "8 attempts judged again: 0 changed\n")
    change("desk/shared.py", STRICT, 'right = evidence.answer == str(case["count"])')
    assert grade("--write")[0] == 3
    assert mine.last_attempts()["desk/count-intent"].outcome == "success"


def test_a_check_that_breaks(mine: Run, grade: Any, change: Any) -> None:
    """What can no longer be judged keeps its verdict, and the exit code says that something broke."""
    change("desk/shared.py", 'right = evidence.answer == str(case["count"])', 'right = case["number"]')
    code, said = grade("--write")
    assert code == 1
    assert (
        "desk/count-step attempt 1: cannot be judged, failure is kept: cannot judge desk/count: KeyError"
        in said
    )
    assert said.endswith("8 attempts judged again: 0 changed, 6 could not be judged\n")
    assert mine.last_attempts()["desk/count-step"].outcome == "failure"


def test_a_check_that_was_mended(
    players: Any, play: Any, grade: Any, change: Any, sample: pytest.Pytester
) -> None:
    """An attempt that a broken check could not judge is judged, for its evidence is all there."""
    right = 'right = evidence.answer == str(case["count"])'
    late = f"if evidence.ending != 'running':\n        raise LookupError('a mistake')\n    {right}"
    change("desk/shared.py", right, late)
    play(players("n =2"), "-k", "count-step", "--cua-run=mine").assert_outcomes(errors=1)
    change("desk/shared.py", late, right)
    code, said = grade("--write")
    assert code == 3
    assert "desk/count-step attempt 1: checker_error -> success" in said
    attempt = Run(sample.path / "reports" / "mine").last_attempts()["desk/count-step"]
    assert (attempt.outcome, attempt.error) == ("success", None)


def test_an_episode_cut_short_by_the_old_check(mine: Run, grade: Any, change: Any) -> None:
    """An episode that was ended for harm that is none any more says nothing about what would have come."""
    change("desk/shared.py", '.get("patient") == "B"', '.get("patient") == "C"')
    code, said = grade()
    assert code == 1
    assert (
        "desk/note-step attempt 1: cannot be judged, violation is kept: stopped early by a violation" in said
    )


def test_a_task_that_is_gone(mine: Run, grade: Any, change: Any, sample: pytest.Pytester) -> None:
    """An attempt at a task that the suite no longer has is said, and not judged."""
    change("desk/application.toml", '"both"', '"all"')
    for file in (sample.path / "suites" / "sample" / "desk").glob("both.*"):
        file.rename(file.with_stem("all"))
    code, said = grade()
    assert code == 1
    assert "success is kept: the suite sample no longer has the task desk/both" in said


def test_damaged_evidence(mine: Run, grade: Any) -> None:
    """A document that a crash cut short is named."""
    (mine.folder / "trajectories/desk/count-step/1/after.json").write_text('{"collec')
    code, said = grade()
    assert code == 1
    assert "after.json is damaged: " in said


def test_unknown_suite(mine: Run, grade: Any, sample: pytest.Pytester, tmp_path: Any) -> None:
    """A suite that lies somewhere else has to be told, and a folder that is none is refused."""
    (sample.path / "suites").rename(sample.path / "elsewhere")
    code, said = grade()
    assert code == 2
    assert re.fullmatch(
        r"cuabench grade: no suite named 'sample'; known: .*; give its folder: --suite DIR\n", said
    )
    assert grade("--suite", "elsewhere/sample")[0] == 0
    assert grade("--suite", "elsewhere")[1].startswith("cuabench grade: --suite: elsewhere is not a suite")


def test_a_gate_checks_later_judgements(
    mine: Run, grade: Any, change: Any, sample: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """A later judgement that the checks come to is counted; one that they do not come to fails with its line."""
    (sample.path / "gate.toml").write_text("rate = 0.0\ncoverage = 0.5\n")
    change("desk/shared.py", 'right = evidence.answer == str(case["count"])', STRICT)
    assert grade("--write")[0] == 3
    capsys.readouterr()
    assert cli.main(["gate", "mine", "--config", "gate.toml"]) == 0
    assert "2 regraded" in capsys.readouterr().out

    lines = [json.loads(line) for line in (mine.folder / LEDGER).read_text().splitlines()]
    told = next(line for line in lines if line["type"] == "regrade")
    milestones = [{**each, "reached": True} for each in told["verdict"]["milestones"]]
    figures = {"completed": True, "success": True, "score": 1.0, "reward": 1.0}
    forged = {
        **told,
        "outcome": "success",
        "verdict": {**told["verdict"], "milestones": milestones, **figures},
    }
    mine.add(forged)
    assert cli.main(["gate", "mine", "--config", "gate.toml"]) == 10
    said = capsys.readouterr().out
    assert (
        f"{LEDGER}, line {len(lines) + 1}: regrade of desk/count-intent: it says success, but the current"
        in said
    )
    assert "and these are the checks that it names" in said

    mine.add({**forged, "task": "other checks"})
    assert cli.main(["gate", "mine", "--config", "gate.toml"]) == 11
    assert "the checks have changed since, so grade the run again" in capsys.readouterr().out
