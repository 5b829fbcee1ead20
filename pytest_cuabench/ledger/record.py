"""The record of a run: one line per attempt, written when it ends, and a folder per trajectory.

reports/<run>/run.json                                   settings, versions
reports/<run>/ledger.jsonl                               one attempt per line
reports/<run>/trajectories/<instance>/<attempt>/
    steps.jsonl  step-000.png ... final.png              the agent's observations, thoughts and actions
    human.jsonl  human-000.png ...                       the same of a person who took over
    case.json  before.json  after.json  activity.json    the evidence, to judge the attempt again later
    <phase>/                                             the same of an earlier phase, and the document it handed on
reports/<run>/live/                                      only while a session plays, see `live.py`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import asdict, dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger import live
from pytest_cuabench.ledger.attempt import Attempt, AttemptFiles, now
from pytest_cuabench.ledger.inspection import read_ledger
from pytest_cuabench.ledger.jsonl import (
    add_line,
    add_step,
    count_cut_lines,
    numbered_lines,
    read_lines,
    recording,
    write_json,
)
from pytest_cuabench.ledger.lines import ABOUT, LEDGER
from pytest_cuabench.ledger.plan import PLAN, Planned
from pytest_cuabench.ledger.signing import Signer
from pytest_cuabench.task.bounded import parse_json
from pytest_cuabench.task.phases import FoundDocument
from pytest_cuabench.task.redact import without


@dataclass(frozen=True, slots=True)
class Run:
    """A run's folder.

    Attributes:
        signer: Signs the lines that this process adds; None without a key.
        home: The folder that the record is shipped to, on another computer; None where it stays.
    """

    folder: Path
    signer: Signer | None = field(default=None, compare=False, repr=False)
    home: Path | None = field(default=None, compare=False)

    @property
    def shown(self) -> Path:
        """The folder that messages name."""
        return self.home or self.folder

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
        # A `run.json` that cannot be read is replaced: its run can still be resumed.
        write_json(self.folder / ABOUT, known if len(known) > 1 else {**about, **known})

    def about(self) -> dict[str, Any]:
        """Return the content of `run.json`; empty if it cannot be read."""
        file = self.folder / ABOUT
        with suppress(ValueError):
            found = parse_json(file.read_bytes()) if file.is_file() else {}
            return _about(found)
        return {}

    @property
    def imported(self) -> bool:
        """Whether another program recorded the run, so that it was not played or judged here."""
        return "imported" in self.about()

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
        yield from read_ledger(self.folder).attempts()

    def close(self) -> None:
        """Add the line that closes a signed ledger.

        Raises:
            RecordFailure: It cannot be written.
        """
        file = self.folder / LEDGER
        if self.signer and file.is_file():
            self.add(self.signer.closing(numbered_lines(file), self.folder / ABOUT))

    def cut_lines(self) -> int:
        """Count the lines of the ledger cut short by a crash."""
        return count_cut_lines(self.folder / LEDGER)

    def last_attempts(self) -> dict[str, Attempt]:
        """Return the last attempt of each instance."""
        return {attempt.item.instance: attempt for attempt in self.attempts()}


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
    take_over: bool = False
    last: Path | None = field(default=None, init=False)
    folder: Path = field(init=False)
    commands: live.Commands = field(init=False)
    hidden: tuple[str, ...] = field(default=(), init=False)  # secrets, masked in what is told

    def __post_init__(self) -> None:
        attempts = self.run.folder / "trajectories" / self.instance
        self.folder = new_folder(attempts, str(self.number))
        self.commands = live.Commands(self.run.folder, str(self.relative(self.folder)), self.take_over)

    def of_phase(self, name: str) -> Recorder:
        """Return the recorder of a phase, which writes into a folder of its own within the trajectory."""
        recorder = copy(self)
        recorder.folder, recorder.last = self.folder / name, None
        with recording(recorder.folder):
            recorder.folder.mkdir()
        return recorder

    def found(self, document: FoundDocument) -> None:
        """Write a document that a phase hands on: its text, its HTML and its pictures."""
        files = {"document.txt": document.text.encode(), "document.html": document.html.encode()}
        files |= {f"document-{number:02d}.png": data for number, data in enumerate(document.pictures)}
        if document.page:
            files["document.png"] = document.page
        for name, data in files.items():
            with recording(self.folder / name):
                (self.folder / name).write_bytes(data)
        self.document("document", {"name": document.name, "title": document.title, "files": sorted(files)})

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

    def human_step(self, data: Mapping[str, Any]) -> None:
        """Append one step of a person who took over."""
        add_step(self.folder / "human.jsonl", data)

    def document(self, name: str, data: Any) -> None:
        """Write plain data as `<name>.json`."""
        write_json(self.folder / f"{name}.json", data, compact=True)

    def publish(self, **facts: Any) -> None:
        """Tell those who watch the run what the attempt does now, with secrets masked."""
        phase = self.relative(self.folder).removeprefix(self.commands.attempt).lstrip("/")  # type: ignore[union-attr]
        told = {"phase": phase, **without(facts, self.hidden)}
        live.tell(self.run.folder, self.commands.attempt, told)

    @property
    def files(self) -> AttemptFiles:
        """The files of the attempt, as in the ledger."""
        return AttemptFiles(self.relative(self.folder), self.relative(self.last))

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


def new_folder(attempts: Path, number: str) -> Path:
    """Create the folder of an attempt, and return it.

    One of its number exists if a worker died during this attempt, or if two tests play one instance.

    Raises:
        RecordFailure: It cannot be created.
    """
    names = chain([number], (f"{number}-{again}" for again in count(2)))
    with recording(attempts):
        return next(folder for name in names if made(folder := attempts / name))


def made(folder: Path) -> bool:
    """Create a folder and return whether it is new."""
    try:
        folder.mkdir(parents=True)  # not `exist_ok`: only one of several processes gets it
    except FileExistsError:
        return False
    return True


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
    **dict.fromkeys(("settings", "versions", "failure_thresholds", "machine", "imported"), dict),
    **dict.fromkeys(("resumed", "merged"), list),
    **dict.fromkeys(("started", "run"), str),
    "agent": str | None,
    "profile": dict | None,
}
