"""Task records of ScienceBoard, read as they are published: strictly, and one sentence for each mistake."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.json_files import json_of, shown
from pytest_cuabench.task.names import did_you_mean

from .items import ITEMS, Item, Placeholder, Stop
from .steps import STEPS, Destroy, Step, Strict, Touch, Words, functions

APPLICATIONS = tuple(STEPS)
MAX_RECORDS = 2_000  # files below a folder; 224 are published
_DIFFICULTIES = {5: "easy", 10: "medium", 15: "hard", 20: "open"}
_RAW_DIFFICULTIES = {50: "hard", 100: "open"}
_ID = re.compile(r"[a-z0-9][a-z0-9_]{0,99}")

Kind = Literal["vm", "dual", "raw"]


class Entity(Strict):
    """What Celestia is asked about: 1 a star, 2 a body of the solar system, 3 something beyond the galaxy."""

    name: Words
    type: Literal[1, 2, 3]


class _Fields(Strict):
    type: Literal["Celestia", "ChimeraX", "GrassGIS", "KAlgebra", "Lean", "TeXstudio"]
    sort: Literal["VM", "Raw"]
    steps: Annotated[int, Field(ge=1, le=10_000)]
    instruction: Words
    version: Literal["0.1"]
    snapshot: str | None = None
    initialize: Annotated[tuple[dict[str, Any], ...], Field(max_length=100)]
    evaluate: Annotated[tuple[dict[str, Any], ...], Field(min_length=1, max_length=100)]
    query: Annotated[tuple[Entity, ...], Field(max_length=100)] = ()
    ans: str | None = None
    penalty: Annotated[str, Field(pattern=r"^[1-9][0-9]{0,3}:[1-9][0-9]{0,3}$")] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One task as its file says it.

    Attributes:
        name: The file's name without its ending, such as `B-04`.
        type: The application as upstream writes it.
        sort: `VM`, or `Raw` for Lean without a machine.
        steps: Turns of the agent.
        begin: The items of `initialize`, typed.
        judged: The items of `evaluate`, typed; all of them must hold.
        query: What Celestia is asked about.
        penalty: After how many invalid turns the budget is cut, and by how many steps; Lean without a machine.
        ans: A reference answer for people; nothing is judged by it.
        data: The file itself.
    """

    name: str
    type: str
    sort: Literal["VM", "Raw"]
    steps: int
    instruction: str
    begin: tuple[Step, ...]
    judged: tuple[Item, ...]
    query: tuple[Entity, ...]
    penalty: tuple[int, int] | None
    ans: str | None
    data: Mapping[str, Any] = field(repr=False)

    @property
    def kind(self) -> Kind:
        """The benchmark itself, its ablation by graphical interface alone, or Lean without a machine."""
        if self.sort == "Raw":
            return "raw"
        return "dual" if any(isinstance(step, Destroy) for step in self.begin) else "vm"

    @property
    def application(self) -> str:
        """The application as ids and markers have it."""
        return self.type.lower()

    @property
    def id(self) -> str:
        """The id within the application: `b_04`, `b_04_dual`, `a_02_raw`."""
        stem = re.sub(r"[^a-z0-9]+", "_", self.name.lower()).strip("_")
        if not stem:
            return ""
        return stem if self.kind == "vm" else f"{stem}_{self.kind}"

    @property
    def difficulty(self) -> str:
        """The paper's difficulty, which records carry as their number of steps; Lean without a machine has its own."""
        known = _RAW_DIFFICULTIES if self.sort == "Raw" else _DIFFICULTIES
        return known.get(self.steps, "open" if self.steps > max(known) else "hard")

    @property
    def stops(self) -> tuple[Stop, ...]:
        """What is demanded of the episode's end."""
        return tuple(item for item in self.judged if isinstance(item, Stop))

    def touched(self, path: str) -> str | None:
        """Return what the record itself writes to a file, None where it does not."""
        texts = [step.text for step in self.begin if isinstance(step, Touch) and step.path == path]
        return texts[-1] if texts else None


