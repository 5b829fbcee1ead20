"""Texts to another person: what they must name, and what they must not deny, contradict or withdraw.

A text is read clause by clause. A clause denies when it withdraws (`ignore`, `false alarm`) or reassures (`is fine`)
without a negation before it, or when a negation stands beside what is asked or told (`no need to come`). Two of them
cancel out (`not stable`, `do not hesitate to come`).

    >>> page = Message(must=(("bed 12",), ("88",), REQUESTS))
    >>> page.match("Bed 12: SpO2 88 % and falling, no alarm yet. Please come.", spoken=False).ok
    True
    >>> page.match("Bed 12, SpO2 88 %: all is fine, no need to come.", spoken=False).seen
    "refused: the text denies what it tells: 'all is fine'"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.answer.spec import Match, Rejected, Spec, check_strings
from pytest_cuabench.task.answer.text import clean, clip, fold
from pytest_cuabench.task.answer.vocabulary import NEGATIONS, stock

# Beginnings of the words that ask somebody to come, as one group of `Message.must`.
REQUESTS = (
    "come", "coming", "attend", "review", "see", "assess", "evaluat", "examin", "look", "check", "visit", "need",
    "requir", "request", "help", "urgent", "asap", "immediate", "respond", "bedside", "consult", "your presence",
)  # fmt: skip

_NEGATORS = (NEGATIONS - stock("wrong false incorrect but however rather instead")) | stock(
    "hardly unable impossible nil absent denies denied lacks noone neednt mustnt shouldnt couldnt wouldnt havent hasnt"
)
_WITHDRAWN = re.compile(
    r"\b(?:(?:ignor|disregard|cancel|withdr[ae]w|retract|revok|forget|forgot|hesitat|delay|postpon|skip|mistak|"
    r"nevermind|overlook)\w*|false|wrong|wrongly|untrue|incorrect|erroneous\w*|needless\w*|unnecessary|unneeded|"
    r"superfluous|pointless|obsolete|wait|void this|joke|joking|kidding|whenever|tomorrow|convenience|"
    r"never mind|in error|stand(?:ing)? down|call(?:ed)? off|hold off|stay (?:away|where|home|put)|"
    r"(?:only|just) a? ?(?:test|drill|exercise)|test (?:page|message|call)|low priority|scratch that|"
    r"if you (?:like|want|wish|have time)|leave it|miss|avoid|refuse|nothing is the matter)\b"
)
_REASSURED = re.compile(
    r"\b(?:fine(?! (?:crackle|rale|tremor|crepit))|ok|okay|alright|stable|normal\w*|unremarkable|resolved|recover\w+|"
    r"improv\w+|settled|harmless|unconcern\w+|(?:all|is|are|looks?|feels?|doing|quite|very|perfectly) (?:well|good)|"
    r"(?:is|are|feels?|feeling|getting|looks?|doing|much|gets) better|under control|all right|as usual|"
    r"(?:within|in) (?:normal )?limits)\b"
)
# Beginnings of words that a negation turns into a withdrawal, whatever the text is about.
_CALLS = re.compile(
    r"\b(?:come|coming|need\w*|requir\w*|necessary|urgen\w+|emergenc\w+|hurry|rush|concern\w*|worr\w+|problem\w*|"
    r"attend\w*|bother|trouble\w*|serious\w*|true|real|correct|matter|attention|act(?! on)|respond|reason)\b"
)
_DONE_SO_FAR = re.compile(  # somebody has not come yet: that is no reason against coming
    r"\b(?:has|have|had|hasnt|havent|was|were|wasnt|werent)\b(?! to\b)(?: \w+){0,3}? (?:seen|come|\w+ed|looked)\b"
)
_EARLIER = re.compile(
    r"\b(?:until|previously|earlier|before|initially|ago|yesterday|at first|used to|baseline|below)\b"
)
_ELSE = re.compile(r"\b(?:others?|otherwise|else|remaining|the rest|apart from)\b")
_NUMBERED = re.compile(r"\b(?:no|nr|number)\b[.:]? ?(?=\d)|#", re.I)
_SEAMS = re.compile(
    r"[;!?\n()—–]|(?<!\d)[.,]|[.,](?!\d)|(?:(?<!\d):|:(?!\d))(?! ?(?:none|nil|no|absent)\b)| - |"
    r"\b(?:and|but|while|although|though|however|despite|then|so)\b|(?=\b(?:without|with no)\b)",
    re.I,
)
_MARKS = str.maketrans("", "", ".,:")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Message(Spec):
    """A text in the writer's own words.

    Attributes:
        must: What it names: of each group one beginning of a word, one number, or several of them (`bed 12`).
        told: The text as it was told; what that denies is to be denied.
        numbers: The numbers that it may hold; None for any.
        only: Words with the one number that may follow them: `(("bed", "12"),)`.
        against: Beginnings of words that say the opposite.
        aside: Beginnings of words of other matters, of which it may say that they are well.
    """

    must: tuple[tuple[str, ...], ...] = ()
    told: str = ""
    numbers: frozenset[str] | None = None
    only: tuple[tuple[str, str], ...] = ()
    against: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_strings(self, against=self.against, aside=self.aside, **dict(_named(self.must)))
        if not all(self.must):
            raise CheckerFailure("a group of what a message must name is empty")

    @property
    def expected(self) -> str:
        """Return what the text names."""
        named = ", ".join(" or ".join(group[:3]) for group in self.must)
        return f"a text that names {named}" if named else "a text that denies nothing"

    def _read(self, text: str, goal: str) -> Match:
        if denied := self.denial(text, goal):
            raise Rejected(f"the text denies what it tells: {clip(denied)}")
        plain = _plain(text)
        missing = [group[0] for group in self.must if not any(_find(word, plain) for word in group)]
        return Match(not missing, clip(text) + (f", without {', '.join(missing)}" if missing else ""))

    def denial(self, text: str, goal: str = "") -> str | None:
        """Return the clause that denies, contradicts or withdraws what the text is to tell, or None."""
        told = f"{goal}\n{self.told}"
        for word, number in self.only:
            for other in re.findall(rf"\b{word}s? ?(\d+)", _plain(text)):
                if other != number:
                    return f"{word} {other}"
        known = (
            None if self.numbers is None else {each for number in self.numbers for each in _figures(number)}
        )
        invented = [number for number in _figures(text) if known is not None and number not in known]
        if invented:
            return invented[0]
        before = ""
        for clause in _clauses(text):
            plain = _plain(clause)
            before = f"{before} {plain}" if len(plain.split()) < 3 else plain  # "otherwise alert and stable"
            if self._denies(plain, told, _plain(told), bool(_ELSE.search(before))):
                return clause
        return None

    def _denies(self, clause: str, told: str, words: str, of_others: bool) -> bool:
        """Whether a clause turns what is told around; one negation takes another one back.

        Args:
            of_others: Whether the clause is about others, who may be well.
        """
        negated = sum(word in _NEGATORS for word in clause.split()) % 2 == 1
        if any(not _find(found[0], words) for found in _WITHDRAWN.finditer(clause)):
            return not negated
        besides = (
            of_others or any(_find(word, clause) for word in self.aside) or bool(_EARLIER.search(clause))
        )
        turned = [found[0] for found in _REASSURED.finditer(clause) if not _find(found[0], words)]
        turned += [word for word in self.against if _find(word, clause)]
        if turned:
            return not negated and not besides
        return self._takes_back(clause, told) if negated else self._affirms(clause)

    def _takes_back(self, clause: str, told: str) -> bool:
        """Whether the negation of a clause is of what is asked or told."""
        waits = _DONE_SO_FAR.search(clause) is not None
        call = None if waits else _CALLS.search(clause)
        if call and not _negated_in(told, (call[0],)):
            return True
        groups = [group for group in self.must if not (waits and group == REQUESTS)]
        named = [group for group in groups if any(_find(word, clause) for word in group)]
        return any(not _negated_in(told, group) for group in named)

    def _affirms(self, clause: str) -> bool:
        """Whether a clause says, without a negation, what was told to be denied."""
        denied = {word for group in self.must for word in group if _negated_in(self.told, (word,))}
        words = [word for word in denied if not word[0].isdigit() and _find(word, clause)]
        return bool(words) and not {*clause.split()} & (_NEGATORS | {"last"})


def _negated_in(told: str, words: tuple[str, ...]) -> bool:
    """Whether a text denies one of these words."""
    clauses = (clause for clause in map(_plain, _clauses(told)) if any(_find(word, clause) for word in words))
    return any({*clause.split()} & _NEGATORS for clause in clauses)


def _named(groups: tuple[tuple[str, ...], ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for place, group in enumerate(groups):
        yield f"must_{place}", group


def _clauses(text: str) -> list[str]:
    return [part.strip() for part in _SEAMS.split(_NUMBERED.sub("", clean(text))) if part and part.strip()]


def _plain(text: str) -> str:
    """Return the text in small letters without accents and marks, one space between words, numbers as they stand."""
    words = re.findall(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)*|\n", clean(_NUMBERED.sub("", text)))
    return " ".join(fold(word).replace(",", ".") if word != "\n" else "\n" for word in words)


def _figures(text: str) -> list[str]:
    """Return the numbers and times of a text, each in one form: `08:10`, `8.10` and `0810` are the same."""
    found = (number.translate(_MARKS) for number in _NUMBER.findall(clean(text)))
    return [number.lstrip("0") or "0" for number in found]


def _find(word: str, plain: str) -> bool:
    """Whether a plain text has a word that begins so; numbers count as a whole only."""
    if word[0].isdigit():
        return set(_figures(word)) <= set(_figures(plain))
    wanted = re.escape(_plain(word))
    end = r"(?![\w.:])" if word[-1].isdigit() else ""
    return bool(re.search(rf"(?<![\w.]){wanted}{end}", plain))
