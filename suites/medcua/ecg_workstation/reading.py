"""What the record says of one recording, and what this episode did with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pytest_cuabench.evidence import Evidence, Row


@dataclass(frozen=True)
class Reading:
    """One recording when the episode is judged, and what is right for it."""

    evidence: Evidence
    job: Mapping[str, Any]

    @property
    def study_id(self) -> str:
        """The recording's number."""
        return str(self.job["study_id"])

    @cached_property
    def study(self) -> Row:
        """The recording as the record stands."""
        return self.evidence.after.row("studies", study_id=self.study_id)

    @cached_property
    def analysed(self) -> int | None:
        """The place in the journal at which the analysis was run."""
        return self._place("studies", lambda row: row["analysed_at"] is not None)

    @cached_property
    def signed(self) -> int | None:
        """The place in the journal at which the report was signed."""
        return self._place("studies", lambda row: row["status"] == "signed")

    @cached_property
    def alerted(self) -> int | None:
        """The place in the journal of the first alert."""
        return self._place("alerts", lambda row: True)

    @cached_property
    def report(self) -> Row | None:
        """The report that was signed."""
        rows = self.evidence.after.rows("reports", study_id=self.study_id)
        return rows[0] if rows and self.signed is not None else None

    @cached_property
    def codes(self) -> list[str]:
        """The statements that were signed."""
        return self.report["statements"].split(",") if self.report else []

    @cached_property
    def alerts(self) -> list[Row]:
        """The alerts about this recording."""
        return self.evidence.after.rows("alerts", study_id=self.study_id)

    def _place(self, collection: str, test: Any) -> int | None:
        return next(
            (
                place
                for place, write in enumerate(self.evidence.journal)
                if write.collection == collection
                and write.row["study_id"] == self.study_id
                and test(write.row)
            ),
            None,
        )
