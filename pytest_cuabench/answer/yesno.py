"""Answers that are yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_cuabench.answer.spec import Match, Refusal, Spec
from pytest_cuabench.answer.text import NEUTRAL_MARKS, Token, clip, quantity_tokens
from pytest_cuabench.answer.words import HEDGES, NEUTRAL_WORDS, negates, stock

_YES = stock("yes y yeah yep true correct right affirmative confirmed indeed")
_NO = stock("no nope false incorrect wrong negative")
_TURNS = stock("but however although though unless or")
_DOUBTS = HEDGES | stock(
    """
    doubt doubtful maybe perhaps possibly probably likely unlikely unsure unclear unknown might may could if guess
    assume suppose seems appears
    """
)
_AFTER_YES = NEUTRAL_WORDS | frozenset({"he", "she", "they", "you"})


@dataclass(frozen=True, slots=True)
class YesNo(Spec):
    """Yes or no: the first word that is not filler decides, and nothing later may contradict it or doubt it."""

    value: bool

    @property
    def expected(self) -> str:
        """Return `yes` or `no`."""
        return "yes" if self.value else "no"

    def _read(self, text: str) -> Match:
        tokens = quantity_tokens(text)
        index = next((i for i, token in enumerate(tokens) if not _is_filler(token)), len(tokens))
        said = _verdict(tokens, index, text)
        against = _NO if said else _YES
        for token in tokens[index + 1 :]:
            if token.key in against or token.key in _TURNS or (said and negates(token)):
                raise Refusal(f"after '{tokens[index].text}' the answer says {clip(token.text)}")
            if token.key in _DOUBTS or token.text == "?":
                raise Refusal(f"the answer is not sure, it says {clip(token.text)}")
        return Match(said is self.value, "yes" if said else "no")


def _is_filler(token: Token) -> bool:
    return token.key in NEUTRAL_WORDS or token.text in NEUTRAL_MARKS


def _verdict(tokens: Sequence[Token], index: int, text: str) -> bool:
    """Return what the word at `index` decides; `no problem` and `right arm` decide nothing."""
    word = tokens[index].key if index < len(tokens) else ""
    after = tokens[index + 1 : index + 2]
    if (word in _YES or word in _NO) and all(
        token.text in NEUTRAL_MARKS or token.text in ",—" or token.key in _AFTER_YES for token in after
    ):
        return word in _YES
    raise Refusal(f"neither yes nor no in {clip(text)}")
