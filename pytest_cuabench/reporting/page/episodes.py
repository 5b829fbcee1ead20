"""Data of one instance for the HTML report: its attempts step by step, findings and changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from pytest_cuabench.ledger.attempt import Attempt, PhaseRecord
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.store import pictures_elsewhere
from pytest_cuabench.reporting.figures import changes, plain, secrets, spent, steps
from pytest_cuabench.reporting.marks import marks
from pytest_cuabench.reporting.page.overview import Played
from pytest_cuabench.reporting.page.pictures import Pictures
from pytest_cuabench.reporting.video import FILE as VIDEO
from pytest_cuabench.reporting.words import action_words, broke_words, by_kind, phase_facts
from pytest_cuabench.task.evidence import Change
from pytest_cuabench.task.redact import without


class Limits(NamedTuple):
    """Limits on the data of an instance in the page; the files beside it are complete."""

    text: int
    steps: int
    changes: int


_LONG = 60  # characters of a text that is shown in full, beside the line of its action

# The first limits that keep the page small enough are used.
LEVELS = (Limits(8000, 1000, 400), Limits(2000, 300, 100), Limits(400, 100, 30), Limits(80, 30, 8))


class Folders(NamedTuple):
    """A run's folder, and its address relative to the page."""

    run: Run
    way: str


def episodes(each: Played, folders: Folders, pictures: Pictures) -> Iterator[dict[str, Any]]:
    """Yield the data of each instance, in order."""
    for attempts in each.instances.values():
        yield _instance(folders, attempts, pictures)


def _instance(folders: Folders, attempts: Sequence[Attempt], pictures: Pictures) -> dict[str, Any]:
    last = attempts[-1]
    verdict, usage = last.verdict, spent(attempts)
    changed = [row for change in changes(folders.run, last) for row in _change(change)]
    instance = {
        "goal": last.goal,
        "answer": last.end.answer,
        "error": broke_words(last) or last.error,
        "ending": last.end.ending,
        "max_steps": last.counts.max_steps,
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "tokens_cached": usage.tokens_cached,
        "milestones": [asdict(item) for item in verdict.milestones] if verdict else [],
        "violations": [asdict(item) for item in by_kind(verdict.violations)] if verdict else [],
        "judged": verdict is not None,
        "changes": changed,
        "changed": len(changed),
        "attempts": [attempt_data(folders, attempt, pictures) for attempt in attempts],
    }
    return dict(without(instance, secrets(folders.run, last)))


def _change(change: Change) -> Iterator[list[Any]]:
    """Yield collection, key, operation, field, before and after; a missing value is null, not an empty text."""
    for name, values in change.fields.items():
        before, after = (None if value is None else plain(value) for value in values)
        yield [change.collection, change.key, change.op, name, before, after]


def attempt_data(folders: Folders, attempt: Attempt, pictures: Pictures) -> dict[str, Any]:
    """Return an attempt with its steps."""
    folder = folders.run.folder / (attempt.files.trajectory or "")
    parts = (*attempt.phases, None)
    frames = [frame for part in parts for frame in _frames(folders.run, attempt, part, pictures)]
    return {
        "number": attempt.number,
        "outcome": attempt.outcome,
        "words": attempt.result.words,
        "error": broke_words(attempt) or attempt.error,
        "seconds": asdict(attempt.cost.seconds),
        "folder": _address(folders.way, attempt.files.trajectory),
        "video": VIDEO if attempt.files.trajectory and (folder / VIDEO).is_file() else None,
        **_elsewhere(folders.run, attempt, pictures),
        "frames": frames,
        "played": len(frames),
    }


def _elsewhere(run: Run, attempt: Attempt, pictures: Pictures) -> dict[str, str]:
    """Return where the pictures are that were left in object storage."""
    there = pictures_elsewhere(run.folder / attempt.files.trajectory) if attempt.files.trajectory else None
    if there is None:
        return {}
    pictures.link(there.address)
    video = {"video": f"{there.address}/{VIDEO}"} if VIDEO in there.files else {}
    return {"pictures": there.address, **video}


