"""Recorded runs to report on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pytest_cuabench.ledger.record import Run

sys.path.insert(0, str(Path(__file__).parent))  # `sample_run` lies here, and importlib mode adds no path

import sample_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run in which every outcome occurs."""
    return sample_run.build(tmp_path_factory.mktemp("reports") / "sample")


@pytest.fixture(scope="module")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of one instance whose every text is hostile."""
    folder = Run(tmp_path_factory.mktemp("reports") / "hostile")
    sample_run.hostile(folder)
    return folder
