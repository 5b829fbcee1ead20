"""The words that may surround a value without changing its meaning.

Every token that is not part of the value must be filler (`Vocabulary.skip`), or the answer is rejected.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pytest_cuabench.task.answer.numerals import SPOKEN
from pytest_cuabench.task.answer.spec import Rejected, UnexpectedText
from pytest_cuabench.task.answer.text import (
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
    therefore thus hence here with who which whose still yet only
    """
)
_PLACES = "screen page table list worklist board dashboard record records chart system app application data"
_PHRASES = """
    correct answer, final answer, according to, based on, as of now, right now, at present, at this time, at the moment,
    in total, i see, i can see, i checked, after checking, after reviewing, after looking at, looking at, as requested,
    and found, and i found, as shown, as follows, the question, your question, it is, which is, that is
"""
NEUTRAL_PHRASES = tuple(phrase.strip() for phrase in _PHRASES.split(",")) + tuple(
    phrase
    for place in _PLACES.split()
    for phrase in (
        f"the {place}",
        *(f"{before} the {place}" for before in ("on", "in", "from", "to", "by", "at", "of", "checking")),
        *(f"the {place} {verb}" for verb in ("shows", "show", "says", "lists", "displays", "gives", "has")),
        *(f"{word} the {place}" for word in ("reviewing", "opening", "reading")),
    )
)
NEGATIONS = stock(
    """
    not no never none without except excepting excluding unlike nor neither non cannot nobody nothing
    isnt arent wasnt werent dont doesnt didnt cant wont false incorrect wrong but however rather instead
    """
)
CORRECTIONS = stock(
    """
    actually wait sorry correction mistake mistaken mistakenly meant mean oops scratch typo revised revise changed
    retract withdrawn erroneous error previously formerly
    """
)
ALTERNATIVES = stock("or either alternatively otherwise versus vs between")
HEDGES = stock("about approximately approx around roughly circa ca nearly almost ish estimated estimate say")
DOUBTS = stock(
    """
    doubt doubtful maybe perhaps possibly probably likely unlikely unsure uncertain unclear unknown might may could
    would should if guess assume assuming suppose supposedly seems seem appears appear apparently think believe
    presumably
    """
)
BOUNDS = stock(
    "least most more less fewer than over under above below until upto beyond exceeding minimum maximum"
)
HEDGE_MARKS = frozenset("~≈≃≅∼")
DETERMINERS = frozenset({"a", "an", "i"})  # single letters that also name wards, options and grades
_LIMITED = frozenset(
    {
        *(("at", word) for word in ("least", "most", "minimum", "maximum")),
        *(
            (word, "than")
            for word in ("more", "less", "fewer", "greater", "higher", "lower", "other", "rather")
        ),
        ("up", "to"),
    }
)
_REASONS = (
    (CORRECTIONS, "the answer corrects itself with"),
    (ALTERNATIVES, "the answer gives a choice with"),
    (HEDGES, "the answer is hedged with"),
    (DOUBTS, "the answer is not sure, it says"),
)


YES_WORDS = stock("yes y yeah yep true correct right affirmative confirmed indeed")
NO_WORDS = stock("no n nope false incorrect wrong negative")
VERDICTS = YES_WORDS | NO_WORDS


def allowed_from_goal(word: str) -> bool:
    """Whether an answer may repeat a word of the goal without changing its meaning."""
    turns = NEGATIONS | CORRECTIONS | ALTERNATIVES | HEDGES | DOUBTS | BOUNDS | VERDICTS
    return word not in turns and word not in SPOKEN