def _frames(
    run: Run, attempt: Attempt, phase: PhaseRecord | None, pictures: Pictures
) -> Iterator[dict[str, Any]]:
    """Yield the steps of an earlier phase, or of the task itself, and the screen at its end."""
    folder = run.folder / (attempt.files.trajectory or "")
    part = phase.name if phase else ""
    names = (file.relative_to(folder).as_posix() for file in (folder / part).glob("*.png"))
    kept = set(names) if attempt.files.trajectory else set()
    if attempt.files.trajectory and (there := pictures_elsewhere(folder)):
        kept |= there.files
    frames = [frame_of(step, folder, kept, pictures, part) for step in steps(run, attempt, part)]
    for frame in frames:
        yield {**frame, "phase": part} if phase else {**frame, **_committed(frame, attempt)}
    if frames or _within(part, "final.png") in kept:
        told = {"phase": part, "facts": phase_facts(phase)} if phase else {}
        yield {"end": True, **_shot("final.png", folder, kept, pictures, part), **told}


def _within(phase: str, name: str) -> str:
    return f"{phase}/{name}" if phase else name


def _address(way: str, trajectory: str | None) -> str | None:
    """Return the trajectory's address relative to the page."""
    return quote(Path(way, trajectory).as_posix()) if trajectory else None


def frame_of(
    step: Mapping[str, Any], folder: Path, kept: set[str], pictures: Pictures, phase: str
) -> dict[str, Any]:
    """Return a step as the player shows it."""
    actions = step["actions"]
    facts = {
        "thought": step["thought"],
        "actions": [action_words(action) for action in actions],
        "typed": [
            text
            for action in actions
            for text in action.values()
            if isinstance(text, str) and len(text) > _LONG
        ],
        "marks": marks(actions),
        "results": [result for result in step["results"] if result["error"] or result["text"]],
        "notices": step["notices"],
        "format_error": step["format_error"],
        "repairs": ", ".join(step.get("repairs", ())),
        "wrote": step["wrote"],
    }
    said = {name: value for name, value in facts.items() if value}
    shot = _shot(step["screenshot"], folder, kept, pictures, phase)
    return {"n": step["step"], "at": step["time"], "took": round(step["seconds"], 4), **shot, **said}


def _committed(frame: Mapping[str, Any], attempt: Attempt) -> dict[str, bool]:
    return {"commit": True} if frame["n"] in attempt.end.commits else {}


def _shot(name: str | None, folder: Path, kept: set[str], pictures: Pictures, phase: str) -> dict[str, Any]:
    """Return the screenshot's file, or the picture's number within the page."""
    if name is None or (name := _within(phase, name)) not in kept:
        return {}
    if pictures.inline and (folder / name).is_file():
        return {"picture": pictures.number(folder / name)}
    return {"shot": name}


# Keeping the page small


def shorter(value: Any, limits: Limits) -> Any:
    """Return plain data with long texts cut and long lists shortened."""
    if isinstance(value, str):
        left_out = len(value) - limits.text
        # The note takes about 20 characters itself.
        return value if left_out <= 20 else f"{value[: limits.text]}… ({left_out:,} more characters)"
    if isinstance(value, list | tuple):
        return [shorter(item, limits) for item in value]
    if isinstance(value, dict):
        return {name: _part(name, item, limits) for name, item in value.items()}
    return value


def _part(name: str, value: Any, limits: Limits) -> Any:
    if name in ("folder", "pictures"):
        return value
    limit = {"frames": limits.steps, "changes": limits.changes}.get(name)
    if limit is not None and len(value) > limit:  # the end of an episode tells more than its start
        value = value[-limit:] if name == "frames" else value[:limit]
    return shorter(value, limits)
