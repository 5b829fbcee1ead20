"""What the record says of one patient's tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_cuabench.evidence import Evidence, Row

from ..record import Record


@dataclass(frozen=True)
class Care(Record):
    """One task of one patient when the episode is judged."""

    task: int

    @classmethod
    def of(cls, evidence: Evidence, job: Mapping[str, Any]) -> Care:
        """Look at the task of a job."""
        return cls(evidence, job["mrn"], job["task"])

    @property
    def row(self) -> Row:
        """The task as it stands."""
        return self.evidence.after.row("tasks", id=self.task)

    @property
    def status(self) -> str:
        """Whether it is due, done or not done."""
        return str(self.row["status"])

    def entry(self, collection: str) -> Row | None:
        """Return the valid entry that this episode made for the task."""
        rows = [row for row in self.added(collection) if row["task"] == self.task]
        return rows[-1] if rows else None