class Vocabulary:
    """The words that may surround the value: neutral words, the task's words, and the goal's words.

    A declared word is accepted in singular and plural; a declared phrase with a numeral, a bound or a negation
    ("bed 2", "at most", "no more than") only as a whole.
    """

    def __init__(
        self, words: Iterable[str], split: Splitter, extra: frozenset[str], from_goal: GoalWords
    ) -> None:
        declared: set[str] = set()
        self.phrases: set[Keys] = set()
        for entry in words:
            tokens = split(clean(entry))
            keys = tuple(token.key for token in tokens)
            if any(token.kind == "number" for token in tokens) or (len(keys) > 1 and _turns(keys)):
                self.phrases.add(keys)
            else:
                declared |= {
                    form for token in tokens if token.kind == "word" for form in _numbers_of(token.key)
                }
        self.declared = frozenset(declared)
        self._extra = extra | from_goal.words
        self.phrases |= from_goal.phrases
        self._phrase_lengths = lengths(self.phrases)

    def phrase_end(self, tokens: Sequence[Token], index: int) -> int | None:
        """Return the end of the declared phrase at `index`."""
        return longest(tokens, index, self.phrases, self._phrase_lengths)

    def skip(self, tokens: Sequence[Token], index: int) -> int:
        """Return the index after the filler at `index`.

        Raises:
            Rejected: The token is not filler.
        """
        end = self.phrase_end(tokens, index) or neutral_end(tokens, index)
        if end is None:
            self._check(tokens, index)
        return end or index + 1

    def _check(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        if token.text in self._extra and token.text in HEDGE_MARKS:
            return
        if token.text in DASHES:
            self._check_dash(tokens, index)
        elif token.kind == "mark":
            self._check_mark(token)
        elif token.kind == "number":
            raise UnexpectedText(f"the answer also says {clip(token.text)}, which the question does not ask")
        else:
            self._check_word(tokens, index)

    def _check_mark(self, token: Token) -> None:
        if token.text in HEDGE_MARKS:
            raise Rejected(f"the answer is hedged with {clip(token.text)}")
        if token.text not in NEUTRAL_MARKS and token.text not in self._extra:
            raise Rejected(f"the answer contains {clip(token.text)}")

    def _check_dash(self, tokens: Sequence[Token], index: int) -> None:
        if not (between(tokens, index, ("word",)) or apart(tokens, index)):
            raise Rejected(f"it is not clear what the {clip(tokens[index].text)} in the answer means")

    def _check_word(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        if negates(token):
            raise Rejected(f"the answer says {clip(token.text)}")
        if (token.key, *(following.key for following in tokens[index + 1 : index + 2])) in _LIMITED:
            raise Rejected(f"the answer gives a limit with {clip(token.text)}")
        if token.key in self.declared or token.key in self._extra:
            return
        for stock_of_words, reason in _REASONS:
            if token.key in stock_of_words:
                raise Rejected(f"{reason} {clip(token.text)}")
        leads = any(after.kind == "word" for after in tokens[index + 1 : index + 2]) or (
            between(tokens, index + 2, ("word", "number")) and tokens[index + 2].text == "-"
        )
        if token.key not in NEUTRAL_WORDS or (token.key in DETERMINERS and not leads):
            raise UnexpectedText(f"the answer also says {clip(token.text)}, which the question does not ask")


_NEUTRAL = frozenset(tuple(phrase.split()) for phrase in NEUTRAL_PHRASES)
_NEUTRAL_LENGTHS = lengths(_NEUTRAL)


def neutral_end(tokens: Sequence[Token], index: int) -> int | None:
    """Return the end of the neutral phrase at `index`."""
    return longest(tokens, index, _NEUTRAL, _NEUTRAL_LENGTHS)


def _turns(keys: Keys) -> bool:
    return bool(NEGATIONS & {*keys}) or any(pair in _LIMITED for pair in pairwise(keys))


def negates(token: Token) -> bool:
    """Whether the word negates a sentence."""
    return token.key in NEGATIONS or token.text.casefold().endswith("n't")


def _numbers_of(word: str) -> set[str]:
    return {word, word + "s"} | ({word[:-1]} if word.endswith("s") and len(word) > 3 else set())


class GoalWords(NamedTuple):
    """The words of a goal that an answer may repeat, and its phrases with a numeral."""

    words: frozenset[str] = frozenset()
    phrases: frozenset[Keys] = frozenset()


_NO_GOAL_WORDS = GoalWords()


@lru_cache(maxsize=256)
def vocabulary(
    words: tuple[str, ...],
    split: Splitter,
    extra: frozenset[str] = frozenset(),
    from_goal: GoalWords = _NO_GOAL_WORDS,
) -> Vocabulary:
    """Return the vocabulary of a task's words; `extra` are further neutral words and marks."""
    return Vocabulary(words, split, extra, from_goal)
