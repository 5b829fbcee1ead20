"""The instances that sessions can play, in splits.

pytest itself collects them. So ids, options, settings files and selections (`-k`, `-m`) are those of a test run.

The split `train` has the instances whose seeds are not held out, `test` those with seeds that are. Both are offered
whole and by difficulty and domain, such as `train:easy`.
"""

from __future__ import annotations

import io
import random
from collections.abc import Collection, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pytest

from pytest_cuabench.collection.attempts import fingerprint_in
from pytest_cuabench.collection.items import instance_of, own_markers, suite_of
from pytest_cuabench.collection.preflight import look_for_chosen_browser
from pytest_cuabench.collection.stash import SETTINGS
from pytest_cuabench.drivers.backend import place_of, refuse_unknown_worlds
from pytest_cuabench.drivers.driver import PlannedSuite
from pytest_cuabench.drivers.registry import find_driver
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.fingerprint import Fingerprint
from pytest_cuabench.ledger.markers import slug
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.model import Instance, SuiteInfo, phase_places
from pytest_cuabench.task.names import did_you_mean, unknown_name
from pytest_cuabench.task.text import many

TRAIN, TEST = "train", "test"
SEEDS, HELD_OUT = (
    "0-4",
    (0,),
)  # pytest plays seed 0 unless told otherwise, so what it measures is not trained on
_OWN = "pytest_cuabench.collection.fixtures"


@dataclass(frozen=True, slots=True)
class Offer:
    """An instance with its suite, and the user's own markers on its item."""

    instance: Instance
    suite: SuiteInfo
    markers: tuple[str, ...] = ()

    def to_json(self, index: int) -> dict[str, Any]:
        """Return what a client is told of it; its goal depends on the world and comes with a reset."""
        instance, task = self.instance, self.instance.task
        return {
            "id": instance.id,
            "index": index,
            "title": task.meta.title,
            "application": task.application,
            "domain": task.meta.domain,
            "difficulty": task.meta.difficulty,
            "variant": instance.variant,
            "seed": instance.seed,
            "max_steps": task.budget.steps,
        }


@dataclass
class Catalogue:
    """What pytest collected.

    Attributes:
        held_out: Seeds that are kept from the split `train`.
    """

    config: pytest.Config
    settings: Settings
    offers: tuple[Offer, ...]
    held_out: Collection[int] = HELD_OUT
    _chance: random.Random = field(default_factory=random.Random)

    @cached_property
    def splits(self) -> dict[str, tuple[Offer, ...]]:
        """The splits that hold anything, by name."""
        found: dict[str, list[Offer]] = {TRAIN: [], TEST: []}
        for offer in self.offers:
            first = TEST if offer.instance.seed in self.held_out else TRAIN
            task = offer.instance.task
            parts = dict.fromkeys((task.meta.difficulty, slug(task.meta.domain)))
            for name in (first, *(f"{first}:{part}" for part in parts)):
                found.setdefault(name, []).append(offer)
        names = sorted(filter(found.get, found), key=lambda name: not name.startswith(TRAIN))
        return {name: tuple(found[name]) for name in names}

    def split(self, name: str) -> tuple[Offer, ...]:
        """Return a split.

        Raises:
            SettingError: There is none of this name.
        """
        if name not in self.splits:
            raise SettingError(unknown_name("split", name, self.splits))
        return self.splits[name]

    def named(self, instance: str) -> Offer:
        """Return an instance by its id.

        Raises:
            SettingError: There is none of this id.
        """
        if instance not in self._by_id:
            near = did_you_mean(instance[:200], self._by_id)
            raise SettingError(
                f"no instance named {instance!r:.200}; to list all, type: cuabench serve SUITE --list{near}"
            )
        return self._by_id[instance]

    def chosen(self, split: str | None = None, index: int | None = None, seed: int | None = None) -> Offer:
        """Return the instance of an index, else a random one, the same for the same `seed`.

        Raises:
            SettingError: There is no such split or index.
        """
        name = TRAIN if split is None else split
        offers = self.split(name)
        if index is not None and not 0 <= index < len(offers):
            raise SettingError(f"the split {name} has the indices 0 to {len(offers) - 1}, not {index}")
        if index is not None:
            return offers[index]
        chance = self._chance if seed is None else random.Random(seed)  # noqa: S311 - variety, not secrecy
        return chance.choice(offers)

    def fingerprint(self, offer: Offer) -> Fingerprint:
        """Return the fingerprint under which an episode is recorded."""
        return fingerprint_in(self.config, offer.instance, offer.suite, self.settings)

    def check(self, at_once: int | None) -> None:
        """Find what would keep these instances from being played in sessions.

        Raises:
            SettingError: One sentence says what, and what to type.
        """
        suites = {(offer.suite.name, offer.suite.world): offer.suite for offer in self.offers}
        refuse_unknown_worlds(self.settings, suites.values())
        look_for_chosen_browser(self.settings)
        for suite in suites.values():
            for played in (suite, *phase_places(suite)):
                place = place_of(played, self.settings)
                driver = find_driver(place.driver, played)
                if self.settings.observation not in driver.observations:
                    raise SettingError(
                        f"the driver {place.driver} of suite {suite.name} has no observation "
                        f"{self.settings.observation!r}; use {' or '.join(driver.observations)}"
                    )
                if at_once != 1 and not driver.concurrent(played, place):
                    raise SettingError(
                        f"the world {played.world} of suite {suite.name} has one state for all, so one session "
                        "plays at a time; type: cuabench serve --at-once 1"
                    )
                driver.check(PlannedSuite(played, self.settings, place))

    @cached_property
    def _by_id(self) -> dict[str, Offer]:
        return {offer.instance.id: offer for offer in self.offers}


