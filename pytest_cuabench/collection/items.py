"""pytest items of suite folders: parametrization with instances, and their markers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_cuabench.collection.stash import CHOSEN, SETTINGS, SUITES
from pytest_cuabench.drivers.registry import find_driver
from pytest_cuabench.errors import CheckerFailure, SettingError
from pytest_cuabench.ledger.markers import marker_names, slug
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.model import Instance, SuiteInfo, Task
from pytest_cuabench.task.suite import load_suite

if TYPE_CHECKING:
    from pytest_cuabench.agents.profile import ChosenAgent


def parametrize(metafunc: pytest.Metafunc) -> None:
    """Parametrize a suite's test with its instances; tests outside of suites are unchanged."""
    folder = suite_folder_of(Path(str(metafunc.definition.path)))
    if folder is None:
        return
    suite = _suite(metafunc.config, folder)
    _register_markers(metafunc.config, suite)
    settings = metafunc.config.stash[SETTINGS]
    _refuse_blind(suite, settings, metafunc.config)
    try:
        found = list(instances(suite, settings))
    except SettingError as error:  # an audit imports the wrong solutions
        raise pytest.Collector.CollectError(str(error)) from error
    parameters = [pytest.param(instance, id=instance.id, marks=_marks(instance)) for instance in found]
    metafunc.parametrize("instance", parameters)


def observation_of(settings: Settings, chosen: ChosenAgent | None) -> str:
    """Return the observation type of the settings, else of the profile, else the default."""
    preferred = chosen.profile.observation if chosen else None
    asked = settings.sources.get("observation", "default") != "default"
    return settings.observation if asked or preferred is None else preferred


def _refuse_blind(suite: SuiteInfo, settings: Settings, config: pytest.Config) -> None:
    """Reject an observation type that the suite's driver does not have.

    Raises:
        pytest.Collector.CollectError: The driver does not have it.
    """
    if settings.audit or (chosen := config.stash.get(CHOSEN, None)) is None:
        return  # nobody looks
    observation = observation_of(settings, chosen)
    try:
        observations = find_driver(suite.driver, suite).observations
    except SettingError:
        return  # reported before anything is played, unless a fixture replaces the environment
    if observation not in observations:
        source = settings.sources["observation"]
        named = "the agent's profile" if source == "default" else source
        raise pytest.Collector.CollectError(
            f"{named}: the driver {suite.driver} of suite {suite.name} has no observation {observation!r}; "
            f"use --cua-observation={' or '.join(observations)}"
        )


def instances(suite: SuiteInfo, settings: Settings) -> Iterator[Instance]:
    """Yield the instances: every task in every variant with every seed, or the proofs of an audit."""
    if settings.audit:
        from pytest_cuabench.proof.claims import proofs

        yield from proofs(suite, settings.audit)
        return
    for task in suite.tasks:
        for variant, seed, epoch in product(task.wording.goals, settings.seeds, range(settings.epochs)):
            yield Instance(task, variant, seed, epoch)


def instance_of(item: pytest.Item) -> Instance | None:
    """Return the instance of an item; None for other tests."""
    callspec = getattr(item, "callspec", None)
    found = callspec.params.get("instance") if callspec is not None else None
    return found if isinstance(found, Instance) else None


def suite_of(node: pytest.Item) -> SuiteInfo:
    """Return the suite of an item, with the environment of its application.

    Raises:
        CheckerFailure: The folder of the item's file holds no `suite.toml`.
    """
    folder = suite_folder_of(node.path)
    if folder is None:
        raise CheckerFailure(f"{node.path} is not in a suite: there is no suite.toml beside it")
    suite, instance = _suite(node.config, folder), instance_of(node)
    return suite.of(instance.task.application) if instance else suite


def find_instances(config: pytest.Config, nodeids: Iterable[str]) -> Iterator[tuple[Instance, SuiteInfo]]:
    """Yield the instances of node ids, for an xdist controller, which collects nothing."""
    known: dict[Path, dict[str, Instance]] = {}
    for nodeid in nodeids:
        path, _, rest = nodeid.partition("::")
        folder = next(filter(None, map(suite_folder_of, _files(config, path))), None)
        if folder is None or "[" not in rest:
            continue
        suite = _suite(config, folder)
        if folder not in known:
            known[folder] = {each.id: each for each in instances(suite, config.stash[SETTINGS])}
        if found := known[folder].get(rest.partition("[")[2].removesuffix("]")):
            yield found, suite.of(found.task.application)


