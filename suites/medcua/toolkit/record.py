"""What the record says of one patient, and what this episode put into it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pytest_cuabench.task.evidence import Evidence, Row


@dataclass(frozen=True)
class Record:
    """One patient's record when the episode is judged.

    Attributes:
        mrn: The patient's number, the key of the collection `patients` and the field `mrn` elsewhere.
    """

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

    def turned(self, field: str, value: Any) -> int | None:
        """Return the place in the journal at which a field of the patient first took a value."""
        return next(
            (
                place
                for place, write in enumerate(self.evidence.journal)
                if write.collection == "patients"
                and write.key == self.mrn
                and field in write.fields
                and write.row[field] == value
            ),
            None,
        )
