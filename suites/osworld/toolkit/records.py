"""Task records in OSWorld's format: one JSON object for each task, in a folder for each domain.

    FOLDER/test_all.json                    the ids of each domain (optional: without it all records are read)
    FOLDER/examples/DOMAIN/ID.json          a record; `examples/` may be missing
    FOLDER/files/DOMAIN/ID/NAME             what records download, or in the folder that CUABENCH_OSWORLD_FILES names

Records are other people's text. They are read within limits and never executed; a part that is not supported makes its
record `Unsupported`, and a file that is no record is an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.json_files import json_of, shown

MAX_RECORDS = 5_000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")

Text = Annotated[str, Field(max_length=20_000)]


class Unsupported(Exception):
    """A part of a record that this suite does not play.

    Args:
        kind: What it is, in the plural: `evaluators`, `setup steps`.
        name: Which one.
        why: A few words more, if there are any.
    """

    def __init__(self, kind: str, name: str, why: str = "") -> None:
        self.kind, self.name = kind, name
        super().__init__(f"{kind[:-1]} {name} is not supported{f': {why}' if why else ''}")


class Step(BaseModel):
    """A step before the task (`config`) or before it is judged (`postconfig`)."""

    model_config = ConfigDict(strict=True)
    type: Text
    parameters: dict[str, Any] = {}


class Judging(BaseModel):
    """The part `evaluator`: functions, where their arguments come from, and how they are combined."""

    model_config = ConfigDict(strict=True)
    func: Text | Annotated[list[Text], Field(min_length=1, max_length=20)]
    conj: Annotated[str, Field(pattern="^(and|or)$")] = "and"
    result: Any = None
    expected: Any = None
    options: Any = None
    postconfig: Annotated[list[Step], Field(max_length=100)] = []


class _Fields(BaseModel):
    model_config = ConfigDict(strict=True)
    id: Annotated[str, Field(pattern=_NAME.pattern)]
    instruction: Annotated[str, Field(min_length=1, max_length=20_000)]
    snapshot: Text = ""
    related_apps: Annotated[list[Text], Field(max_length=20)] = []
    config: Annotated[list[Step], Field(max_length=200)] = []
    evaluator: Judging


@dataclass(frozen=True, slots=True)
class Record:
    """One record; `data` is what its file holds."""

    domain: str
    id: str
    instruction: str
    snapshot: str
    config: tuple[Step, ...]
    judging: Judging
    data: Mapping[str, Any] = field(repr=False)

    @property
    def infeasible(self) -> bool:
        """Whether the task cannot be done, and saying so is right."""
        return self.judging.func == "infeasible"


def read_records(path: Path) -> list[Record]:
    """Read one record, or those of a folder, in the order of its index or of their names.

    Raises:
        SettingError: There are none or too many, or one is malformed.
    """
    if path.is_file():
        return [_read(path, path.parent.name)]
    examples = path / "examples" if (path / "examples").is_dir() else path
    index = path / "test_all.json"
    files = (
        _listed(index, examples)
        if index.is_file()
        else sorted(islice(examples.glob("*/*.json"), MAX_RECORDS + 1))
    )
    if not files:
        raise SettingError(
            f"{shown(path)} has no records; name a folder such as OSWorld's evaluation_examples"
        )
    if len(files) > MAX_RECORDS:
        raise SettingError(f"{shown(path)} has more than {MAX_RECORDS} records; name a smaller folder")
    return [_read(file, file.parent.name) for file in files]


def read_record(data: Any, domain: str, place: str) -> Record:
    """Return a record from plain data; `place` is where it is from, for the sentence of a mistake.

    Raises:
        SettingError: Something is missing or of another type.
    """
    if not _NAME.fullmatch(domain):
        raise SettingError(
            f"{place}: {domain!r} is no name of a domain; records lie in a folder such as libreoffice_calc"
        )
    try:
        fields = _Fields.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise SettingError(f"{place} is no record in OSWorld's format: {where}: {first['msg']}") from None
    return Record(
        domain,
        fields.id,
        fields.instruction,
        fields.snapshot,
        tuple(fields.config),
        fields.evaluator,
        dict(data),
    )


def _read(file: Path, domain: str) -> Record:
    return read_record(json_of(file), domain, shown(file))


def _listed(index: Path, examples: Path) -> list[Path]:
    data = json_of(index)
    if not isinstance(data, dict):
        raise SettingError(f"{shown(index)} is no index: it must hold a list of ids for each domain")
    files = []
    for domain, ids in data.items():
        for one in ids if isinstance(ids, list) else [ids]:
            if not (isinstance(one, str) and _NAME.fullmatch(one) and _NAME.fullmatch(domain)):
                raise SettingError(f"{shown(index)}: {domain}: {one!r:.80} is no id of a record")
            file = examples / domain / f"{one}.json"
            if not file.is_file():
                raise SettingError(f"{shown(index)} names {domain}/{one}, but there is no {shown(file)}")
            files.append(file)
    return files
