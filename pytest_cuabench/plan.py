"""What a run was going to play, in its ledger before the first episode: without it nobody knows what is missing.

    {"type": "plan", "instances": [...]}         what was collected, once for each session
    {"type": "skipped", "instance": "..."}       what a user's own marker or fixture then skipped

A run that was resumed or merged has several plans; what it should hold is all of them together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pytest_cuabench.keys import ATTEMPTS, RUN, SETTINGS

if TYPE_CHECKING:
    from pytest_cuabench.ledger import Run
    from pytest_cuabench.task import Instance


@dataclass(frozen=True, slots=True)
class Planned:
    """An instance that is to be played; the fields are those of `Attempt`."""

    instance: str
    suite: str
    application: str
    task: str
    domain: str
    difficulty: str
    variant: str
    seed: int
    epoch: int
    markers: tuple[str, ...] = ()
    template: str = ""
    labels: tuple[str, ...] = ()

    @classmethod
    def of(cls, instance: Instance, markers: Iterable[str] = ()) -> Planned:
        """Return the plan of one instance."""
        task = instance.task
        place = (task.suite, task.application, task.id, task.domain, task.difficulty)
        return cls(
            instance.id,
            *place,
            instance.variant,
            instance.seed,
            instance.epoch,
            markers=tuple(markers),
            template=task.template,
            labels=instance.labels,
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Planned:
        """Read a part of a plan; unknown keys of newer versions are passed over."""
        known = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        names = {name: tuple(data.get(name, ())) for name in ("markers", "labels")}
        return cls(**known | names)


def write_plan(run: Run, planned: Iterable[Planned], *, empty: bool = False) -> None:
    """Add a plan to the ledger; where nothing is planned, only if an empty plan says something."""
    instances = [asdict(each) for each in planned]
    if instances or empty:
        run.add({"type": "plan", "instances": instances})


def read_plan(run: Run) -> dict[str, Planned]:
    """Return all that was planned, by instance; empty where an older version recorded the run."""
    plans = (data["instances"] for data in run.records("plan"))
    return {data["instance"]: Planned.from_json(data) for plan in plans for data in plan}


def skipped(run: Run) -> set[str]:
    """Return the instances that were skipped on purpose."""
    return {data["instance"] for data in run.records("skipped")}


def keep_plan(session: pytest.Session) -> None:
    """Write the plan of a session; of several workers, which all collect the same, the first does it."""
    config = session.config
    settings = config.stash.get(SETTINGS, None)
    worker: Mapping[str, Any] | None = getattr(config, "workerinput", None)
    leads = worker is None or worker.get("cuabench_plans", False)
    broken = session.testsfailed and not config.option.continue_on_collection_errors
    if leads and settings and not (settings.audit or broken or config.option.collectonly):
        planned = filter(None, map(_planned, session.items))
        # A shard for which nothing was left has played its part; a merge has to find it.
        write_plan(config.stash[RUN], planned, empty=settings.shard is not None)


def keep_skip(item: pytest.Item, report: pytest.TestReport) -> None:
    """Note that an instance was skipped before anything of it was played."""
    planned = _planned(item) if report.skipped and RUN in item.config.stash else None
    if planned and not item.stash.get(ATTEMPTS, None):
        item.config.stash[RUN].add({"type": "skipped", "instance": planned.instance})


def _planned(item: pytest.Item) -> Planned | None:
    """Return the plan of an item of ours."""
    from pytest_cuabench.collect import own_markers
    from pytest_cuabench.task import Instance

    callspec = getattr(item, "callspec", None)
    instance = callspec.params.get("instance") if callspec is not None else None
    if not isinstance(instance, Instance) or "attempt" not in getattr(item, "fixturenames", ()):
        return None
    return Planned.of(instance, own_markers(item, instance))
