"""Names of the pytest markers that the instances of a task carry."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_cuabench.ledger.attempt import Attempt
    from pytest_cuabench.ledger.plan import Planned
    from pytest_cuabench.task.model import Task


def marker_names(task: Task | Attempt | Planned, variant: str, labels: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names of the markers that the instances of a task carry, each once."""
    about = (task.suite, task.difficulty, slug(task.domain), slug(task.tier), task.application)
    names = (*about, variant, task.template)
    return tuple(dict.fromkeys(filter(None, (*names, *labels))))


def slug(words: str) -> str:
    """Return words as a marker's name."""
    return re.sub(r"\W+", "_", words.lower()).strip("_")
