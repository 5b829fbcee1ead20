"""Cases as somebody careless understands them: a wrong solution is the reference on one of these."""

from __future__ import annotations

from typing import Any

from pytest_cuabench.task.case import Case


def misread(case: Case, **changes: Any) -> Case:
    """Return the case with other values."""
    return Case(case.goal, {**case.values, **changes})


def confused(case: Case) -> Case:
    """Return the case with the patient taken for another one, the value `other`."""
    return misread(case, **case["other"])
