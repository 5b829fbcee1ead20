"""Typed keys under which this plugin keeps its state on pytest's objects."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_cuabench.ledger import Attempt
    from pytest_cuabench.task import SuiteInfo

SETTINGS = pytest.StashKey["Settings"]()
RUN = pytest.StashKey["Run"]()
CHOSEN = pytest.StashKey["ChosenAgent"]()
SUITES = pytest.StashKey[dict[Path, "SuiteInfo"]]()
ATTEMPTS = pytest.StashKey[list["Attempt"]]()
