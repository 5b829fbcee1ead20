"""Strict reading of ledgers, which are untrusted: all readers of a run's record use this module.

An outcome has to follow from its verdict as in `outcome.py`; otherwise the record is a problem, with its line number.
There are two kinds of problems:

    contradiction   what no session can have written: a gate fails
    gap             an unknown value, a malformed one, a missing one: a gate is inconclusive

Problems of a single record (`Problem.record`) stop every reader. Problems of the whole ledger (a second result, an
instance that was never planned) concern gates and baselines only, see `history.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, get_args
from unicodedata import category

from pydantic import TypeAdapter, ValidationError

from pytest_cuabench.errors import CheckerFailure, SettingError
from pytest_cuabench.ledger.attempt import Attempt, line_type
from pytest_cuabench.ledger.jsonl import Line, line_of, numbered_lines
from pytest_cuabench.ledger.lines import ATTEMPT, LEDGER, REGRADE, key_of
from pytest_cuabench.ledger.plan import PLAN, SKIPPED, Planned
from pytest_cuabench.ledger.signing import CLOSED
from pytest_cuabench.task.model import Isolation
from pytest_cuabench.task.outcome import BROKEN, Outcome
from pytest_cuabench.task.parts import CodePolicy
from pytest_cuabench.task.text import short
from pytest_cuabench.task.verdict import Verdict, judge

ENDINGS = (
    "running",
    "answer",
    "success",
    "failure",
    "infeasible",
    "budget",
    "violation",
    "lockout",
    "human",
    "world",
    BROKEN,
)
TRAJECTORIES = "trajectories"
_DERIVED = ("completed", "success", "score", "reward")
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a line.

    Attributes:
        words: One clause, shown after file and line.
        contradiction: Whether no session can have written it.
        record: Whether the record itself is invalid, so that it cannot be read.
    """

    line: int
    words: str
    contradiction: bool = False
    record: bool = True

    def sentence(self, file: Path) -> str:
        """Return the problem with file and line."""
        place = f"{file}, line {self.line}" if self.line else str(file)
        return f"{place}: {short(self.words, _LONGEST)}"


@dataclass(frozen=True, slots=True)
class Regrade:
    """A regrade: a later verdict of one attempt.

    Attributes:
        attempt: Key of the attempt's own record.
        was: The outcome that the attempt's own record has.
        task: Hash of the task that judged it; empty in records of older versions.
        upstream: Whether it was scored by the benchmark authors' rules.
    """

    attempt: str
    instance: str
    was: str
    outcome: str
    verdict: Verdict
    regraded: str
    error: str | None = None
    plugin: str = ""
    task: str = ""
    upstream: bool = False


@dataclass(frozen=True, slots=True)
class _Plan:
    instances: tuple[Planned, ...]


