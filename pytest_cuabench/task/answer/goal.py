"""The words of a goal that an answer may repeat ("There are 7 patients waiting.").

Sentences with an exclusion are skipped: "reserved beds do not count" must not allow "reserved".
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from pytest_cuabench.task.answer.text import Keys, clean, glued, quantity_tokens
from pytest_cuabench.task.answer.vocabulary import (
    NEGATIONS,
    NEUTRAL_WORDS,
    GoalWords,
    allowed_from_goal,
    stock,
)

_SENTENCE = re.compile(r"(?<=[.?!;:])\s+|\n+")
_EXCLUDE = (NEGATIONS | stock("exclude excludes leave leaving left out aside ignore other others only")) - {
    "no"
}


@lru_cache(maxsize=256)
def goal_words(goal: str, *, names: bool = False) -> GoalWords:
    """Return the words and phrases of a goal that an answer may repeat.

    Args:
        names: Whether the answer is a name: then capitalized words, which may be part of another name, and numerals
            are not allowed.
    """
    words: set[str] = set()
    phrases: set[Keys] = set()
    for sentence in _SENTENCE.split(clean(goal)):
        tokens = quantity_tokens(sentence)
        if any(token.key in _EXCLUDE or token.text.casefold().endswith("n't") for token in tokens):
            continue
        plain = [token for token in tokens if token.kind == "word" and allowed_from_goal(token.key)]
        words |= {token.key for token in plain if not (names and token.text[0].isupper())}
        phrases |= set() if names else _phrases(sentence)
    return GoalWords(frozenset(words), frozenset(phrases))


def _phrases(sentence: str) -> set[Keys]:
    """Return the pairs of a word and a numeral, such as `ward 3` and `24 hours`, and compounds such as `14:30`."""
    tokens = quantity_tokens(sentence)
    found: set[Keys] = set()
    for first, second in pairwise(tokens):
        named = {first.kind, second.kind} == {"word", "number"}
        word = first if first.kind == "word" else second
        if named and word.key not in NEUTRAL_WORDS and allowed_from_goal(word.key):
            found.add((first.key, second.key))
    for index in range(1, len(tokens) - 1):
        clock = tokens[index].text == ":" and glued(tokens, index) and glued(tokens, index + 1)
        if clock and tokens[index - 1].kind == tokens[index + 1].kind == "number":
            found.add(tuple(token.key for token in tokens[index - 1 : index + 2]))
    return found
