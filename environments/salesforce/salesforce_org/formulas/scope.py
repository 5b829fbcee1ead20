"""What a formula is evaluated for: a record, before and after a write, in an org."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from salesforce_org.store import Org, Record, SObject

Evaluate = Callable[["Scope"], Any]


@dataclass(frozen=True, slots=True)
class Scope:
    """One evaluation.

    Attributes:
        record: The record as it is, or as it will be when a write is done; None where there is none yet.
        old: The record before the write; None for a new one, and where nothing is written.
        new: Whether the write makes the record.
        blanks_as_zero: Whether numbers that are blank count as zero.
    """

    org: Org
    object: SObject | None
    record: Record | None
    old: Record | None = None
    new: bool = False
    blanks_as_zero: bool = False

    @property
    def before(self) -> Scope:
        """The same before the write; where nothing was there before, as it is."""
        return replace(self, record=self.old) if self.old is not None else self

    @property
    def now(self) -> datetime:
        """The org's moment."""
        return self.org.now

    def grouped(self, evaluate: Evaluate, *levels: str | None) -> Any:
        """Return a summary's value at levels of a report's groupings; None outside of reports."""
        return None

    def previous(self, evaluate: Evaluate, level: str | None, steps: int) -> Any:
        """Return a summary's value in an earlier group of a report; None outside of reports."""
        return None