@dataclass(frozen=True, slots=True)
class _Skipped:
    instance: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One attempt of a ledger.

    Attributes:
        line: Number of its line.
        record: What the line says.
        first: The attempt as it was recorded.
        attempt: The attempt with its newest verdict.
        regrades: The regrades with their lines, newest last.
    """

    line: int
    record: Mapping[str, Any]
    first: Attempt
    attempt: Attempt
    regrades: tuple[tuple[int, Regrade], ...] = ()


@dataclass(frozen=True, slots=True)
class Ledger:
    """The records of a ledger, and its problems.

    Attributes:
        entries: The readable attempts, in the order they ended.
        plans: The plan of each session, with its line.
        skipped: The instances skipped by the user, with their lines.
        cut: Number of lines cut short by a crash.
    """

    file: Path
    lines: tuple[Line, ...]
    entries: tuple[Entry, ...]
    plans: tuple[tuple[int, tuple[Planned, ...]], ...]
    skipped: tuple[tuple[int, str], ...]
    problems: tuple[Problem, ...]
    cut: int

    def attempts(self) -> Iterator[Attempt]:
        """Yield the attempts, each with its newest verdict.

        Raises:
            SettingError: A record is invalid.
        """
        self.refuse()
        yield from (entry.attempt for entry in self.entries)

    def plan(self) -> dict[str, Planned]:
        """Return the planned instances by id."""
        return {each.instance: each for _, plan in self.plans for each in plan}

    def refuse(self, *, every: bool = False) -> None:
        """Raise an error for the first invalid record.

        Args:
            every: Also for lines that are not records, and for unknown types.

        Raises:
            SettingError: A record is invalid.
        """
        for problem in self.problems:
            if problem.record or every:
                raise SettingError(f"{problem.sentence(self.file)}; restore the file or remove the line")


@dataclass(slots=True)
class _Reading:
    """State while reading a ledger."""

    folder: Path
    entries: list[Entry] = field(default_factory=list)
    plans: list[tuple[int, tuple[Planned, ...]]] = field(default_factory=list)
    skipped: list[tuple[int, str]] = field(default_factory=list)
    regrades: list[tuple[int, Regrade]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_ledger(run: Path) -> Ledger:
    """Read the ledger in a run's folder; empty if there is no file."""
    file = run / LEDGER
    if not file.is_file():
        return Ledger(file, (), (), (), (), (), cut=0)
    stat = file.stat()
    return _read_file(file, (stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns))


@lru_cache(maxsize=2)
def _read_file(file: Path, version: tuple[int, ...]) -> Ledger:
    """Read a file, cached by its version, since the end of a session reads it many times."""
    lines = tuple(numbered_lines(file))
    reading = _Reading(file.parent)
    for line in lines:
        if line.record is not None:
            reading.problems += _read(line, reading)
        elif line.problem:
            reading.problems.append(Problem(line.number, line.problem, record=False))
    entries, problems = _regraded(reading)
    return Ledger(
        file,
        lines,
        tuple(entries),
        tuple(reading.plans),
        tuple(reading.skipped),
        tuple(sorted((*reading.problems, *problems), key=lambda problem: problem.line)),
        cut=sum(line.record is None and not line.problem for line in lines),
    )


def _read(line: Line, reading: _Reading) -> Iterator[Problem]:
    """Add a line's record to the ledger, and yield its problems."""
    assert line.record is not None
    kind = line.record.get("type")
    if kind == CLOSED:
        return
    if kind not in _KINDS:
        words = f"unknown record type {short(repr(kind), 40)}; a newer version may have written it"
        yield Problem(line.number, words, record=False)
        return
    try:
        found = fit(_KINDS[kind], line.record)
    except ValueError as error:
        yield Problem(line.number, f"{kind}: {error}")
        return
    if kind == ATTEMPT:
        attempt = Attempt.from_json(line.record)
        if problems := list(_flaws_of_attempt(line.number, line.record, attempt, reading.folder)):
            yield from problems
        else:
            reading.entries.append(Entry(line.number, line.record, attempt, attempt))
    elif isinstance(found, Regrade):
        regrade = replace(found, verdict=Verdict.from_json(line.record["verdict"]))
        derived = line.record["verdict"]
        if problems := list(_flaws_of_verdict(line.number, regrade.outcome, regrade.verdict, derived)):
            yield from problems
        else:
            reading.regrades.append((line.number, regrade))
    elif isinstance(found, _Plan):
        reading.plans.append((line.number, tuple(map(Planned.from_json, line.record["instances"]))))
    else:
        reading.skipped.append((line.number, found.instance))


_KINDS: dict[Any, type[Any]] = {ATTEMPT: line_type(), REGRADE: Regrade, PLAN: _Plan, SKIPPED: _Skipped}


def fit(kind: Any, record: Mapping[str, Any]) -> Any:
    """Validate a record against its type, ignoring unknown keys of newer versions.

    Raises:
        ValueError: A value is missing or has the wrong type.
    """
    text = line_of(record).decode().encode(errors="replace")
    if b"\\ud" in text.lower():  # validators reject lone surrogates, which models do write
        text = line_of(whole(record))
    try:
        return _adapter(kind).validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the record"
        words = "is missing" if first["type"].startswith("missing") else first["msg"].replace("Input ", "")
        raise ValueError(f"{place} {words}") from None


