"""With xdist, several episodes at a time (`--cua-at-once`): each worker runs one part of the items.

Part k of n holds the items k, k+n, k+2n and so on. So a worker knows which items it will run as soon as it is given the
first one. The part of a worker that dies goes to another worker.
"""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from pytest_cuabench.errors import SettingError

_SCHEDULED_HERE = ("load", "worksteal")


def parts_of(config: pytest.Config) -> int:
    """Return the number of parts: of workers, or 1 without xdist."""
    return int(getattr(config, "workerinput", {}).get("workercount", 1))


def refuse_other_distributions(config: pytest.Config, source: str) -> None:
    """Refuse an explicit `--dist` that gives workers their items in another way.

    Raises:
        SettingError: There is one.
    """
    dist = config.getoption("dist", "no")
    if dist not in ("no", *_SCHEDULED_HERE):
        raise SettingError(f"{source} does not work with --dist={dist}; leave --dist out")


class Parts(LoadScopeScheduling):  # type: ignore[misc]
    """Gives each worker one part."""

    def _split_scope(self, nodeid: str) -> str:
        number = self._numbers[nodeid]
        return str(number % self.numnodes)

    def schedule(self) -> None:
        """Number the items, then schedule as usual."""
        collected = next(iter(self.registered_collections.values()), ())
        self._numbers = {nodeid: number for number, nodeid in enumerate(collected)}
        super().schedule()

    def _reschedule(self, node: Any) -> None:
        if node in self.registered_collections:  # a worker that replaces another may not have collected yet
            super()._reschedule(node)

    def remove_node(self, node: Any) -> str | None:
        """See the base class; the item at which the worker died is not run again."""
        crashed: str | None = super().remove_node(node)
        for unit in self.workqueue.values():
            if crashed in unit:
                unit[crashed] = True
        return crashed
