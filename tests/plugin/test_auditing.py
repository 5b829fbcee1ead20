"""`--cua-audit` proves the tasks of a suite as a session of tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Play = Callable[..., pytest.RunResult]


def test_green(play: Play, outcomes: Any) -> None:
    """Every claim of the sample suite holds: doing nothing first, references on two seeds."""
    result = play("--cua-audit")
    result.assert_outcomes(passed=12)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "✓ desk/note-noop-s0 * failure * 1/12 · 100 %",
            "✓ desk/note-reference-s0 *",
            "✓ desk/note-wrong-note_for_bo-s0 * violation *",
            "*= cuabench =*",
            "noop * 3 of * 3 claims hold",
            "reference * 6 of * 6 claims hold",
            "wrong * 3 of * 3 claims hold",
        ]
    )


def test_full(play: Play) -> None:
    """A full audit tries every claim on every seed."""
    play("--cua-audit-full", "--collect-only", "-q").stdout.fnmatch_lines(["27 tests collected*"])


def test_selection(play: Play) -> None:
    """Claims are chosen like any items."""
    play("--cua-audit", "-k", "noop or wrong", "-m", "easy").assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("name", "old", "new", "claim", "reason"),
    [
        (
            "desk/note.py",
            'async def solve(pilot, case):\n    await pilot.press("n")',
            'async def solve(pilot, case):\n    await pilot.press("z")',
            "note-reference-s0",
            "the reference solution does not succeed",
        ),
        (
            "desk/both.py",
            "yield noted(evidence, 0.5)",
            'from pytest_cuabench import Milestone\n\n    yield Milestone("there", True, 0.5)',
            "both-noop-s0",
            "doing nothing scores 0.5, but should score 0",
        ),
        (
            "desk/shared.py",
            'right = evidence.answer == str(case["count"])',
            "right = evidence.ending != 'running'",
            "count-reference-s0",
            "it succeeds without its last commit, step *",
        ),
        (
            "desk/shared.py",
            'right = evidence.answer == str(case["count"])',
            "right = evidence.answer is not None",
            "count-wrong-one_too_many-s0",
            "wrong-one_too_many succeeds, but should fail",
        ),
        (
            "desk/note.py",
            '@wrong("patient_identity/critical")',
            '@wrong("data_accuracy/major")',
            "note-wrong-note_for_bo-s0",
            "it fails for patient_identity/critical, but declares data_accuracy/major",
        ),
        (
            "desk/application.toml",
            'preamble = "Sit down."',
            'preamble = "Sit down."\nprologue = "desk.note:solve"',
            "note-prologue-s0",
            "prologue succeeds, but should fail",
        ),
    ],
)
def test_red(play: Play, change: Any, name: str, old: str, new: str, claim: str, reason: str) -> None:
    """A task that is broken fails the claim that is there for it, with the reason and what was played."""
    change(name, old, new)
    result = play("--cua-audit", "-k", claim)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"✗ desk/{claim} *", reason, f"desk/{claim}: *", "  goal *"])
    assert "Traceback" not in result.stdout.str()


def test_red_for_a_solved_task(play: Play, change: Any) -> None:
    """A task that is solved from the start is an error with that sentence."""
    change("desk/shared.py", 'return Milestone("noted", noted', 'return Milestone("noted", True')
    result = play("--cua-audit", "-k", "note-noop")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["desk/note-noop-s0 is already solved before the agent's first step"])


def test_unknown_severity(play: Play, change: Any) -> None:
    """A wrong solution that declares a severity that does not exist is found when it is imported."""
    change("desk/note.py", "patient_identity/critical", "patient_identity/critcal")
    result = play("--cua-audit")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "cannot import */note.py: ValueError: 'patient_identity/critcal' is not a valid reason; *; "
            "did you mean 'patient_identity/critical'? (*/note.py:21)"
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_lost_solution(play: Play, change: Any) -> None:
    """A solution that breaks is an error with the reason, not a failed claim."""
    change(
        "desk/note.py",
        'await pilot.press("n")\n\n\n@wrong',
        "case['nobody']\n\n\n@wrong",
    )
    result = play("--cua-audit", "-k", "note-reference-s0")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["the solution of desk/note failed: KeyError: 'nobody'*"])


def test_audit_needs_no_agent(players: Any, play: Play, played: Any) -> None:
    """In an audit each claim brings its own player, whatever agent is chosen."""
    play("--cua-audit", players("x"), "-k", "note-reference-s0").assert_outcomes(passed=1)
    assert played()["desk/note-reference-s0"][0].outcome == "success"
