"""Replies to customers: they must hold the facts of the article, and nothing that speaks against them.

A reply is free in its words, so it is read for figures and turns of phrase: each fact has to be said in one of several
ways, figures that neither the question nor the article knows are wrong, and so is what turns the sense around.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pytest_cuabench.answer.spec import Match
from pytest_cuabench.answer.text import clean, clip

from ..records import fold

MOST_WORDS = 60
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a good reply says.

    Attributes:
        facts: What has to be said, each with the pattern of the ways to say it.
        numbers: The figures that may occur.
        against: Patterns of what must not be said.
    """

    facts: Mapping[str, str]
    numbers: frozenset[str]
    against: tuple[str, ...]

    def match(self, text: str | None) -> Match:
        """Judge a reply; never raises."""
        said = _figures(fold(clean(text or "")))
        if not said:
            return Match(False, "no answer")
        if len(said.split()) > MOST_WORDS:
            return Match(False, f"refused: the reply has more than {MOST_WORDS} words")
        if lacking := [name for name, pattern in self.facts.items() if not re.search(pattern, said)]:
            return Match(False, f"not said: {', '.join(lacking)}, in {clip(said)}")
        figures = [found.removesuffix(".00") for found in _NUMBER.findall(said)]
        if strange := [found for found in figures if found not in self.numbers]:
            return Match(False, f"refused: the reply says {', '.join(strange)}, which the article does not")
        if wrong := [found[0] for pattern in self.against if (found := re.search(pattern, said))]:
            return Match(False, f"refused: the reply says '{wrong[0]}'")
        return Match(True, clip(said))


def _figures(text: str) -> str:
    """Return a text with the numbers that matter in figures."""
    return _SPOKEN.sub(lambda found: _WORDS[found[0].replace("-", " ")], text)


_WORDS = {
    "thirty five": "35",
    "twenty five": "25",
    "twenty": "20",
    "eighteen": "18",
    "fifteen": "15",
    "fourteen": "14",
    "seven": "7",
}
_SPOKEN = re.compile(rf"\b(?:{'|'.join(words.replace(' ', '[ -]') for words in _WORDS)})\b")
_NOT = r"\b(?:no|not|never|isn't|aren't|don't|doesn't|without|neither|nor|n't)\b"
_LIMIT = r"(?:limit\w*|maximum|max|at most|up to|no more than|not more than|more than|exceed\w*|over|cap\w*|restrict\w*)"

REPLIES: Mapping[str, Reply] = {
    "order_limit": Reply(
        {
            "that orders are limited": _LIMIT,
            "25 units": r"\b25\b(?:-unit| units?| pieces?| licen[cs]es?| of | copies)?",
            "order": r"\border",
        },
        frozenset({"25", "35"}),
        (
            rf"{_NOT}(?: \w+){{0,2}} (?:limit|maximum|restrict)",
            r"(?:limit\w*|maximum|up to|at most|more than) (?:\w+ ){0,3}35\b",
            r"(?:at least|minimum)(?: \w+){0,3} 25\b",
            r"\b35\b(?: units?)? (?:is|are|can be) (?:fine|allowed|ok|ordered|possible)",
            r"\b(?:per|each|a|every) (?:day|week|month|year|customer)\b",
        ),
    ),
    "bundle": Reply(
        {
            "AIOptics Vision": r"\baioptics vision\b",
            "Workflow Genius": r"\bworkflow genius\b",
            "AI DesignShift": r"\bai designshift\b",
            "that it needs them": r"\b(?:requir\w+|need\w*|depend\w*|must|mandatory|prerequisites?|part of|includ\w+|bundl\w+|package)\b",
        },
        frozenset(),
        (
            rf"{_NOT}(?: \w+){{0,2}} (?:requir|need|mandatory|necessary|depend)",
            r"\b(?:optional|remove|removed|gifts?|by mistake|in error|error|glitch|bug)\b",
            r"(?:workflow genius|ai designshift)(?: and (?:workflow genius|ai designshift))? (?:requires?|needs?|depends?)\b",
        ),
    ),
    "discount": Reply(
        {
            "the discount": r"\b15 ?(?:%|per ?cent)",
            "purchases over $20": (
                r"(?:over|above|more than|exceed\w*|greater than|beyond)(?: \w+){0,3} (?:\$ ?20\b|20 ?(?:dollars|usd|\$))"
            ),
        },
        frozenset({"15", "18", "20"}),
        (
            rf"{_NOT}(?: \w+){{0,2}} (?:available|allowed|valid|applicable|given)(?: \w+){{0,3}} (?:over|above|more than)",
            r"(?:under|below|less than|up to|at most)(?: \w+){0,2} \$? ?20\b(?! (?:is|are|does|do) not)(?!.*\b(?:not|n't)\b)",
            r"(?:over|above|more than)(?: \w+){0,2} \$? ?18\b",
        ),
    ),
    "refund": Reply(
        {
            "refunds": r"\brefund|\bmoney back\b",
            "the last 7 days": (
                r"(?:within|in|last|past|first|up to|until|after|than|of|a)(?: \w+){0,3} 7[ -]days?\b|\b7[ -]days? (?:of|after|from|window|limit|period)"
            ),
        },
        frozenset({"7", "15"}),
        (
            r"\brefund\w*(?: \w+){0,4} (?:available|possible|allowed|requested)(?: \w+){0,2} after 7\b",
            r"(?:within|up to|last)(?: \w+){0,2} 15\b",
            rf"{_NOT}(?: \w+){{0,3}} within(?: \w+){{0,3}} 7\b",
            r"\b7 (?:weeks?|months?|hours?|years?)\b",
        ),
    ),
}
