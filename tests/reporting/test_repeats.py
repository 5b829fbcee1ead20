"""Repeated plays: what counts as a deviation, and what the command says of it."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pytest_cuabench.commands.cli import main
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.reporting.repeats import Agreement, agreements
from pytest_cuabench.reporting.table import played_in
from pytest_cuabench.task.verdict import Milestone, Verdict

Dot = tuple[int, int, int, int]  # left, top, right, bottom


def screen(*dots: Dot, level: int = 255) -> bytes:
    """Return a black screen with bright rectangles."""
    picture = Image.new("RGB", (64, 48))
    for dot in dots:
        picture.paste((level, level, level), dot)
    data = io.BytesIO()
    picture.save(data, "PNG")
    return data.getvalue()


def play(
    run: Run,
    epoch: int,
    *,
    good: bool = True,
    state: Mapping[str, Any] | None = None,
    screens: Sequence[bytes] = (screen(),),
    action: str = "a",
) -> None:
    """Record one play of the same instance."""
    recorder = Recorder(run, f"ward/note-intent-e{epoch}", 1)
    for number, png in enumerate(screens):
        name = recorder.picture(f"step-{number:03}", png)
        recorder.step({"step": number, "screenshot": name, "actions": [{"kind": "key", "keys": [action]}]})
    recorder.document(
        "after",
        {"collections": dict(state or {}), "revision": epoch, "journal": [{"key": "1", "request": epoch}]},
    )
    place = recorder.relative(recorder.folder)
    plain = Attempt(
        Planned(f"ward/note-intent-e{epoch}", "small", "ward", "note", "D", "easy", "intent", 0, epoch),
        1,
        "oracle",
        "success" if good else "failure",
        Verdict((Milestone("saved", good, 1.0),)),
    )
    run.append(plain.with_values(trajectory=place, ending="success"))


def agreed(tmp_path: Path, *plays: Mapping[str, Any]) -> Agreement:
    """Return how far plays of one instance agree."""
    run = Run(tmp_path / "run")
    for epoch, each in enumerate(plays):
        play(run, epoch, **each)
    (found,) = agreements(played_in([run]))
    return found


def test_equal_plays_agree(tmp_path: Path) -> None:
    """Nothing deviates, and the bound says how much that proves."""
    found = agreed(tmp_path, *[{}] * 20)
    assert set(found.deviating.values()) == {0}
    assert found.bound("verdict") == pytest.approx(0.139, abs=0.001)


@pytest.mark.parametrize(
    ("other", "aspect", "where"),
    [
        ({"good": False}, "verdict", "failure"),
        ({"state": {"notes": {"1": {"text": "x"}}}}, "state", "collections.notes"),
        ({"screens": [screen((9, 9, 30, 20))]}, "screens", "step 0"),
        ({"screens": [screen(), screen()]}, "decisions", None),
    ],
)
def test_one_play_deviates(tmp_path: Path, other: Mapping[str, Any], aspect: str, where: str | None) -> None:
    """The aspect in which one play is unlike the others is told, with the first place."""
    found = agreed(tmp_path, {}, {}, other)
    assert {name for name, count in found.deviating.items() if count} == {aspect}
    assert found.deviating[aspect] == 1
    assert where is None or where in found.first[aspect]


@pytest.mark.parametrize("like", [screen((9, 9, 10, 27)), screen((9, 9, 30, 30), level=12)])
def test_what_nobody_sees_is_alike(tmp_path: Path, like: bytes) -> None:
    """A caret that blinks, or smoothed corners, are no deviation."""
    assert agreed(tmp_path, {}, {"screens": [like]}).deviating["screens"] == 0


def test_other_decisions_are_not_compared(tmp_path: Path) -> None:
    """A play in which the agent did something else says nothing of the world."""
    other = {"action": "b", "good": False, "state": {"notes": {"1": {}}}}
    found = agreed(tmp_path, {}, {}, other)
    assert found.deviating == {"decisions": 1, "verdict": 0, "state": 0, "screens": 0}


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Plays of several runs are compared; a verdict that deviates is exit code 1."""
    for name, good in (("one", True), ("two", False), ("three", True)):
        play(Run(tmp_path / name), 0, good=good)
    runs = [str(tmp_path / name) for name in ("one", "two", "three")]
    assert main(["determinism", runs[0], runs[2]]) == 0
    assert "verdict: 0 of 2 plays deviate, in 0 of 1 task" in capsys.readouterr().out
    assert main(["determinism", *runs]) == 1
    assert "verdict: 1 of 3 plays deviate, in 1 of 1 task" in capsys.readouterr().out


def test_nothing_was_repeated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run without repeats says how to get some."""
    play(Run(tmp_path / "one"), 0)
    assert main(["determinism", str(tmp_path / "one")]) == 2
    assert "no instance was played twice; play epochs (--cua-epochs=20)" in capsys.readouterr().err
