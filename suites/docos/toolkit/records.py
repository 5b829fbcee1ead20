"""Records in the paper's form, played as they are: an instruction, the address of its document, and its steps.

A file is a list of such objects as JSON, or one object a line as JSONL; a folder has several of them:

    {"id": "...", "application": "...", "instruction": "...", "url": "https://...", "steps": ["...", "..."]}

`id` and `application` may be missing; some other names of the rest are understood (`_NAMES`). Whether the
instruction was carried out only its user can tell, by a `checks.py` beside the file:

    def application(record) -> str             the application of the desktop that it is about
    def setup(record, random) -> steps         what prepares the desktop (optional)
    def check(evidence, case) -> Findings      whether it was done; the case has the record's fields

Without one the search is played alone: its milestones are the segments of the address, so that the score is HPP.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.model import SuiteInfo, Task
from pytest_cuabench.task.parts import TaskFunctions, TaskMeta, Wording
from pytest_cuabench.task.phases import Reference

from . import search

if TYPE_CHECKING:
    from pytest_cuabench.ledger.attempt import Attempt

TIER = "released"
_CHECKS = "checks.py"
_NAMES = {
    "instruction": ("instruction", "task", "goal", "query", "prompt"),
    "url": ("url", "document_url", "doc_url", "expected_url", "reference_url", "expected_document_url"),
    "steps": ("steps", "ground_truth_steps", "gt_steps", "ground_truth"),
    "application": ("application", "app", "software"),
    "id": ("id", "task_id"),
}


@dataclass(frozen=True)
class Record:
    """One record; `application` is as it is written, and empty if it is not."""

    id: str
    application: str
    instruction: str
    url: str
    steps: tuple[str, ...]

    @property
    def difficulty(self) -> str:
        """As the paper has it."""
        return "easy" if len(self.steps) <= 4 else "medium" if len(self.steps) <= 7 else "hard"

    @property
    def fields(self) -> dict[str, Any]:
        """The record as plain data."""
        return {
            "id": self.id,
            "application": self.application,
            "instruction": self.instruction,
            "url": self.url,
            "steps": list(self.steps),
        }


@dataclass(frozen=True)
class Checks:
    """The user's checks."""

    file: Path

    @cached_property
    def module(self) -> ModuleType:
        """The module.

        Raises:
            SettingError: It is missing, cannot be imported, or lacks a function.
        """
        spec = importlib.util.spec_from_file_location("docos_checks", self.file)
        if spec is None or spec.loader is None or not self.file.is_file():
            raise SettingError(f"{self.file} is missing, by which these records are judged")
        made = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(made)
        except Exception as error:
            raise SettingError(f"cannot import {self.file}: {type(error).__name__}: {error}") from error
        for name in ("application", "check"):
            if not callable(getattr(made, name, None)):
                raise SettingError(
                    f"{self.file}: a function {name} is missing; see toolkit/records.py of the suite"
                )
        return made

    def application(self, record: Record) -> str:
        """Return the application of the desktop that a record is about.

        Raises:
            SettingError: The function names none.
        """
        named = self.module.application(record.fields)
        if not isinstance(named, str) or not named:
            raise SettingError(
                f"{self.file}: application() names none for the record {record.id}; return its name"
            )
        return named


def with_task_files(suite: SuiteInfo, path: Path) -> SuiteInfo:
    """Return the suite with the records at a path; without checks only with their searches.

    Raises:
        SettingError: There are none, or one is malformed.
    """
    records = read_records(path)
    file = (path if path.is_dir() else path.parent) / _CHECKS
    if file.is_file():
        checks = Checks(file)
        return replace(suite, tasks=tuple(_task(suite.tasks[0], record, checks) for record in records))
    first = suite.tasks[0]
    place = first.phases["search"][0].place
    return replace(
        suite,
        driver=place.driver,
        world=place.world,
        screen=place.screen,
        tasks=tuple(_search(first, record) for record in records),
    )


def task_of_case(case: Case, attempt: Attempt) -> Task | None:
    """Return the task of a recorded attempt at a record, which its case holds; None for any other attempt.

    Raises:
        SettingError: The record in it is malformed, or its checks are gone.
    """
    if attempt.tier != TIER:
        return None
    from pytest_cuabench.task.suite import load_suite

    first = load_suite(Path(__file__).parents[1]).tasks[0]
    record = replace(_record(case["record"], "the recorded case", 1), id=case["record"]["id"])
    return (
        _task(first, record, Checks(Path(case["checks"])))
        if case.values.get("checks")
        else _search(first, record)
    )


