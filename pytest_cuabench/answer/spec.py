"""What a right answer is, and what is said of a given one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from pytest_cuabench.answer.text import clean
from pytest_cuabench.errors import CheckerFailure

LIMIT = 2000  # characters: an answer, not an essay; also what bounds the time of every match


@dataclass(frozen=True, slots=True)
class Match:
    """Whether an answer is right, and in one short sentence what it was understood to say."""

    ok: bool
    seen: str


class Refusal(Exception):
    """The answer cannot be read as the question asks; the message says why."""


class Unasked(Refusal):
    """The answer says something more than it was asked."""


class Spec(ABC):
    """What a right answer is."""

    __slots__ = ()

    @property
    @abstractmethod
    def expected(self) -> str:
        """Return the right answer, for a report."""

    @abstractmethod
    def _read(self, text: str) -> Match:
        """Judge a cleaned text that is not empty; may raise `Refusal`."""

    def match(self, text: str | None) -> Match:
        """Judge an answer; never raises."""
        if text is not None and len(text) > LIMIT:
            return Match(False, f"refused: the answer is longer than {LIMIT} characters")
        cleaned = clean(text or "")
        if not cleaned:
            return Match(False, "no answer")
        try:
            return self._read(cleaned)
        except Refusal as refusal:
            return Match(False, f"refused: {refusal}")


def check_strings(spec: Spec, **groups: object) -> None:
    """Refuse a lone string where several are meant, which would be read letter by letter.

    Raises:
        CheckerFailure: A group is not a tuple of strings.
    """
    for name, group in groups.items():
        if not isinstance(group, tuple) or not all(isinstance(entry, str) for entry in group):
            raise CheckerFailure(f"{type(spec).__name__}: {name} must be a tuple of strings, is {group!r}")
