"""How a record is judged: its evaluators with their arguments, as functions of the desktop's files."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_cuabench import Evidence, Findings, Milestone

from .downloads import Downloads
from .evaluators import Evaluator, evaluator
from .getters import Contents, Getter, getter_of
from .kinds import Content
from .limits import limited
from .records import Record, Unsupported

_SECONDS = 10.0  # of processor time for one evaluator
_WORDS = 300  # characters of a complaint


@dataclass(frozen=True, slots=True)
class Judgement:
    """One evaluator of a record; `expected` is where a file comes from, `arguments` are typed rules."""

    evaluator: Evaluator
    result: Getter
    expected: Getter | None
    arguments: tuple[Any, ...]
    options: Mapping[str, Any]

    @property
    def paths(self) -> tuple[str, ...]:
        """The files of the desktop that are read."""
        return (*self.result.paths, *(self.expected.paths if self.expected else ()))

    def fault(self, contents: Contents) -> str | None:
        """Return what is wrong; None if it is as the record asks. Files that no evaluator understands are wrong."""
        arguments = self.arguments
        if self.expected is not None:
            arguments = (self.expected.value(contents),)
            if arguments == (None,):
                return "the file to compare with is not there"
        try:
            with limited(_SECONDS):
                return self.evaluator.function(self.result.value(contents), *arguments, **self.options)
        except Exception as error:  # an agent may have written anything into what is compared
            return f"{self.evaluator.name} cannot read it: {type(error).__name__}: {error}"[:_WORDS]


def judgements(record: Record, downloads: Downloads) -> tuple[Judgement, ...]:
    """Return how a record is judged.

    Raises:
        Unsupported: It names something that is unknown here.
    """
    judging = record.judging
    names = judging.func if isinstance(judging.func, list) else [judging.func]
    known = [evaluator(name) for name in names]  # first of all, since there are most of them
    return tuple(
        _judgement(
            one,
            _of(judging.result, number),
            _of(judging.expected, number),
            _of(judging.options, number),
            downloads,
        )
        for number, one in enumerate(known)
    )


def findings(record: Record, evidence: Evidence, downloads: Downloads) -> Findings:
    """Yield whether the evaluators hold, all or one of them, as OSWorld combines them."""
    if record.infeasible:
        yield Milestone(
            "infeasible",
            evidence.ending == "infeasible",
            1.0,
            "the episode ends as infeasible",
            evidence.ending,
        )
        return
    contents = _contents(evidence)
    for one in judgements(record, downloads):
        _declare(one, contents)
    faults = [(one.evaluator.name, one.fault(contents)) for one in judgements(record, downloads)]
    conj = record.judging.conj
    reached = (any if conj == "or" else all)(fault is None for _, fault in faults)
    seen = "; ".join(fault for _, fault in faults if fault)
    yield Milestone("evaluators", reached, 1.0, f" {conj} ".join(name for name, _ in faults), seen)


def _declare(one: Judgement, contents: Contents) -> None:
    """Declare the kind of the files that an evaluator reads."""
    for path in one.result.paths:
        if (content := contents[path]) is not None:
            told = base64.b64encode(content).decode()
            Content(path).same(told, told, ("kept", path, "base64"))


def _judgement(one: Evaluator, result: Any, expected: Any, options: Any, downloads: Downloads) -> Judgement:
    getter = getter_of(result, downloads)
    if one.reads_file and not getter.is_file:
        raise Unsupported("getters", f"{result['type']} for {one.name}")
    typed = one.typed_options(options or {})
    if one.expected is None:
        return Judgement(one, getter, None, (), typed)
    if not one.compares_files:
        rules = getter_of(expected, downloads).value({}) if expected else None
        return Judgement(one, getter, None, (one.rules(rules),), typed)
    if not expected and one.expected == bytes | None:
        return Judgement(one, getter, None, (None,), typed)
    wanted = getter_of(expected, downloads)
    if not wanted.is_file:
        raise Unsupported("getters", f"{expected['type']} for {one.name}")
    return Judgement(one, getter, wanted, (), typed)


def _of(given: Any, number: int) -> Any:
    """Return the part of one evaluator: of a list by its place, or all if there is one for all."""
    if isinstance(given, list):
        return given[number] if number < len(given) else None
    return given


def _contents(evidence: Evidence) -> Contents:
    return _Kept(_kept(evidence))


class _Kept(dict[str, bytes | None]):
    def __missing__(self, path: str) -> None:
        return None


def _kept(evidence: Evidence) -> Iterator[tuple[str, bytes | None]]:
    for path, row in evidence.after.collections.get("kept", {}).items():
        yield path, base64.b64decode(row["base64"]) if "base64" in row else None
