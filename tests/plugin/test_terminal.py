"""What a person sees: a header, one line for each instance as it ends, and one table."""

from __future__ import annotations

from collections.abc import Callable
from shutil import rmtree
from typing import Any

import pytest

from pytest_cuabench.ledger.record import Run

Play = Callable[..., pytest.RunResult]
MIXED = {"note_step": "x", "count_step": "=5", "both_intent": "idle", "both_step": "-"}


def test_live_lines(players: Any, play: Play) -> None:
    """Each instance has a line: a sign, its name, its effort, its outcome, and how far the run is."""
    result = play(players("n =2", **MIXED))
    result.stdout.fnmatch_lines(
        [
            "✓ desk/note-intent * 2 steps * s * 1/6 · 100 %",
            "✗ desk/note-step * 1 steps * s  violation * 2/6 · 50 %",
            "✓ desk/count-intent * 2 steps * s * 3/6 · 67 %",
            "✗ desk/count-step * 1 steps * s  failure * 4/6 · 50 %",
            "! desk/both-intent * 1 steps * s  environment error * 5/6 · 50 %",
            "✗ desk/both-step * 1 steps * s  gave up * 6/6 · 40 %",
        ],
        consecutive=True,
    )


def test_header(play: Play) -> None:
    """The header says which settings are no defaults, where they come from, and where the run is kept."""
    result = play("--agent=oracle", "--cua-epochs=2", "--cua-run=here", "-k", "note-step")
    result.stdout.fnmatch_lines(
        ["cuabench: agent oracle (--agent), epochs 2 (--cua-epochs), run here (--cua-run); run reports/here"]
    )


def test_table(players: Any, play: Play) -> None:
    """The table at the end holds rates with intervals, without what was not graded, and the way to the report."""
    result = play(players("n =2", **MIXED), "--cua-run=here")
    result.stdout.fnmatch_lines(
        [
            "*= cuabench =*",
            "application * easy * medium * hard * all*",
            "desk * 1/2 50 % [[]9, 91[]] * 1/2 50 % [[]9, 91[]] * 0/1 0 % [[]0, 79[]] * 2/5 40 % [[]12, 77[]]*",
            "reset p50 * ms, p95 * ms; step p50 * ms, p95 * ms (without the agent's own time)*",
            "not graded, excluded from all rates: 1 environment_error",
            "report: reports/here/report.html",
        ]
    )


def test_what_it_took(players: Any, play: Play) -> None:
    """Mean reward, timeouts, steps and tokens stand below the table, and how the failed ones failed."""
    result = play(players("n =2", **MIXED), "--cua-run=here")
    result.stdout.fnmatch_lines(
        [
            "mean reward +0.20, timeouts 0 %, 1.4 steps and 0 tokens per instance",
            "failures: 2 zero action, 1 other",
        ]
    )


def test_thresholds_of_failures_are_settings(players: Any, play: Play, the_run: Callable[[], Run]) -> None:
    """The run keeps them, whatever they were set to."""
    play(players("n =2", **MIXED), "--cua-run=here", "--cua-heavy-loop=7", "--cua-early-abort=2")
    assert the_run().about()["failure_thresholds"] == {"early_abort": 2, "heavy_loop": 7}


def test_all_broken(players: Any, play: Play) -> None:
    """Where nothing could be graded there is no rate."""
    result = play(players("idle"), "-k", "note")
    result.stdout.fnmatch_lines(
        [
            "application * easy * all*",
            "desk * - * -*",
            "not graded, excluded from all rates: 2 environment_error",
        ]
    )


