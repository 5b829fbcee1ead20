"""One attempt at an instance, as a line of the ledger has it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, is_dataclass, make_dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, get_type_hints

from pytest_cuabench.ledger.fingerprint import Fingerprint
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.task.machine import Reset
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.names import did_you_mean
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.parts import REPORTED
from pytest_cuabench.task.usage import Usage
from pytest_cuabench.task.verdict import Verdict

_LONGEST = 100  # maximum characters or points of an action in a line of the ledger


@dataclass(frozen=True, slots=True)
class Seconds:
    """Seconds of an attempt by phase; `waited` is back-off within `model`, `queued` the wait for other episodes."""

    reset: float = 0.0
    world: float = 0.0
    model: float = 0.0
    waited: float = 0.0
    recording: float = 0.0
    total: float = 0.0
    queued: float = 0.0


@dataclass(frozen=True, slots=True)
class PhaseRecord:
    """A phase that was played before the task's own episode; its trajectory is the folder of its name.

    Attributes:
        outcome: A label of `Outcome`; it is no part of the task's.
        document: Name of the document that was handed on; None if there is none.
        metrics: What the suite measures of it, by name.
    """

    name: str
    outcome: str
    ending: str = "running"
    answer: str | None = None
    error: str | None = None
    steps: int = 0
    max_steps: int = 0
    format_errors: int = 0
    seconds: Seconds = Seconds()
    document: str | None = None
    metrics: Mapping[str, float | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Broke:
    """An environment failure right after an action of the agent.

    Attributes:
        step: Number of the step, as in `steps.jsonl`.
        action: The last action other than waiting, as in `steps.jsonl`; long texts and paths are shortened.
        error: The failure.
        control: Whether the same instance works on the same machine without the agent; None if not tried.
    """

    step: int
    action: Mapping[str, Any]
    error: str
    control: bool | None = None

    @classmethod
    def of(cls, step: int, action: Mapping[str, Any], error: str) -> Broke:
        """Create the record of an action that broke the environment."""
        brief = {name: _brief(value) for name, value in action.items()}
        return cls(step, json.loads(json.dumps(brief)), error)  # with lists for tuples, as it is read back


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause by a person, which no clock of the attempt counts.

    Attributes:
        step: Number of the step that it preceded, within the phase.
        phase: The earlier phase that was paused; empty for the task's own episode.
    """

    step: int
    seconds: float
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Ending:
    """How an attempt ended.

    Attributes:
        ending: See `Evidence.ending`.
        commits: Numbers of the steps that wrote to what the task is judged by, changed the score, or gave the
            answer.
        cut: The outcome without the last commit; known for reference solutions.
        head_start: The score before the first step; known for reference solutions.
        broke: The environment failure right after an action of the agent, if any.
        regraded: The time of the newest regrade; None for the first verdict.
    """

    ending: str = "running"
    answer: str | None = None
    commits: tuple[int, ...] = ()
    cut: str | None = None
    head_start: float | None = None
    broke: Broke | None = None
    regraded: str | None = None


@dataclass(frozen=True, slots=True)
class PlayCounts:
    """What the agent did, in numbers.

    Attributes:
        steps: Those of the task alone, without earlier phases and the steps of a person.
        actions: Number of performed actions; 0 in records of older versions.
        repairs: How often replies were read although they were written wrongly, by kind.
        scripts: Number of scripts that the agent had evaluated in pages instead of using the mouse and the keyboard.
        code_used: Whether a program of the agent ran in the guest.
    """

    steps: int = 0
    max_steps: int = 0
    format_errors: int = 0
    actions: int = 0
    repairs: Mapping[str, int] = field(default_factory=dict)
    scripts: int = 0
    code_used: bool = False


