"""A run that is judged by a gate: the decision is the exit code, and nothing is green by accident."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from pytest_cuabench.commands.cli import main
from pytest_cuabench.ledger.record import Run

Play = Callable[..., pytest.RunResult]
PASS, FAIL, INCONCLUSIVE = 0, 10, 11
LENIENT = "rate = 0.5\ncoverage = 0.5\n"


@pytest.fixture
def gate(sample: pytest.Pytester) -> Callable[[str], str]:
    """Write a gate; return the option that chooses it."""

    def write(text: str) -> str:
        (sample.path / "gate.toml").write_text(text)
        return "--cua-gate=gate.toml"

    return write


def decision(run: Run) -> dict[str, Any]:
    """Return what the gate wrote."""
    found: dict[str, Any] = json.loads((run.folder / "gate.json").read_text())
    return found


def test_pass_with_failures(players: Any, play: Play, gate: Any, the_run: Any) -> None:
    """What a gate allows to fail does not fail the session; it is shown as ever."""
    result = play(players("n =2", count_step="=5"), gate(LENIENT))
    result.assert_outcomes(passed=5, failed=1)
    assert result.ret == PASS
    assert decision(the_run())["decision"] == "pass"
    assert "## ✓ Gate: pass" in (the_run().folder / "gate.md").read_text()
    result.stdout.fnmatch_lines(
        ["*= cuabench gate =*", "✓ all instances: success rate 83.3 %*", "gate: pass, exit code 0"]
    )


@pytest.mark.parametrize("workers", [(), pytest.param(("-n2",), marks=pytest.mark.slow)])
def test_fail(
    players: Any, sample: pytest.Pytester, gate: Any, the_run: Any, workers: tuple[str, ...]
) -> None:
    """What a gate does not allow fails, with its own exit code and the reason in a sentence."""
    run = sample.runpytest_subprocess if workers else sample.runpytest_inprocess
    option, chosen = players("n =2", count_step="=5"), gate("must_pass = ['desk/count']")
    result = run("suites/sample", option, chosen, *workers)
    assert result.ret == FAIL
    assert decision(the_run())["reasons"] == [
        "Must pass: desk/count did not pass: desk/count-step (failure)."
    ]
    result.stdout.fnmatch_lines(
        ["✗ Must pass: desk/count did not pass: desk/count-step (failure).", "gate: fail, *10"]
    )


def test_all_passed_and_still_failed(play: Play, gate: Any) -> None:
    """A gate may fail where every test passed: something that it must see did not run."""
    result = play("--agent=oracle", gate("must_pass = ['desk/count']"), "-k", "note")
    result.assert_outcomes(passed=2)
    assert result.ret == FAIL
    result.stdout.fnmatch_lines(["✗ Must pass: desk/count did not run: no instance matches."])


def test_trouble_of_ours_is_inconclusive(players: Any, play: Play, gate: Any) -> None:
    """What broke is neither a pass nor a failure; where too much of it did, nothing is concluded."""
    result = play(
        players("n =2", both_intent="idle", both_step="idle"), gate("rate = 0.5"), "--cua-attempts=1"
    )
    result.assert_outcomes(passed=4, errors=2)
    assert result.ret == INCONCLUSIVE
    result.stdout.fnmatch_lines(
        ["[?] all instances: 4 of 6 were graded (66.7 %), not graded: 2 environment_error; *requires 95 %."]
    )


@pytest.mark.slow
def test_worker_that_dies(players: Any, play: Play, gate: Any, sample: pytest.Pytester) -> None:
    """What a dead worker took with it is missing from the coverage, and does not fail by itself."""
    result = sample.runpytest_subprocess(
        *("suites/sample", "-n1", players("n =2", both_step="d n =2")), gate(LENIENT)
    )
    assert result.ret == PASS
    result.stdout.fnmatch_lines(["*5 of 6 were graded (83.3 %), not graded: 1 environment_error.*"])


def test_stopped_early(players: Any, play: Play, gate: Any) -> None:
    """A session that stops at the first failure has not seen enough."""
    result = play(players("n =2", note_step="."), gate(LENIENT), "-x")
    assert result.ret == INCONCLUSIVE
    result.stdout.fnmatch_lines(
        ["[?] 4 of 6 planned instances were never played, because the session was cut short: *"]
    )


def test_everything_skipped(play: Play, gate: Any, sample: pytest.Pytester) -> None:
    """A run in which all was skipped is no pass."""
    test = sample.path / "suites" / "sample" / "test_sample.py"
    test.write_text("import pytest\n\n\n@pytest.mark.skip\n" + test.read_text())
    result = play("--agent=oracle", gate(LENIENT))
    result.assert_outcomes(skipped=6)
    assert result.ret == INCONCLUSIVE


def test_nothing_collected(play: Play, gate: Any, sample: pytest.Pytester) -> None:
    """Where nothing was collected, pytest's own code stays, and no folder."""
    result = play("--agent=oracle", gate(LENIENT), "-k", "nonesuch")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert list((sample.path / "reports").iterdir()) == []