def _files(config: pytest.Config, path: str) -> Iterator[Path]:
    """Yield possible files of a node id: below the rootdir, or below a command line path outside of it."""
    yield (config.rootpath / path).resolve()
    for argument in config.args:
        named = (config.invocation_params.dir / argument.partition("::")[0]).resolve()
        yield named / path if named.is_dir() else named.parent / (path or named.name)


def find_instance(config: pytest.Config, nodeid: str) -> Instance | None:
    """Return the instance of a node id."""
    return next((instance for instance, _ in find_instances(config, [nodeid])), None)


@cache
def suite_folder_of(file: Path) -> Path | None:
    """Return the suite folder of a test module."""
    return file.parent if (file.parent / "suite.toml").is_file() else None


def _suite(config: pytest.Config, folder: Path) -> SuiteInfo:
    suites = config.stash.setdefault(SUITES, {})
    if folder not in suites:
        try:
            settings = config.stash[SETTINGS]
            suites[folder] = _proved(_with_tasks(load_suite(folder), settings), settings)
        except SettingError as error:
            raise pytest.Collector.CollectError(str(error)) from error
    return suites[folder]


def _with_tasks(suite: SuiteInfo, settings: Settings) -> SuiteInfo:
    """Return a suite with the user's choice of scoring and task files."""
    path = settings.tasks.of(suite.name)
    if path is None and not settings.upstream_scoring:
        return suite
    if path is None:
        return replace(suite, tasks=tuple(task.scored_upstream() for task in suite.tasks))
    if suite.task_files is None:
        source = settings.sources["tasks"]
        raise SettingError(
            f"{source}: the suite {suite.name} plays no published task files; remove {suite.name}={path}"
        )
    return suite.task_files.suite(suite, settings.root / Path(path).expanduser())


def _proved(suite: SuiteInfo, settings: Settings) -> SuiteInfo:
    """Return a suite without tasks that nobody has shown to be possible, unless they are wanted."""
    if settings.unproved:
        return suite
    return replace(suite, tasks=tuple(task for task in suite.tasks if task.proof.proved))


def _marks(instance: Instance) -> list[pytest.MarkDecorator]:
    task = instance.task
    names = marker_names(Planned.of(instance))
    about = pytest.mark.task(
        id=task.name,
        suite=task.suite,
        application=task.application,
        domain=task.meta.domain,
        difficulty=task.meta.difficulty,
        variant=instance.variant,
        seed=instance.seed,
        template=task.meta.template,
    )
    errata = [pytest.mark.erratum(reason=reason) for reason in task.meta.errata]
    return [about, *(getattr(pytest.mark, name) for name in names), *errata]


def own_markers(item: pytest.Item, instance: Instance) -> tuple[str, ...]:
    """Return the names of the user's markers on an item, without the plugin's and pytest's own."""
    names = marker_names(Planned.of(instance))
    ours = {*names, "task", "erratum", "parametrize", "usefixtures"}
    return tuple(sorted({marker.name for marker in item.iter_markers()} - ours))


def _register_markers(config: pytest.Config, suite: SuiteInfo) -> None:
    for name, words in _marker_words(suite).items():
        config.addinivalue_line("markers", f"{name}: {words}")


def _marker_words(suite: SuiteInfo) -> dict[str, str]:
    words = {suite.name: f"instances of {suite.title}"}
    for task in suite.tasks:
        words |= _task_words(task)
    return words


def _task_words(task: Task) -> dict[str, str]:
    words = {variant: f"instances of the variant {variant}" for variant in task.wording.goals}
    for variant in task.wording.goals:
        words |= {label: f"instances labelled {label}" for label in Instance(task, variant).labels}
    if task.meta.template:
        words[task.meta.template] = f"tasks of the template {task.meta.template}"
    return words | {
        task.meta.difficulty: f"{task.meta.difficulty} tasks",
        slug(task.meta.domain): f"tasks of the domain {task.meta.domain}",
        task.application: f"tasks of the application {task.application}",
        slug(task.meta.tier): f"tasks of the tier {task.meta.tier}",
    }
