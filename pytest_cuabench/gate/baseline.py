"""The baseline: what earlier runs showed, in one append-only file that lies in the user's repository.

One line of JSON a run:

    {"type": "evidence", "run": "nightly-7", "started": "...", "agent": "claude",
     "contexts": [{"world": "...", "plugin": "...", "settings": {...}}],
     "instances": {"desk/note-intent": [0, "<task>", 3, 2]}}

An instance, here without its epoch, has the number of its context, the hash of its task, its graded plays and its
successes. So every piece of evidence keeps the whole fingerprint, and what differs can be named. Evidence of another
fingerprint is never compared with.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import SettingError
from pytest_cuabench.fingerprint import Fingerprint, same_question
from pytest_cuabench.ledger import Attempt
from pytest_cuabench.outcome import Outcome

FILE = "cuabench-baseline.jsonl"


@dataclass(frozen=True, slots=True)
class Plays:
    """Graded plays of one instance at one fingerprint, all epochs together."""

    fingerprint: Fingerprint
    plays: int
    successes: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one run showed of one agent; instances are named without their epochs."""

    run: str
    started: str
    agent: str
    instances: Mapping[str, Plays]

    @classmethod
    def of(cls, run: str, started: str, agent: str, attempts: Iterable[Attempt]) -> Evidence:
        """Gather the last attempts of a run; what was not graded, or has no fingerprint, shows nothing.

        Of an instance that was played at several fingerprints, the plays at the first one count.
        """
        found: dict[str, Plays] = {}
        for attempt in attempts:
            if attempt.result.graded and attempt.fingerprint and attempt.agent == agent:
                name, good = instance_of(attempt), attempt.result is Outcome.SUCCESS
                known = found.get(name, Plays(attempt.fingerprint, 0, 0))
                if same_question(known.fingerprint, attempt.fingerprint):
                    found[name] = Plays(known.fingerprint, known.plays + 1, known.successes + good)
        return cls(run, started, agent, found)

    def to_json(self) -> dict[str, Any]:
        """Return one line of the file."""
        contexts: list[dict[str, Any]] = []
        instances = {}
        for name, found in sorted(self.instances.items()):
            context = {key: value for key, value in found.fingerprint.to_json().items() if key in _CONTEXT}
            if context not in contexts:
                contexts.append(context)
            place = contexts.index(context)
            instances[name] = [place, found.fingerprint.task, found.plays, found.successes]
        about = {"type": "evidence", "run": self.run, "started": self.started, "agent": self.agent}
        return {**about, "contexts": contexts, "instances": instances}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Evidence:
        """Read what `to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError, IndexError: It is something else.
        """
        instances = {}
        for name, (place, task, plays, successes) in data["instances"].items():
            fingerprint = Fingerprint.from_json({**data["contexts"][place], "task": task})
            if not 0 <= int(successes) <= int(plays):
                raise ValueError(f"{successes} of {plays}")
            instances[name] = Plays(fingerprint, int(plays), int(successes))
        return cls(str(data["run"]), str(data["started"]), str(data["agent"]), instances)


_CONTEXT = ("world", "plugin", "settings")


@dataclass(frozen=True, slots=True)
class Support:
    """What the baseline knows of one instance at one fingerprint."""

    runs: int = 0
    plays: int = 0
    successes: int = 0


@dataclass(frozen=True, slots=True)
class Baseline:
    """All evidence, the oldest first."""

    evidence: tuple[Evidence, ...]

    @classmethod
    def read(cls, file: Path) -> Baseline:
        """Read a baseline.

        Raises:
            SettingError: There is none, or a line of it cannot be read.
        """
        if not file.is_file():
            raise SettingError(
                f"there is no baseline {file}; record one on main: cuabench baseline update RUN --file {file.name}"
            )
        lines = file.read_bytes().split(b"\n")
        return cls(
            tuple(_evidence(file, number, line) for number, line in enumerate(lines, 1) if line.strip())
        )

    def support(self, agent: str, instance: str, fingerprint: Fingerprint, window: int) -> Support:
        """Return what the newest runs of an instance showed, at this very fingerprint."""
        found = [
            each.instances[instance]
            for each in self.evidence
            if each.agent == agent
            and instance in each.instances
            and same_question(each.instances[instance].fingerprint, fingerprint)
        ][-window:]
        return Support(len(found), sum(each.plays for each in found), sum(each.successes for each in found))

    def newest(self, agent: str, instance: str) -> Fingerprint | None:
        """Return the fingerprint of the newest evidence of an instance, whichever that is."""
        known = [each for each in self.evidence if each.agent == agent and instance in each.instances]
        return known[-1].instances[instance].fingerprint if known else None


def append_evidence(file: Path, evidence: Evidence) -> None:
    """Add one run to a baseline, which is made where there is none; nothing that is in it is ever changed.

    Raises:
        SettingError: The run holds no evidence, or is in it already; or the file cannot be read or written.
    """
    if not evidence.instances:
        raise SettingError(
            f"run {evidence.run} holds no evidence: no graded instance with a fingerprint is recorded in it"
        )
    known = Baseline.read(file).evidence if file.is_file() else ()
    if any((each.run, each.started) == (evidence.run, evidence.started) for each in known):
        raise SettingError(f"run {evidence.run} of {evidence.started} is in {file} already")
    line = json.dumps(evidence.to_json(), separators=(",", ":"), sort_keys=False)
    try:
        with file.open("a+b") as opened:
            opened.write(_owed(file) + line.encode() + b"\n")
            opened.flush()
            os.fsync(opened.fileno())
    except OSError as error:
        raise SettingError(f"{file} cannot be written: {error.strerror}") from None


def instance_of(attempt: Attempt) -> str:
    """Return the instance without its epoch: epochs are the repeats of one instance."""
    return attempt.instance.removesuffix(f"-e{attempt.epoch}")


def _owed(file: Path) -> bytes:
    """Return the newline that an editor left out."""
    text = file.read_bytes()
    return b"\n" if text and not text.endswith(b"\n") else b""


def _evidence(file: Path, number: int, line: bytes) -> Evidence:
    try:
        return Evidence.from_json(json.loads(line))
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise SettingError(
            f"{file}, line {number} is no evidence ({problem}); restore it or remove it"
        ) from None
