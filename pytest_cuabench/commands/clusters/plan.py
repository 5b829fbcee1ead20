"""The plan of a cluster run: its shards with what they will take, written to `cluster/<name>/plan.json`."""

from __future__ import annotations

import contextlib
import io
import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.collection.items import instance_of
from pytest_cuabench.collection.shard import Past, split
from pytest_cuabench.collection.stash import SETTINGS
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.jsonl import write_json
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.text import short

FILE = "plan.json"
MOST_SHARDS = 9999  # as in `--cua-shard`
_NAME = re.compile(
    r"[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?"
)  # also a name for Kubernetes, with a number behind it
_OWN = ("run", "resume", "shard", "dry_run", "audit")
# Measured with many_at_once.py, see docs/long-runs.md: a further episode takes 27 MiB, and two cores are full at 90.
_MIB, _MIB_EACH, _EPISODES_PER_CORE = 600, 27, 45
_START = 60.0  # seconds until a machine plays: pulling the image, starting a browser


@dataclass(frozen=True, slots=True)
class Plan:
    """A run in shards.

    Attributes:
        arguments: pytest's arguments, without those that differ between shards.
        instances: The number of instances.
        seconds: What each shard will take, by an earlier run; None where that is unknown.
        cost: US dollars of models for all shards, by an earlier run; None where that is unknown.
        options: What the engine needs besides.
    """

    name: str
    engine: str
    shards: int
    arguments: tuple[str, ...]
    reports: str
    root: str
    at_once: int
    instances: int
    seconds: tuple[float, ...] | None
    cost: float | None
    options: dict[str, Any]

    @property
    def cores(self) -> float:
        """Cores that a shard needs."""
        return max(1.0, math.ceil(10 * self.at_once / _EPISODES_PER_CORE) / 10)

    @property
    def mebibytes(self) -> int:
        """Memory that a shard needs, with a quarter to spare."""
        return math.ceil(1.25 * (_MIB + _MIB_EACH * self.at_once))

    @property
    def limit(self) -> int | None:
        """Seconds after which a shard has gone wrong: twice what the longest one takes, and an hour."""
        return None if self.seconds is None else math.ceil(2 * max(self.seconds) + 3600)

    def command(self, shards: Sequence[int], program: Sequence[str]) -> list[str]:
        """Return the command that plays one of these shards, whichever the scheduler gives it."""
        only = [] if len(shards) == self.shards else ["--only", ",".join(map(str, shards))]
        number, reports = ["--shards", str(self.shards)], ["--reports", self.reports]
        return [*program, "cluster", "play", self.name, *number, *only, *reports, "--", *self.arguments]

    def write(self, folder: Path) -> None:
        """Write the plan.

        Raises:
            RecordFailure: It cannot be written.
        """
        write_json(folder / FILE, asdict(self))

    @classmethod
    def read(cls, folder: Path) -> Plan:
        """Read a plan.

        Raises:
            SettingError: There is none.
        """
        try:
            found = json.loads((folder / FILE).read_bytes())
            values = {each.name: found[each.name] for each in fields(cls)}
        except FileNotFoundError:
            raise SettingError(
                f"no plan in {folder}; type: cuabench cluster plan {folder.name} ..."
            ) from None
        except (ValueError, KeyError, TypeError) as error:
            raise SettingError(f"{folder / FILE} is damaged ({error}); plan the run again") from None
        seconds = values["seconds"]
        values["arguments"] = tuple(values["arguments"])
        return cls(**{**values, "seconds": None if seconds is None else tuple(seconds)})


