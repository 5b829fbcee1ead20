"""Number an instance's tests as epochs where pytest collects it several times, so that every result counts.

A repeat of a plugin (`--count`), a second test function or module of the suite, `parametrize` beside the instance, and
a path given twice with `--keep-duplicates` play an instance again: each is a further epoch of it. What cannot be told
apart is refused. A test that is run again by itself (`--reruns`) gets the result that it has, see `Past.add`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.collection.items import instance_of, suite_folder_of
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.model import Instance

_MORE = "play an instance several times with --cua-epochs=N"


def number_repeats(items: Iterable[pytest.Item]) -> None:
    """Give each further test of an instance the next free epoch; the first one that is not skipped keeps its own.

    Raises:
        SettingError: Two suites have an instance of one name.
    """
    first: dict[str, pytest.Item] = {}
    further: list[tuple[Any, Instance]] = []
    newest: dict[str, int] = {}
    skipped_last = sorted(_playing(items), key=lambda pair: pair[0].get_closest_marker("skip") is not None)
    for item, instance in skipped_last:
        if (other := first.setdefault(instance.id, item)) is not item:
            _refuse_two_suites(instance, _folder(other.path), _folder(item.path))
            further.append((item, instance))
        name = _without_epoch(instance)
        newest[name] = max(instance.epoch, newest.get(name, 0))
    for item, instance in further:
        name = _without_epoch(instance)
        newest[name] += 1
        again = replace(instance, epoch=newest[name])
        item.callspec = replace(item.callspec, params={**item.callspec.params, "instance": again})


def refuse_repeats(items: Iterable[pytest.Item]) -> None:
    """Refuse tests that cannot be told apart: one that is listed twice, or a copy that a plugin made of one.

    Raises:
        SettingError: There are such tests.
    """
    known: set[str] = set()
    for item, instance in _playing(items):
        if instance.id in known:
            raise SettingError(
                f"{item.nodeid} is to be played more than once; remove its repeats, and {_MORE}"
            )
        known.add(instance.id)


def refuse_dist_each(config: pytest.Config) -> None:
    """Refuse a distribution in which every worker plays every instance.

    Raises:
        SettingError: pytest-xdist is to send every test to every worker.
    """
    if config.getoption("dist", "no") == "each":
        raise SettingError(f"--dist each plays every instance once per worker; use --dist load, and {_MORE}")


def _playing(items: Iterable[pytest.Item]) -> Iterator[tuple[pytest.Item, Instance]]:
    """Yield the tests that play an instance."""
    for item in items:
        if "attempt" in getattr(item, "fixturenames", ()) and (instance := instance_of(item)):
            yield item, instance


def _without_epoch(instance: Instance) -> str:
    return replace(instance, epoch=0).id


def _refuse_two_suites(instance: Instance, one: Path | None, other: Path | None) -> None:
    if one != other:
        raise SettingError(
            f"{instance.id} is an instance of two suites, {one} and {other}; play each suite in a run of its own"
        )


@cache
def _folder(file: Path) -> Path | None:
    folder = suite_folder_of(file)
    return folder.resolve() if folder else None
