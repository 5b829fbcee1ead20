"""What the record says of one plan."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pytest_cuabench.evidence import Evidence, Row

from ..record import Record


@dataclass(frozen=True)
class Planned(Record):
    """One plan of a patient when the episode is judged."""

    plan: str = "A"

    @property
    def key(self) -> str:
        """The key of its row."""
        return f"{self.mrn}|{self.plan}"

    @property
    def now(self) -> Row:
        """The plan as it stands."""
        return self.evidence.after.collections["plans"][self.key]

    @property
    def beams(self) -> list[Row]:
        """Its beams, in order."""
        rows = self.evidence.after.rows("beams", mrn=self.mrn, plan=self.plan)
        return sorted(rows, key=lambda row: row["number"])

    @property
    def computed(self) -> bool:
        """Whether its dose was computed in this episode, and is still true."""
        old = self.evidence.before.collections["plans"][self.key]
        return bool(self.now["dose_state"] == "current" and self.now["computed_at"] != old["computed_at"])

    @cached_property
    def missed(self) -> list[str]:
        """The goals that the dose misses, or that nobody knows of."""
        values = {
            row["goal"]: row["value"]
            for row in self.evidence.after.rows("results", mrn=self.mrn, plan=self.plan)
        }
        found = []
        for goal in self.evidence.before.rows("goals", mrn=self.mrn):
            value, limit = values.get(goal["id"]), goal["limit_value"]
            if value is None or (value < limit if goal["sense"] == "min" else value > limit):
                found.append(f"{goal['structure']} {goal['metric']} {value}")
        return found

    @cached_property
    def approval(self) -> int | None:
        """The place in the journal at which it was approved."""
        return approved_at(self.evidence, self.key)


def approved_at(evidence: Evidence, key: str) -> int | None:
    """Return the place in the journal at which a plan was approved."""
    return next(
        (
            place
            for place, write in enumerate(evidence.journal)
            if write.collection == "plans" and write.key == key and "approved_at" in write.fields
        ),
        None,
    )
