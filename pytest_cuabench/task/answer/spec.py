"""The base class of answer types, and the result of a match."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.answer.speech import has_strikethrough, unwrap
from pytest_cuabench.task.answer.text import clean

LIMIT = 2000  # characters of an answer, which bounds the time of every match


@dataclass(frozen=True, slots=True)
class Match:
    """Whether an answer is right, and one short sentence on how it was understood."""

    ok: bool
    seen: str

    def __bool__(self) -> bool:
        return self.ok


class Rejected(Exception):
    """Raised when an answer does not have the required form; the message says why."""


class UnexpectedText(Rejected):
    """Raised when an answer contains more than the question asks for."""


class Spec(ABC):
    """The specification of a right answer."""

    __slots__ = ()

    @property
    @abstractmethod
    def expected(self) -> str:
        """Return the right answer for a report."""

    @abstractmethod
    def _read(self, text: str, goal: str) -> Match:
        """Judge a cleaned text that is not empty; may raise `Rejected`."""

    def match(self, text: str | None, goal: str = "", *, spoken: bool = True) -> Match:
        """Judge an answer; never raises.

        Args:
            goal: The task's goal, whose words the answer may repeat.
            spoken: Whether it is an agent's message, which may have wrappers and remarks; False for a record's text.
        """
        if not isinstance(text, str):
            return Match(False, "no answer" if text is None else "refused: the answer is not a text")
        if len(text) > LIMIT:
            return Match(False, f"refused: the answer is longer than {LIMIT} characters")
        try:
            return self._judge(text, goal, spoken=spoken) if clean(text) else Match(False, "no answer")
        except Rejected as refusal:
            return Match(False, f"refused: {refusal}")

    def _judge(self, text: str, goal: str, *, spoken: bool) -> Match:
        if has_strikethrough(text):
            raise Rejected("something in the answer is crossed out")
        plain = clean(self._unwrapped(text) if spoken else text)
        return self._read(plain, goal) if plain else Match(False, "no answer")

    def _unwrapped(self, text: str) -> str:
        return unwrap(text)


def check_strings(spec: Spec, **groups: object) -> None:
    """Check that groups of strings are tuples, since a lone string would be read letter by letter.

    Raises:
        CheckerFailure: A group is not a tuple of strings.
    """
    for name, group in groups.items():
        if not isinstance(group, tuple) or not all(isinstance(entry, str) for entry in group):
            raise CheckerFailure(f"{type(spec).__name__}: {name} must be a tuple of strings, is {group!r}")
