"""The record of a run: one line per attempt, written when it ends, and a folder per trajectory.

reports/<run>/run.json                                   settings, versions
reports/<run>/ledger.jsonl                               one attempt per line
reports/<run>/trajectories/<instance>/<attempt>/
    steps.jsonl  step-000.png ... final.png              the agent's observations, thoughts and actions
    case.json  before.json  after.json  activity.json    the evidence, to judge the attempt again later
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.fingerprint import Fingerprint
from pytest_cuabench.ledger.jsonl import (
    add_line,
    add_step,
    count_cut_lines,
    read_lines,
    recording,
    write_json,
)
from pytest_cuabench.ledger.plan import PLAN, Planned
from pytest_cuabench.task.bounded import parse_json
from pytest_cuabench.task.machine import Reset
from pytest_cuabench.task.model import REPORTED, SYNTHETIC, Instance
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.usage import Usage
from pytest_cuabench.task.verdict import Verdict

if TYPE_CHECKING:
    from pytest_cuabench.ledger.signing import Signer

LEDGER = "ledger.jsonl"
ABOUT = "run.json"
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
        isolation: The isolation of the agent from the judge, see `Isolation`; empty in records of older versions.
        regraded: The time of the newest regrade; None for the first verdict.
        broke: The environment failure right after an action of the agent, if any.
        dimensions: What the suite's violations hurt; empty in records of older versions.
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
    isolation: str = ""
    regraded: str | None = None
    broke: Broke | None = None
    dimensions: tuple[str, ...] = ()

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
        if data.get("broke"):
            known["broke"] = Broke(**_known(Broke, data["broke"]))
        if data.get("reset"):
            known["reset"] = Reset(**_known(Reset, data["reset"]))
        if data.get("fingerprint"):
            known["fingerprint"] = Fingerprint.from_json(data["fingerprint"])
        return cls(**known)


@dataclass(frozen=True, slots=True)
class Run:
    """A run's folder.

    Attributes:
        signer: Signs the lines that this process adds; None without a key.
    """

    folder: Path
    signer: Signer | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> str:
        return self.folder.name

    def create(self, about: Mapping[str, Any]) -> None:
        """Create the folder and `run.json`; called once, by the controller process."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(self.folder / ABOUT, about)

    def resume(self, about: Mapping[str, Any]) -> None:
        """Record in `run.json` that a further session resumes the run."""
        known = self.about()
        known["resumed"] = [*known.get("resumed", ()), about]
        write_json(self.folder / ABOUT, known if len(known) > 1 else {**about, **known})

    def about(self) -> dict[str, Any]:
        """Return the content of `run.json`; empty if it cannot be read."""
        file = self.folder / ABOUT
        with suppress(ValueError):
            found = parse_json(file.read_bytes()) if file.is_file() else {}
            return _about(found)
        return {}

    def plan(self, planned: Iterable[Planned], *, empty: bool = False) -> None:
        """Append a plan to the ledger; an empty one only with `empty`."""
        instances = [asdict(each) for each in planned]
        if instances or empty:
            self.add({"type": PLAN, "started": now(), "instances": instances})

    def append(self, attempt: Attempt) -> None:
        """Append an attempt to the ledger."""
        self.add(attempt.to_json())

    def add(self, record: Mapping[str, Any]) -> None:
        """Append one line to the ledger and fsync; safe with several processes."""
        with recording(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        add_line(self.folder / LEDGER, self.signer.sign(record) if self.signer else record)

    def records(self, kind: str | None = None) -> Iterator[dict[str, Any]]:
        """Yield the records, or those of one type, in order, skipping lines cut short by a crash."""
        ledger = self.folder / LEDGER
        for record in read_lines(ledger) if ledger.is_file() else ():
            if kind in (None, record.get("type")):
                yield record

    def attempts(self) -> Iterator[Attempt]:
        """Yield the attempts in the order they ended, each with its newest verdict.

        Raises:
            SettingError: A record is invalid.
        """
        from pytest_cuabench.ledger.inspection import read_ledger

        yield from read_ledger(self).attempts()

    def cut_lines(self) -> int:
        """Count the lines of the ledger cut short by a crash."""
        return count_cut_lines(self.folder / LEDGER)

    def last_attempts(self) -> dict[str, Attempt]:
        """Return the last attempt of each instance."""
        return {attempt.instance: attempt for attempt in self.attempts()}


def find_run(path: Path) -> Run:
    """Return the run in a folder.

    Raises:
        SettingError: The folder holds no ledger.
    """
    if not (path / LEDGER).is_file():
        raise SettingError(f"{path} is not a run: it holds no {LEDGER}")
    return Run(path)


@dataclass(slots=True)
class Recorder:
    """Writes the trajectory of one attempt while it is played."""

    run: Run
    instance: str
    number: int
    pictures: bool = True
    last: Path | None = field(default=None, init=False)
    folder: Path = field(init=False)

    def __post_init__(self) -> None:
        attempts = self.run.folder / "trajectories" / self.instance
        self.folder = attempts / str(self.number)
        # The folder exists if a worker died during this attempt, or if two tests play one instance.
        names = chain([str(self.number)], (f"{self.number}-{again}" for again in count(2)))
        with recording(attempts):
            self.folder = next(folder for name in names if made(folder := attempts / name))

    def picture(self, name: str, png: bytes | None) -> str | None:
        """Write a screenshot and return its file name."""
        if png is None or not self.pictures:
            return None
        file = self.folder / f"{name}.png"
        with recording(file):
            file.write_bytes(png)
        self.last = file
        return file.name

    def step(self, data: Mapping[str, Any]) -> None:
        """Append one step."""
        add_step(self.folder / "steps.jsonl", data)

    def document(self, name: str, data: Any) -> None:
        """Write plain data as `<name>.json`."""
        write_json(self.folder / f"{name}.json", data, compact=True)

    def relative(self, path: Path | None) -> str | None:
        """Return a path relative to the run, as in the ledger."""
        return None if path is None else path.relative_to(self.run.folder).as_posix()


def read_steps(folder: Path) -> list[dict[str, Any]]:
    """Return the steps of a recorded trajectory.

    Raises:
        SettingError: The folder holds no steps.
    """
    file = folder / "steps.jsonl"
    if not file.is_file():
        raise SettingError(f"{folder} is not a trajectory: it holds no steps.jsonl")
    return list(read_lines(file))


def now() -> str:
    """Return the current time as text for people; it is not used for order or durations."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def made(folder: Path) -> bool:
    """Create a folder and return whether it is new."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return False
    return True


def _brief(value: Any) -> Any:
    if isinstance(value, str):
        return value[:_LONGEST]
    return [value[0], value[-1]] if isinstance(value, list | tuple) and len(value) > _LONGEST else value


def _about(found: Any) -> dict[str, Any]:
    """Return the content of `run.json` without values of wrong types."""
    if not isinstance(found, dict):
        return {}
    about = {name: value for name, value in found.items() if isinstance(value, _ABOUT.get(name, object))}
    for name in ("settings", "versions"):
        if name in about:
            about[name] = {key: value for key, value in about[name].items() if isinstance(value, str)}
    for name in ("resumed", "merged"):
        if name in about:
            about[name] = [_about(part) for part in about[name]]
    return about


_ABOUT: dict[str, Any] = {
    **dict.fromkeys(("settings", "versions", "failure_thresholds", "machine"), dict),
    **dict.fromkeys(("resumed", "merged"), list),
    **dict.fromkeys(("started", "run"), str),
    "agent": str | None,
    "profile": dict | None,
}


def _known(cls: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in cls.__dataclass_fields__ if name in data}
