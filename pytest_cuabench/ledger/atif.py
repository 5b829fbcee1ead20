"""Read trajectories in the Agent Trajectory Interchange Format that other programs wrote.

The package `atif` knows the fields. What it accepts although nobody can tell what it means (other versions, no step of
an agent) is refused here. Files are untrusted: pictures are read only from the folder of their trajectory, and no
address is fetched.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import SettingError, needing
from pytest_cuabench.ledger.inspection import fit
from pytest_cuabench.task.bounded import parse_json
from pytest_cuabench.task.json_files import bytes_of, shown
from pytest_cuabench.task.text import short
from pytest_cuabench.task.usage import Usage

NEWEST = 8  # of version 1, which is the only one
_LARGEST = 64_000_000  # bytes of a file
_MOST_FILES = 10_000
_MOST_BYTES = 1_000_000_000  # of all trajectories that are read at once, without pictures


@dataclass(frozen=True, slots=True)
class Foreign:
    """A trajectory, and where it was found."""

    file: Path
    content: Any

    def png(self, place: str) -> bytes | None:
        """Return a picture of it as PNG; None for what lies elsewhere, is missing, or is no picture."""
        from PIL import Image

        folder = self.file.parent.resolve()
        try:
            file = (folder / place).resolve()
            if not file.is_relative_to(folder) or not file.is_file() or file.stat().st_size > _LARGEST:
                return None
            out = io.BytesIO()
            with Image.open(file) as picture:
                picture.convert("RGB").save(out, "PNG", compress_level=1)
            return out.getvalue()
        except (OSError, ValueError, Image.DecompressionBombError):
            return None

    def times(self) -> list[float]:
        """Return the seconds from the first time to each step; a step without one has that of the step before."""
        told = [step.timestamp and moment(step.timestamp) for step in self.content.steps]
        first = next(filter(None, told), None)
        times, last = [], 0.0
        for time in told:
            if time and first:
                last = max(last, (time - first).total_seconds())  # a clock may have been set back
            times.append(round(last, 4))
        return times

    def usage(self) -> Usage:
        """Return the totals that are told, else the sums of the steps."""
        summed = sum((usage_of(step) for step in self.content.steps if step.source == "agent"), Usage())
        told = self.content.final_metrics
        if told is None:
            return summed
        return Usage(
            _number(told.total_prompt_tokens, summed.tokens_in),
            _number(told.total_completion_tokens, summed.tokens_out),
            _number(told.total_cached_tokens, summed.tokens_cached),
            _number(told.total_cost_usd, summed.cost),
        )


def read_trajectories(places: Iterable[Path]) -> list[Foreign]:
    """Read files, and the files `trajectory*.json` of folders.

    Raises:
        SettingError: There is none, or one is invalid.
        Missing: The package `atif` is not installed.
    """
    found: list[Foreign] = []
    left = _MOST_BYTES
    for place in places:
        for file in _files(place):
            content = _content(file)
            left -= len(content)
            if left < 0:
                raise SettingError(
                    f"the trajectories have more than {_MOST_BYTES} bytes; import them in parts"
                )
            found += _read(file, content)
    if not found:
        raise SettingError("nothing to import; name a file or a folder with trajectories")
    return found


def text_of(content: Any) -> str:
    """Return the texts of a message or a result."""
    if isinstance(content, list):
        return "\n".join(part.text for part in content if part.type == "text" and part.text)
    return content or ""


def pictures_of(content: Any) -> list[str]:
    """Return the places of the pictures of a message or a result."""
    parts = content if isinstance(content, list) else ()
    return [part.source.path for part in parts if part.type == "image"]


def results_of(step: Any) -> list[Any]:
    """Return what came back after a step."""
    return list(step.observation.results) if step.observation else []


def usage_of(step: Any) -> Usage:
    """Return what a step of an agent consumed; its cost is unknown unless it is told."""
    told = step.metrics
    if told is None:
        return Usage() if step.llm_call_count == 0 else Usage(cost=None)
    return Usage(
        _number(told.prompt_tokens, 0),
        _number(told.completion_tokens, 0),
        _number(told.cached_tokens, 0),
        _number(told.cost_usd, None),
    )


def moment(text: str) -> datetime:
    """Return a time of a step; without an offset, or at the edge of the calendar, it is taken as UTC."""
    found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    edge = not datetime.min.year < found.year < datetime.max.year
    return found.replace(tzinfo=UTC) if edge or not found.tzinfo else found.astimezone(UTC)


def _number(value: Any, otherwise: Any) -> Any:
    """Return a number that a record may hold."""
    return value if value is not None and 0 <= value < 1e12 else otherwise


def _files(place: Path) -> list[Path]:
    if place.is_dir():
        files = list(islice(place.rglob("trajectory*.json"), _MOST_FILES + 1))
        if not files:
            raise SettingError(f"{place} holds no trajectory.json; name the file itself")
        if len(files) > _MOST_FILES:
            raise SettingError(f"{place} holds more than {_MOST_FILES} trajectories; import them in parts")
        if left := next((file for file in files if not file.resolve().is_relative_to(place.resolve())), None):
            raise SettingError(f"{shown(left)} is a link that leads out of {place}; name the file that it is")
        return sorted(files)
    if not place.exists():
        raise SettingError(f"no such file: {place}")
    return [place]


def _content(file: Path) -> bytes:
    try:
        return bytes_of(file, _LARGEST)
    except OSError as error:
        raise SettingError(f"{shown(file)} cannot be read: {error.strerror}") from None


def _read(file: Path, content: bytes) -> Iterator[Foreign]:
    """Yield the trajectory of a file, and those of sub-agents in it."""
    with needing("atif", "reading trajectories"):
        from atif import Trajectory

    try:
        data = parse_json(content)
        if not isinstance(data, dict):
            raise ValueError("it is no JSON object")
        _refuse_version(data.get("schema_version"))
        pending = [fit(Trajectory, data)]
    except ValueError as error:
        raise SettingError(f"{file} is not a trajectory in ATIF: {short(error, 200)}") from None
    while pending:
        trajectory = pending.pop(0)
        pending += trajectory.subagent_trajectories or ()
        if not any(step.source == "agent" for step in trajectory.steps):  # of none at all, too
            raise SettingError(f"{file} is a trajectory without a step of an agent; there is nothing to show")
        yield Foreign(file, trajectory)


def _refuse_version(told: Any) -> None:
    """Raise a ValueError for what the package `atif` accepts although nobody knows what it means."""
    found = re.fullmatch(r"ATIF-v1\.([0-9]{1,3})", told) if isinstance(told, str) else None
    if not found or int(found[1]) > NEWEST:
        raise ValueError(
            f"its schema_version is {told!r}, but this version reads ATIF-v1.0 to ATIF-v1.{NEWEST}"
        )
