"""What the record says of one prescription."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pytest_cuabench.evidence import Evidence, Row


@dataclass(frozen=True)
class Script:
    """One prescription when the episode is judged.

    Attributes:
        rx_no: Its number, the key of the collection `prescriptions` and the field `rx_no` elsewhere.
    """

    evidence: Evidence
    rx_no: str

    @classmethod
    def of(cls, evidence: Evidence, job: Mapping[str, Any]) -> Script:
        """Return the prescription that a job is about."""
        return cls(evidence, job["rx_no"])

    @property
    def subject(self) -> str:
        """Return how findings name the prescription."""
        return f"prescriptions/{self.rx_no}"

    @cached_property
    def row(self) -> Row:
        """The prescription as the record stands."""
        return self.evidence.after.row("prescriptions", rx_no=self.rx_no)

    @cached_property
    def released(self) -> Row | None:
        """The prescription as it was verified in this episode, or None."""
        for write in self.evidence.journal:
            mine = write.collection == "prescriptions" and write.key == self.rx_no
            if mine and "verified_at" in write.fields and write.row["verified_at"] is not None:
                return write.row
        return None

    @property
    def edited(self) -> bool:
        """Whether the entry was changed in this episode."""
        before = self.evidence.before.row("prescriptions", rx_no=self.rx_no)
        return bool(self.row["edited_at"] != before["edited_at"])

    def added(self, collection: str) -> list[Row]:
        """Return what this episode added to the prescription."""
        old = self.evidence.before.collections.get(collection, {})
        rows = self.evidence.after.collections.get(collection, {})
        return [row for key, row in rows.items() if key not in old and row["rx_no"] == self.rx_no]

    def decision(self, alert: Mapping[str, Any]) -> Row:
        """Return an alert as the record stands."""
        return self.evidence.after.row("alerts", id=alert["id"])
