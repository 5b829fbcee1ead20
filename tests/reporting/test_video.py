"""Videos of episodes: what they show, what they leave out, and what happens when they cannot be made."""

from __future__ import annotations

from pathlib import Path

import pytest
import sample_run
from PIL import Image

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting import video


@pytest.fixture
def fresh(tmp_path: Path) -> Run:
    """A run without attempts."""
    return Run(tmp_path)


def frames(file: Path) -> list[tuple[int, Image.Image]]:
    """Return what a video shows, and for how long, in milliseconds."""
    with Image.open(file) as moving:
        found = []
        for number in range(moving.n_frames):
            moving.seek(number)
            picture = moving.convert("RGB")
            found.append((moving.info["duration"], picture))
        return found


def test_each_step_has_a_frame_with_its_click(fresh: Run) -> None:
    """Steps are shown for 0.8 s each and the end for longer; a click is a ring on what was clicked."""
    done = sample_run.record(fresh, sample_run.attempt("a", "b", "failure"))
    file = video.make_video(fresh, done)
    assert file is not None
    shown = frames(file)
    assert [ms for ms, _ in shown] == [800] * 7 + [3000]
    assert shown[0][1].size == (960, 580)
    red, green, blue = shown[0][1].getpixel((172 + 12, 111))  # type: ignore[misc]  # the ring around (230, 148) * 0.75
    assert red > 150 > green + 40
    assert blue < 180


@pytest.mark.slow
def test_a_long_episode_is_shown_faster_and_stays_small(fresh: Run) -> None:
    """Thirty steps stay below 1.5 MB; of three hundred, every third one is shown, within a minute."""
    for count, most, size in ((30, 1_500_000, (1280, 720)), (300, 500_000, (160, 90))):
        steps = [sample_run.step(n, [{"kind": "click", "x": 9 * n % 150, "y": 40}]) for n in range(count)]
        done = sample_run.attempt("a", f"b{count}", "failure", steps=count)
        file = video.make_video(fresh, sample_run.record(fresh, done, steps, size=size))
        assert file is not None
        assert file.stat().st_size < most
    shown = frames(file)
    assert len(shown) == 101
    assert sum(ms for ms, _ in shown[:-1]) <= 60_000


def test_passwords_are_not_in_captions(fresh: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the case calls a password is masked wherever a caption would show it."""
    told: list[str] = []
    monkeypatch.setattr(video, "_fitting", lambda pen, words, width: told.append(words) or words)
    steps = [
        sample_run.step(0, [{"kind": "type", "text": "basket-pebble-93"}]),
        sample_run.step(1, [{"kind": "navigate", "url": "http://x/?p=basket-pebble-93"}]),
    ]
    done = sample_run.attempt("a", "b", "environment_error", error="basket-pebble-93 was refused", steps=2)
    folder = fresh.folder / "trajectories" / done.instance / "1"
    kept = sample_run.record(fresh, done, steps)
    (folder / "case.json").write_text('{"goal": "", "values": {"login": {"password": "basket-pebble-93"}}}')
    (folder / "final.png").write_bytes(sample_run.picture(1))
    assert video.make_video(fresh, kept) is not None
    assert len(told) == 3
    assert "basket" not in " ".join(told)
    assert "•••" in told[0]


def test_hostile_text_is_a_caption(fresh: Run) -> None:
    """Twenty thousand characters, controls among them, become one line."""
    assert video.make_video(fresh, sample_run.hostile(fresh)) is not None


def test_nothing_to_show(fresh: Run) -> None:
    """Without screenshots there is no video, and no trouble."""
    steps = [sample_run.step(0, [], screenshot=None)]
    done = sample_run.attempt("a", "b", "provider_error")
    assert video.make_video(fresh, done) is None
    kept = sample_run.record(fresh, done, steps)
    (fresh.folder / str(kept.trajectory) / "step-000.png").unlink()
    assert video.make_video(fresh, kept) is None


@pytest.mark.parametrize(("which", "made"), [("on", 2), ("retain-on-failure", 1), ("off", 0)])
def test_which_videos_are_made(fresh: Run, which: str, made: int) -> None:
    """Of all attempts, of those that did not succeed, or of none."""
    done = [
        sample_run.record(fresh, sample_run.attempt("a", name, outcome), size=(320, 180))
        for name, outcome in (("b", "success"), ("c", "failure"))
    ]
    assert len(video.make_videos(fresh, done, which)) == made