def read_record(data: Mapping[str, Any], name: str, place: str) -> Record:
    """Fit plain data into a record.

    Args:
        place: What the sentence of a mistake begins with.

    Raises:
        SettingError: Something is missing, unknown, of another type, or a lambda that is not allowed.
    """
    fields = _fit(_Fields, data, place, "")
    known = functions(fields.type)
    steps = tuple(_typed(fields.initialize, "func", known, place, "initialize"))
    items = tuple(_typed(fields.evaluate, "type", ITEMS[fields.type], place, "evaluate"))
    if fields.sort == "Raw" and not all(isinstance(item, Placeholder | Stop) for item in items):
        raise SettingError(f"{place}: sort Raw is for Lean only, {fields.type} has no machine-less form")
    if fields.query and fields.type != "Celestia":
        raise SettingError(f"{place}: query is known to Celestia only")
    return Record(
        name,
        fields.type,
        fields.sort,
        fields.steps,
        fields.instruction,
        steps,
        items,
        fields.query,
        _penalty(fields.penalty),
        fields.ans,
        dict(data),
    )


def read_file(file: Path) -> Record:
    """Read one record.

    Raises:
        SettingError: It cannot be read, is no JSON, or no record.
    """
    place = shown(file)
    data = json_of(file)
    if not isinstance(data, dict):
        raise SettingError(f"{place} is no record: a JSON object is expected, not {type(data).__name__}")
    record = read_record(data, file.stem, place)
    if not _ID.fullmatch(record.id):
        raise SettingError(
            f"{place}: the file's name gives the record no id; name it as published, such as A-01.json"
        )
    return record


def read_records(path: Path) -> list[Record]:
    """Read one record, or all below a folder, in the order of their applications and names.

    Raises:
        SettingError: There are none or too many, one is malformed, or two have one id.
    """
    files = [path] if not path.is_dir() else sorted(islice(path.rglob("*.json"), MAX_RECORDS + 1))
    if not files or not path.exists():
        raise SettingError(
            f"{shown(path)}: there is no task record there; name a folder of .json files, such as ScienceBoard/tasks"
        )
    if len(files) > MAX_RECORDS:
        raise SettingError(
            f"{shown(path)} has more than {MAX_RECORDS} .json files; name a folder of task records"
        )
    records = sorted(map(read_file, files), key=lambda record: (record.application, record.id))
    known: set[tuple[str, str]] = set()
    for record in records:
        if (record.application, record.id) in known:
            raise SettingError(
                f"{shown(path)}: two records are {record.application}/{record.id}; name a folder with one of them"
            )
        known.add((record.application, record.id))
    return records


def _penalty(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    every, cut = text.split(":")
    return int(every), int(cut)


def _typed(
    entries: Sequence[Mapping[str, Any]], key: str, known: Mapping[str, Any], place: str, within: str
) -> Iterator[Any]:
    """Yield each entry as the model that its `key` names."""
    for number, entry in enumerate(entries):
        name, here = entry.get(key), f"{within}[{number}]"
        if not isinstance(name, str) or name not in known:
            raise SettingError(
                f"{place}: {here}: {key} {name!r} is not known; known: {', '.join(sorted(known))}"
                f"{did_you_mean(str(name), known)}"
            )
        yield _fit(known[name], entry, place, here)


def _fit(model: type[Any], data: Mapping[str, Any], place: str, within: str) -> Any:
    try:
        # By way of JSON, in which a list is a tuple and a strict number is still no text.
        return model.model_validate_json(json.dumps(data))
    except ValidationError as error:
        raise SettingError(f"{place}: {_sentence(error, model, within)}") from None


def _sentence(error: ValidationError, model: type[BaseModel], within: str) -> str:
    first = error.errors()[0]
    where = ".".join([*([within] if within else []), *map(str, _path(first["loc"]))]) or "the record"
    if first["type"] == "extra_forbidden":
        near = did_you_mean(str(first["loc"][-1]), model.model_fields)
        return f"unknown key {where}; known: {', '.join(sorted(model.model_fields))}{near}"
    if first["type"] == "missing":
        return f"{where} is missing"
    words = first["msg"].removeprefix("Value error, ")
    told = first["type"] == "value_error"  # by a sentence of ours, which names what it found
    value = "" if told or not isinstance(first["input"], str | int | float) else f", not {first['input']!r}"
    return f"{where}: {words[0].lower()}{words[1:]}{value:.200}"


def _path(place: Sequence[str | int]) -> Iterator[str | int]:
    """Yield the keys of a place; pydantic adds the names of the types that it tried."""
    for part in place:
        if isinstance(part, int) or re.fullmatch(r"[a-z_]+", part):
            yield part
