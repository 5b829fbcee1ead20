"""Sign in at the bed desk."""

from __future__ import annotations

from pytest_cuabench import Case, Evidence, Findings

from ..toolkit.login import locked_capitals, present, signed_out_again, solve
from .wards import login_values as case
from .wards import within

__all__ = ["case", "check", "locked_capitals", "signed_out_again", "solve"]


def check(evidence: Evidence, case: Case) -> Findings:
    """Be signed in at the end, and have moved nothing."""
    yield from present(evidence, case)
    yield from within(evidence, case)
