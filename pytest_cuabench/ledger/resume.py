"""Going on with a run: which of its instances are finished, and why some are played again all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.fingerprint import Fingerprint, differences, same_agent
from pytest_cuabench.ledger.record import Run


@dataclass(frozen=True, slots=True)
class Past:
    """What a run holds of its instances when a session goes on with it; nothing of a new one.

    Attributes:
        last: The last attempt of each instance.
        played: How many attempts of each instance there are.
    """

    last: Mapping[str, Attempt] = field(default_factory=dict)
    played: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, run: Run) -> Past:
        """Read what a run holds."""
        attempts = list(run.attempts())
        last = {attempt.instance: attempt for attempt in attempts}
        return cls(last, Counter(attempt.instance for attempt in attempts))

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
    if old.fingerprint is None or new is None:
        yield "it has no recorded fingerprint"
        return
    if old.agent == agent and not same_agent(old.fingerprint, new):
        yield "the agent's profile changed"
    yield from differences(old.fingerprint, new)
