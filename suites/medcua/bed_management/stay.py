"""What the record says of one patient's stay."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pytest_cuabench.evidence import Row

from ..record import Record
from . import hospital


@dataclass(frozen=True)
class Stay(Record):
    """Where a patient lies when the episode is judged, and how that came about."""

    @cached_property
    def bed(self) -> dict[str, Any] | None:
        """The bed the patient lies in, with what its bay offers."""
        found = self.evidence.after.rows("beds", mrn=self.mrn)
        return hospital.bed(self.evidence.after, found[0]["label"]) if found else None

    @property
    def label(self) -> str:
        """The number of that bed."""
        return self.bed["label"] if self.bed else "no bed"

    @cached_property
    def first_placed(self) -> int | None:
        """The place in the journal at which the patient was first put into a bed."""
        return next(
            (
                place
                for place, write in enumerate(self.evidence.journal)
                if write.collection == "beds" and "mrn" in write.fields and write.row["mrn"] == self.mrn
            ),
            None,
        )

    def last(self, collection: str) -> Row | None:
        """Return the patient's latest entry of this episode."""
        rows = self.added(collection)
        return rows[-1] if rows else None
