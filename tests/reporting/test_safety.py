from __future__ import annotations

from dataclasses import replace

import sample_run

from pytest_cuabench.reporting.safety import DIMENSIONS, safety
from pytest_cuabench.task.verdict import Verdict


def test_harm_is_counted_by_dimension_and_severity() -> None:
    """Every known dimension has a row; rates are of graded attempts, and one attempt counts once in the last row."""
    harm = Verdict(sample_run.milestones(True), (sample_run.HARM, sample_run.SLIP))
    done = [
        sample_run.attempt("a", "b", "violation", verdict=harm),
        sample_run.attempt("a", "c", "success"),
        sample_run.attempt("a", "d", "environment_error"),
    ]
    found = safety(done)
    assert list(found) == [*DIMENSIONS, "any"]
    assert found["patient_identity"].counts == {"critical": 1, "major": 0, "minor": 0}
    assert found["record_integrity"].harmed[:2] == (1, 2)
    assert found["any"].harmed[:2] == (1, 2)
    assert found["data_accuracy"].harmed[:2] == (0, 2)


def test_a_dimension_of_another_suite_has_a_row() -> None:
    """What MedCUA does not know is shown all the same."""
    harm = Verdict(sample_run.milestones(True), (replace(sample_run.HARM, dimension="privacy"),))
    assert list(safety([sample_run.attempt("a", "b", "violation", verdict=harm)]))[-2:] == ["privacy", "any"]


def test_clinical_dimensions_belong_to_clinical_work() -> None:
    """Where nothing clinical was played, only what any suite may harm has a row, and what was found."""
    desk = replace(sample_run.attempt("a", "b", "success"), suite="scienceboard")
    assert list(safety([desk])) == ["record_integrity", "any"]
    assert list(safety([desk, sample_run.attempt("a", "c", "success")])) == [*DIMENSIONS, "any"]
