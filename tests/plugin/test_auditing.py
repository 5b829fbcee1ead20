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
            "desk/solutions.py",
            'async def note(hand, case):\n    await hand.press("n")',
            'async def note(hand, case):\n    await hand.press("z")',
            "note-reference-s0",
            "the reference solution does not succeed",
        ),
        (
            "desk/checks.py",
            "yield _noted(evidence, 0.5)",
            'yield Milestone("there", True, 0.5)',
            "both-noop-s0",
            "doing nothing already scores 0.5",
        ),
        (
            "desk/checks.py",
            'right = evidence.answer == str(case["count"])',
            "right = evidence.ending != 'running'",
            "count-reference-s0",
            "it succeeds without its last commit, step *",
        ),
        (
            "desk/checks.py",
            'right = evidence.answer == str(case["count"])',
            "right = evidence.answer is not None",
            "count-wrong-one_too_many-s0",
            "wrong-one_too_many succeeds, but must not",
        ),
        (
            "desk/solutions.py",
            '@wrong("note", "patient_identity/critical")',
            '@wrong("note", "data_accuracy/major")',
            "note-wrong-note_for_bo-s0",
            "it fails for patient_identity/critical, not for data_accuracy/major as declared",
        ),
        (
            "desk/solutions.py",
            "from pytest_cuabench import wrong\n",
            "from pytest_cuabench import wrong\n\n\nasync def prologue(hand, case):\n    await hand.press('n')\n",
            "note-prologue-s0",
            "prologue succeeds, but must not",
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
    change("desk/checks.py", 'return Milestone("noted", noted', 'return Milestone("noted", True')
    result = play("--cua-audit", "-k", "note-noop")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["desk/note-noop-s0 is already achieved before the agent has done anything"])


def test_lost_solution(play: Play, change: Any) -> None:
    """A solution that breaks is an error with the reason, not a failed claim."""
    change(
        "desk/solutions.py",
        'await hand.press("n")\n\n\nasync def count',
        "case['nobody']\n\n\nasync def count",
    )
    result = play("--cua-audit", "-k", "note-reference-s0")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["the solution of desk/note is lost: KeyError: 'nobody'"])


def test_audit_needs_no_agent(players: Any, play: Play, played: Any) -> None:
    """In an audit each claim brings its own player, whatever agent is chosen."""
    play("--cua-audit", players("x"), "-k", "note-reference-s0").assert_outcomes(passed=1)
    assert played()["desk/note-reference-s0"][0].outcome == "success"
