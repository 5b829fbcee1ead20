"""What must be asked of the world so that a record can be judged, and where the replies are kept in a state.

A judgement is made of replies that were recorded, never by asking: so a run can be judged again, and the trouble of
a world is met while it is read and not while it is judged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pytest_cuabench.task.evidence import State

from .items import (
    ChimeraInfo,
    Compile,
    Contains,
    Db,
    Edited,
    Eqn,
    Include,
    Info,
    Item,
    Placeholder,
    States,
    Stop,
    Val,
    Var,
    is_lambda,
)
from .lambdas import expression
from .records import Record
from .steps import Statement

COLLECTION = "asked"
Question = Literal[
    "celestia.dump",
    "grass.dump",
    "grass.gcmd",
    "kalgebra.vars",
    "kalgebra.points",
    "chimerax.info",
    "chimerax.states",
    "file",
    "tex.check",
    "lean.check",
    "lean.history",
    "today",
]
# To ask these takes long or leaves a trace (files, lines of a log), so they are asked once, at the end.
_LOUD = frozenset({"chimerax.info", "chimerax.states", "tex.check", "lean.check"})


@dataclass(frozen=True, slots=True)
class Probe:
    """One question to the world; equal ones are asked once."""

    question: Question
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Where its reply is kept."""
        about = json.dumps(self.about, sort_keys=True, ensure_ascii=False) if self.about else ""
        return f"{self.question} {about}".strip()

    @property
    def quiet(self) -> bool:
        """Whether the world is the same after it was asked."""
        return self.question not in _LOUD


def probes(record: Record) -> tuple[Probe, ...]:
    """Return what a record's evaluation asks, each once."""
    found = (probe for item in record.judged for probe in asked_by(item, record))
    return tuple({probe.key: probe for probe in found}.values())


def asked_by(item: Item, record: Record) -> tuple[Probe, ...]:
    """Return what one item asks."""
    return tuple(_BY_ITEM[type(item)](item, record))


def kept(replies: Mapping[str, Any]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return replies by the keys of their probes as the collections of a state."""
    return {COLLECTION: {key: {"reply": reply} for key, reply in replies.items()}}


def reply(state: State, probe: Probe) -> Any:
    """Return what a world replied.

    Raises:
        KeyError: It was not asked.
    """
    return state.collections.get(COLLECTION, {})[probe.key]["reply"]


def _info(item: Info, record: Record) -> Iterator[Probe]:
    if record.type == "Celestia":
        yield Probe("celestia.dump", {"query": [entity.model_dump() for entity in record.query]})
    else:
        yield Probe("grass.dump")


def _contains(item: Contains, record: Record) -> Iterator[Probe]:
    yield Probe("file", {"path": item.key})
    if is_lambda(item.value):
        assert not expression(item.value).parameters
        yield Probe("today")


def _points(item: Eqn, record: Record) -> Iterator[Probe]:
    points = [] if item.key == "#SIZE" else [list(point) for point in item.key]
    yield Probe("kalgebra.points", {"points": points})


def _compile(item: Compile, record: Record) -> Iterator[Probe]:
    bibtex = any(getattr(step, "path", "").endswith(".bib") for step in record.begin)
    yield Probe("tex.check", {"path": item.path, "file": item.file, "bibtex": bibtex})


def _proof(item: Placeholder, record: Record) -> Iterator[Probe]:
    if record.sort == "Raw":
        yield Probe("lean.history")
    else:
        yield Probe("lean.check", {"header": header(record)})


def header(record: Record) -> str:
    """Return the line that must still stand in the file: the statement up to and including `by`."""
    stated = [step.expr for step in record.begin if isinstance(step, Statement) and step.func == "query"]
    return stated[-1].removesuffix("sorry").rstrip() if stated else ""


_BY_ITEM: dict[type[Item], Callable[[Any, Record], Iterator[Probe]]] = {
    Stop: lambda item, record: iter(()),
    Info: _info,
    Db: lambda item, record: iter([Probe("grass.gcmd", {"cmd": item.cmd, "kwargs": item.kwargs})]),
    ChimeraInfo: lambda item, record: iter([Probe("chimerax.info", {"key": item.key})]),
    States: lambda item, record: iter([Probe("chimerax.states")]),
    Contains: _contains,
    Val: lambda item, record: iter([Probe("kalgebra.vars")]),
    Var: lambda item, record: iter([Probe("kalgebra.vars")]),
    Eqn: _points,
    Placeholder: _proof,
    Edited: lambda item, record: iter([Probe("file", {"path": item.path})]),
    Include: lambda item, record: iter([Probe("file", {"path": item.path})]),
    Compile: _compile,
}