def make_plan(
    name: str,
    engine: str,
    arguments: Sequence[str],
    *,
    shards: int | None,
    minutes: float | None,
    options: dict[str, Any],
) -> Plan:
    """Collect the instances, and split them as the shards will.

    Raises:
        SettingError: The run cannot be planned so.
    """
    if not _NAME.fullmatch(name):
        raise SettingError(
            f"invalid name {name!r} of a cluster run; use up to 40 lowercase letters, digits and -"
        )
    settings, instances = _collected(arguments)
    for own in _OWN:
        if getattr(settings, own):
            raise SettingError(f"{settings.sources[own]} cannot be used in a cluster run; remove it")
    if settings.agent is None:
        raise SettingError("the agent is missing; add --agent=NAME after --")
    past = Past.find(settings.durations, settings.reports_folder) if settings.durations else None
    times = past.seconds(instances) if past else None
    if shards is None:
        shards = _shards(times, minutes, settings.at_once)
    if not 1 <= shards <= min(MOST_SHARDS, len(instances)):
        most = min(MOST_SHARDS, len(instances))
        raise SettingError(f"{shards} shards do not fit {len(instances)} instances; use 1 to {most}")
    seconds = None
    if times is not None:
        parts = split(times, shards, times)
        seconds = tuple(
            _START + _duration((times[each] for each in part), settings.at_once) for part in parts
        )
    return Plan(
        name,
        engine,
        shards,
        tuple(arguments),
        settings.reports if settings.reports_url else str(settings.reports_folder),
        str(settings.root),
        settings.at_once,
        len(instances),
        seconds,
        _cost(past.attempts, instances) if past and past.attempts else None,
        options,
    )


def _shards(times: dict[str, float] | None, minutes: float | None, at_once: int) -> int:
    if minutes is None:
        raise SettingError(
            "the number of shards is missing; add --shards=N, or --minutes=M for shards of about M minutes"
        )
    if times is None:
        raise SettingError("--minutes needs durations; add --cua-durations=RUN after --, or use --shards=N")
    room = 60 * minutes - _START
    if room <= 0:
        raise SettingError(f"--minutes={minutes:g} is less than the start of a machine; use 5 or more")
    wanted = math.ceil(sum(times.values()) / at_once / room)
    return max(1, min(wanted, len(times), MOST_SHARDS))


def _duration(seconds: Iterable[float], at_once: int) -> float:
    """Return what episodes take that are played so many at a time: no less than the longest one."""
    each = list(seconds)
    return max(sum(each) / at_once, max(each, default=0.0))


def _cost(attempts: Sequence[Attempt], instances: Sequence[Instance]) -> float | None:
    """Return the expected US dollars of models; None if an attempt's cost is unknown."""
    costs: dict[tuple[str, str], list[float]] = {}
    for attempt in attempts:
        if attempt.cost.usage.cost is None:
            return None
        costs.setdefault((attempt.item.application, attempt.item.task), []).append(attempt.cost.usage.cost)
    means = {task: sum(found) / len(found) for task, found in costs.items()}
    usual = sum(means.values()) / len(means)
    return sum(means.get((each.task.application, each.task.id), usual) for each in instances)


class _Collected:
    """Plugin that keeps what pytest collects."""

    settings: Settings | None = None
    instances: tuple[Instance, ...] = ()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.settings = session.config.stash[SETTINGS]
        found = (instance_of(item) for item in session.items)
        self.instances = tuple(instance for instance in found if instance is not None)


def _collected(arguments: Sequence[str]) -> tuple[Settings, tuple[Instance, ...]]:
    """Return the settings and the instances of a session with these arguments, which is not run."""
    found = _Collected()
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = pytest.main([*arguments, "--collect-only", "-q", "-p", "no:cacheprovider"], plugins=[found])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) or found.settings is None:
        words = [line.strip() for line in said.getvalue().splitlines() if line.strip()]
        errors = [line for line in words if line.startswith(("ERROR", "E  "))] or words[-1:]
        raise SettingError(f"pytest cannot collect this: {short(errors[0] if errors else code, 300)}")
    if not found.instances:
        raise SettingError("these arguments select no instances; check the suite and -k")
    return found.settings, found.instances
