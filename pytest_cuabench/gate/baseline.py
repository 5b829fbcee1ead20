"""The baseline: evidence of earlier runs, in one append-only file in the user's repository.

One JSON line per run:

    {"type": "evidence", "run": "nightly-7", "started": "...", "agent": "claude",
     "attempts": [412, 3], "contexts": [{"world": "...", "plugin": "...", "settings": {...}}],
     "instances": {"desk/note-intent": [0, "<task>", 3, 2, 41.5]}}

An instance, without its epoch, has the index of its context, the hash of its task, its graded plays, its successes and
the mean seconds of a play. `attempts` counts all attempts, and those in which the environment broke. Each piece of
evidence keeps the whole fingerprint, so differences can be named; evidence with another fingerprint is never compared.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.recorded import broke
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.fingerprint import Fingerprint, same_question
from pytest_cuabench.task.bounded import parse_json
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import short

FILE = "cuabench-baseline.jsonl"


@dataclass(frozen=True, slots=True)
class Plays:
    """Graded plays of one instance at one fingerprint, over all epochs.

    Attributes:
        seconds: Mean duration of a play; None in evidence of older versions.
    """

    fingerprint: Fingerprint
    plays: int
    successes: int
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence of one run about one agent; instances are named without their epochs.

    Attributes:
        attempts: Number of attempts, including retried ones; 0 in evidence of older versions.
        errors: Number of attempts in which the environment broke.
    """

    run: str
    started: str
    agent: str
    instances: Mapping[str, Plays]
    attempts: int = 0
    errors: int = 0

    @classmethod
    def of(
        cls, run: str, started: str, agent: str, attempts: Iterable[Attempt], every: Iterable[Attempt] = ()
    ) -> Evidence:
        """Collect the evidence of a run's last attempts, without ungraded ones and those without a fingerprint.

        For an instance played at several fingerprints, the plays at the first one count. `every` holds all
        attempts, including retried ones.
        """
        plays: dict[str, list[Attempt]] = {}
        for attempt in attempts:
            if attempt.result.graded and attempt.conditions.fingerprint and attempt.agent == agent:
                alike = plays.setdefault(instance_of(attempt), [attempt])
                first = alike[0].conditions.fingerprint
                if attempt is not alike[0] and first and same_question(first, attempt.conditions.fingerprint):
                    alike.append(attempt)
        found = {name: _plays(alike) for name, alike in plays.items()}
        breaking = [broke(attempt) for attempt in every if attempt.agent == agent]
        return cls(run, started, agent, found, len(breaking), sum(breaking))

    def to_json(self) -> dict[str, Any]:
        """Return the plain data of one line."""
        contexts: list[dict[str, Any]] = []
        instances = {}
        for name, found in sorted(self.instances.items()):
            context = {key: value for key, value in found.fingerprint.to_json().items() if key in _CONTEXT}
            if context not in contexts:
                contexts.append(context)
            place = contexts.index(context)
            timed = [] if found.seconds is None else [found.seconds]
            instances[name] = [place, found.fingerprint.task, found.plays, found.successes, *timed]
        about = {"type": _TYPE, "run": self.run, "started": self.started, "agent": self.agent}
        counted = {"attempts": [self.attempts, self.errors]} if self.attempts else {}
        return {**about, **counted, "contexts": contexts, "instances": instances}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Evidence:
        """Create evidence from the output of `to_json`.

        Raises:
            KeyError, TypeError, ValueError, IndexError: `data` is malformed.
        """
        if data["type"] != _TYPE:
            raise ValueError(f"unknown record type {data['type']!r}")
        contexts = [_Context(**context) for context in data["contexts"]]
        instances = {}
        for name, (place, task, plays, successes, *timed) in data["instances"].items():
            if not (
                0 <= _whole(place) < len(contexts) and 0 <= _whole(successes) <= _whole(plays) <= _MOST_PLAYS
            ):
                raise ValueError(f"{name} has {successes} successes in {plays} plays, in context {place}")
            fingerprint = contexts[place].fingerprint(_text(task))
            instances[name] = Plays(fingerprint, plays, successes, *map(_seconds, timed))
        attempts, errors = data.get("attempts", (0, 0))
        if not 0 <= _whole(errors) <= _whole(attempts):
            raise ValueError(f"{errors} of {attempts} attempts broke")
        return cls(
            _text(data["run"]), _text(data["started"]), _text(data["agent"]), instances, attempts, errors
        )


_TYPE = "evidence"
_CONTEXT = ("world", "plugin", "settings")
_MOST_PLAYS = 1_000_000


@dataclass(frozen=True, slots=True)
class _Context:
    """The common part of the fingerprints of a run's instances."""

    world: str
    plugin: str
    settings: Mapping[str, str]

    def fingerprint(self, task: str) -> Fingerprint:
        settings = {_text(name): _text(value) for name, value in self.settings.items()}
        return Fingerprint(task, _text(self.world), _text(self.plugin), settings)


