"""Typed keys under which this plugin keeps its state on pytest's objects."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import TracebackType

    from pytest_cuabench.agents.profile import ChosenAgent
    from pytest_cuabench.ledger.attempt import Attempt
    from pytest_cuabench.ledger.record import Run
    from pytest_cuabench.ledger.resume import Past
    from pytest_cuabench.ledger.signing import Key
    from pytest_cuabench.settings import Settings
    from pytest_cuabench.task.model import SuiteInfo

SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()
KEY: pytest.StashKey[Key] = pytest.StashKey()
RUN: pytest.StashKey[Run] = pytest.StashKey()
PAST: pytest.StashKey[Past] = pytest.StashKey()
CHOSEN: pytest.StashKey[ChosenAgent] = pytest.StashKey()
SUITES: pytest.StashKey[dict[Path, SuiteInfo]] = pytest.StashKey()
FIRST_WORKER: pytest.StashKey[Any] = pytest.StashKey()  # the worker of xdist that writes the plan
ATTEMPTS: pytest.StashKey[list[Attempt]] = pytest.StashKey()
TRACEBACK: pytest.StashKey[TracebackType] = pytest.StashKey()  # of an item's failure, until its teardown