def test_only_other_tests(play: Play, gate: Any, sample: pytest.Pytester) -> None:
    """A session that passes without playing anything is no pass of the gate."""
    (sample.path / "suites" / "sample" / "test_other.py").write_text("def test_other():\n    pass\n")
    assert play("--agent=oracle", gate(LENIENT), "-k", "test_other").ret == INCONCLUSIVE


def test_broken_module(play: Play, gate: Any, sample: pytest.Pytester) -> None:
    """A module that cannot be imported is not for a gate to forgive."""
    (sample.path / "suites" / "sample" / "test_other.py").write_text("import nonesuch\n")
    result = play("--agent=oracle", gate(LENIENT))
    assert result.ret == pytest.ExitCode.INTERRUPTED
    again = play("--agent=oracle", gate(LENIENT), "--continue-on-collection-errors")
    assert again.ret == pytest.ExitCode.TESTS_FAILED
    again.stdout.fnmatch_lines(
        ["gate: pass, exit code 0", "exit code 1 is pytest's: 1 failure outside of the gate*test_other.py"]
    )


def test_other_tests(play: Play, gate: Any, sample: pytest.Pytester) -> None:
    """A failure of a test that is no instance stays one."""
    (sample.path / "suites" / "sample" / "test_other.py").write_text("def test_other():\n    assert 0\n")
    result = play("--agent=oracle", gate(LENIENT))
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_assertion_of_the_user(play: Play, gate: Any, sample: pytest.Pytester) -> None:
    """A test that fails although the agent succeeded is not the agent's failure."""
    test = sample.path / "suites" / "sample" / "test_sample.py"
    test.write_text(test.read_text() + "    assert attempt.record.steps == 0\n")
    assert play("--agent=oracle", gate(LENIENT)).ret == pytest.ExitCode.TESTS_FAILED


def test_broken_fixture(play: Play, gate: Any, sample: pytest.Pytester) -> None:
    """A fixture that breaks leaves instances unplayed."""
    conftest = sample.path / "suites" / "sample" / "conftest.py"
    conftest.write_text(
        conftest.read_text().replace("    return Fake", "    raise OSError('no desk')\n    return Fake")
    )
    result = play("--agent=oracle", gate(LENIENT))
    result.assert_outcomes(errors=6)
    assert result.ret == INCONCLUSIVE


def test_cannot_decide(play: Play, gate: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trouble while deciding is an internal error, and no pass."""

    def broken(*about: Any) -> None:
        raise ZeroDivisionError("a mistake of the gate")

    monkeypatch.setattr("pytest_cuabench.collection.gatekeeper.judge_run", broken)
    result = play("--agent=oracle", gate(LENIENT))
    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    result.stdout.fnmatch_lines(
        ["the gate could not judge the run: ZeroDivisionError: a mistake of the gate"]
    )


@pytest.mark.slow
def test_interrupted(players: Any, sample: pytest.Pytester, gate: Any, the_run: Any) -> None:
    """Ctrl-C leaves pytest's code, and a judgement that knows of it."""
    option, chosen = players("n =2", both_intent="wait"), gate(LENIENT)
    session = subprocess.Popen(
        [sys.executable, "-m", "pytest", "suites/sample", option, chosen],
        cwd=sample.path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(sample.path), *sys.path])},
        stdout=subprocess.PIPE,
        text=True,
    )
    while not list(sample.path.glob("waiting-*")):
        assert session.poll() is None
        time.sleep(0.02)
    session.send_signal(signal.SIGINT)
    session.communicate(timeout=60)
    assert session.returncode == pytest.ExitCode.INTERRUPTED
    found = decision(the_run())
    assert found["decision"] == "inconclusive"
    assert "The session was interrupted: pytest's exit code is 2." in found["reasons"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rate = ", "is not valid TOML"),
        ("rat = 0.5", "unknown key rat; known: baseline, code, confidence, cost*"),
        ("", "the gate has no requirements"),
        (
            "baseline = {}",
            "no baseline file *cuabench-baseline.jsonl; create it on main: cuabench baseline update*",
        ),
    ],
)
def test_unreadable_gate(play: Play, gate: Any, sample: pytest.Pytester, text: str, words: str) -> None:
    """A gate that cannot be read stops the session before anything is played."""
    result = play("--agent=oracle", gate(text))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *{words}*"])
    assert not (sample.path / "reports").exists()


