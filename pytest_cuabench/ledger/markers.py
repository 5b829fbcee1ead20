"""Names of the pytest markers that an instance carries."""

from __future__ import annotations

import re

from pytest_cuabench.ledger.plan import Planned


def marker_names(item: Planned) -> tuple[str, ...]:
    """Return the names of the markers that an instance carries, besides the user's own, each once."""
    about = (item.suite, item.difficulty, slug(item.domain), slug(item.tier), item.application)
    names = (*about, item.variant, item.template)
    return tuple(dict.fromkeys(filter(None, (*names, *item.labels))))


def slug(words: str) -> str:
    """Return words as a marker's name."""
    return re.sub(r"\W+", "_", words.lower()).strip("_")
