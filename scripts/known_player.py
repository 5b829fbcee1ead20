"""An agent whose verdicts are known beforehand, because its share of each reference solution is.

Of four instances, by their ids, two are solved, one is left after a few steps as if it were done, and one is given up.
Before each decision it waits `PLAYER_THINK` seconds, as an agent that asks a model does.

As a plugin (`-p known_player`) it shuffles the instances, so that all applications are met in the first minutes.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
from typing import Any

import pytest

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.builtin.oracle import OracleAgent
from pytest_cuabench.errors import ProviderFailure
from pytest_cuabench.task.action import Terminate
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.outcome import Outcome

STEPS = 2  # of a solution that is not finished, unless PLAYER_STEPS says otherwise; signing in takes three
THINK = "PLAYER_THINK"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Shuffle the instances, the same way each time."""
    random.Random(0).shuffle(items)


def expected(instance: str) -> Outcome:
    """Return the outcome that an instance must have."""
    kinds = (Outcome.SUCCESS, Outcome.FAILURE, Outcome.SUCCESS, Outcome.GAVE_UP)
    return kinds[hashlib.sha256(instance.encode()).digest()[0] % len(kinds)]


class KnownPlayer(OracleAgent):
    """Plays the reference solution or its beginning."""

    async def confide(self, instance: Any, case: Any, environment: Any) -> None:
        """See `OracleAgent.confide`."""
        await super().confide(instance, case, environment)
        self._outcome, self._steps = expected(instance.id), 0
        self._seconds = float(os.environ.get(THINK, "0"))
        self._most = int(os.environ.get("PLAYER_STEPS", STEPS))

    async def decide(self, observation: Observation) -> Decision:
        """Wait, then return the solution's next step or the early end.

        Raises:
            ProviderFailure: A page crashed, of which the solution knows nothing.
        """
        if any("crashed" in notice for notice in observation.notices):
            raise ProviderFailure("the solution cannot go on after a page crashed")
        await asyncio.sleep(self._seconds)
        if self._outcome is not Outcome.SUCCESS and self._steps == self._most:
            return Decision((Terminate("success" if self._outcome is Outcome.FAILURE else "failure"),))
        self._steps += 1
        return await super().decide(observation)
