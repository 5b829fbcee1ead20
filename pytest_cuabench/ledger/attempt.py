"""One attempt at an instance, as a line of the ledger has it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from pytest_cuabench.ledger.fingerprint import Fingerprint
from pytest_cuabench.task.machine import Reset
from pytest_cuabench.task.model import REPORTED, SYNTHETIC, Instance
from pytest_cuabench.task.outcome import Outcome
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
        return cls(step, json.loads(json.dumps(brief)), error)


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
class Attempt:
    """One attempt as recorded in the ledger.

    Attributes:
        instance: The instance's id.
        number: 1 for the first attempt.
        outcome: A label of `Outcome`.
        verdict: None if the attempt is not graded.
        error: One sentence on the failure of an ungraded attempt, or on a failure besides a graded one.
        ending: How the episode ended, see `Evidence.ending`.
        commits: Numbers of the steps that wrote to what the task is judged by, changed the score, or gave the
            answer.
        cut: The outcome without the last commit; known for reference solutions.
        head_start: The score before the first step; known for reference solutions.
        step_seconds: World time of each step (perform, settle, observe).
        memory: Memory in bytes of the worker at the end, with its browsers and worlds.
        trajectory: Folder relative to the run.
        screenshot: The last screenshot relative to the run.
        tier: How close to the real software the application is, see `Task.tier`.
        reset: How its machine was reset, if the environment reports it.
        fingerprint: Its fingerprint; None in records of older versions.
        markers: Names of the item's own markers, besides those of the fields above.
        template: The template of its task, see `Task.template`.
        labels: Names of further markers, see `Instance.labels`.
        actions: Number of performed actions; 0 in records of older versions.
        code_used: Whether a program of the agent ran in the guest.
        run_code: The suite's policy on that, see `CodePolicy`.
        scripts_policy: The suite's policy on scripts in pages.
        isolation: The isolation of the agent from the judge, see `Isolation`; empty in records of older versions.
        regraded: The time of the newest regrade; None for the first verdict.
        broke: The environment failure right after an action of the agent, if any.
        dimensions: What the suite's violations hurt; empty in records of older versions.
        action_space: What the model's actions are called, see `action_space_of`; empty in records of older versions.
        scripts: Number of scripts that the agent had evaluated in pages instead of using the mouse and the keyboard.
        repairs: How often replies were read although they were written wrongly, by kind.
        phases: What was played before; `steps` are those of the task alone, costs and seconds those of all.
        pauses: Its pauses by a person; only `seconds.total` has them.
        human_help: Whether a person took over and acted, or ended it.
        human_steps: Number of the person's steps, which `steps` does not count.
    """

    instance: str
    number: int
    suite: str
    application: str
    task: str
    domain: str
    difficulty: str
    variant: str
    seed: int
    epoch: int
    agent: str
    outcome: str
    verdict: Verdict | None = None
    goal: str = ""
    answer: str | None = None
    ending: str = "running"
    error: str | None = None
    steps: int = 0
    max_steps: int = 0
    format_errors: int = 0
    commits: tuple[int, ...] = ()
    cut: str | None = None
    head_start: float | None = None
    seconds: Seconds = Seconds()
    step_seconds: tuple[float, ...] = ()
    usage: Usage = Usage()
    memory: int | None = None
    started: str = ""
    trajectory: str | None = None
    screenshot: str | None = None
    tier: str = SYNTHETIC
    reset: Reset | None = None
    fingerprint: Fingerprint | None = None
    markers: tuple[str, ...] = ()
    template: str = ""
    labels: tuple[str, ...] = ()
    actions: int = 0
    code_used: bool = False
    run_code: str = REPORTED
    scripts_policy: str = REPORTED
    isolation: str = ""
    regraded: str | None = None
    broke: Broke | None = None
    dimensions: tuple[str, ...] = ()
    phases: tuple[PhaseRecord, ...] = ()
    repairs: Mapping[str, int] = field(default_factory=dict)
    action_space: str = ""
    scripts: int = 0
    pauses: tuple[Pause, ...] = ()
    human_help: bool = False
    human_steps: int = 0

    @classmethod
    def lost(cls, instance: Instance, agent: str, error: str, number: int = 1) -> Attempt:
        """Create the record of an attempt whose process died."""
        task = instance.task
        return cls(
            instance=instance.id,
            number=number,
            suite=task.suite,
            application=task.application,
            task=task.id,
            domain=task.domain,
            difficulty=task.difficulty,
            variant=instance.variant,
            seed=instance.seed,
            epoch=instance.epoch,
            agent=agent,
            tier=task.tier,
            template=task.template,
            labels=instance.labels,
            dimensions=task.dimensions,
            outcome=Outcome.ENVIRONMENT_ERROR.label,
            error=error,
            started=now(),
            usage=Usage(cost=None),  # the dead process may have spent an unknown amount
        )

    @property
    def result(self) -> Outcome:
        """The outcome as an enum member."""
        return Outcome.of(self.outcome)

    def to_json(self) -> dict[str, Any]:
        """Return the plain data of a ledger line."""
        data = {**asdict(self), "verdict": self.verdict.to_json() if self.verdict else None}
        return {"type": "attempt", **data}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Attempt:
        """Create an attempt from the output of `to_json`, ignoring unknown keys of newer versions."""
        known = _known(cls, data)
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
        return cls(**known)


def now() -> str:
    """Return the current time as text for people; it is not used for order or durations."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _brief(value: Any) -> Any:
    if isinstance(value, str):
        return value[:_LONGEST]
    return [value[0], value[-1]] if isinstance(value, list | tuple) and len(value) > _LONGEST else value


def _known(cls: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in cls.__dataclass_fields__ if name in data}