def test_missing_gate(play: Play) -> None:
    """So does a gate that is not there."""
    result = play("--agent=oracle", "--cua-gate=nonesuch.toml")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: *nonesuch.toml is missing"])


def test_no_agent(play: Play, gate: Any) -> None:
    """A gate without an agent has nothing to judge, and skipped suites are no pass."""
    result = play(gate(LENIENT))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --cua-gate: there is no run to judge; choose an agent*"])


def test_audit(play: Play, gate: Any) -> None:
    """An audit is not for a gate to judge."""
    assert play("--cua-audit", gate(LENIENT)).ret == pytest.ExitCode.USAGE_ERROR


def test_permanent_gate(play: Play, sample: pytest.Pytester, the_run: Any) -> None:
    """A gate in pyproject.toml holds for every run that an agent plays, and is silent where none does."""
    (sample.path / "tox.ini").unlink()
    (sample.path / "pyproject.toml").write_text(
        "[tool.pytest]\ncua_gate = 'pyproject.toml'\n[tool.cuabench.gate]\nmust_pass = ['desk/none']\n"
    )
    assert play().ret == pytest.ExitCode.OK
    assert play("--cua-audit", "-k", "note and noop", "--cua-run=audit").ret == pytest.ExitCode.OK
    assert play("--agent=oracle", "-k", "note-step", "--cua-run=played").ret == FAIL


def test_job_page(players: Any, play: Play, gate: Any, sample: pytest.Pytester, monkeypatch: Any) -> None:
    """On GitHub the judgement is added to the job's page."""
    page = sample.path / "page.md"
    page.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    play(players("n =2"), gate(LENIENT))
    assert page.read_text().startswith("before\n## ✓ Gate: pass\n")


def test_judged_again(
    players: Any, play: Play, gate: Any, the_run: Any, sample: pytest.Pytester, capsys: Any
) -> None:
    """A recorded run is judged by other demands without being played, with the same codes."""
    play(players("n =2", count_step="=5"), gate(LENIENT))
    folder, other = str(the_run().folder), sample.path / "other.toml"
    assert main(["gate", folder, "--config", str(sample.path / "gate.toml")]) == PASS
    other.write_text("must_pass = ['desk/*']")
    capsys.readouterr()
    assert main(["gate", folder, "--config", str(other)]) == FAIL
    assert capsys.readouterr().out.endswith("gate: fail, exit code 10\n")
    assert decision(the_run())["decision"] == "fail"
    other.write_text("rate = 0.5\nrule = 'proven'")
    assert main(["gate", folder, "--config", str(other)]) == INCONCLUSIVE
    other.write_text("nonsense = 1")
    assert main(["gate", folder, "--config", str(other)]) == 2


def test_regression_is_caught(
    players: Any, play: Play, gate: Any, sample: pytest.Pytester, capsys: Any
) -> None:
    """Runs of main make the baseline; the same agent passes, and one that lost most of its skill fails."""
    file = str(sample.path / "cuabench-baseline.jsonl")
    good = players("n =2", both_step=".")
    for night in range(4):
        play(good, "--cua-epochs=3", f"--cua-run=night-{night}", "--cua-screenshots=off")
        assert main(["baseline", "update", f"reports/night-{night}", "--file", file]) == 0
    assert "added 18 graded plays of 6 instances by Player, run night-3" in capsys.readouterr().out
    chosen = gate("[baseline]\nmin_runs = 4\nmargin = 0.15\ncollapse_alpha = 0.05")
    assert play(good, chosen, "--cua-epochs=3", "--cua-run=same").ret in (PASS, INCONCLUSIVE)
    bad = players(".")
    result = play(bad, chosen, "--cua-epochs=3", "--cua-run=worse")
    assert result.ret == FAIL
    result.stdout.fnmatch_lines(
        ["✗ desk/note-step collapsed: none of 3 plays succeeded, and in the baseline 12 of 12*"]
    )