def collect(suite: str, options: Sequence[str] = (), held_out: Collection[int] = HELD_OUT) -> Catalogue:
    """Collect a suite as `pytest --cua-suite SUITE` does, or `pytest PATH`.

    Args:
        suite: The name of a shipped or installed suite, or a path that pytest collects.
        options: Further options of pytest, such as `-k` and `--cua-seeds`.

    Raises:
        SettingError: pytest refuses the options, or collects nothing that can be played in sessions.
    """
    where = [suite] if "/" in suite or suite.endswith(".py") or suite == "." else [f"--cua-suite={suite}"]
    collector, output = _Collector(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        # -n0: a settings file may turn pytest-xdist on, whose controller collects nothing.
        code = pytest.main([*where, "--collect-only", "-q", "-n0", *options], plugins=[collector])
    if collector.problems:
        raise SettingError("\n".join(collector.problems))
    if code == pytest.ExitCode.USAGE_ERROR or collector.config is None or collector.settings is None:
        raise SettingError(_refusal(output.getvalue()))
    if not collector.offers:
        raise SettingError(f"{suite}: no instances are left; the options were {' '.join(options) or 'none'}")
    return Catalogue(collector.config, collector.settings, tuple(collector.offers), frozenset(held_out))


class _Collector:
    """pytest plugin that keeps what was collected, before pytest ends and takes its settings off."""

    def __init__(self) -> None:
        self.config: pytest.Config | None = None
        self.settings: Settings | None = None
        self.offers: list[Offer] = []
        self.problems: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep why a file cannot be collected."""
        if report.failed:
            self.problems.append(f"{report.nodeid}: {report.longreprtext}".removeprefix(": "))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Keep the instances that are left after `-k` and `-m`."""
        self.config, self.settings = session.config, session.config.stash[SETTINGS]
        for item in session.items:
            if (instance := instance_of(item)) is None:
                continue
            if other := next(_replaced(item), None):
                self.problems.append(
                    f"{item.nodeid}: the fixture 'environment' is replaced by {other}; sessions use drivers only, "
                    "so name a driver in suite.toml"
                )
                return
            self.offers.append(Offer(instance, suite_of(item), own_markers(item, instance)))


def _replaced(item: pytest.Item) -> Iterator[str]:
    """Yield the module of another fixture `environment` than the plugin's."""
    fixtures: Any = getattr(item, "_fixtureinfo", None)
    # The last definition is the one that pytest uses.
    for definition in fixtures.name2fixturedefs.get("environment", ())[-1:]:
        if definition.func.__module__ != _OWN:
            yield definition.func.__module__


def _refusal(output: str) -> str:
    """Return pytest's own sentences about options that it refuses."""
    lines = [line.partition("ERROR: ")[2] or line.partition("error: ")[2] for line in output.splitlines()]
    return "\n".join(filter(None, lines)) or output.strip() or "pytest collected nothing"


def listed(catalogue: Catalogue) -> Iterator[str]:
    """Yield the splits and their instances as lines."""
    for name, offers in catalogue.splits.items():
        yield f"{name}  {many(len(offers), 'instance')}"
    for name in (TRAIN, TEST):
        for index, offer in enumerate(catalogue.splits.get(name, ())):
            yield f"{name} {index}  {offer.instance.id}"