@pytest.mark.parametrize(
    "option",
    [
        *("-qq", "-vv", "--tb=no"),
        *(
            pytest.param(option, marks=pytest.mark.slow)
            for option in ("-q", "-v", "--no-header", "--no-summary", "-rA", "-s")
        ),
    ],
)
def test_other_ways_to_look(players: Any, play: Play, option: str) -> None:
    """Pytest's own options for more or less output hold, and nothing breaks."""
    result = play(players("n =2", **MIXED), option)
    if option != "-qq":
        result.assert_outcomes(passed=2, failed=3, errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()


def test_verbose(players: Any, play: Play) -> None:
    """With `-v` pytest's own lines are shown, and not ours beside them."""
    result = play(players("n =2", **MIXED), "-v")
    result.stdout.fnmatch_lines(
        [
            "*::test_sample?desk/note-intent? PASSED*",
            "*::test_sample?desk/note-step? FAILED*",
            "*both-intent? ERROR*",
        ]
    )
    result.stdout.no_fnmatch_line("✓*")


def test_quiet(players: Any, play: Play) -> None:
    """With `-q` an instance is a character."""
    result = play(players("n =2", **MIXED), "-q")
    result.stdout.fnmatch_lines([".F.FEF*"])
    result.stdout.no_fnmatch_line("✓*")


def test_summary_names_what_failed(players: Any, play: Play) -> None:
    """Pytest's short summary names failures and errors as ever."""
    result = play(players("n =2", **MIXED))
    result.stdout.fnmatch_lines(
        ["FAILED *?desk/note-step? - *", "ERROR *?desk/both-intent? - the desk fell over"]
    )


def test_hostile_answers_do_not_reach_the_terminal(players: Any, play: Play) -> None:
    """Escapes and line breaks in what an agent answers are made visible."""
    text = play(players("=\x1b[31mred\u202eevil"), "-k", "count-step").stdout.str()
    assert "\x1b[31mred" not in text
    assert "\u202e" not in text
    assert "red" in text


def test_report_that_cannot_be_written(play: Play, monkeypatch: pytest.MonkeyPatch, the_run: Any) -> None:
    """When the reports cannot be written the outcomes and the ledger stay."""
    from pytest_cuabench.collection import terminal

    def broken(run: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(terminal, "finish_run", broken)
    result = play("--agent=oracle", "-k", "note-step")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["cuabench: cannot write the report: OSError: *No space left on device"])
    assert len(list(the_run().attempts())) == 1


def test_other_tests_in_the_same_session(players: Any, play: Play, sample: pytest.Pytester) -> None:
    """Plain tests keep pytest's own progress beside the lines of instances."""
    option = players("n =2")
    sample.makepyfile(test_plain="def test_plain():\n    pass\n")
    result = play("test_plain.py", option)
    result.assert_outcomes(passed=7)
    result.stdout.fnmatch_lines(["*test_plain.py .*"])


def test_the_report_is_named_last(players: Any, play: Play) -> None:
    """After all that pytest says of failures, the last line is the way to the report."""
    result = play(players("n =2", **MIXED), "--cua-run=here", "-ra")
    assert result.outlines[-1] == "report: reports/here/report.html"
    assert "failed" in result.outlines[-2]


def test_epochs(players: Any, play: Play) -> None:
    """Repeated plays have pass@k and pass^k by variant, with intervals and what was left out."""
    result = play(players("n =2", both_step="idle", note_step="."), "--cua-epochs=2", "--cua-attempts=1")
    result.stdout.fnmatch_lines(
        [
            "intent: success 100.0 % (*), pass@2 100.0 % (*), pass^2 100.0 % (*); 6 episodes of 3 tasks",
            "step: success 50.0 % (*), pass@2 50.0 % (*), pass^2 50.0 % (*); 4 episodes of 2 tasks; 2 left out",
            "all: success 80.0 % (*",
            "repeated plays: 95 % intervals, clustered by task",
        ]
    )


def test_without_parts_of_pytest(play: Play, the_run: Callable[[], Run], pytester: pytest.Pytester) -> None:
    """A session without pytest's terminal, or other parts that it may lack, is played, judged and reported."""
    gate = pytester.path / "gate.toml"
    gate.write_text("rate = 1.0\n")
    off = ("junitxml", "cacheprovider", "capture", "logging", "xdist", "warnings", "faulthandler", "stepwise")
    for names, agent, code in (
        (("terminal",), "noop", 11),
        (("terminal", *off), "noop", 11),
        (off, "oracle", 0),
    ):
        chosen = [option for name in names for option in ("-p", f"no:{name}")]
        result = play(f"--agent={agent}", "-k", "note-step", f"--cua-gate={gate}", *chosen)
        assert result.ret == code, (names, agent, str(result.stdout), str(result.stderr))
        folder = the_run().folder
        assert (folder / "report.html").is_file(), names
        assert (folder / "summary.md").is_file(), names
        rmtree(folder)
