"""From suite folders to pytest items: which instances a test is parametrized with, and their markers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_cuabench.errors import CheckerFailure, SettingError
from pytest_cuabench.keys import CHOSEN, SETTINGS, SUITES
from pytest_cuabench.places import DESKTOPS
from pytest_cuabench.settings import Settings
from pytest_cuabench.suite import load_suite
from pytest_cuabench.task import Instance, SuiteInfo, Task

if TYPE_CHECKING:
    from pytest_cuabench.ledger import Attempt
    from pytest_cuabench.plan import Planned


def parametrize(metafunc: pytest.Metafunc) -> None:
    """Give a suite's test its instances; tests outside of suites are left alone."""
    folder = suite_folder_of(Path(str(metafunc.definition.path)))
    if folder is None:
        return
    suite = _suite(metafunc.config, folder)
    _register_markers(metafunc.config, suite)
    settings = metafunc.config.stash[SETTINGS]
    _refuse_blind(suite, settings, metafunc.config)
    parameters = [
        pytest.param(instance, id=instance.id, marks=_marks(instance))
        for instance in instances(suite, settings)
    ]
    metafunc.parametrize("instance", parameters)


def _refuse_blind(suite: SuiteInfo, settings: Settings, config: pytest.Config) -> None:
    """Refuse an observation that the suite's computer does not have.

    Raises:
        pytest.Collector.CollectError: It has none of that kind.
    """
    if suite.driver not in DESKTOPS:
        return
    from pytest_cuabench.attempts import observation_of

    if observation_of(settings, config.stash.get(CHOSEN, None)) == "dom":
        source = settings.sources["observation"]
        named = "the agent's profile" if source == "default" else source
        raise pytest.Collector.CollectError(
            f"{named}: a desktop has no page text (dom) for suite {suite.name}; use --cua-observation=tree"
        )


def instances(suite: SuiteInfo, settings: Settings) -> Iterator[Instance]:
    """Yield what is played: every task in every wording on every seed, or the proofs of an audit."""
    if settings.audit:
        from pytest_cuabench.audit import proofs

        yield from proofs(suite, settings.audit)
        return
    for task in suite.tasks:
        for variant, seed, epoch in product(task.goals, settings.seeds, range(settings.epochs)):
            yield Instance(task, variant, seed, epoch)


def suite_of(node: pytest.Item) -> SuiteInfo:
    """Return the suite that an item belongs to.

    Raises:
        CheckerFailure: There is no `suite.toml` in the folder of the item's file.
    """
    folder = suite_folder_of(node.path)
    if folder is None:
        raise CheckerFailure(f"{node.path} does not lie in a suite: there is no suite.toml beside it")
    return _suite(node.config, folder)


def find_instances(config: pytest.Config, nodeids: Iterable[str]) -> Iterator[tuple[Instance, SuiteInfo]]:
    """Yield the instances that node ids of ours name; for the process that leads workers and collects nothing."""
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
            yield found, suite


def _files(config: pytest.Config, path: str) -> Iterator[Path]:
    """Yield where the file of a node id may lie: below the root, or below what the command line names outside of it."""
    yield (config.rootpath / path).resolve()
    for argument in config.args:
        named = (config.invocation_params.dir / argument.partition("::")[0]).resolve()
        yield named / path if named.is_dir() else named.parent / (path or named.name)


def find_instance(config: pytest.Config, nodeid: str) -> Instance | None:
    """Return the instance that a node id of ours names."""
    return next((instance for instance, _ in find_instances(config, [nodeid])), None)


@cache
def suite_folder_of(file: Path) -> Path | None:
    """Return the suite folder that a test module lies in."""
    return file.parent if (file.parent / "suite.toml").is_file() else None


def _suite(config: pytest.Config, folder: Path) -> SuiteInfo:
    suites = config.stash.setdefault(SUITES, {})
    if folder not in suites:
        try:
            suites[folder] = _with_tasks(load_suite(folder), config.stash[SETTINGS])
        except SettingError as error:
            raise pytest.Collector.CollectError(str(error)) from error
    return suites[folder]


def _with_tasks(suite: SuiteInfo, settings: Settings) -> SuiteInfo:
    """Return a suite scored as the user wishes, or with the task files that the user named in place of its own."""
    path = settings.tasks.of(suite.name)
    if path is None and settings.upstream_scoring is None:
        return suite
    if path is None:
        return replace(suite, tasks=tuple(task.scored_upstream() for task in suite.tasks))
    from pytest_cuabench.scienceboard.tasks import with_records

    return with_records(suite, settings.root / Path(path).expanduser())


def _marks(instance: Instance) -> list[pytest.MarkDecorator]:
    task = instance.task
    names = marker_names(task, instance.variant, instance.labels)
    about = pytest.mark.task(
        id=task.name,
        suite=task.suite,
        application=task.application,
        domain=task.domain,
        difficulty=task.difficulty,
        variant=instance.variant,
        seed=instance.seed,
        template=task.template,
    )
    errata = [pytest.mark.erratum(reason=reason) for reason in task.errata]
    return [about, *(getattr(pytest.mark, name) for name in names), *errata]


def marker_names(task: Task | Attempt | Planned, variant: str, labels: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names of the markers that the instances of a task carry, each once."""
    names = (task.suite, task.difficulty, slug(task.domain), task.application, variant, task.template)
    return tuple(dict.fromkeys(filter(None, (*names, *labels))))


def own_markers(item: pytest.Item, instance: Instance) -> tuple[str, ...]:
    """Return the names of the markers that a user put on an item, beside ours and pytest's own."""
    names = marker_names(instance.task, instance.variant, instance.labels)
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
    words = {variant: f"instances worded as {variant}" for variant in task.goals}
    for variant in task.goals:
        words |= {label: f"instances labelled {label}" for label in Instance(task, variant).labels}
    if task.template:
        words[task.template] = f"tasks of the template {task.template}"
    return words | {
        task.difficulty: f"{task.difficulty} tasks",
        slug(task.domain): f"tasks of the domain {task.domain}",
        task.application: f"tasks of the application {task.application}",
    }


def slug(words: str) -> str:
    """Return words as a marker's name."""
    return re.sub(r"\W+", "_", words.lower()).strip("_")
