"""Follows a run's folder: what each episode does now, and the run's figures.

Files are read on from where the last look ended. Each episode has the number of the look that last changed it, so that
a page is sent only what is new to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from pytest_cuabench.errors import CuabenchError, SettingError
from pytest_cuabench.ledger import live
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.lines import ATTEMPT, LEDGER, REGRADE
from pytest_cuabench.ledger.plan import PLAN, SKIPPED
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.figures import rate
from pytest_cuabench.reporting.marks import marks
from pytest_cuabench.reporting.page.episodes import Folders, attempt_data, frame_of
from pytest_cuabench.reporting.page.pictures import Pictures
from pytest_cuabench.reporting.words import decision_words, reason
from pytest_cuabench.task.bounded import parse_json
from pytest_cuabench.task.text import cut

_LONGEST = 600  # characters of a text on a tile
_PICTURES = "picture/"  # address of the run's folder


class _Place(NamedTuple):
    """A line within a file."""

    file: Path
    offset: int
    size: int


@dataclass(slots=True)
class Tile:
    """One attempt.

    Attributes:
        shown: What the page is sent, as plain data.
        changed: Number of the look that last changed it.
        steps: Where the lines of its steps are.
        attempt: Its record, once it ended.
    """

    shown: dict[str, Any]
    changed: int = 0
    steps: list[_Place] = field(default_factory=list)
    attempt: Attempt | None = None


class Following:
    """What is known of a run; `look` reads what is new.

    Args:
        find: Returns the run, or None as long as there is none.

    Attributes:
        looks: The number of looks that found anything new.
    """

    def __init__(self, find: Callable[[], Run | None]) -> None:
        self._find = find
        self.run: Run | None = None
        self.tiles: dict[str, Tile] = {}
        self.looks = 0
        self._offsets: dict[Path, int] = {}
        self._planned: set[str] = set()
        self._session: dict[str, Any] | None = None
        self._new = False

    def look(self) -> bool:
        """Read what is new, and return whether anything is."""
        self._new = False
        if self.run is None:
            self.run = self._find()
            self._new = self.run is not None
        if self.run is not None:
            session = live.session_of(self.run.folder)
            self._new |= session != self._session
            self._session = session
            for file in live.files_of(self.run.folder):
                for place, line in self._lines(file):
                    self._take(place, line)
            lines = [line for _, line in self._lines(self.run.folder / LEDGER)]
            for line in lines:
                self._record(line)
            if any(line.get("type") == REGRADE for line in lines):
                with suppress(SettingError):  # a damaged ledger keeps its first verdicts
                    for attempt in self.run.attempts():
                        self._ended(attempt)
        self.looks += self._new
        return self._new

    def changes(self, since: int) -> dict[str, Any]:
        """Return the figures, and the episodes that changed after a look."""
        tiles = [tile.shown for tile in self.tiles.values() if tile.changed > since]
        return {"look": self.looks, "run": self._about(), "figures": self._figures(), "tiles": tiles}

    def frames(self, key: str) -> list[dict[str, Any]]:
        """Return the steps of an attempt, as in the report.

        Raises:
            SettingError: The record of the attempt cannot be read.
        """
        tile = self.tiles.get(key)
        if tile is None or self.run is None:
            return []
        # As long as a retry may follow, the case that names the secrets is not there; the live lines are masked.
        known = self._session is None or (self.run.folder / key / "case.json").is_file()
        if tile.attempt and tile.attempt.files.trajectory and known:
            frames = attempt_data(Folders(self.run, ""), tile.attempt, Pictures(False))["frames"]
            return list(frames)
        with suppress(OSError):
            found = (self._frame(line, key) for line in self._steps_of(tile))
            return [frame for frame in found if frame]
        return []

    # Reading

    def _lines(self, file: Path) -> Iterator[tuple[_Place, dict[str, Any]]]:
        """Yield the complete lines that are new."""
        offset = self._offsets.get(file, 0)
        try:
            if file.stat().st_size == offset:
                return
            with file.open("rb") as opened:
                opened.seek(offset)
                new = opened.read()
        except OSError:
            return
        for raw in new.splitlines(keepends=True):
            if not raw.endswith(b"\n"):  # its writer is not done
                break
            with suppress(ValueError):
                line = parse_json(raw)
                if isinstance(line, dict):
                    yield _Place(file, offset, len(raw)), line
            offset += len(raw)
        self._offsets[file] = offset

    def _tile(self, key: str) -> Tile:
        self._new = True
        tile = self.tiles.setdefault(key, Tile({"key": key, "steps": 0, "since": 0.0}))
        tile.changed = self.looks + 1
        return tile

    def _take(self, place: _Place, line: Mapping[str, Any]) -> None:
        """Take a line of a process that plays."""
        key = line.get("attempt")
        if not isinstance(key, str):
            return
        tile = self._tile(key)
        shown = tile.shown
        if isinstance(step := line.get("step"), dict):
            tile.steps.append(place)
        if tile.attempt:  # the ledger was read first; its record says more
            return
        phase = str(line.get("phase") or "")
        for name in ("instance", "number", "max_steps", "goal", "cost", "seconds", "outcome", "problem"):
            if name in line:
                shown[name] = cut(line[name], _LONGEST) if isinstance(line[name], str) else line[name]
        if phase and "instance" in line:
            shown.pop("instance")
        if "state" in line:
            shown |= {"state": str(line["state"]), "since": line["time"], "phase": phase}
            shown.setdefault("started", line["time"])
        if line.get("picture"):
            shown |= {"shot": _within(key, phase, line["picture"]), "marks": []}
        if isinstance(step, dict):
            shown["steps"] = len(tile.steps)
            shown |= _last_step(step, key, phase)

    def _record(self, line: Mapping[str, Any]) -> None:
        """Take a line of the ledger."""
        kind = line.get("type")
        if kind == PLAN:
            self._planned |= {str(each["instance"]) for each in line.get("instances", ())}
        elif kind == SKIPPED:
            self._planned.discard(str(line.get("instance")))
        elif kind == ATTEMPT:
            with suppress(TypeError, ValueError, KeyError):
                self._ended(Attempt.from_json(line))
            return
        else:
            return
        self._new = True

    def _ended(self, attempt: Attempt) -> None:
        result = attempt.result
        tile = self._tile(attempt.files.trajectory or self._lost(attempt))
        tile.attempt = attempt
        tile.shown |= {
            "instance": attempt.item.instance,
            "number": attempt.number,
            "state": "ended",
            "phase": "",
            "outcome": attempt.outcome,
            "reason": reason(attempt, 300),
            "goal": cut(attempt.goal, _LONGEST),
            "steps": attempt.counts.steps,
            "max_steps": attempt.counts.max_steps,
            "cost": attempt.cost.usage.cost,
            "seconds": round(attempt.cost.seconds.total, 1),
            "since": _time_of(attempt),
            "tone": "" if result.graded else "ungraded",
        }
        if attempt.files.screenshot:
            tile.shown |= {"shot": attempt.files.screenshot, "marks": []}

    def _lost(self, attempt: Attempt) -> str:
        """Return the key of an attempt whose process died, and which has no trajectory in the ledger."""
        running = (key for key, tile in self.tiles.items() if not tile.attempt and _is_of(tile, attempt))
        return next(running, f"{attempt.item.instance}/{attempt.number}")

    def _steps_of(self, tile: Tile) -> Iterator[dict[str, Any]]:
        for place in tile.steps:
            with place.file.open("rb") as opened:
                opened.seek(place.offset)
                yield parse_json(opened.read(place.size))

    def _frame(self, line: Mapping[str, Any], key: str) -> dict[str, Any] | None:
        assert self.run is not None
        phase = str(line.get("phase") or "")
        folder = self.run.folder / key
        kept = {file.relative_to(folder).as_posix() for file in (folder / phase).glob("*.png")}
        with suppress(KeyError, TypeError, ValueError, IndexError):
            frame = frame_of(line["step"], folder, kept, Pictures(False), phase)
            return {**frame, "phase": phase} if phase else frame
        return None

    # Figures

    def _about(self) -> dict[str, Any]:
        if self.run is None:
            return {"name": None, "state": "waiting"}
        state = "ended" if self._session is None else "playing" if self._session["alive"] else "killed"
        return {
            "name": self.run.name,
            "state": state,
            "report": (self.run.folder / "report.html").is_file(),
            "take_over": state == "playing" and bool(self._session and self._session["take_over"]),
        }

    def _figures(self) -> dict[str, Any]:
        last = {tile.attempt.item.instance: tile.attempt for tile in self.tiles.values() if tile.attempt}
        running = [tile.shown for tile in self.tiles.values() if not tile.attempt]
        costs = [tile.shown.get("cost", 0.0) for tile in self.tiles.values()]
        again = {shown.get("instance") for shown in running}
        done = [attempt for name, attempt in last.items() if name not in again]
        found = rate(done)
        return {
            "planned": max(len(self._planned | set(last)), len(last)) or None,
            "done": len(done),
            "running": len(running),
            "paused": sum(shown.get("state") == "paused" for shown in running),
            "outcomes": _counted(attempt.outcome for attempt in done),
            "rate": {"k": found.successes, "n": found.graded, "low": found.low, "high": found.high},
            "cost": None if None in costs else sum(costs),
            "left": self._left(done),
        }

    def _left(self, done: list[Attempt]) -> float | None:
        """Return the seconds until all is played, at this session's pace so far; None if unknown."""
        if not self._session or not self._session["alive"]:
            return None
        started = self._session["started"]
        here = sum(_time_of(attempt) >= started for attempt in done)
        remaining = len(self._planned - {attempt.item.instance for attempt in done})
        return (time.time() - started) / here * remaining if here else None


def _last_step(step: Mapping[str, Any], key: str, phase: str) -> dict[str, Any]:
    """Return what a tile shows of a step."""
    found: dict[str, Any] = {"thought": cut(str(step.get("thought") or ""), _LONGEST)}
    with suppress(KeyError, TypeError, ValueError, IndexError, CuabenchError):
        found["action"] = decision_words(list(step["actions"]))
        found["marks"] = marks(step["actions"])
    if step.get("screenshot"):
        found["shot"] = _within(key, phase, step["screenshot"])
    return found


def _within(key: str, phase: str, name: str) -> str:
    return "/".join(part for part in (key, phase, name) if part)


def _time_of(attempt: Attempt) -> float:
    with suppress(ValueError):
        return datetime.fromisoformat(attempt.started).timestamp()
    return 0.0


def _is_of(tile: Tile, attempt: Attempt) -> bool:
    return bool(tile.shown.get("instance") == attempt.item.instance)


def _counted(labels: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for label in labels:
        found[label] = found.get(label, 0) + 1
    return found
