"""What a run holds, as a gate sees it: planned, played, graded, and in which groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from pytest_cuabench.ledger import Attempt, Run
from pytest_cuabench.merge import missing_shards
from pytest_cuabench.plan import Planned, read_plan, skipped

Task = tuple[str, str, str]  # suite, application, id: what intervals are clustered by
Chosen = Callable[[Attempt | Planned], bool]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A run's record in memory.

    Attributes:
        last: The last attempt of each instance; these make up every rate.
        all: Every attempt as it was judged last; money and harm are counted in all of them.
        plan: What should have been played, skipped instances among it.
        skipped: What a user's own marker or fixture left out.
        missing_shards: Parts of a merged run that are not in it; what they should have played is unknown.
    """

    last: Mapping[str, Attempt]
    all: tuple[Attempt, ...]
    plan: Mapping[str, Planned] = field(default_factory=dict)
    skipped: frozenset[str] = frozenset()
    missing_shards: tuple[str, ...] = ()

    @classmethod
    def of(cls, run: Run) -> Recorded:
        """Read a run's folder."""
        return cls.made_of(run.attempts(), read_plan(run), skipped(run), missing_shards(run.about()))

    @classmethod
    def made_of(
        cls,
        attempts: Iterable[Attempt],
        plan: Mapping[str, Planned] | None = None,
        skipped: Iterable[str] = (),
        missing_shards: Iterable[str] = (),
    ) -> Recorded:
        """Gather attempts in the order they ended; one that was judged again counts as it was judged last."""
        every = {(each.instance, each.number, each.trajectory): each for each in attempts}
        last = {attempt.instance: attempt for attempt in every.values()}
        unplayed = frozenset(skipped).difference(last)
        return cls(last, tuple(every.values()), plan or {}, unplayed, tuple(missing_shards))

    @property
    def agents(self) -> list[str]:
        """Who played."""
        return sorted({attempt.agent for attempt in self.last.values()})

    def graded(self, chosen: Chosen = lambda instance: True) -> list[Attempt]:
        """Return the graded attempts that are chosen, one of each instance."""
        return [attempt for attempt in self.last.values() if attempt.result.graded and chosen(attempt)]

    def expected(self, chosen: Chosen = lambda instance: True) -> set[str]:
        """Return the instances that are chosen and should have been graded."""
        planned = {name for name, each in self.plan.items() if name not in self.skipped and chosen(each)}
        return planned | {name for name, attempt in self.last.items() if chosen(attempt)}

    def unplayed(self, chosen: Chosen = lambda instance: True) -> set[str]:
        """Return the instances of which there is no attempt at all."""
        return self.expected(chosen).difference(self.last)

    def within(self, chosen: Chosen) -> tuple[Attempt, ...]:
        """Return every attempt at what is chosen, those too that were not graded."""
        return tuple(attempt for attempt in self.all if chosen(attempt))


def task_of(attempt: Attempt | Planned) -> Task:
    """Return the task that an attempt belongs to."""
    return attempt.suite, attempt.application, attempt.task


def clustered(attempts: Iterable[Attempt], value: Callable[[Attempt], float]) -> dict[Task, list[float]]:
    """Return a value of each attempt, by task."""
    groups: dict[Task, list[float]] = {}
    for attempt in attempts:
        groups.setdefault(task_of(attempt), []).append(value(attempt))
    return groups


def some(names: Iterable[str], most: int = 5) -> str:
    """Return a few names, and how many there are beside them."""
    ordered = sorted(names)
    rest = f" and {len(ordered) - most} more" if len(ordered) > most else ""
    return ", ".join(ordered[:most]) + rest