def _whole(value: Any) -> int:
    if type(value) is not int:  # not `isinstance`, for which `true` is an int, too
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < math.inf:
        raise ValueError(f"{value!r} is not a number of seconds")
    return float(value)


def _plays(alike: list[Attempt]) -> Plays:
    assert alike[0].conditions.fingerprint is not None
    good = sum(attempt.result is Outcome.SUCCESS for attempt in alike)
    seconds = round(fmean(attempt.cost.seconds.total for attempt in alike), 1)
    return Plays(alike[0].conditions.fingerprint, len(alike), good, seconds)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


@dataclass(frozen=True, slots=True)
class Support:
    """The baseline's evidence of one instance at one fingerprint."""

    runs: int = 0
    plays: int = 0
    successes: int = 0


@dataclass(frozen=True, slots=True)
class Baseline:
    """All evidence, oldest first."""

    evidence: tuple[Evidence, ...]

    @classmethod
    def read(cls, file: Path, command: str = "") -> Baseline:
        """Read a baseline file.

        Args:
            command: What creates it, for the sentence.

        Raises:
            SettingError: The file is missing, or a line is invalid.
        """
        if not file.is_file():
            command = command or "cuabench baseline update RUN"
            raise SettingError(f"no baseline file {file}; create it on main: {command} --file {file.name}")
        lines = file.read_bytes().split(b"\n")
        evidence = [
            (number, _evidence(file, number, line)) for number, line in enumerate(lines, 1) if line.strip()
        ]
        known: dict[tuple[str, str, str], int] = {}
        for number, each in evidence:
            earlier = known.setdefault((each.run, each.started, each.agent), number)
            if earlier != number:
                raise SettingError(
                    f"{file}, line {number} repeats the run of line {earlier}; remove one of them"
                )
        return cls(tuple(each for _, each in evidence))

    def support(self, agent: str, instance: str, fingerprint: Fingerprint, window: int) -> Support:
        """Return the evidence of an instance's newest runs at this fingerprint."""
        found = [
            each.instances[instance]
            for each in self.evidence
            if each.agent == agent
            and instance in each.instances
            and same_question(each.instances[instance].fingerprint, fingerprint)
        ][-window:]
        return Support(len(found), sum(each.plays for each in found), sum(each.successes for each in found))

    def seconds(self) -> dict[str, float]:
        """Return the mean seconds of a play of each instance, by the newest evidence that tells them."""
        return {
            name: plays.seconds
            for each in self.evidence
            for name, plays in each.instances.items()
            if plays.seconds is not None
        }

    def errors(self, agent: str, window: int) -> tuple[int, int]:
        """Return the attempts of an agent's newest runs in which the environment broke, and all their attempts."""
        known = [each for each in self.evidence if each.agent == agent and each.attempts][-window:]
        return sum(each.errors for each in known), sum(each.attempts for each in known)

    def newest(self, agent: str, instance: str) -> Fingerprint | None:
        """Return the fingerprint of the newest evidence of an instance."""
        known = [each for each in self.evidence if each.agent == agent and instance in each.instances]
        return known[-1].instances[instance].fingerprint if known else None


def append_evidence(file: Path, evidence: Evidence) -> None:
    """Append one run to a baseline file, creating it if necessary; existing lines never change.

    Raises:
        SettingError: The run holds no evidence or is already in the baseline, or the file cannot be read or written.
    """
    if not evidence.instances:
        raise SettingError(
            f"run {evidence.run} holds no evidence: it has no graded instance with a fingerprint"
        )
    known = Baseline.read(file).evidence if file.is_file() else ()
    if any((each.run, each.started) == (evidence.run, evidence.started) for each in known):
        raise SettingError(f"run {evidence.run} of {evidence.started} is already in {file}")
    line = json.dumps(evidence.to_json(), separators=(",", ":"), sort_keys=False)
    try:
        with file.open("a+b") as opened:
            opened.write(_owed(file) + line.encode() + b"\n")
            opened.flush()
            os.fsync(opened.fileno())
    except OSError as error:
        raise SettingError(f"cannot write {file}: {error.strerror}") from None


def instance_of(attempt: Attempt) -> str:
    """Return the instance's id without its epoch; epochs repeat one instance."""
    return attempt.item.instance.removesuffix(f"-e{attempt.item.epoch}")


def _owed(file: Path) -> bytes:
    """Return the newline that is missing at the end of the file, if any."""
    text = file.read_bytes()
    return b"\n" if text and not text.endswith(b"\n") else b""


def _evidence(file: Path, number: int, line: bytes) -> Evidence:
    try:
        return Evidence.from_json(parse_json(line, strict=True))
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        problem = short(f"{type(error).__name__}: {error}", 200)
        raise SettingError(
            f"{file}, line {number} is not valid evidence ({problem}); restore the line or remove it"
        ) from None