def read_records(path: Path) -> list[Record]:
    """Read the records of a file or folder.

    Raises:
        SettingError: There are none, or one is malformed; the sentence names the file and the record's number.
    """
    files = sorted([*path.glob("*.json"), *path.glob("*.jsonl")]) if path.is_dir() else [path]
    records = [
        _record(data, str(file), number) for file in files for number, data in enumerate(_objects(file), 1)
    ]
    if not records:
        raise SettingError(f"{path} has no records; name a .json or .jsonl file, or a folder of them")
    ids = [record.id for record in records]
    if twice := sorted({one for one in ids if ids.count(one) > 1}):
        raise SettingError(f"{path}: the id {twice[0]} is there twice")
    return records


def _objects(file: Path) -> Iterator[Any]:
    try:
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".jsonl":
            yield from (json.loads(line) for line in text.splitlines() if line.strip())
            return
        data = json.loads(text)
    except OSError as error:
        raise SettingError(f"cannot read {file}: {error.strerror or error}") from None
    except ValueError as error:
        raise SettingError(f"{file} is no JSON: {error}") from None
    yield from data if isinstance(data, list) else [data]


def _record(data: Any, where: str, number: int) -> Record:
    place = f"{where}: record {number}"
    if not isinstance(data, Mapping):
        raise SettingError(f"{place} is no object")
    found = {
        field: next((data[name] for name in names if name in data), None) for field, names in _NAMES.items()
    }
    steps = found["steps"]
    if isinstance(steps, str):
        steps = [line.strip() for line in steps.splitlines() if line.strip()]
    for field, names in _NAMES.items():
        value = steps if field == "steps" else found[field]
        needed = field in ("instruction", "url", "steps")
        fits = isinstance(value, list) if field == "steps" else isinstance(value, str)
        if needed and not (fits and value):
            raise SettingError(f"{place}: {field} is missing; it may be called {', '.join(names)}")
    if not found["url"].startswith(("https://", "http://")):
        raise SettingError(f"{place}: url is no web address: {found['url']!r}")
    application, name = (
        str(found["application"] or ""),
        str(found["id"] if found["id"] is not None else number),
    )
    return Record(
        _identifier(f"{application} {name}"),
        application,
        found["instruction"],
        found["url"],
        tuple(map(str, steps)),
    )


def _identifier(text: str) -> str:
    words = "".join(one if one.isascii() and one.isalnum() else " " for one in text.lower()).split()
    return "_".join(words) if words and not words[0][0].isdigit() else "_".join(["record", *words])


def _task(like: Task, record: Record, checks: Checks) -> Task:
    """Return a record as a task with a search before it, judged by the user's checks."""
    code = sha256(checks.file.read_bytes()).hexdigest() if checks.file.is_file() else ""
    setup = getattr(checks.module, "setup", None)
    return replace(
        _common(like, record, code),
        application=checks.application(record),
        wording=Wording(dict.fromkeys(like.wording.goals, ("{instruction}",))),
        functions=TaskFunctions(
            partial(_case, record, str(checks.file)),
            checks.module.check,
            _no_solution,
            setup=partial(_prepared, setup, record) if setup else None,
        ),
    )


def _search(like: Task, record: Record) -> Task:
    """Return the search of a record as a task of its own."""
    phase = like.phases["search"][0]
    return replace(
        _common(like, record),
        application=phase.application,
        wording=Wording(
            {"search": tuple(words.replace("{goal}", "{instruction}") for words in phase.wording)}
        ),
        functions=TaskFunctions(partial(_case, record, ""), _segments, search.solve),
        budget=replace(phase.budget, dollars=like.budget.dollars),
        phases={},
        reference=None,
    )


def _common(like: Task, record: Record, code: str = "") -> Task:
    text = json.dumps(record.fields, sort_keys=True) + code
    return replace(
        like,
        id=record.id,
        meta=TaskMeta(
            record.instruction.strip().splitlines()[0][:80],
            record.application or "Documentation",
            record.difficulty,
            TIER,
            digest=sha256(text.encode()).hexdigest(),
        ),
        values={},
        reference=Reference(record.url, "", record.steps),
    )


def _case(record: Record, checks: str, state: State, random: Random) -> dict[str, Any]:
    return {**record.fields, "query": "", "record": record.fields, "checks": checks}


def _prepared(setup: Any, record: Record, random: Random) -> Any:
    return setup(record.fields, random)


def _segments(evidence: Evidence, case: Case) -> Findings:
    """Each segment of the expected address is one milestone."""
    page = search.normal(search.named(evidence, case) or "").split("/")
    expected = search.normal(case["url"]).split("/")
    for number, segment in enumerate(expected, 1):
        reached = page[:number] == expected[:number]
        yield Milestone(f"segment_{number}", reached, 1 / len(expected), segment, "/".join(page[:number]))


async def _no_solution(pilot: Pilot, case: Case) -> None:
    await pilot.give_up("failure", "records tell their steps in words only")
