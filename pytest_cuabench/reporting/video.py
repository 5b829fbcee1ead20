"""`video.webp`: a video of an episode, made from its screenshots after it has ended.

Each frame is a step's screenshot with its actions drawn on it, and a caption with secrets masked. Browsers, Allure
and code hosts show an animated WebP like any picture.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.figures import secrets, steps
from pytest_cuabench.reporting.marks import draw_on, marks
from pytest_cuabench.reporting.words import decision_words, reason
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.redact import masked
from pytest_cuabench.task.text import cut, short

if TYPE_CHECKING:
    from PIL.Image import Image

FILE = "video.webp"
MIME = "image/webp"
STEP_MS, LAST_MS = 800, 3000
LONGEST_MS = 60_000  # of all steps together; a long episode is shown faster
MOST = 120  # frames, since all are held in memory; a longer episode shows every second, third... step
_SIZE = (960, 960)  # pixels, maximum
_CAPTION = 40  # pixels below the screen
_QUALITY = 60  # of the WebP encoder; small text stays readable
_INK, _PAPER, _DONE = (240, 240, 236), (24, 27, 31), (110, 180, 240)


def try_to_make_videos(item: pytest.Item, attempts: Sequence[Attempt], run: Run, which: str) -> None:
    """Make the videos of an item; errors become warnings and never change the result of the test."""
    try:
        make_videos(run, attempts, which)
    except Exception as error:
        sentence = f"cannot make the video of {item.nodeid}: {type(error).__name__}: {short(error, 300)}"
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            item.warn(pytest.PytestWarning(sentence))


def make_videos(run: Run, attempts: Iterable[Attempt], which: str) -> list[Path]:
    """Make the videos of finished attempts: of all (`on`) or of those without success (`retain-on-failure`).

    Raises:
        OSError: A screenshot cannot be read, or a video cannot be written.
    """
    wanted = [attempt for attempt in attempts if which == "on" or attempt.result is not Outcome.SUCCESS]
    made = [make_video(run, attempt) for attempt in wanted] if which != "off" else []
    return [file for file in made if file is not None]


def make_video(run: Run, attempt: Attempt) -> Path | None:
    """Make the video of an attempt and return its path; None where no screenshot was kept."""
    if attempt.files.trajectory is None:
        return None
    folder = run.folder / attempt.files.trajectory
    played = [step for step in steps(run, attempt) if (folder / str(step["screenshot"])).is_file()]
    played = played[:: -(-len(played) // MOST) or 1]  # upwards, so that no more than MOST are left
    frames = _frames(folder, played, attempt, secrets(run, attempt))
    if (first := next(frames, None)) is None:
        return None
    file = folder / FILE
    times = _times(len(played), (folder / "final.png").is_file())
    unfinished = file.with_suffix(".part")  # atomic: an existing video is always complete
    first.save(
        unfinished, "WEBP", save_all=True, append_images=frames, duration=times, quality=_QUALITY, method=2
    )
    return unfinished.rename(file)


def _times(steps: int, final: bool) -> list[int]:
    """Return the duration of each frame in milliseconds; the last one is longer."""
    each = min(STEP_MS, LONGEST_MS // max(1, steps))
    times = [each] * steps
    return [*times, LAST_MS] if final else [*times[:-1], LAST_MS]


def _frames(
    folder: Path, played: Sequence[Mapping[str, Any]], attempt: Attempt, hidden: Sequence[str]
) -> Iterator[Image]:
    for number, step in enumerate(played, 1):
        actions = decision_words(step["actions"], 200)
        words = f"{step['step'] + 1} of {attempt.counts.steps}  {actions}"
        yield _frame(folder / step["screenshot"], step["actions"], words, number / len(played))
    if (final := folder / "final.png").is_file():
        words = masked(f"{attempt.outcome.replace('_', ' ')}: {reason(attempt)}", hidden)
        yield _frame(final, (), words, 1)


def _frame(file: Path, actions: Iterable[Mapping[str, Any]], words: str, done: float) -> Image:
    from PIL import Image, ImageDraw

    with Image.open(file) as source:
        screen = source.convert("RGB")
    draw_on(screen, marks(actions))
    screen.thumbnail(_SIZE, Image.Resampling.LANCZOS)
    frame = Image.new("RGB", (screen.width, screen.height + _CAPTION), _PAPER)
    frame.paste(screen)
    pen = ImageDraw.Draw(frame)
    pen.rectangle((0, screen.height, round(screen.width * done), screen.height + 2), fill=_DONE)
    pen.text((12, screen.height + 12), _fitting(pen, words, screen.width - 24), _INK, _font())
    return frame


def _font() -> Any:
    """Return Pillow's bundled font."""
    from PIL import ImageFont

    return ImageFont.load_default(18)


def _fitting(pen: Any, words: str, width: int) -> str:
    """Cut a line to the width, with characters that the font lacks replaced."""
    text = cut(words, 200).translate(_PLAIN).encode("latin-1", "replace").decode("latin-1")
    while text and pen.textlength(text, _font()) > width:
        text = f"{text.removesuffix('...')[: -max(1, len(text) // 20)]}..."
    return text


_PLAIN = str.maketrans({"…": "...", "“": '"', "”": '"', "’": "'", "—": "-", "–": "-", "→": "->", "•": "*"})
