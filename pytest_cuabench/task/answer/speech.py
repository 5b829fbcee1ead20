"""Removes what models put around an answer, before an answer type parses it.

`unwrap` removes code fences, harmless tags, LaTeX, a JSON object, list marks, and sentences about the work at the
beginning or end. These are closed lists; all else stays in the text and is judged. `has_strikethrough` finds what was
crossed out.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator

from pytest_cuabench.task.answer.numerals import SPOKEN

_ROUNDS = 40  # maximum nesting of wrappers
_DEPTH = 8  # maximum nesting of JSON
_KEYS = frozenset(
    {"answer", "finalanswer", "final", "result", "value", "response", "output", "reply", "content", "text"}
)

_STRIKES = re.compile(
    r"~~|<\s*(?:s|del|strike)\b|line-through|\\(?:sout|st|xout|cancel|bcancel|xcancel)\b", re.IGNORECASE
)
_FENCE = re.compile(
    r"^ *(?:```|~~~) *(?:text|txt|plaintext|json|markdown|md|html|xml|latex|tex)? *$", re.M | re.I
)
_BLOCK = re.compile(r"</?(?:answer|final_answer|finalanswer|final|result|p|div|br|ul|ol|li|pre) ?/?>", re.I)
_INLINE = re.compile(r"</?(?:b|strong|i|em|u|span|code|mark|tt|big|small) ?/?>", re.I)
_BRACED = re.compile(
    r"\\(?:boxed|fbox|text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf) *\{([^{}]*)\}(?![_^])"
)
_DEGREE = re.compile(r"\^ ?\{? ?\\circ ?\}?")
_DELIMITERS = re.compile(r"\\[()\[\]]|\$\$")
_MATH = re.compile(r"(?<![\w\\$])\$(?=[^\s$])([^$]{0,200}[^\s$\\])\$(?![\w$])")
_ESCAPED = re.compile(r"\\([$%&#_])")
_THIN = re.compile(r"\\[,;: ]|(?<=\d)\{,\}")
_EMPHASIS = re.compile(r"(?<![\w*_])(\*\*|__|\*|_)(?=\S)([^\n]{1,300}?)(?<=\S)\1(?![\w*_])")
_CORRECT = re.compile(
    r"\bcorrect answer(?= is\b| ?:)", re.I
)  # if `Correct` is an option, it is not chosen by this
_HEADING = re.compile(r"^ *#{1,6} +", re.M)
_NUMBER = rf"(?:[^\w\n]|_)*(?:\d|(?:{'|'.join(SPOKEN)}|minus|hundred|thousand)\b)"
_BULLET = re.compile(rf"^ *(?:[*•‣▪◦·✅✔☑]\ufe0f? +|[-–] +(?!{_NUMBER}))", re.M | re.I)
_MINUS = re.compile(
    r"[\u2212\ufe63\uff0d] +(?=[\d.])"
)  # a Unicode minus is a sign, also with a space after it
_FIRST = re.compile(r"\A1[.)] +(?=[^\n]+\Z)")

_WORK = r"(?:the |this |your )?(?:task|question|request|work|job)"
_DONE = r"(?:completed?|finished|done)"
_WELL = r"(?: successfully| as requested| as asked| as instructed)?"
_CHATTER = re.compile(
    "|".join(
        (
            rf"(?:i|we)(?: have|'ve)?(?: now| successfully| just)* {_DONE} {_WORK}{_WELL}",
            rf"{_WORK}(?: is| has been| was)?(?: now| successfully)* {_DONE}{_WELL}",
            r"(?:i am|i'm)(?: now)? (?:done|finished)|(?:all )?done",
            r"sure|ok|okay|great|perfect|got it|understood|all right|alright",
            r"here(?:'s| is) (?:the|my|your) (?:final )?answer(?: to (?:the|your) question)?",
            r"(?:i|we)(?: have|'ve)? found (?:it|the answer)|i (?:now )?have the answer",
            r"(?:(?:the|my) )?(?:final |correct )?(?:answer|result|response|reply)"
            r"(?: to (?:the|your) question)?(?: is)?(?: as follows)?",
            r"(?:i )?hope (?:this|that|it) helps|thanks|thank you|you're welcome",
            r"(?:please )?let me know if (?:you need|there is|there's) (?:anything|something) else",
            r"no (?:changes were|change was|records? (?:was|were|has been|have been))"
            r"(?: made| changed| modified)(?: in the org| to the org| to any records?)?",
            r"nothing (?:was|has been) (?:changed|modified)(?: in the org)?",
            r"i (?:have )?(?:changed nothing|made no changes|did not change anything|have not changed anything)",
        )
    )
)
_SEAM = re.compile(r"((?<=[.!:]) +|(?<=[.!:]\*\*) +|\n+)")
_LEAD = re.compile(r"(?:(?:so|therefore|thus),? )?(?:the |my )?(?:final |correct )?answer(?: is)?:? +", re.I)
_QUOTES = frozenset({'""', "''", "``", "“”", "‘’", "„“", "«»", "**", "__"})
_PAIRS = (
    re.compile(r"(?:```|~~~)\w* *\n(?P<inner>.*)\n *(?:```|~~~)", re.S),
    re.compile(r"<(?P<tag>answer|final_answer|final|result)>(?P<inner>.*)</(?P=tag)>", re.S | re.I),
    re.compile(r"\$?\\boxed\{(?P<inner>.*)\}\$?", re.S),
)
_COMBINING_OVERLAY = 1  # the canonical combining class of overlays
_PROHIBITION = "\u20e0"


def has_strikethrough(text: str) -> bool:
    """Whether the text contains strikethrough, by Markdown, HTML, LaTeX or Unicode."""
    return bool(_STRIKES.search(text)) or any(
        unicodedata.combining(character) == _COMBINING_OVERLAY or character == _PROHIBITION
        for character in unicodedata.normalize("NFD", text)
    )


def unwrap(text: str, *, numbered: bool = True) -> str:
    """Return the answer without its wrappers; unknown wrappers stay.

    A hyphen or dash with a space after it is a list mark, unless a number follows: then it may be a minus, and the
    answer type decides. `-9` without a space is always signed.

    Args:
        numbered: Whether to remove `1. ` before a single line; False if it may be part of the answer.
    """
    text = _MINUS.sub("-", "\n".join(text.splitlines()))
    for _ in range(_ROUNDS):
        plainer = _unwrapped_once(text, numbered)
        if plainer == text:
            break
        text = plainer
    return text


def unwrap_stepwise(text: str) -> Iterator[str]:
    """Yield the text, then the rest after removing each wrapper; the content is unchanged.

    A full stop is removed only together with a sentence around the answer.
    """
    spoken = False
    for _ in range(_ROUNDS):
        text = text.strip()
        yield text
        if (inner := _inner(text)) != text:
            text = inner
        elif (said := _said(text)) != text:
            text, spoken = said, True
        elif spoken and text.endswith("."):
            text = text[:-1]
        else:
            return


def _unwrapped_once(text: str, numbered: bool) -> str:
    plain = _INLINE.sub("", _BLOCK.sub("\n", text.replace("\t", " ")))
    plain = _without_latex(_FENCE.sub("", plain).strip())
    plain = _BULLET.sub("", _HEADING.sub("", _EMPHASIS.sub(r"\2", plain)))
    alone = _FIRST.sub("", plain) if numbered else plain
    plain = _CORRECT.sub("answer", plain if is_chatter(alone) else alone)  # "1. Done." says 1
    return _without_chatter(_from_json(_unquoted(plain.strip()))).strip()


def _without_latex(text: str) -> str:
    plain = _MATH.sub(r"\1", _DELIMITERS.sub(" ", _DEGREE.sub("°", text)))
    return _THIN.sub("", _ESCAPED.sub(r"\1", _BRACED.sub(r"\1", plain)))


def _inner(text: str) -> str:
    """Remove the outermost pair of marks, or the JSON object, around a whole text."""
    for pair in _PAIRS:
        if (found := pair.fullmatch(text)) is not None:
            return found["inner"]
    bare = _unquoted(text)
    return bare if bare != text else _from_json(text)


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 2 and text[0] + text[-1] in _QUOTES else text


def _said(text: str) -> str:
    """Remove the beginning of a sentence before the answer, or whole sentences about the work."""
    bare = _without_chatter(text)
    lead = _LEAD.match(bare)
    return bare[lead.end() :] if lead else bare


def _without_chatter(text: str) -> str:
    """Return the text without sentences about the work at its ends; unchanged if nothing else would remain."""
    parts = _SEAM.split(text)
    first, last = 0, len(parts) - 1
    while first <= last and is_chatter(parts[first]):
        first += 2
    while last > first and is_chatter(parts[last]):
        last -= 2
    return "".join(parts[first : last + 1]) if first <= last else text


def is_chatter(sentence: str) -> bool:
    """Whether a sentence is only about the work or announces the answer."""
    said = sentence.casefold().replace("\u2019", "'").strip(" *_#✅✔\ufe0f")
    said = " ".join(said.rstrip(".!:* ").replace(",", "").split())
    return bool(_CHATTER.fullmatch(said)) if said else not sentence.strip()


def _from_json(text: str) -> str:
    """Return the content of JSON: the one value of an object, or a line for each of several."""
    if text[:1] not in ("{", "["):
        return text
    try:
        # Numbers stay as they are written: `1.50` must not become 1.5.
        value = json.loads(
            text, object_pairs_hook=_Pairs, parse_int=str, parse_float=str, parse_constant=str, strict=False
        )
        return "\n".join(_lines(value, _DEPTH))
    except (ValueError, RecursionError):
        return text


class _Pairs(list[tuple[str, object]]):
    """The members of a JSON object, including duplicates."""


def _lines(value: object, depth: int) -> Iterator[str]:
    if not depth:
        raise ValueError("too deep")
    if isinstance(value, _Pairs):
        for key, member in value:
            lines = list(_lines(member, depth - 1))
            carries = len(value) == 1 and re.sub(r"[\W_]", "", key).casefold() in _KEYS
            yield from lines if carries else [f"{key.replace('_', ' ')}: {', '.join(lines)}"]
    elif isinstance(value, list):
        for member in value:
            yield from _lines(member, depth - 1)
    elif isinstance(value, bool):
        yield "true" if value else "false"
    else:
        yield "" if value is None else str(value)
