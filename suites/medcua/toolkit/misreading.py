"""Cases as somebody careless understands them: a wrong solution is the reference on one of these."""

from __future__ import annotations

from pytest_cuabench.task.case import Case, misread


def confused(case: Case) -> Case:
    """Return the case with the patient taken for another one, the value `other`."""
    return misread(case, **case["other"])
