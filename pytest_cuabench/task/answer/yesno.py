"""Answers that are yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_cuabench.task.answer.goal import goal_words
from pytest_cuabench.task.answer.spec import Match, Rejected, Spec, check_strings
from pytest_cuabench.task.answer.text import NEUTRAL_MARKS, Token, clip, quantity_tokens
from pytest_cuabench.task.answer.vocabulary import (
    NEUTRAL_WORDS,
    NO_WORDS,
    YES_WORDS,
    Vocabulary,
    negates,
    neutral_end,
    stock,
    vocabulary,
)

_PERSONS = stock("he she they you it")
_VERBS = stock("is are was were has have had do does did can be its")
_PRONOUNS = _PERSONS | _VERBS | stock("any so at all")
# After these neutral words a preceding "no" is not the answer: `no answer`, `no results found`
_DENIED = stock(
    "answer total value result results number count current final recorded shown displayed found equal"
)
_AFTER = (NEUTRAL_WORDS | _PERSONS) - _DENIED


@dataclass(frozen=True, slots=True)
class YesNo(Spec):
    """Yes or no, optionally with the question repeated in its own words.

    Attributes:
        words: Words of the question that the answer may repeat ("patient", "allergic"), besides those of the goal.
    """

    value: bool
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_strings(self, words=self.words)

    @property
    def expected(self) -> str:
        """Return `yes` or `no`."""
        return "yes" if self.value else "no"

    def _read(self, text: str, goal: str) -> Match:
        tokens = quantity_tokens(text)
        words = vocabulary(self.words, quantity_tokens, _PRONOUNS, goal_words(goal))
        index = 0
        while index < len(tokens) and (
            (end := neutral_end(tokens, index)) or _verdict(tokens, index) is None
        ):
            index = end or words.skip(tokens, index)
        said = _verdict(tokens, index) if index < len(tokens) else None
        if said is None:
            raise Rejected(f"neither yes nor no in {clip(text)}")
        _check_rest(tokens, index, words, said=said)
        return Match(said is self.value, "yes" if said else "no")


def _check_rest(tokens: Sequence[Token], index: int, words: Vocabulary, *, said: bool) -> None:
    """Reject anything but a repetition of the verdict at `index` or of the question."""
    verdict, rest = tokens[index], index + 1
    following = next((token.key for token in tokens[rest:] if token.text not in NEUTRAL_MARKS), "")
    judged = following in ("is", "was", "isnt", "wasnt", "cannot", "cant")  # `no is not the answer`
    may_deny = not said and not judged
    agreed = said or not _states({token.key for token in tokens[rest:] if token.kind == "word"})
    while rest < len(tokens):
        token = tokens[rest]
        if _repeats(token, verdict, said=said):
            agreed, rest = True, rest + 1
        elif may_deny and _denies(token):
            may_deny, agreed, rest = False, True, rest + 1
        elif token.key in NO_WORDS | YES_WORDS or negates(token):
            raise Rejected(f"after '{verdict.text}' the answer says {clip(token.text)}")
        else:
            rest = words.skip(tokens, rest)
    if not agreed:
        raise Rejected(f"after '{verdict.text}' the answer repeats the question without a 'not'")


def _states(keys: set[str]) -> bool:
    """Whether words are a sentence about the question: `the patient is allergic`, `it is`."""
    return bool(keys & _VERBS) and bool(keys & _PERSONS or keys - NEUTRAL_WORDS - _VERBS)


def _verdict(tokens: Sequence[Token], index: int) -> bool | None:
    """Return the verdict of the word at `index`; `no problem` and `right arm` have none."""
    key = tokens[index].key
    if key not in YES_WORDS | NO_WORDS:
        return None
    plain = all(
        token.text in NEUTRAL_MARKS or token.text in ",—" or token.key in _AFTER
        for token in tokens[index + 1 : index + 2]
    )
    return key in YES_WORDS if plain else None


def _repeats(token: Token, verdict: Token, *, said: bool) -> bool:
    """Whether a word repeats the verdict: `yes, that is correct`, `no: the answer is no`.

    After a no, `false` and `wrong` are ambiguous.
    """
    return token.key == verdict.key or (said and token.key in YES_WORDS)


def _denies(token: Token) -> bool:
    """Whether a word repeats the question with the negation: `no, the patient is not allergic`."""
    return token.key in ("not", "no", "none", "never") or token.text.casefold().endswith("n't")
