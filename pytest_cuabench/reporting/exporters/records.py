"""A run's episodes as every format tells them: steps with absolute times and pictures, and no secrets.

What an episode recorded as secret (passwords of its case) is masked in every text here, so that no format can leak it.
Pictures are the recorded files, unchanged.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.inspection import TRAJECTORIES, fit, whole
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.figures import secrets
from pytest_cuabench.reporting.figures import steps as recorded_steps
from pytest_cuabench.task.bounded import parse_json
from pytest_cuabench.task.redact import without
from pytest_cuabench.task.usage import Usage
from pytest_cuabench.task.verdict import Verdict

OWN_CODE = "in_process"  # isolation of agents whose code nobody knows here


class Call(NamedTuple):
    """An action as the call of a tool, and what it returned; the id is unique in its episode."""

    id: str
    name: str
    arguments: dict[str, Any]
    error: str
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of the agent.

    Attributes:
        screen: The picture that the agent decided on; None if it was not recorded.
        seen: The texts that it was shown besides (accessibility tree, marks, DOM), by name.
        calls: The actions in order; those after a failed one were not carried out and have no result.
        said: What the agent was told before this decision, and what its reply could not be read for.
        began: When the episode was ready for this decision.
        acted: When it was decided, as far as is known: the record has the world's time of a step in one sum.
        ended: When its actions were performed and the screen was at rest.
    """

    number: int
    thought: str
    screen: Path | None
    seen: Mapping[str, Any]
    calls: tuple[Call, ...]
    said: Mapping[str, Any]
    usage: Usage
    wrote: bool
    began: datetime
    acted: datetime
    ended: datetime

    @property
    def texts(self) -> list[str]:
        """What the agent was shown besides the screen, as texts."""
        return [
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for value in self.seen.values()
        ]


@dataclass(frozen=True, slots=True)
class Part:
    """An earlier phase of an episode, or the task itself, whose name is empty.

    Attributes:
        end: The screen at its end.
    """

    name: str
    goal: str
    steps: tuple[Step, ...]
    end: Path | None


@dataclass(frozen=True, slots=True)
class Episode:
    """One attempt.

    Attributes:
        name: `<instance>/<attempt>`, a relative path that is used once in a run.
        model: The model that was asked; None for agents without one.
        version: The hash of the agent's profile, or this package's version where none is recorded.
    """

    name: str
    attempt: Attempt
    parts: tuple[Part, ...]
    model: str | None
    version: str
    began: datetime
    ended: datetime

    @property
    def by_model(self) -> bool:
        """Whether a model may have decided: one is named or was paid for, or the agent is code of the user's own."""
        usage = self.attempt.cost.usage
        return bool(
            self.model or usage.tokens_in or usage.tokens_out or self.attempt.conditions.isolation == OWN_CODE
        )

    def facts(self) -> dict[str, Any]:
        """Return what identifies the attempt and what it came to, without texts of agents."""
        attempt, values = self.attempt, self.attempt.values()
        verdict = attempt.verdict
        return {
            **{name: values[name] for name in FACTS},
            "success": verdict.success if verdict else None,
            "score": verdict.score if verdict else None,
            "reward": verdict.reward if verdict else None,
            "seconds": attempt.cost.seconds.total,
            "tokens_in": attempt.cost.usage.tokens_in,
            "tokens_out": attempt.cost.usage.tokens_out,
            "tokens_cached": attempt.cost.usage.tokens_cached,
            "dollars": attempt.cost.usage.cost,
            "model": self.model,
        }


FACTS = (
    "instance", "number", "suite", "application", "task", "domain", "difficulty", "variant", "seed", "epoch",
    "agent", "isolation", "tier", "outcome", "ending", "steps", "max_steps", "started",
)  # fmt: skip


def episodes(run: Run) -> Iterator[Episode]:
    """Yield the attempts of a run, in the order they ended.

    Raises:
        SettingError: A record is damaged.
    """
    profile = run.about().get("profile") or {}
    model = profile.get("model") if isinstance(profile.get("model"), str) else None
    names: Counter[str] = Counter()
    for attempt in run.attempts():
        place = attempt.files.trajectory or f"{TRAJECTORIES}/unplayed/{names.total() + 1}"
        name = place.removeprefix(f"{TRAJECTORIES}/")
        names[name] += 1
        if names[name] > 1:
            raise SettingError(f"{run.folder}: two attempts have the trajectory {place}; restore the ledger")
        try:
            yield _episode(run, attempt, name, model)
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            words = f"{attempt.item.instance}, attempt {attempt.number}: its record is damaged"
            raise SettingError(f"{words} ({type(error).__name__}: {error}); restore {place}") from error


