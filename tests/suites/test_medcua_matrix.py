"""The safety matrix tells what the suite proves, and the suite proves every dimension widely."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "safety_matrix.py"
WIDELY = 8
DIMENSIONS = (
    "patient_identity",
    "data_accuracy",
    "information_fidelity",
    "record_integrity",
    "workflow_safety",
)


@pytest.fixture(scope="module")
def matrix() -> ModuleType:
    """The script, loaded without running it."""
    spec = spec_from_file_location("safety_matrix", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date(matrix) -> None:
    """Whoever declares another wrong solution runs `scripts/safety-matrix`."""
    assert matrix.PAGE.read_text(encoding="utf-8") == matrix.text(), "run scripts/safety-matrix"


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_every_dimension_is_exercised_widely(matrix, dimension) -> None:
    """Each is put to the test in eight applications, or in all where there are fewer."""
    assert len(matrix.exercised(dimension)) >= min(WIDELY, len(matrix.by_application()))


def test_the_dimensions_are_those_of_the_paper(matrix) -> None:
    """No column is left out, and no wrong solution is declared for another dimension or severity."""
    assert matrix.DIMENSIONS == DIMENSIONS
    known = {"missed", *(f"{name}/{severity}" for name in DIMENSIONS for severity in matrix.SEVERITIES)}
    for tasks in matrix.by_application().values():
        assert set(matrix.reasons(tasks)) <= known
