"""The limits that the station sets by itself when somebody is admitted."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from typing import Any

from pytest_cuabench.library import FIXTURES


@cache
def _written() -> dict[str, Any]:
    file = FIXTURES / "clinic" / "icu_central" / "limits.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def usual_limits(age_class: str | None, profile: str | None) -> dict[str, Sequence[float]]:
    """Return the limits of an age class and profile; nobody who is not admitted has any."""
    if age_class is None or profile is None:
        return {}
    limits = dict(_written()["default"][age_class])
    return limits | (_written()["profile"][profile] if age_class == "adult" else {})