def whole(value: Any) -> Any:
    """Return plain data in whose texts lone surrogates, which models do write, are question marks."""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, Mapping):
        return {whole(name): whole(each) for name, each in value.items()}
    return [whole(each) for each in value] if isinstance(value, list) else value


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


# One attempt


def _flaws_of_attempt(
    line: int, record: Mapping[str, Any], attempt: Attempt, folder: Path
) -> Iterator[Problem]:
    known = [outcome.label for outcome in Outcome]
    for name, word, words in (
        ("outcome", attempt.outcome, known),
        ("cut", attempt.end.cut, [None, *known]),
        ("ending", attempt.end.ending, ENDINGS),
        ("isolation", attempt.conditions.isolation, ("", *get_args(Isolation))),
        ("run_code", attempt.conditions.run_code, get_args(CodePolicy)),
        ("scripts_policy", attempt.conditions.scripts_policy, get_args(CodePolicy)),
    ):
        if word not in words:
            yield Problem(line, f"unknown {name} {short(repr(word), 40)}")
            return
    yield from (Problem(line, words, contradiction=True) for words in _impossible(attempt, folder))
    yield from _flaws_of_verdict(
        line, attempt.outcome, attempt.verdict, record.get("verdict"), attempt.end.ending
    )


def _impossible(attempt: Attempt, folder: Path) -> Iterator[str]:
    """Yield values of an attempt that no session writes."""
    values, seconds, usage = attempt.values(), attempt.cost.seconds, attempt.cost.usage
    numbers = {
        **{f"seconds.{name}": getattr(seconds, name) for name in seconds.__dataclass_fields__},
        **{f"usage.{name}": getattr(usage, name) or 0 for name in usage.__dataclass_fields__},
        **{
            name: values[name]
            for name in ("steps", "max_steps", "format_errors", "actions", "scripts", "epoch", "human_steps")
        },
        "step_seconds": min(attempt.cost.step_seconds, default=0),
        "repairs": min(attempt.counts.repairs.values(), default=0),
        "commits": min(attempt.end.commits, default=0),
        "memory": attempt.cost.memory or 0,
        "number": attempt.number - 1,
    }
    if bad := next((name for name, value in numbers.items() if not 0 <= value < _HUGE), None):
        yield f"{bad} is out of range"
    if name := next((name for name in _NAMES if _hides(values[name])), None):
        yield f"the {name} holds control characters"
    if attempt.counts.code_used and attempt.conditions.run_code == "refused":
        yield "it says that code was run, but its suite forbids that"
    if attempt.counts.scripts and attempt.conditions.scripts_policy == "refused":
        yield "it says that scripts were evaluated in pages, but its suite forbids that"
    if attempt.intervention.human_help and attempt.result.graded and attempt.result is not Outcome.VIOLATION:
        yield "it is graded, but says that a person took over"
    if attempt.end.regraded is not None:
        yield "it says that it was regraded, which takes a separate regrade line"
    for name in ("trajectory", "screenshot"):
        place = values[name]
        if place is not None and not is_inside(folder, place):
            yield f"the {name} {short(repr(place), 60)} is not a valid path in this run's trajectories"


_HUGE = 1e15
_NAMES = (
    "instance",
    "suite",
    "application",
    "task",
    "domain",
    "difficulty",
    "variant",
    "agent",
    "tier",
    "template",
)


def _hides(text: str) -> bool:
    """Whether a text has control characters or changes the direction of writing."""
    return not text.isprintable() and any(category(character) in ("Cc", "Cf") for character in text)


def is_inside(folder: Path, place: str) -> bool:
    """Whether a path of a record lies within the run's trajectories."""
    path = PurePosixPath(place)
    plain = place.isprintable() and "\\" not in place and path.as_posix() == place
    if not plain or ".." in path.parts or path.parts[:1] != (TRAJECTORIES,):
        return False
    # The path itself stays inside, but a link on it may lead out.
    return (folder / path).resolve().is_relative_to(folder.resolve())


