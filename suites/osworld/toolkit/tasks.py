"""What pytest-cuabench calls to play records in OSWorld's format: `task_files` in `suite.toml`.

    pytest suites/osworld --agent=claude --cua-tasks osworld=path/to/OSWorld/evaluation_examples

A record that is not supported is skipped, with one sentence; `pytest -rs` counts them by sentence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State
from pytest_cuabench.drivers.desktop.guest import Begun, Guest
from pytest_cuabench.drivers.desktop.stage import GuestStage, Stage
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.model import Instance, SuiteInfo, Task
from pytest_cuabench.task.parts import Rules, TaskFunctions, TaskMeta, Wording

from .downloads import Downloads
from .judging import findings, judgements
from .records import Record, Unsupported, read_record, read_records
from .setup import Prepared, loaded, prepared

if TYPE_CHECKING:
    from pytest_cuabench.drivers.desktop.client import GuestClient
    from pytest_cuabench.drivers.desktop.machine import Machine
    from pytest_cuabench.ledger.attempt import Attempt

TIER = "osworld"
_NOTES = {
    "save": "Save your work yourself before you end: it is read from {files}.",
    "quit": "Close the application before you end.",
}


@dataclass(frozen=True, slots=True)
class Playable:
    """A record with all that it needs; `unsupported` is why it cannot be played."""

    record: Record
    downloads: Downloads
    begin: Prepared | None
    paths: tuple[str, ...]
    unsupported: Unsupported | None = None

    @classmethod
    def of(cls, record: Record, downloads: Downloads) -> Playable:
        """Look at a record: what it begins with, and what it is judged by."""
        try:
            begin = prepared(record, downloads)
            paths = (
                ()
                if record.infeasible
                else tuple(dict.fromkeys(path for one in judgements(record, downloads) for path in one.paths))
            )
        except Unsupported as reason:
            return cls(record, downloads, None, (), reason)
        return cls(record, downloads, begin, paths)

    def setup(self) -> list[Mapping[str, Any]]:
        """Return the steps that prepare a desktop."""
        if self.begin is None:
            return []
        keep = [{"do": "keep", "paths": list(self.paths)}] if self.paths else []
        return [*loaded(self.begin.steps, self.downloads), *keep]

    def values(self) -> dict[str, Any]:
        """Return the values of a case: a recorded episode is judged by the record that it was played by."""
        record = self.record
        closing = sorted(self.begin.closing, reverse=True) if self.begin else ()
        files = ", ".join(f"/home/user/{path}" for path in self.paths)
        notes = [_NOTES[word].replace("{files}", files) for word in closing]
        return {
            "asked": "\n\n".join([record.instruction, " ".join(notes)]).strip(),
            "record": dict(record.data),
            "domain": record.domain,
            "files": str(self.downloads.folder or ""),
            "infeasible": record.infeasible,
        }


@dataclass(frozen=True, slots=True)
class RecordTask(Task):
    """The task of a record."""

    playable: Playable = field(kw_only=True, repr=False)


def with_task_files(suite: SuiteInfo, path: Path) -> SuiteInfo:
    """Return a suite whose tasks are the records at a path.

    Raises:
        SettingError: There are none, or one is malformed.
    """
    downloads = Downloads.beside(path)
    like = suite.tasks[0]
    tasks = tuple(_task(like, Playable.of(record, downloads)) for record in read_records(path))
    return replace(suite, tasks=tasks, places={})


def task_of_case(case: Case, attempt: Attempt) -> Task | None:
    """Return the task of a recorded attempt at a record, which its case holds; None for the suite's own tasks.

    Raises:
        SettingError: The record in it is malformed.
    """
    if attempt.tier != TIER:
        return None
    from pytest_cuabench.task.suite import load_suite

    like = load_suite(Path(__file__).parents[1]).tasks[0]
    return _task(like, Playable.of(*recorded(case)))


def recorded(case: Case) -> tuple[Record, Downloads]:
    """Return the record of a case, and where its files are."""
    record = read_record(case["record"], case["domain"], "the recorded case")
    return record, Downloads(Path(case["files"]) if case["files"] else None)


def stage(machine: Machine, guest: GuestClient, api: bool) -> Stage:
    """Return what prepares records on a desktop of ours.

    Raises:
        SettingError: It is another machine, of which files cannot be read and settings not be prepared.
    """
    if not isinstance(guest, Guest):
        raise SettingError("--cua-world: records in OSWorld's format are played on a desktop of this plugin")
    return _RecordStage(guest)


class _RecordStage(GuestStage):
    """Starts the application that a record opens, and tells why a record cannot be played."""

    async def lacking(self, instance: Instance) -> str | None:
        """See `Stage.lacking`."""
        playable = _playable(instance)
        if playable.begin is None:
            return str(playable.unsupported)
        return self._guest.lacking(playable.begin.application)

    async def begin(self, instance: Instance, seconds: float) -> Begun:
        """See `Stage.begin`."""
        begin = _playable(instance).begin
        assert begin is not None  # it would have been skipped
        return await self._guest.begin(begin.application, instance.task.setup(instance.seed), seconds)


def _playable(instance: Instance) -> Playable:
    assert isinstance(instance.task, RecordTask)
    return instance.task.playable


def check(evidence: Evidence, case: Case) -> Findings:
    """Judge an episode by the record's evaluators."""
    yield from findings(recorded(case)[0], evidence, recorded(case)[1])


def _task(like: Task, playable: Playable) -> Task:
    record = playable.record
    return RecordTask(
        id="_".join(word for word in record.id.lower().replace(".", "-").split("-") if word),
        suite=like.suite,
        application=record.domain,
        meta=TaskMeta(
            record.instruction.strip().splitlines()[0][:80],
            record.domain,
            "open",
            TIER,
            digest=sha256(json.dumps(record.data, sort_keys=True).encode()).hexdigest(),
        ),
        wording=Wording(dict.fromkeys(like.wording.goals, ("{asked}",))),
        functions=TaskFunctions(
            partial(_case, playable), check, _no_solution, setup=partial(_setup, playable)
        ),
        budget=replace(like.budget, dollars=None),
        rules=Rules(like.rules.run_code),
        playable=playable,
    )


def _case(playable: Playable, state: State, random: Random) -> dict[str, Any]:
    return playable.values()


def _setup(playable: Playable, random: Random) -> list[Mapping[str, Any]]:
    return playable.setup()


async def _no_solution(pilot: Pilot, case: Case) -> None:
    await pilot.give_up("failure", "records tell no solution")
