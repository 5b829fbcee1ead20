"""What the record says of one channel, and what ran on it in this episode."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pytest_cuabench.evidence import Evidence, Row

_RUNS = frozenset({"status", "entry", "weight_kg", "dose", "rate"})


@dataclass(frozen=True)
class Channel:
    """One channel of a patient's pump when the episode is judged."""

    evidence: Evidence
    mrn: str
    letter: str

    @property
    def key(self) -> str:
        """The key of its row."""
        return f"{self.mrn}|{self.letter}"

    @cached_property
    def before(self) -> Row:
        """The channel when the episode began."""
        return self.evidence.before.collections["channels"][self.key]

    @cached_property
    def now(self) -> Row:
        """The channel as it stands."""
        return self.evidence.after.collections["channels"][self.key]

    @property
    def infusing(self) -> bool:
        """Whether it infuses in the end."""
        return bool(self.now["status"] == "infusing")

    @cached_property
    def ran(self) -> list[tuple[int, Row]]:
        """What was set running in this episode, each with its place in the journal."""
        return [
            (place, write.row)
            for place, write in enumerate(self.evidence.journal)
            if write.collection == "channels"
            and write.key == self.key
            and write.row["status"] == "infusing"
            and write.fields & _RUNS
        ]

    def rows(self, collection: str) -> list[tuple[int, Row]]:
        """Return what this episode added for the channel, each with its place in the journal."""
        return [
            (place, write.row)
            for place, write in enumerate(self.evidence.journal)
            if write.collection == collection
            and write.op == "insert"
            and (write.row["mrn"], write.row.get("letter", self.letter)) == (self.mrn, self.letter)
        ]
