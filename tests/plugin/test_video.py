"""Videos in a run: which are kept, and that they never change what an item says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_cuabench.ledger.record import Run

Play = Callable[..., pytest.RunResult]
FAILING = {"note_step": "x", "count_step": "=5"}
ALL = {"note-intent", "note-step", "count-intent", "count-step"}


def videos(run: Run) -> set[str]:
    """Return the instances that have a video."""
    return {file.parent.parent.name for file in run.folder.rglob("video.webp")}


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ((), set()),
        (("--cua-video=on",), ALL),
        (("--cua-video=retain-on-failure",), {"note-step", "count-step"}),
        (("--cua-video=on", "--cua-screenshots=retain-on-failure"), ALL),
    ],
)  # fmt: skip
def test_which_videos_are_kept(
    players: Any, play: Play, the_run: Callable[[], Run], options: tuple[str, ...], kept: set[str]
) -> None:
    """Of every episode or of those that did not succeed, also where screenshots of successes are dropped."""
    play(players("n =2", **FAILING), "-k", "note or count", *options).assert_outcomes(passed=2, failed=2)
    assert videos(the_run()) == kept


def test_a_video_that_cannot_be_made_is_a_warning(
    players: Any, play: Play, the_run: Callable[[], Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever breaks in making it, the item says what it said without a video."""

    def broken(*_: Any) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("pytest_cuabench.reporting.video.make_video", broken)
    result = play(players("n =2"), "-k", "note", "--cua-video=on", "-W", "error")
    result.assert_outcomes(passed=2, warnings=2)
    result.stdout.fnmatch_lines(["*cannot make the video of *note-intent*: OSError: No space left on device"])
    assert videos(the_run()) == set()


@pytest.mark.parametrize("option", ["--cua-video=on", "--cua-take-over"])
def test_needs_screenshots(play: Play, option: str) -> None:
    """Asking for what shows screens that are not kept is a mistake, said in one sentence."""
    result = play("--agent=noop", option, "--cua-screenshots=off")
    result.stderr.fnmatch_lines(
        [f"ERROR: {option.removesuffix('=on')} needs screenshots, but --cua-screenshots turns them off; use*"]
    )
