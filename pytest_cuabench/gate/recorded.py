"""A run's planned, played and graded instances, as a gate reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.inspection import Ledger, read_ledger
from pytest_cuabench.ledger.merge import missing_shards
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.outcome import Outcome

Task = tuple[str, str, str]  # suite, application, id; intervals are clustered by it
Chosen = Callable[[Planned], bool]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A run's record in memory.

    Attributes:
        last: The last attempt of each instance; rates are computed from these.
        all: Every attempt with its newest verdict; cost and harm are counted in all of them.
        plan: The planned instances, including skipped ones.
        skipped: The instances skipped by a user's marker or fixture.
        missing_shards: Shards that a merged run lacks; their planned instances are unknown.
    """

    last: Mapping[str, Attempt]
    all: tuple[Attempt, ...]
    plan: Mapping[str, Planned] = field(default_factory=dict)
    skipped: frozenset[str] = frozenset()
    missing_shards: tuple[str, ...] = ()

    @classmethod
    def of(cls, run: Run) -> Recorded:
        """Read a run's folder.

        Raises:
            SettingError: A record is invalid.
        """
        ledger = read_ledger(run.folder)
        ledger.refuse()
        return cls.read(ledger, run)

    @classmethod
    def read(cls, ledger: Ledger, run: Run) -> Recorded:
        """Collect the readable records of a ledger."""
        attempts = [entry.attempt for entry in ledger.entries]
        left_out = (instance for _, instance in ledger.skipped)
        return cls.from_attempts(attempts, ledger.plan(), left_out, missing_shards(run.about()))

    @classmethod
    def from_attempts(
        cls,
        attempts: Iterable[Attempt],
        plan: Mapping[str, Planned] | None = None,
        skipped: Iterable[str] = (),
        missing_shards: Iterable[str] = (),
    ) -> Recorded:
        """Collect attempts in the order they ended, each with its newest verdict."""
        every = {(each.item.instance, each.number, each.files.trajectory): each for each in attempts}
        last = {attempt.item.instance: attempt for attempt in every.values()}
        unplayed = frozenset(skipped).difference(last)
        return cls(last, tuple(every.values()), plan or {}, unplayed, tuple(missing_shards))

    @property
    def agents(self) -> list[str]:
        """The names of the agents."""
        return sorted({attempt.agent for attempt in self.last.values()})

    def graded(self, chosen: Chosen = lambda instance: True) -> list[Attempt]:
        """Return the chosen graded attempts, one per instance."""
        return [attempt for attempt in self.last.values() if attempt.result.graded and chosen(attempt.item)]

    def expected(self, chosen: Chosen = lambda instance: True) -> set[str]:
        """Return the chosen instances that should have been graded."""
        planned = {name for name, each in self.plan.items() if name not in self.skipped and chosen(each)}
        return planned | {name for name, attempt in self.last.items() if chosen(attempt.item)}

    def unplayed(self, chosen: Chosen = lambda instance: True) -> set[str]:
        """Return the chosen instances without any attempt."""
        return self.expected(chosen).difference(self.last)

    def within(self, chosen: Chosen) -> tuple[Attempt, ...]:
        """Return every attempt at the chosen instances, including ungraded ones."""
        return tuple(attempt for attempt in self.all if chosen(attempt.item))


def task_of(item: Planned) -> Task:
    """Return the task of an instance."""
    return item.suite, item.application, item.task


def broke(attempt: Attempt) -> bool:
    """Whether the environment broke in an attempt, whatever its outcome."""
    return attempt.result is Outcome.ENVIRONMENT_ERROR or attempt.end.broke is not None


def clustered(attempts: Iterable[Attempt], value: Callable[[Attempt], float]) -> dict[Task, list[float]]:
    """Return the value of each attempt, by task."""
    groups: dict[Task, list[float]] = {}
    for attempt in attempts:
        groups.setdefault(task_of(attempt.item), []).append(value(attempt))
    return groups


def some(names: Iterable[str], most: int = 5) -> str:
    """Format a few names, and the number of further ones."""
    ordered = sorted(names)
    rest = f" and {len(ordered) - most} more" if len(ordered) > most else ""
    return ", ".join(ordered[:most]) + rest
