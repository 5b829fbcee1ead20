"""What the world is made from, where checks need more than a page shows: stories, limits, choice lists."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from pytest_cuabench.task.worlds import world_fixtures, world_folder


@cache
def world_data(name: str) -> Mapping[str, Any]:
    """Return the content of a file that the world starts from.

    Args:
        name: Application and file, such as `bed_management/cases`.
    """
    file = world_fixtures(world_folder("clinic", None)) / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
