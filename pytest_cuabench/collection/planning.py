"""Write a session's plan, and the instances skipped by a user's marker or fixture, to the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pytest_cuabench.collection.items import instance_of, own_markers
from pytest_cuabench.collection.stash import ATTEMPTS, RUN, SETTINGS
from pytest_cuabench.ledger.plan import SKIPPED, Planned


def keep_plan(session: pytest.Session) -> None:
    """Write the plan of a session; with xdist the first worker does it, since all collect the same."""
    config = session.config
    settings = config.stash.get(SETTINGS, None)
    worker: Mapping[str, Any] | None = getattr(config, "workerinput", None)
    alone = config.getoption("dist", "no") == "no"  # else it is xdist's controller, which collects nothing
    leads = alone if worker is None else worker.get("cuabench_plans", False)
    broken = session.testsfailed and not config.option.continue_on_collection_errors
    if leads and settings and not (settings.audit or broken or config.option.collectonly):
        planned = filter(None, map(_planned, session.items))
        # An empty shard writes an empty plan, so that a merge finds it.
        config.stash[RUN].plan(planned, empty=settings.shard is not None)


def keep_skip(item: pytest.Item, report: pytest.TestReport) -> None:
    """Record an instance that was skipped before it was played."""
    skipped = report.skipped and report.when != "teardown"
    planned = _planned(item) if skipped and RUN in item.config.stash else None
    if planned and not item.stash.get(ATTEMPTS, None):
        item.config.stash[RUN].add({"type": SKIPPED, "instance": planned.instance})


def _planned(item: pytest.Item) -> Planned | None:
    """Return the plan of an instance's item; None for other items."""
    instance = instance_of(item)
    if instance is None or "attempt" not in getattr(item, "fixturenames", ()):
        return None
    return Planned.of(instance, own_markers(item, instance))
