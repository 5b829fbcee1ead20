"""What the record says of one examination, and what this episode put into it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pytest_cuabench.evidence import Row

from ..record import Record

_IDENTIFIERS = ("checked_name", "checked_birth_date", "checked_mrn")  # a room number identifies nobody


@dataclass(frozen=True)
class Study(Record):
    """One examination when the episode is judged.

    Attributes:
        accession: The number of the order.
    """

    accession: str = ""

    @cached_property
    def order(self) -> Row:
        """The order as the record stands."""
        return self.evidence.after.row("orders", accession=self.accession)

    @cached_property
    def exam(self) -> Row | None:
        """The registration, if there is one."""
        return next(iter(self.evidence.after.rows("exams", accession=self.accession)), None)

    @property
    def identifiers(self) -> int:
        """How many patient identifiers were compared."""
        return sum(bool(self.exam[name]) for name in _IDENTIFIERS) if self.exam else 0

    def entries(self, collection: str) -> list[Row]:
        """Return what this episode added, the oldest first."""
        return [row for row in self.added(collection) if row["accession"] == self.accession]

    def last(self, collection: str) -> Row | None:
        """Return the latest of what this episode added."""
        found = self.entries(collection)
        return found[-1] if found else None

    @cached_property
    def first_exposure(self) -> int | None:
        """The place in the journal of the first scout or scan."""
        places = (
            place
            for place, write in enumerate(self.evidence.journal)
            if write.collection in ("scouts", "scans") and write.row["accession"] == self.accession
        )
        return next(places, None)

    @property
    def screened_in_time(self) -> bool:
        """Whether nothing was acquired, or only after a screening was saved."""
        place = self.first_exposure
        return place is None or bool(self.added("screenings", place))
