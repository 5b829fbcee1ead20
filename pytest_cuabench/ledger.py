"""The record of a run: one line per attempt, flushed as it ends, and a folder per trajectory.

reports/<run>/run.json                                   settings, versions
reports/<run>/ledger.jsonl                               one attempt per line
reports/<run>/trajectories/<instance>/<attempt>/
    case.json  before.json  after.json  activity.json    what is needed to judge again
    steps.jsonl  step-000.png ... final.png              what the agent saw, thought and did
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import Any

from pytest_cuabench.environment import Reset
from pytest_cuabench.errors import SettingError
from pytest_cuabench.fingerprint import Fingerprint
from pytest_cuabench.lines import add_line, add_step, count_cut_lines, read_lines, recording, write_json
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.records import with_latest_judgements
from pytest_cuabench.task import SYNTHETIC, Instance
from pytest_cuabench.usage import Usage
from pytest_cuabench.verdict import Verdict

LEDGER = "ledger.jsonl"
ABOUT = "run.json"


@dataclass(frozen=True, slots=True)
class Seconds:
    """Where an attempt's time went; `waited` is back-off within `model`."""

    reset: float = 0.0
    world: float = 0.0
    model: float = 0.0
    waited: float = 0.0
    recording: float = 0.0
    total: float = 0.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """One episode as the ledger keeps it.

    Attributes:
        instance: The pytest id of what was played.
        number: 1 for the first attempt.
        outcome: A label of `Outcome`.
        verdict: None where the attempt is not graded.
        error: One sentence on what broke, for ungraded outcomes.
        ending: How the episode ended, see `Evidence.ending`.
        commits: Numbers of the steps that wrote to what the task is judged by, changed the score, or gave the
            answer.
        cut: What it would have come to without the last commit; known of reference solutions.
        step_seconds: World time of each step (perform, settle, observe).
        memory: Bytes that the worker held at the end, with its browsers and worlds.
        trajectory: Folder relative to the run.
        screenshot: The last screenshot relative to the run.
        tier: How close to the real software the application is, see `Task.tier`.
        reset: How its machine was reset, where the environment tells that.
        fingerprint: What it was played with; None in records of older versions.
        markers: Names of the item's own markers, beside those that the fields above stand for.
        template: The template that its task is one of, see `Task.template`.
        labels: Names of further markers, see `Instance.labels`.
        actions: How many actions were carried out; 0 in records of older versions.
        regraded: When it was judged again with the verdict it has now; None where it has its first.
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
    regraded: str | None = None

    @classmethod
    def lost(cls, instance: Instance, agent: str, error: str, number: int = 1) -> Attempt:
        """Return the record of an attempt that ended with the process that played it."""
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
            outcome=Outcome.ENVIRONMENT_ERROR.label,
            error=error,
            started=now(),
            usage=Usage(cost=None),  # it may have spent something, and nobody is left to tell
        )

    @property
    def result(self) -> Outcome:
        """The outcome with what follows from it."""
        return Outcome.of(self.outcome)

    def to_json(self) -> dict[str, Any]:
        """Return plain data; one line of the ledger."""
        data = {**asdict(self), "verdict": self.verdict.to_json() if self.verdict else None}
        return {"type": "attempt", **data}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Attempt:
        """Read what `to_json` wrote; unknown keys of newer versions are passed over."""
        known = _known(cls, data)
        known["verdict"] = Verdict.from_json(data["verdict"]) if data.get("verdict") else None
        known["seconds"] = Seconds(**_known(Seconds, data.get("seconds", {})))
        known["usage"] = Usage(**_known(Usage, data.get("usage", {})))
        known["commits"] = tuple(data.get("commits", ()))
        known["step_seconds"] = tuple(data.get("step_seconds", ()))
        known["markers"] = tuple(data.get("markers", ()))
        known["labels"] = tuple(data.get("labels", ()))
        if data.get("reset"):
            known["reset"] = Reset(**_known(Reset, data["reset"]))
        if data.get("fingerprint"):
            known["fingerprint"] = Fingerprint.from_json(data["fingerprint"])
        return cls(**known)


@dataclass(frozen=True, slots=True)
class Run:
    """A run's folder."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    def create(self, about: Mapping[str, Any]) -> None:
        """Make the folder and say what the run is; called once, by the process that leads the run."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(self.folder / ABOUT, about)

    def go_on(self, about: Mapping[str, Any]) -> None:
        """Say that a further session goes on with the run; what was said before stays."""
        known = self.about()
        known["resumed"] = [*known.get("resumed", ()), about]
        write_json(self.folder / ABOUT, known if len(known) > 1 else {**about, **known})

    def about(self) -> dict[str, Any]:
        """Return what `create` said of the run; nothing where it said nothing that can be read."""
        file = self.folder / ABOUT
        with suppress(ValueError):
            return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}
        return {}

    def append(self, attempt: Attempt) -> None:
        """Add an attempt."""
        self.add(attempt.to_json())

    def add(self, record: Mapping[str, Any]) -> None:
        """Add one line, in one write, and see it to the disk; safe from several processes."""
        with recording(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        add_line(self.folder / LEDGER, record)

    def records(self, kind: str | None = None) -> Iterator[dict[str, Any]]:
        """Yield the lines, or those of one type, in the order they were added; one that a crash cut is passed over."""
        ledger = self.folder / LEDGER
        for record in read_lines(ledger) if ledger.is_file() else ():
            if kind in (None, record.get("type")):
                yield record

    def attempts(self) -> Iterator[Attempt]:
        """Yield the attempts in the order they ended, each as it was judged last."""
        return map(Attempt.from_json, with_latest_judgements(self.records()))

    def cut_lines(self) -> int:
        """Return how many lines of the ledger a crash cut short."""
        return count_cut_lines(self.folder / LEDGER)

    def last_attempts(self) -> dict[str, Attempt]:
        """Return the last attempt of each instance."""
        return {attempt.instance: attempt for attempt in self.attempts()}


def find_run(path: Path) -> Run:
    """Return the run in a folder.

    Raises:
        SettingError: There is no ledger in it.
    """
    if not (path / LEDGER).is_file():
        raise SettingError(f"{path} is no run: there is no {LEDGER} in it")
    return Run(path)


@dataclass(slots=True)
class Recorder:
    """Writes one attempt's trajectory as it happens."""

    run: Run
    instance: str
    number: int
    pictures: bool = True
    last: Path | None = field(default=None, init=False)
    folder: Path = field(init=False)

    def __post_init__(self) -> None:
        attempts = self.run.folder / "trajectories" / self.instance
        self.folder = attempts / str(self.number)
        # Taken where a worker died within this very attempt, or where two tests play one instance.
        names = chain([str(self.number)], (f"{self.number}-{again}" for again in count(2)))
        with recording(attempts):
            self.folder = next(folder for name in names if made(folder := attempts / name))

    def picture(self, name: str, png: bytes | None) -> str | None:
        """Keep a screenshot; return its file name."""
        if png is None or not self.pictures:
            return None
        file = self.folder / f"{name}.png"
        with recording(file):
            file.write_bytes(png)
        self.last = file
        return file.name

    def step(self, data: Mapping[str, Any]) -> None:
        """Add one step."""
        add_step(self.folder / "steps.jsonl", data)

    def document(self, name: str, data: Any) -> None:
        """Keep plain data as `<name>.json`."""
        write_json(self.folder / f"{name}.json", data)

    def relative(self, path: Path | None) -> str | None:
        """Return a path as the ledger writes it."""
        return None if path is None else path.relative_to(self.run.folder).as_posix()


def read_steps(folder: Path) -> list[dict[str, Any]]:
    """Return the steps of a recorded trajectory.

    Raises:
        SettingError: There are none in this folder.
    """
    file = folder / "steps.jsonl"
    if not file.is_file():
        raise SettingError(f"{folder} holds no trajectory: there is no steps.jsonl in it")
    return list(read_lines(file))


def now() -> str:
    """Return the time of day, for people to read; nothing is ordered or measured by it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def made(folder: Path) -> bool:
    """Make a folder; False where somebody has made it already."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return False
    return True


def _known(cls: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in cls.__dataclass_fields__ if name in data}
