"""What a run holds already: which of its instances are finished, and why some are played again all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.fingerprint import Fingerprint, differences, same_agent
from pytest_cuabench.ledger.record import Run


@dataclass(frozen=True, slots=True)
class Past:
    """What a run held of its instances when this process joined it, and what this process has played since.

    Attributes:
        last: The last attempt of each instance; of those played since only the names are kept.
        played: How many attempts of each instance there are.
        graded: The instances that this process has played to a result.
    """

    last: Mapping[str, Attempt] = field(default_factory=dict)
    played: Counter[str] = field(default_factory=Counter)
    graded: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, run: Run) -> Past:
        """Read what a run holds."""
        attempts = list(run.attempts())
        last = {attempt.item.instance: attempt for attempt in attempts}
        return cls(last, Counter(attempt.item.instance for attempt in attempts))

    def add(self, attempt: Attempt) -> None:
        """Note an attempt that this process has played."""
        self.played[attempt.item.instance] += 1
        if attempt.result.graded:
            self.graded.add(attempt.item.instance)

    def recall(self, instance: str, agent: str, fingerprint: Fingerprint | None) -> Attempt | None:
        """Return the attempt that need not be played again, if there is one."""
        last = self.finished(instance)
        return None if last is None or any(changes(last, agent, fingerprint)) else last

    def finished(self, instance: str) -> Attempt | None:
        """Return the last attempt of an instance if it was played to its end and judged."""
        last = self.last.get(instance)
        return last if last is not None and last.result.graded else None


def changes(old: Attempt, agent: str, new: Fingerprint | None) -> Iterator[str]:
    """Yield what is no longer as it was when an attempt was played, in words."""
    if old.agent != agent:
        yield f"another agent: {old.agent} -> {agent}"
    if old.conditions.fingerprint is None or new is None:
        yield "it has no recorded fingerprint"
        return
    if old.agent == agent and not same_agent(old.conditions.fingerprint, new):
        yield "the agent's profile changed"
    yield from differences(old.conditions.fingerprint, new)
