"""What several templates of service share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from pytest_cuabench import Milestone

from ..toolkit.records import Records, Row, called

Milestones = Iterator[Milestone]
Given = Mapping[str, Any]


def other(org: Records, random: Random, object: str, row: Row, **equal: Any) -> str:
    """Return the name of another record of an object that stands for itself, of those with these values."""
    names = [called(each) for each in org.all(object)]
    right = {called(each) for each in org.where(object, **equal)} - {called(row), ""}
    return random.choice(sorted(name for name in right if names.count(name) == 1))
