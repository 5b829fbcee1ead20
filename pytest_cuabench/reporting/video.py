"""`video.webp`: an episode as a moving picture, made of its screenshots when it has ended.

Each step is shown with what the agent did drawn on what it saw, and a caption of the action. Passwords are masked
in captions. An animated WebP needs no player: browsers, Allure and code hosts show it like any picture.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_cuabench.ledger import Attempt, Run
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.reporting.figures import steps
from pytest_cuabench.reporting.marks import draw_on, marks
from pytest_cuabench.reporting.words import cut, decision_words, reason, short
from pytest_cuabench.secrecy import masked, secrets_in

if TYPE_CHECKING:
    from PIL.Image import Image

FILE = "video.webp"
MIME = "image/webp"
STEP_MS, LAST_MS = 800, 3000
LONGEST_MS = 60_000  # of the steps together: a long episode is shown faster, not longer
MOST = 120  # steps; of a longer episode every second, third... one, as all frames are held in memory
_SIZE = (960, 960)  # pixels, at the most
_CAPTION = 40  # pixels below the screen
_QUALITY = 60  # of the WebP encoder; text of a screen is still clear
_INK, _PAPER, _DONE = (240, 240, 236), (24, 27, 31), (110, 180, 240)


def try_to_make_videos(item: pytest.Item, attempts: Sequence[Attempt], run: Run, which: str) -> None:
    """Make the videos of an item; what goes wrong becomes a warning, never a different result of the test."""
    try:
        make_videos(run, attempts, which)
    except Exception as error:
        sentence = f"no video was made of {item.nodeid}: {type(error).__name__}: {short(error, 300)}"
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            item.warn(pytest.PytestWarning(sentence))


def make_videos(run: Run, attempts: Iterable[Attempt], which: str) -> list[Path]:
    """Make the videos of attempts that have ended: of all (`on`), or of those that did not succeed.

    Raises:
        OSError: A screenshot cannot be read, or a video not be written.
    """
    wanted = [attempt for attempt in attempts if which == "on" or attempt.result is not Outcome.SUCCESS]
    made = [make_video(run, attempt) for attempt in wanted] if which != "off" else []
    return [file for file in made if file is not None]


def make_video(run: Run, attempt: Attempt) -> Path | None:
    """Make the video of an attempt; return None where no screenshot was kept."""
    if attempt.trajectory is None:
        return None
    folder = run.folder / attempt.trajectory
    played = [step for step in steps(run, attempt) if (folder / str(step["screenshot"])).is_file()]
    played = played[:: -(-len(played) // MOST) or 1]
    frames = _frames(folder, played, attempt)
    if (first := next(frames, None)) is None:
        return None
    file = folder / FILE
    times = _times(len(played), (folder / "final.png").is_file())
    unfinished = file.with_suffix(".part")  # so that a video which is there is a whole one
    first.save(
        unfinished, "WEBP", save_all=True, append_images=frames, duration=times, quality=_QUALITY, method=2
    )
    return unfinished.rename(file)


def _times(steps: int, final: bool) -> list[int]:
    """Return how long each frame is shown, in milliseconds; the last one longer."""
    each = min(STEP_MS, LONGEST_MS // max(1, steps))
    times = [each] * steps
    return [*times, LAST_MS] if final else [*times[:-1], LAST_MS]


def _frames(folder: Path, played: Sequence[Mapping[str, Any]], attempt: Attempt) -> Iterator[Image]:
    secrets = _secrets(folder)
    for number, step in enumerate(played, 1):
        deeds = decision_words([_without(action, secrets) for action in step["actions"]], 200)
        words = f"{step['step'] + 1} of {attempt.steps}  {deeds}"
        yield _frame(folder / step["screenshot"], step["actions"], words, number / len(played))
    if (final := folder / "final.png").is_file():
        words = masked(f"{attempt.outcome.replace('_', ' ')}: {reason(attempt)}", secrets)
        yield _frame(final, (), words, 1)


def _secrets(folder: Path) -> tuple[str, ...]:
    file = folder / "case.json"
    case = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return tuple(secrets_in(case.get("values", {})))


def _without(action: Mapping[str, Any], secrets: Sequence[str]) -> dict[str, Any]:
    """Return an action with the secrets in its texts masked, before anything of a text is cut off."""
    return {
        name: masked(value, secrets) if isinstance(value, str) else value for name, value in action.items()
    }


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
    """Return Pillow's own font, which needs nothing from the machine."""
    from PIL import ImageFont

    return ImageFont.load_default(18)


def _fitting(pen: Any, words: str, width: int) -> str:
    """Return as much of a line as fits, in letters that the font has."""
    text = cut(words, 200).translate(_PLAIN).encode("latin-1", "replace").decode("latin-1")
    while text and pen.textlength(text, _font()) > width:
        text = f"{text.removesuffix('...')[: -max(1, len(text) // 20)]}..."
    return text


_PLAIN = str.maketrans({"…": "...", "“": '"', "”": '"', "’": "'", "—": "-", "–": "-", "→": "->", "•": "*"})
