"""Notice at the start of a resumed run: how many instances keep their results, and why others are replayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from pytest_cuabench.collection.attempts import agent_name, fingerprint_in
from pytest_cuabench.collection.items import find_instances
from pytest_cuabench.collection.stash import SETTINGS
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.resume import Past, changes
from pytest_cuabench.reporting.silent import reporter_of
from pytest_cuabench.task.text import tell


class Notice:
    """Plugin that prints the notice of a resumed run."""

    def __init__(self, config: pytest.Config, run: Run, past: Past) -> None:
        self._config = config
        self._run = run
        self._past = past
        self._told = False

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Print the notice without xdist."""
        self._tell([item.nodeid for item in session.items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        """Print the notice once with xdist."""
        self._tell(ids)

    def _tell(self, nodeids: Iterable[str]) -> None:
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
        reporter = reporter_of(self._config)
        tell(
            reporter,
            f"cuabench: resuming {self._run.name}: {kept} of {kept + played} instances are finished "
            f"and keep their results, {played} will be played",
        )
        for reason, count in reasons.most_common():
            words = "1 finished instance will be" if count == 1 else f"{count} finished instances will be"
            tell(reporter, f"cuabench: {words} replayed: {reason}", yellow=True)