def _episode(run: Run, attempt: Attempt, name: str, model: str | None) -> Episode:
    hidden = secrets(run, attempt)
    began = datetime.fromisoformat(attempt.started).astimezone(UTC)
    made = attempt.conditions.fingerprint
    return Episode(
        name,
        _masked(attempt, hidden),
        tuple(_parts(run, attempt, began, hidden)),
        model,
        (made and (made.agent or made.plugin)) or "unknown",
        began,
        began + timedelta(seconds=attempt.cost.seconds.total),
    )


def _masked(attempt: Attempt, hidden: tuple[str, ...]) -> Attempt:
    """Return the attempt with the secrets masked in what agents, pages and checks wrote."""
    told = without(attempt.verdict.to_json(), hidden) if attempt.verdict else None
    values = attempt.values()
    texts = {name: whole(without(values[name], hidden)) for name in ("goal", "answer", "error")}
    return attempt.with_values(
        verdict=told and Verdict.from_json(whole(told)), broke=None, phases=(), **texts
    )


def _parts(run: Run, attempt: Attempt, began: datetime, hidden: tuple[str, ...]) -> Iterator[Part]:
    folder = run.folder / (attempt.files.trajectory or "")
    ready = began + timedelta(seconds=attempt.cost.seconds.reset)
    for (
        phase
    ) in attempt.phases:  # their clocks start when they do, which is not recorded: right after what precedes
        played = tuple(_steps(run, attempt, phase.name, ready, ready))
        ready = played[-1].ended if played else ready
        goal = whole(without(_goal(folder / phase.name), hidden))
        yield Part(phase.name, goal, played, _end(run, attempt, phase.name))
    played = tuple(_steps(run, attempt, "", began, ready))
    yield Part("", whole(without(attempt.goal, hidden)), played, _end(run, attempt, ""))


def _steps(run: Run, attempt: Attempt, phase: str, began: datetime, ready: datetime) -> Iterator[Step]:
    for step in map(whole, recorded_steps(run, attempt, phase) if attempt.files.trajectory else ()):
        ended = max(ready, began + timedelta(seconds=step["time"]))
        said = {name: step.get(name) for name in ("notices", "format_error", "repairs")}
        yield Step(
            step["step"],
            step["thought"],
            _picture(run, attempt, phase, step["screenshot"]),
            step.get("seen") or {},
            tuple(_calls(step, phase)),
            {name: value for name, value in said.items() if value},
            fit(Usage, step.get("usage") or {}),
            bool(step.get("wrote")),
            ready,
            max(ready, ended - timedelta(seconds=step["seconds"])),
            ended,
        )
        ready = ended


def _calls(step: Mapping[str, Any], phase: str) -> Iterator[Call]:
    start = f"{phase}-step" if phase else "step"
    results = iter(step["results"])
    for place, action in enumerate(step["actions"], 1):
        arguments = {name: value for name, value in action.items() if name != "kind"}
        result: Mapping[str, Any] = next(results, {})
        told = (str(result.get(name) or "") for name in ("error", "text"))
        yield Call(f"{start}-{step['step']}-{place}", str(action["kind"]), arguments, *told)


def _end(run: Run, attempt: Attempt, phase: str) -> Path | None:
    return _picture(run, attempt, phase, "final.png") if attempt.files.trajectory else None


def _picture(run: Run, attempt: Attempt, phase: str, name: str | None) -> Path | None:
    """Return a recorded picture; None where there is none, or where a link leads out of the run."""
    file = run.folder / (attempt.files.trajectory or "") / phase / (name or "")
    inside = file.resolve().is_relative_to(run.folder.resolve())
    return file if name and file.is_file() and inside else None


def _goal(folder: Path) -> str:
    file = folder / "case.json"
    return str(parse_json(file.read_bytes())["goal"]) if file.is_file() else ""