@dataclass(frozen=True, slots=True)
class Cost:
    """What an attempt took, earlier phases included.

    Attributes:
        step_seconds: World time of each step (perform, settle, observe).
        memory: Memory in bytes of the worker at the end, with its browsers and worlds.
    """

    usage: Usage = Usage()
    seconds: Seconds = Seconds()
    step_seconds: tuple[float, ...] = ()
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under which conditions an attempt was played.

    Attributes:
        fingerprint: None in records of older versions.
        reset: How its machine was reset, if the environment reports it.
        run_code: The suite's policy on programs in the guest, see `CodePolicy`.
        scripts_policy: The suite's policy on scripts in pages.
        isolation: The isolation of the agent from the judge, see `Isolation`; empty in records of older versions.
        dimensions: What the suite's violations hurt; empty in records of older versions.
        action_space: What the model's actions are called, see `action_space_of`; empty in records of older versions.
    """

    fingerprint: Fingerprint | None = None
    reset: Reset | None = None
    run_code: str = REPORTED
    scripts_policy: str = REPORTED
    isolation: str = ""
    dimensions: tuple[str, ...] = ()
    action_space: str = ""


@dataclass(frozen=True, slots=True)
class AttemptFiles:
    """The files of an attempt, by paths relative to the run: its folder, and its last screenshot in it."""

    trajectory: str | None = None
    screenshot: str | None = None


@dataclass(frozen=True, slots=True)
class Intervention:
    """What a person did during an attempt.

    Attributes:
        pauses: Pauses by the person; only `seconds.total` has them.
        human_help: Whether the person took over and acted, or ended it.
        human_steps: Number of the person's steps.
    """

    pauses: tuple[Pause, ...] = ()
    human_help: bool = False
    human_steps: int = 0


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt as recorded in the ledger.

    Attributes:
        item: What was played.
        number: 1 for the first attempt.
        outcome: A label of `Outcome`.
        verdict: None if the attempt is not graded.
        error: One sentence on the failure of an ungraded attempt, or on a failure besides a graded one.
        phases: What was played before.
    """

    item: Planned
    number: int
    agent: str
    outcome: str
    verdict: Verdict | None = None
    goal: str = ""
    error: str | None = None
    started: str = ""
    end: Ending = Ending()
    counts: PlayCounts = field(default_factory=PlayCounts)
    cost: Cost = Cost()
    conditions: Conditions = Conditions()
    files: AttemptFiles = AttemptFiles()
    phases: tuple[PhaseRecord, ...] = ()
    intervention: Intervention = Intervention()

    @classmethod
    def lost(cls, instance: Instance, agent: str, error: str, number: int = 1) -> Attempt:
        """Create the record of an attempt whose process died."""
        return cls(
            Planned.of(instance),
            number,
            agent,
            Outcome.ENVIRONMENT_ERROR.label,
            error=error,
            started=now(),
            cost=Cost(Usage(cost=None)),  # the dead process may have spent an unknown amount
            conditions=Conditions(dimensions=instance.task.rules.dimensions),
        )

    @classmethod
    def of(cls, **values: Any) -> Attempt:
        """Create an attempt from values by their names in the ledger, which knows no parts.

        Raises:
            TypeError: A value has a name that no attempt has, or one is missing.
        """
        if unknown := sorted(values.keys() - _PLACES.keys()):
            raise TypeError(f"an attempt has no value {unknown[0]!r}{did_you_mean(unknown[0], _PLACES)}")
        parts = {
            part: kind(**{name: values[name] for name in names if name in values})
            for part, (kind, names) in _PARTS.items()
        }
        return cls(**parts, **{name: values[name] for name in _OWN if name in values})

    def values(self) -> dict[str, Any]:
        """Return the values by their names in the ledger, and in its order."""
        sources = {part: getattr(self, part) for part in _PARTS}
        return {name: getattr(sources.get(part, self), name) for name, part in _PLACES.items()}

    def with_values(self, **changes: Any) -> Attempt:
        """Return the attempt with other values, by their names in the ledger."""
        return Attempt.of(**self.values() | changes)

    @property
    def result(self) -> Outcome:
        """The outcome as an enum member."""
        return Outcome.of(self.outcome)

    def to_json(self) -> dict[str, Any]:
        """Return the plain data of a ledger line."""
        return {"type": "attempt", **{name: _plain(value) for name, value in self.values().items()}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Attempt:
        """Create an attempt from the output of `to_json`, ignoring unknown keys of newer versions."""
        known = {name: data[name] for name in LEDGER_FIELDS if name in data}
        known["verdict"] = Verdict.from_json(data["verdict"]) if data.get("verdict") else None
        known["seconds"] = Seconds(**_known(Seconds, data.get("seconds", {})))
        known["usage"] = Usage(**_known(Usage, data.get("usage", {})))
        for name in ("commits", "step_seconds", "markers", "labels", "dimensions"):
            known[name] = tuple(data.get(name, ()))
        known["phases"] = tuple(
            PhaseRecord(
                **{**_known(PhaseRecord, phase), "seconds": Seconds(**_known(Seconds, phase["seconds"]))}
            )
            for phase in data.get("phases", ())
        )
        known["pauses"] = tuple(Pause(**_known(Pause, pause)) for pause in data.get("pauses", ()))
        if data.get("broke"):
            known["broke"] = Broke(**_known(Broke, data["broke"]))
        if data.get("reset"):
            known["reset"] = Reset(**_known(Reset, data["reset"]))
        if data.get("fingerprint"):
            known["fingerprint"] = Fingerprint.from_json(data["fingerprint"])
        return cls.of(**known)

    # What exporters read most, by shorter names.

    @property
    def instance(self) -> str:
        return self.item.instance

    @property
    def suite(self) -> str:
        return self.item.suite

    @property
    def application(self) -> str:
        return self.item.application

    @property
    def task(self) -> str:
        return self.item.task

    @property
    def domain(self) -> str:
        return self.item.domain

    @property
    def difficulty(self) -> str:
        return self.item.difficulty

    @property
    def variant(self) -> str:
        return self.item.variant

    @property
    def seed(self) -> int:
        return self.item.seed

    @property
    def epoch(self) -> int:
        return self.item.epoch

    @property
    def tier(self) -> str:
        return self.item.tier

    @property
    def ending(self) -> str:
        return self.end.ending

    @property
    def answer(self) -> str | None:
        return self.end.answer

    @property
    def steps(self) -> int:
        return self.counts.steps

    @property
    def usage(self) -> Usage:
        return self.cost.usage

    @property
    def seconds(self) -> Seconds:
        return self.cost.seconds

    @property
    def fingerprint(self) -> Fingerprint | None:
        return self.conditions.fingerprint

    @property
    def trajectory(self) -> str | None:
        return self.files.trajectory

    @property
    def screenshot(self) -> str | None:
        return self.files.screenshot


LEDGER_FIELDS = (
    "instance", "number", "suite", "application", "task", "domain", "difficulty", "variant", "seed", "epoch",
    "agent", "outcome", "verdict", "goal", "answer", "ending", "error", "steps", "max_steps", "format_errors",
    "commits", "cut", "head_start", "seconds", "step_seconds", "usage", "memory", "started", "trajectory",
    "screenshot", "tier", "reset", "fingerprint", "markers", "template", "labels", "actions", "code_used", "run_code",
    "scripts_policy", "isolation", "regraded", "broke", "dimensions", "phases", "repairs", "action_space", "scripts",
    "pauses", "human_help", "human_steps",
)  # fmt: skip
"""The values of an attempt in the order of a ledger line."""
_KINDS: Mapping[str, Any] = {
    "item": Planned,
    "end": Ending,
    "counts": PlayCounts,
    "cost": Cost,
    "conditions": Conditions,
    "files": AttemptFiles,
    "intervention": Intervention,
}
_PARTS = {part: (kind, tuple(kind.__dataclass_fields__)) for part, kind in _KINDS.items()}
_OWN = tuple(name for name in Attempt.__dataclass_fields__ if name not in _PARTS)
_PART_OF = {name: part for part, (_, names) in _PARTS.items() for name in names}
_PLACES = {name: _PART_OF.get(name, "") for name in LEDGER_FIELDS}


@cache
def line_type() -> type[Any]:
    """Return the type of a ledger line, which has the fields of all parts beside each other."""
    kinds = [(Attempt, _OWN), *_PARTS.values()]
    places = {name: kind for kind, names in kinds for name in names}
    hints = {kind: get_type_hints(kind) for kind, _ in kinds}
    return make_dataclass(
        "AttemptLine",
        [(name, hints[places[name]][name], _like(places[name], name)) for name in LEDGER_FIELDS],
        kw_only=True,
    )


def _like(kind: Any, name: str) -> Any:
    """Return a field with the default of another."""
    other = kind.__dataclass_fields__[name]
    if other.default_factory is not MISSING:
        return field(default_factory=other.default_factory)
    return field() if other.default is MISSING else field(default=other.default)


def now() -> str:
    """Return the current time as text for people; it is not used for order or durations."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _plain(value: Any) -> Any:
    """Return a value as plain data, and a verdict with what follows from it."""
    if isinstance(value, Verdict):
        return value.to_json()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def _brief(value: Any) -> Any:
    if isinstance(value, str):
        return value[:_LONGEST]
    return [value[0], value[-1]] if isinstance(value, list | tuple) and len(value) > _LONGEST else value


def _known(cls: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in cls.__dataclass_fields__ if name in data}
