"""`atif`: a folder for each attempt: `trajectory.json` in the Agent Trajectory Interchange Format, and its pictures.

The first step of a part is the user's: the goal and the first screen. Each further step is one decision of the agent:
its words, its actions as tool calls, and what they returned together with the screen that followed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from atif import Trajectory

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.exporters.records import Episode, Part, Step, episodes

VERSION = "ATIF-v1.8"
FILE = "trajectory.json"
EXTRA = "pytest-cuabench"  # what of this package has no field of its own


def export(run: Run, folder: Path) -> None:
    """Write every attempt that has steps; what never began is no trajectory."""
    for episode in episodes(run):
        if any(part.steps for part in episode.parts):
            _write(run, episode, folder / episode.name)


def _write(run: Run, episode: Episode, folder: Path) -> None:
    pictures = _Pictures(folder)
    found = Trajectory.model_validate(_trajectory(run, episode, pictures)).to_json_dict()
    text = json.dumps(found, ensure_ascii=False, indent=1)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(text + "\n", encoding="utf-8")
    pictures.copy()


class _Pictures:
    """The pictures of a trajectory: how it names them, and their copies beside it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[Path, str] = {}

    def part(self, picture: Path | None, phase: str) -> list[dict[str, Any]]:
        """Return the picture as a part of a message; nothing where there is none."""
        if picture is None:
            return []
        self._names[picture] = f"{phase}/{picture.name}" if phase else picture.name
        return [{"type": "image", "source": {"media_type": "image/png", "path": self._names[picture]}}]

    def copy(self) -> None:
        for picture, name in self._names.items():
            (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(picture, self._folder / name)


def _trajectory(run: Run, episode: Episode, pictures: _Pictures) -> dict[str, Any]:
    attempt, usage = episode.attempt, episode.attempt.cost.usage
    steps = [step for part in episode.parts for step in _part(episode, part, pictures)]
    verdict = attempt.verdict.to_json() if attempt.verdict else None
    return {
        "schema_version": VERSION,
        "session_id": run.name,
        "trajectory_id": episode.name,
        "agent": {
            "name": attempt.agent or "unknown",
            "version": episode.version,
            "model_name": episode.model,
        },
        "steps": [{"step_id": number, **step} for number, step in enumerate(steps, 1)],
        "final_metrics": {
            "total_prompt_tokens": usage.tokens_in,
            "total_completion_tokens": usage.tokens_out,
            "total_cached_tokens": usage.tokens_cached,
            "total_cost_usd": usage.cost,
            "total_steps": len(steps),
        },
        "extra": {
            EXTRA: {
                **episode.facts(),
                "answer": attempt.end.answer,
                "error": attempt.error,
                "verdict": verdict,
                "version": version("pytest-cuabench"),
            }
        },
    }


def _part(episode: Episode, part: Part, pictures: _Pictures) -> Iterator[dict[str, Any]]:
    """Yield the steps of a phase, or of the task itself."""
    screens = [*(step.screen for step in part.steps), part.end]
    named = {"phase": part.name} if part.name else {}
    if part.steps:
        first = part.steps[0]
        yield {
            "source": "user",
            "timestamp": first.began.isoformat(),
            "message": [_text(part.goal), *map(_text, first.texts), *pictures.part(screens[0], part.name)],
            **({"extra": named} if named else {}),
        }
    for place, step in enumerate(part.steps):
        later = part.steps[place + 1] if place + 1 < len(part.steps) else None
        shown = [*map(_text, later.texts if later else ()), *pictures.part(screens[place + 1], part.name)]
        yield _decision(episode, step, shown, {**named, **step.said})


def _decision(
    episode: Episode, step: Step, shown: list[dict[str, Any]], extra: Mapping[str, Any]
) -> dict[str, Any]:
    calls = [
        {"tool_call_id": call.id, "function_name": call.name, "arguments": call.arguments}
        for call in step.calls
    ]
    results: list[dict[str, Any]] = [
        {"source_call_id": call.id, "content": words}
        for call in step.calls
        if (words := "\n".join(filter(None, (call.error, call.text))))
    ]
    results += [{"content": shown}] if shown else []
    usage = step.usage
    asked = episode.by_model and (usage.tokens_in or usage.tokens_out)
    metrics = {
        "prompt_tokens": usage.tokens_in,
        "completion_tokens": usage.tokens_out,
        "cached_tokens": usage.tokens_cached,
        "cost_usd": usage.cost,
    }
    return {
        "source": "agent",
        "timestamp": step.ended.isoformat(),
        "message": step.thought,
        **({"tool_calls": calls} if calls else {}),
        **({"observation": {"results": results}} if results else {}),
        **({"metrics": metrics} if asked else {}),
        **({} if episode.by_model else {"llm_call_count": 0}),
        **({"extra": dict(extra)} if extra else {}),
    }


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
