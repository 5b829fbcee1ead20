"""The words that may surround a value without changing what is said.

Every token that a specification does not claim for itself must be filler (`Vocabulary.skip`), or the answer is
refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from pytest_cuabench.answer.spec import Refusal, Unasked
from pytest_cuabench.answer.text import (
    DASHES,
    NEUTRAL_MARKS,
    Keys,
    Splitter,
    Token,
    apart,
    between,
    clean,
    clip,
    lengths,
    longest,
)


def stock(words: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(words.split())


NEUTRAL_WORDS = stock(
    """
    the a an there theres is are was were it its thats this that these those of to in as at for by i ive
    we my our have has been total answer value result results final number count current currently now
    exactly equal equals altogether overall found counted recorded shown displayed reads shows says so
    therefore thus hence here
    """
)
NEGATIONS = stock(
    """
    not no never none without except excepting excluding unlike nor neither non cannot nobody nothing
    isnt arent wasnt werent dont doesnt didnt cant wont false incorrect wrong but however rather instead
    """
)
HEDGES = stock("about approximately approx around roughly circa nearly almost")
HEDGE_MARKS = frozenset("~≈")
DETERMINERS = frozenset({"a", "an", "i"})  # single letters that also name wards, options and grades


class Vocabulary:
    """The words that may surround the value: the neutral stock and those of the task.

    A declared word is good in singular and plural; a declared phrase with a numeral in it ("bed 2") is good only
    as a whole.
    """

    def __init__(self, words: Iterable[str], split: Splitter, extra: frozenset[str]) -> None:
        declared: set[str] = set()
        self.phrases: set[Keys] = set()
        for entry in words:
            keys = split(clean(entry))
            if any(token.kind == "number" for token in keys):
                self.phrases.add(tuple(token.key for token in keys))
            else:
                declared |= {
                    form for token in keys if token.kind == "word" for form in _numbers_of(token.key)
                }
        self.declared = frozenset(declared)
        self._extra = extra
        self._phrase_lengths = lengths(self.phrases)

    def phrase_end(self, tokens: Sequence[Token], index: int) -> int | None:
        """Return where the declared phrase that begins at `index` ends."""
        return longest(tokens, index, self.phrases, self._phrase_lengths)

    def skip(self, tokens: Sequence[Token], index: int) -> int:
        """Return the index after the filler at `index`.

        Raises:
            Refusal: It is not filler.
        """
        end = self.phrase_end(tokens, index)
        if end is None:
            self._check(tokens, index)
        return end or index + 1

    def _check(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        if token.text in DASHES:
            self._check_dash(tokens, index)
        elif token.kind == "mark":
            if token.text not in NEUTRAL_MARKS and token.text not in self._extra:
                raise Refusal(f"the answer contains {clip(token.text)}")
        elif token.kind == "number":
            raise Unasked(f"the answer also says {clip(token.text)}, which the question does not ask")
        else:
            self._check_word(tokens, index)

    def _check_dash(self, tokens: Sequence[Token], index: int) -> None:
        if not (between(tokens, index, ("word",)) or apart(tokens, index)):
            raise Refusal(f"it is not clear what the {clip(tokens[index].text)} in the answer means")

    def _check_word(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        if negates(token):
            raise Refusal(f"the answer says {clip(token.text)}")
        if token.key in self.declared or token.key in self._extra:
            return
        if token.key in HEDGES:
            raise Refusal(f"the answer is hedged with {clip(token.text)}")
        leads = index + 1 < len(tokens) and tokens[index + 1].kind == "word"
        if token.key not in NEUTRAL_WORDS or (token.key in DETERMINERS and not leads):
            raise Unasked(f"the answer also says {clip(token.text)}, which the question does not ask")


def negates(token: Token) -> bool:
    """Whether the word turns the sense of a sentence around."""
    return token.key in NEGATIONS or token.text.casefold().endswith("n't")


def _numbers_of(word: str) -> set[str]:
    return {word, word + "s"} | ({word[:-1]} if word.endswith("s") and len(word) > 3 else set())


@lru_cache(maxsize=256)
def vocabulary(words: tuple[str, ...], split: Splitter, extra: frozenset[str] = frozenset()) -> Vocabulary:
    """Return the vocabulary of a task's words; `extra` are further neutral words and marks."""
    return Vocabulary(words, split, extra)
