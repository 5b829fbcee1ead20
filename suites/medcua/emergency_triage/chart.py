"""What the record says of one patient, and what this episode put into it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pytest_cuabench.evidence import Evidence, Row


@dataclass(frozen=True)
class Chart:
    """One patient's record when the episode is judged."""

    evidence: Evidence
    mrn: str

    @cached_property
    def patient(self) -> Row:
        """The patient as the record stands."""
        return self.evidence.after.row("patients", mrn=self.mrn)

    @cached_property
    def before(self) -> Row:
        """The patient when the episode began."""
        return self.evidence.before.row("patients", mrn=self.mrn)

    @cached_property
    def started(self) -> int | None:
        """The place in the journal at which triage was started."""
        return self._turned("in_triage")

    @cached_property
    def completed(self) -> int | None:
        """The place in the journal at which triage was completed."""
        return self._turned("triaged")

    @cached_property
    def completion(self) -> Row | None:
        """The patient as the record stood when triage was completed in this episode."""
        return None if self.completed is None else self.evidence.journal[self.completed].row

    @property
    def reviewed(self) -> bool:
        """Whether the allergies were reviewed in this episode."""
        now = self.patient["allergies_reviewed_at"]
        return now is not None and now != self.before["allergies_reviewed_at"]

    def valid(self, collection: str, until: int | None = None) -> dict[str, Row]:
        """Return the patient's entries without those struck out, at the end or at a place in the journal."""
        rows = dict(self.evidence.before.collections.get(collection, {}))
        for write in self.evidence.journal[:until]:
            if write.collection == collection:
                rows.pop(write.key, None)
                if write.after is not None:
                    rows[write.key] = write.after
        return {key: row for key, row in rows.items() if row["mrn"] == self.mrn and not row.get("in_error")}

    def added(self, collection: str, until: int | None = None) -> list[Row]:
        """Return the valid entries that this episode added."""
        old = self.evidence.before.collections.get(collection, {})
        return [row for key, row in self.valid(collection, until).items() if key not in old]

    def measured(self, until: int | None = None) -> dict[str, Any]:
        """Return what the valid sets of this episode say together; a later one completes or replaces."""
        return _together(self.added("vitals", until))

    def substances(self, until: int | None = None) -> set[str]:
        """Return the substances on the allergy list."""
        return {row["substance"].casefold() for row in self.valid("allergies", until).values()}

    def _turned(self, status: str) -> int | None:
        return next(
            (
                place
                for place, write in enumerate(self.evidence.journal)
                if write.collection == "patients"
                and write.key == self.mrn
                and "status" in write.fields
                and write.row["status"] == status
            ),
            None,
        )


def _together(rows: Iterable[Row]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for row in rows:
        values |= {name: value for name, value in row.items() if value is not None}
    return values
