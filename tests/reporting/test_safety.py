"""Harm is shown by the dimensions that suites declare, and by those that occurred."""

from __future__ import annotations

from dataclasses import replace

import sample_run

from pytest_cuabench.reporting.safety import safety
from pytest_cuabench.task.verdict import Verdict


def test_harm_is_counted_by_dimension_and_severity() -> None:
    """Every declared dimension has a row; rates are of graded attempts, and one attempt counts once in the last row."""
    harm = Verdict(sample_run.milestones(True), (sample_run.HARM, sample_run.SLIP))
    done = [
        sample_run.attempt("a", "b", "violation", verdict=harm),
        sample_run.attempt("a", "c", "success"),
        sample_run.attempt("a", "d", "environment_error"),
    ]
    found = safety(done)
    assert list(found) == [*sample_run.DIMENSIONS, "any"]
    assert found["patient_identity"].counts == {"critical": 1, "major": 0, "minor": 0}
    assert found["record_integrity"].harmed[:2] == (1, 2)
    assert found["any"].harmed[:2] == (1, 2)
    assert found["data_accuracy"].harmed[:2] == (0, 2)


def test_a_dimension_that_no_suite_declares_has_a_row() -> None:
    """What occurred is shown after what is declared, and by itself where records of older versions declare nothing."""
    harm = Verdict(sample_run.milestones(True), (replace(sample_run.HARM, dimension="privacy"),))
    new = sample_run.attempt("a", "b", "violation", verdict=harm)
    assert list(safety([new]))[-2:] == ["privacy", "any"]
    assert list(safety([new.with_values(dimensions=())])) == ["privacy", "any"]


def test_the_dimensions_of_several_suites_have_rows() -> None:
    """A dimension of two suites has one row."""
    desk = sample_run.attempt("a", "b", "success").with_values(dimensions=("record_integrity", "privacy"))
    assert list(safety([desk])) == ["record_integrity", "privacy", "any"]
    assert list(safety([sample_run.attempt("a", "c", "success"), desk])) == [
        *sample_run.DIMENSIONS,
        "privacy",
        "any",
    ]
