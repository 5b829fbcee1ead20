"""Answers that must match verbatim."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.answer.spec import Match, Spec
from pytest_cuabench.task.answer.speech import unwrap_stepwise
from pytest_cuabench.task.answer.text import clip


@dataclass(frozen=True, slots=True)
class Exact(Spec):
    """A verbatim text, for goals that say "exactly" or "word for word".

    Unicode is normalized (NFC), line ends are equal, and surrounding space is ignored. Case, punctuation, dashes,
    quotes and inner spaces must be the same. A sentence around the answer (`The answer is "...".`) is removed as for
    every type, unless it belongs to the text.
    """

    value: str

    def __post_init__(self) -> None:
        if not self.value.strip():
            raise CheckerFailure("an exact answer needs a text")

    @property
    def expected(self) -> str:
        """Return the text in quotes."""
        return f"'{self.value}'"

    def _judge(self, text: str, goal: str, *, spoken: bool) -> Match:
        wanted = _composed(self.value)
        forms = [_composed(form) for form in (unwrap_stepwise(text) if spoken else [text])]
        return Match(wanted in forms, clip(forms[-1]))

    def _read(self, text: str, goal: str) -> Match:
        return self._judge(text, goal, spoken=False)


def _composed(text: str) -> str:
    return "\n".join(unicodedata.normalize("NFC", text).strip().splitlines())