def _flaws_of_verdict(
    line: int, label: str, verdict: Verdict | None, told: Any, ending: str | None = None
) -> Iterator[Problem]:
    """Yield contradictions of an outcome with its verdict, or of the verdict's figures with its findings."""
    if label not in {outcome.label for outcome in Outcome}:
        yield Problem(line, f"unknown outcome {short(repr(label), 40)}")
        return
    graded = Outcome.of(label).graded
    if graded != (verdict is not None):
        words = "is graded, but has no verdict" if graded else "is not graded, but has a verdict"
        yield Problem(line, f"the outcome {label} {words}", contradiction=True)
    if verdict is None:
        return
    if (problem := _unsound(verdict, told)) or (
        graded and ending is not None and (problem := unfounded(label, verdict, ending))
    ):
        yield Problem(line, problem, contradiction=True)


def unfounded(label: str, verdict: Verdict, ending: str) -> str:
    """Return why an outcome does not follow from its verdict and ending; empty if it does."""
    expected = Outcome.of_verdict(verdict, ending).label
    if label != expected:
        return f"the outcome is {label}, but its verdict means {expected}"
    if verdict.gave_up and ending not in ("failure", "infeasible", BROKEN):
        return f"the verdict says that the agent gave up, but the episode ended with {ending!r}"
    if ending == "failure" and not verdict.gave_up:
        return "the agent gave up, but the verdict does not say so"
    if ending == BROKEN and not verdict.gave_up:
        return "the attempt broke, but the verdict treats it as finished"
    if ending == "violation" and not any(violation.ends_episode for violation in verdict.violations):
        return "the episode was ended by a violation, but the verdict has none that ends an episode"
    return ""


def _unsound(verdict: Verdict, told: Any) -> str:
    """Return why no check can have returned a verdict; empty if it is valid."""
    if not all(0 <= milestone.weight <= 1 for milestone in verdict.milestones):
        return "a milestone's weight is not between 0 and 1"
    try:
        again = judge((*verdict.milestones, *verdict.violations), gave_up=verdict.gave_up)
    except CheckerFailure as error:
        return str(error)
    if again != verdict:
        return "the verdict holds a violation twice"
    for name in _DERIVED:
        if name in told and told[name] != getattr(verdict, name):
            value, meant = short(repr(told[name]), 20), getattr(verdict, name)
            return f"the verdict's {name} is {value}, but its milestones and violations give {meant}"
    return ""


# Regrades


def _regraded(reading: _Reading) -> tuple[list[Entry], list[Problem]]:
    """Return the attempts with their newest verdicts, and the problems of the regrades."""
    if not reading.regrades:
        return reading.entries, []
    places = {key_of(entry.record): place for place, entry in enumerate(reading.entries)}
    entries, problems = list(reading.entries), []
    for line, regrade in reading.regrades:
        place = places.get(regrade.attempt)
        words = "its attempt is not in this ledger" if place is None else _unrelated(entries[place], regrade)
        if words or place is None:
            problems.append(Problem(line, f"regrade: {words}", contradiction=True))
            continue
        old = entries[place]
        attempt = old.first.with_values(
            outcome=regrade.outcome,
            verdict=regrade.verdict,
            error=regrade.error,
            regraded=regrade.regraded,
        )
        entries[place] = replace(old, attempt=attempt, regrades=(*old.regrades, (line, regrade)))
    return entries, problems


def _unrelated(entry: Entry, regrade: Regrade) -> str:
    first = entry.first
    if regrade.instance != first.item.instance:
        return f"it names {regrade.instance}, but its attempt is of {first.item.instance}"
    if regrade.was != first.outcome:
        return f"it says that the attempt was {regrade.was}, but it was {first.outcome}"
    return unfounded(regrade.outcome, regrade.verdict, first.end.ending)
