"""How far the shards of a cluster run are, by what they recorded and what the scheduler says."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from pytest_cuabench.commands.clusters.plan import Plan
from pytest_cuabench.ledger.inspection import Ledger, read_ledger
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.store import Store, is_url
from pytest_cuabench.task.outcome import Outcome


class State(Enum):
    """What a shard is doing."""

    FINISHED = "finished"
    RUNNING = "running"
    WAITING = "waiting"
    LOST = "lost"  # begun, but neither finished nor known to the scheduler
    NEW = "not submitted"


@dataclass(frozen=True, slots=True)
class Shard:
    """One shard.

    Attributes:
        planned: The number of its instances; None before it has begun.
        played: How many of them have ended.
        ungraded: How many of these ended without a verdict.
    """

    number: int
    state: State
    planned: int | None = None
    played: int = 0
    ungraded: int = 0


def run_name(plan_name: str, shard: int) -> str:
    """Return the name of a shard's run."""
    return f"{plan_name}-{shard}"


def shards_of(plan: Plan, active: Mapping[int, State], known: Sequence[int] = ()) -> list[Shard]:
    """Return the state of every shard.

    Args:
        active: The shards that the scheduler runs, or will run.
        known: The shards that were submitted before.

    Raises:
        SettingError: A ledger is damaged.
        StoreFailure: The storage cannot be read.
    """
    begun = _begun(plan)
    found = []
    for number in range(1, plan.shards + 1):
        ledger = begun.get(number)
        if ledger is None:
            state = active.get(number) or (State.LOST if number in known else State.NEW)
            found.append(Shard(number, state))
            continue
        planned, played, ungraded = _counted(ledger)
        if planned is not None and played == planned and number not in active:
            state = State.FINISHED
        else:
            state = active.get(number, State.LOST)
        found.append(Shard(number, state, planned, played, ungraded))
    return found


def _counted(ledger: Ledger) -> tuple[int | None, int, int]:
    """Return the numbers of planned, ended and ungraded instances; what was cancelled has not ended."""
    if not ledger.plans:
        return None, 0, 0
    last = {attempt.item.instance: attempt for attempt in ledger.attempts()}
    ended = {name for name, attempt in last.items() if attempt.result is not Outcome.CANCELLED}
    ended |= {name for _, name in ledger.skipped}
    planned = set(ledger.plan())
    ungraded = sum(not last[name].result.graded for name in ended & planned if name in last)
    return len(planned), len(ended & planned), ungraded


def _begun(plan: Plan) -> dict[int, Ledger]:
    """Return the ledgers of the shards that have one."""
    names = {run_name(plan.name, number): number for number in range(1, plan.shards + 1)}
    if not is_url(plan.reports):
        folders = {number: Path(plan.reports) / name for name, number in names.items()}
        return {n: read_ledger(folder) for n, folder in folders.items() if (folder / LEDGER).is_file()}
    store = Store.open(plan.reports)
    found = {}
    with tempfile.TemporaryDirectory(prefix="cuabench-cluster-") as scratch:
        for name in store.folders():
            if number := names.get(name):
                folder = Path(scratch) / name
                folder.mkdir()
                if store.at(name).try_to_fetch_ledger(folder):
                    found[number] = read_ledger(folder)
    return found
