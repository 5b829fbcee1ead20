"""Sharding: a deterministic split of the instances, with each instance in exactly one shard.

The split depends only on the instances' ids and, with `--cua-durations`, on their durations in a recorded run or
baseline. Machines that collect the same instances with the same options agree without communication.
"""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median
from typing import Any

import pytest

from pytest_cuabench.collection.items import instance_of
from pytest_cuabench.errors import SettingError, StoreFailure
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.ledger.store import Store, is_url
from pytest_cuabench.settings import Settings, Shard
from pytest_cuabench.task.model import Instance

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


@dataclass(frozen=True)
class Past:
    """What instances took earlier.

    Attributes:
        timed: Instances, without their epochs, with the seconds of a play.
        attempts: The attempts of the run; none where a baseline told the durations.
    """

    timed: Sequence[tuple[str, float]]
    attempts: Sequence[Attempt] = ()

    @classmethod
    def of(cls, run: Run) -> Past:
        """Read a run.

        Raises:
            SettingError: It holds no graded attempts.
        """
        attempts = [attempt for attempt in run.attempts() if attempt.result.graded]
        if not attempts:
            raise SettingError(f"{run.name} holds no graded attempts to take durations from")
        return cls(
            [
                (each.item.instance.removesuffix(f"-e{each.item.epoch}"), each.cost.seconds.total)
                for each in attempts
            ],
            attempts,
        )

    @classmethod
    def find(cls, place: str, reports: Path) -> Past:
        """Read a run (a folder, a name among the reports, a URL in object storage) or a baseline file.

        A baseline that tells no durations yet makes parts of equal number.

        Raises:
            SettingError: There is no such run or file, or the run tells no durations.
        """
        try:
            if place.endswith(".jsonl"):
                return cls._baseline(Path(place))
            if not is_url(place):
                return cls.of(locate_run(place, reports))
            with tempfile.TemporaryDirectory(prefix="cuabench-durations-") as folder:
                Store.open(place).fetch_ledger(Path(folder))
                return cls.of(Run(Path(folder)))
        except (SettingError, StoreFailure) as error:
            raise SettingError(f"--cua-durations: {error}") from error

    @classmethod
    def _baseline(cls, file: Path) -> Past:
        from pytest_cuabench.gate.baseline import Baseline  # the gate is loaded where it is used

        return cls(list(Baseline.read(file).seconds().items()))

    def seconds(self, instances: Iterable[Instance]) -> dict[str, float]:
        """Return the duration of each instance: as recorded, else its task's mean, else the median of tasks."""
        own = _means(self.timed)
        by_task = _means((name.partition("-")[0], seconds) for name, seconds in self.timed)
        usual = median(by_task.values()) if by_task else 1.0
        return {
            instance.id: own.get(replace(instance, epoch=0).id, by_task.get(instance.task.name, usual))
            for instance in instances
        }


class Sharding:
    """Plugin that deselects the instances of other shards; other tests are kept."""

    def __init__(self, shard: Shard, past: Past | None) -> None:
        self._shard = shard
        self._past = past
        self._elsewhere = 0

    @classmethod
    def of(cls, settings: Settings) -> Sharding:
        """Create the sharding of the settings.

        Raises:
            SettingError: The run or baseline of `--cua-durations` does not exist.
        """
        assert settings.shard is not None
        if settings.durations is None:
            return cls(settings.shard, None)
        return cls(settings.shard, Past.find(settings.durations, settings.reports_folder))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Split the instances that are left after `-k`, `-m` and other plugins."""
        found = {item: instance for item in items if (instance := instance_of(item))}
        seconds = self._past.seconds(found.values()) if self._past else None
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


def _means(timed: Iterable[tuple[str, float]]) -> dict[str, float]:
    times: dict[str, list[float]] = {}
    for name, seconds in timed:
        times.setdefault(name, []).append(seconds)
    return {name: fmean(values) for name, values in times.items()}
