"""What a right answer is, and what is said of a given one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.answer.speech import struck, unwrap
from pytest_cuabench.task.answer.text import clean

LIMIT = 2000  # characters: an answer, not an essay; also what bounds the time of every match


@dataclass(frozen=True, slots=True)
class Match:
    """Whether an answer is right, and in one short sentence what it was understood to say."""

    ok: bool
    seen: str

    def __bool__(self) -> bool:
        return self.ok


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
    def _read(self, text: str, goal: str) -> Match:
        """Judge a cleaned text that is not empty; may raise `Refusal`."""

    def match(self, text: str | None, goal: str = "", *, spoken: bool = True) -> Match:
        """Judge an answer; never raises.

        Args:
            goal: The goal that is answered, whose words the answer may repeat.
            spoken: Whether this is what somebody says, who may wrap it or speak of the work besides; False for what
                is read in a record.
        """
        if not isinstance(text, str):
            return Match(False, "no answer" if text is None else "refused: the answer is not a text")
        if len(text) > LIMIT:
            return Match(False, f"refused: the answer is longer than {LIMIT} characters")
        try:
            return self._judge(text, goal, spoken=spoken) if clean(text) else Match(False, "no answer")
        except Refusal as refusal:
            return Match(False, f"refused: {refusal}")

    def _judge(self, text: str, goal: str, *, spoken: bool) -> Match:
        if struck(text):
            raise Refusal("something in the answer is crossed out")
        plain = clean(self._unwrapped(text) if spoken else text)
        return self._read(plain, goal) if plain else Match(False, "no answer")

    def _unwrapped(self, text: str) -> str:
        return unwrap(text)


def check_strings(spec: Spec, **groups: object) -> None:
    """Refuse a lone string where several are meant, which would be read letter by letter.

    Raises:
        CheckerFailure: A group is not a tuple of strings.
    """
    for name, group in groups.items():
        if not isinstance(group, tuple) or not all(isinstance(entry, str) for entry in group):
            raise CheckerFailure(f"{type(spec).__name__}: {name} must be a tuple of strings, is {group!r}")
