"""What the record says of one triage."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pytest_cuabench.evidence import Row

from ..record import Record


@dataclass(frozen=True)
class Chart(Record):
    """One patient's triage when the episode is judged."""

    @cached_property
    def started(self) -> int | None:
        """The place in the journal at which triage was started."""
        return self.turned("status", "in_triage")

    @cached_property
    def completed(self) -> int | None:
        """The place in the journal at which triage was completed."""
        return self.turned("status", "triaged")

    @cached_property
    def completion(self) -> Row | None:
        """The patient as the record stood when triage was completed in this episode."""
        return None if self.completed is None else self.evidence.journal[self.completed].row

    @property
    def reviewed(self) -> bool:
        """Whether the allergies were reviewed in this episode."""
        now = self.patient["allergies_reviewed_at"]
        return now is not None and now != self.before["allergies_reviewed_at"]

    def measured(self, until: int | None = None) -> dict[str, Any]:
        """Return what the valid sets of this episode say together; a later one completes or replaces."""
        return _together(self.added("vitals", until))

    def substances(self, until: int | None = None) -> set[str]:
        """Return the substances on the allergy list."""
        return {row["substance"].casefold() for row in self.valid("allergies", until).values()}


def _together(rows: Iterable[Row]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for row in rows:
        values |= {name: value for name, value in row.items() if value is not None}
    return values
