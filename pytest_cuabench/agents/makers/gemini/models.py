"""What Google's models take: which set of functions, how large a picture."""

from __future__ import annotations

from typing import Literal, cast

from pytest_cuabench.agents.models.known import find_known
from pytest_cuabench.agents.models.pictures import Limit

FunctionSet = Literal["legacy", "current"]
LIMIT = Limit(long_edge=3072)
"""Google shrinks what is longer; as places are on a grid, clicks would not drift even so."""


def set_of(model: str) -> FunctionSet | None:
    """Return which functions Google taught a model, or None when nothing is known of it."""
    row = find_known("google", model.rpartition("/")[2])
    return cast("FunctionSet", row.tool) if row else None
