"""Sharding: a deterministic split of the instances, with each instance in exactly one shard.

The split depends only on the instances' ids and, with `--cua-durations`, on their durations in a recorded run. Machines
that collect the same instances with the same options agree without communication.
"""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any, TypeVar

import pytest

from pytest_cuabench.collection.items import instance_of
from pytest_cuabench.errors import SettingError, StoreFailure
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.ledger.store import Store, is_url
from pytest_cuabench.settings import Settings, Shard
from pytest_cuabench.task.model import Instance

_Key = TypeVar("_Key", bound=Hashable)
_ELSEWHERE = "cuabench_elsewhere"


def split(ids: Iterable[str], count: int, seconds: Mapping[str, float] | None = None) -> list[list[str]]:
    """Split ids into shards of equal number, or of equal time if durations are given.

    The longest instance is assigned first, to the shard with the least time (Graham, 1969: no shard then takes longer
    than 4/3 of the optimum). Adjacent ids go to different shards, so that the variants of a task do not gather on one
    machine.
    """
    ordered = sorted(set(ids))
    if seconds is None:
        return [ordered[number::count] for number in range(count)]
    ordered.sort(key=lambda name: -seconds[name])  # stable sort: equal times keep the order of their ids
    parts: list[list[str]] = [[] for _ in range(count)]
    lightest = [(0.0, 0, number) for number in range(count)]
    for name in ordered:
        load, size, number = lightest[0]
        heapq.heapreplace(lightest, (load + seconds[name], size + 1, number))
        parts[number].append(name)
    return parts


def recorded_seconds(attempts: Sequence[Attempt], instances: Iterable[Instance]) -> dict[str, float]:
    """Return the duration of each instance: as recorded, else its task's mean, else the median of tasks."""
    own, by_task = _means(attempts, lambda a: a.instance), _means(attempts, lambda a: (a.application, a.task))
    usual = median(by_task.values()) if by_task else 1.0
    return {
        instance.id: own.get(instance.id, by_task.get((instance.task.application, instance.task.id), usual))
        for instance in instances
    }


def read_durations(run: Run) -> list[Attempt]:
    """Return the attempts of a run for durations.

    Raises:
        SettingError: The run holds no graded attempts.
    """
    attempts = [attempt for attempt in run.attempts() if attempt.result.graded]
    if not attempts:
        raise SettingError(f"--cua-durations: {run.name} holds no graded attempts to take durations from")
    return attempts


def find_durations(place: str, reports: Path) -> list[Attempt]:
    """Return the attempts of a run for durations: a folder, a name among the reports, or a URL in object storage.

    Raises:
        SettingError: There is no such run, or it holds no graded attempts.
    """
    if not is_url(place):
        return read_durations(locate_run(place, reports, "--cua-durations"))
    try:
        with tempfile.TemporaryDirectory(prefix="cuabench-durations-") as folder:
            Store.open(place).fetch_ledger(Path(folder))
            return read_durations(Run(Path(folder)))
    except (SettingError, StoreFailure) as error:
        raise SettingError(f"--cua-durations: {error}") from error


class Sharding:
    """Plugin that deselects the instances of other shards; other tests are kept."""

    def __init__(self, shard: Shard, durations: Sequence[Attempt] | None) -> None:
        self._shard = shard
        self._durations = durations
        self._elsewhere = 0

    @classmethod
    def of(cls, settings: Settings) -> Sharding:
        """Create the sharding of the settings.

        Raises:
            SettingError: The run of `--cua-durations` does not exist.
        """
        assert settings.shard is not None
        if settings.durations is None:
            return cls(settings.shard, None)
        return cls(settings.shard, find_durations(settings.durations, settings.reports_folder))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Split the instances that are left after `-k`, `-m` and other plugins."""
        found = {item: instance for item in items if (instance := instance_of(item))}
        seconds = None
        if self._durations is not None:
            seconds = recorded_seconds(self._durations, found.values())
        parts = split((instance.id for instance in found.values()), self._shard.parts, seconds)
        mine = set(parts[self._shard.number - 1])
        elsewhere = [item for item, instance in found.items() if instance.id not in mine]
        self._elsewhere = len(elsewhere)
        items[:] = [item for item in items if item not in found or found[item].id in mine]
        config.hook.pytest_deselected(items=elsewhere)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over from a worker whether its shard is empty, since the controller collects nothing."""
        told = getattr(node, "workeroutput", {}).get(_ELSEWHERE, 0)  # a dead worker has no output
        self._elsewhere = max(self._elsewhere, told)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Make the session of an empty shard succeed."""
        if (output := getattr(session.config, "workeroutput", None)) is not None:
            output[_ELSEWHERE] = self._elsewhere
        if self._elsewhere and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK


def _means(attempts: Iterable[Attempt], key: Callable[[Attempt], _Key]) -> dict[_Key, float]:
    times: dict[_Key, list[float]] = {}
    for attempt in attempts:
        times.setdefault(key(attempt), []).append(attempt.seconds.total)
    return {name: fmean(values) for name, values in times.items()}
