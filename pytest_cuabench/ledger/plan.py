"""The plan of a run, written to its ledger before the first episode, so that missing instances are known.

    {"type": "plan", "started": "...", "instances": [...]}   the collected instances, once per session
    {"type": "skipped", "instance": "..."}                   an instance skipped by a user's marker or fixture

A resumed or merged run has several plans; its planned instances are their union.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_cuabench.task.parts import SYNTHETIC

if TYPE_CHECKING:
    from pytest_cuabench.task.model import Instance

PLAN, SKIPPED = "plan", "skipped"


@dataclass(frozen=True, slots=True)
class Planned:
    """A planned instance; the fields are those of `Attempt`."""

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
    tier: str = SYNTHETIC

    @classmethod
    def of(cls, instance: Instance, markers: Iterable[str] = ()) -> Planned:
        """Return the plan of one instance."""
        task = instance.task
        place = (task.suite, task.application, task.id, task.meta.domain, task.meta.difficulty)
        return cls(
            instance.id,
            *place,
            instance.variant,
            instance.seed,
            instance.epoch,
            markers=tuple(markers),
            template=task.meta.template,
            labels=instance.labels,
            tier=task.meta.tier,
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Planned:
        """Create a planned instance from plain data, ignoring unknown keys of newer versions."""
        known = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        names = {name: tuple(data.get(name, ())) for name in ("markers", "labels")}
        return cls(**known | names)
