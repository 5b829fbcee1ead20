"""Going on with a run: which of its instances are finished, and why some are played again all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from pytest_cuabench.fingerprint import Fingerprint, differences, same_agent
from pytest_cuabench.keys import SETTINGS
from pytest_cuabench.ledger import Attempt, Run


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
        yield "it is not known what it was played with"
        return
    if old.agent == agent and not same_agent(old.fingerprint, new):
        yield "the agent's profile changed"
    yield from differences(old.fingerprint, new)


class Notice:
    """Says, before anything is played, what of a run stays as it is, what is played, and why anything is again."""

    def __init__(self, config: pytest.Config, run: Run, past: Past) -> None:
        self._config = config
        self._run = run
        self._past = past
        self._told = False

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Say it where this process plays."""
        self._tell([item.nodeid for item in session.items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        """Say it once where workers play."""
        self._tell(ids)

    def _tell(self, nodeids: Iterable[str]) -> None:
        from pytest_cuabench.attempts import agent_name, fingerprint_in
        from pytest_cuabench.collect import find_instances

        if self._told:
            return
        settings = self._config.stash[SETTINGS]
        agent = agent_name(self._config, settings)
        reasons: Counter[str] = Counter()
        kept = played = 0
        for instance, suite in find_instances(self._config, nodeids):
            last = self._past.finished(instance.id)
            new = fingerprint_in(self._config, instance, suite, settings)
            found = tuple(changes(last, agent, new)) if last else ()
            kept += bool(last and not found)
            played += not (last and not found)
            if found:
                reasons["; ".join(found)] += 1
        if kept or played:
            self._told = True
            self._write(kept, played, reasons)

    def _write(self, kept: int, played: int, reasons: Counter[str]) -> None:
        reporter: Any = self._config.pluginmanager.get_plugin("terminalreporter")
        reporter.write_line(
            f"cuabench: going on with {self._run.name}: {kept} of {kept + played} instances are finished "
            f"and keep their results, {played} are played"
        )
        for reason, count in reasons.most_common():
            words = "1 finished instance is" if count == 1 else f"{count} finished instances are"
            reporter.write_line(f"cuabench: {words} played again: {reason}", yellow=True)
