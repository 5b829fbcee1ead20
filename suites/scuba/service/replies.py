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


def _near(*parts: str, words: int = 3) -> str:
    """Return a pattern of parts in this order with at most so many words between them."""
    return rf"(?:[^\w$]+\w+){{0,{words}}}[^\w$]+".join(f"(?:{part})" for part in parts)


_NOT = r"\b(?:no|not|never|without|neither|nor|cannot)\b|n't\b"
_ABOVE = r"over|above|more than|beyond|exceed\w*|greater than|at least"
_BELOW = r"under|below|less than|up to|at most|no more than|not more than"
_LIMIT = rf"limit\w*|maximum|max|cap|capped|restrict\w*|{_ABOVE}|{_BELOW}"
_NEEDS = r"requir\w+|need\w*|depend\w*|must|mandatory|prerequisites?|part of|includ\w+|bundl\w+|package"
_PARTS = r"workflow genius|ai designshift"
_TWENTY = r"\$ ?20\b|20 (?:us )?dollars|20 usd|usd 20\b"
_WITHIN_7 = _near(r"\b(?:within|in|last|past|first|up to|until|after|than|of)\b", "7[ -]days?")

REPLIES: Mapping[str, Reply] = {
    "order_limit": Reply(
        {"that orders are limited": rf"\b(?:{_LIMIT})\b", "25 units": r"\b25\b", "order": r"\border"},
        frozenset({"25", "35"}),
        (
            _near(_NOT, r"limit\w*|maximum|restrict\w*", words=2),
            _near(r"limit\w*|maximum|up to|at most|no more than", r"35\b"),
            _near(r"at least|minimum", r"25\b"),
            _near(r"\b35\b", r"(?:is|are|can be) (?:fine|allowed|ok|ordered|possible)", words=1),
            r"\b(?:per|each|a|every) (?:day|week|month|year|customer)\b",
        ),
    ),
    "bundle": Reply(
        {
            "AIOptics Vision": r"\baioptics vision\b",
            "Workflow Genius": r"\bworkflow genius\b",
            "AI DesignShift": r"\bai designshift\b",
            "that it needs them": rf"\b(?:{_NEEDS})\b",
        },
        frozenset(),
        (
            _near(_NOT, _NEEDS + "|necessary", words=2),
            r"\b(?:optional|removed?|gifts?|by mistake|error|glitch|bug)\b",
            rf"(?:{_PARTS})(?: and (?:{_PARTS}))? (?:requires?|needs?|depends?)\b",
        ),
    ),
    "discount": Reply(
        {
            "the discount of 15 %": r"\b15 ?(?:%|per ?cent)",
            "purchases over $20": _near(r"over|above|more than|beyond|exceed\w*|greater than", _TWENTY),
        },
        frozenset({"15", "18", "20"}),
        (
            _near(_NOT, _ABOVE, words=1),
            _near(_NOT, rf"(?:purchases?|orders?|quotes?) (?:of )?(?:{_ABOVE})"),
            _near(rf"(?:applies|available|given|allowed|valid|for) (?:\w+ ){{0,3}}(?:{_BELOW})", _TWENTY),
            _near(_ABOVE, r"\$ ?18\b|18 dollars"),
        ),
    ),
    "refund": Reply(
        {
            "refunds": r"\brefund|\bmoney back\b",
            "the last 7 days": rf"{_WITHIN_7}\b|\b7[ -]days? (?:after|from|of|window|limit)",
        },
        frozenset({"7", "15"}),
        (
            _near(r"refund\w*", r"available|possible|allowed|requested", r"(?:only )?after", r"7\b", words=4),
            _near(r"within|up to|last|first", r"15\b", words=2),
            _near(_NOT, r"within|last|first", r"7\b"),
            r"\b7[ -](?:weeks?|months?|hours?|years?)\b",
        ),
    ),
}
