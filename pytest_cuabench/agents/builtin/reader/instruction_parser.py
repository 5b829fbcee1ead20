"""Parses a goal's sentences into a plan; pure text, no screen.

Sentences are parsed as instructions in plain English: “click X”, “under Y choose Z”, “type A into B”, “answer with
…”. Quoted texts are on the screen verbatim; sentences on what not to do, or when to stop, are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pytest_cuabench.agents.builtin.reader.plan import (
    CheckAll,
    CountEntries,
    Fill,
    Instruction,
    Open,
    Plan,
    Press,
    ReadValues,
)

_CREDENTIALS = re.compile(r"user ID is (?P<user>\S+?),? and the password is (?P<password>\S+?)\.(?=\s|$)")
_FACT = re.compile(r"\s*Your (?P<what>[a-z ]+?)(?: for [a-z ]+)? is (?P<value>\S+)\.(?=\s|$)")

_WORD = r"[A-ZÀ-Þ][^\W\d](?:[^\W\d]|['’-])*"
_NAME = rf"(?<![\w-])(?!(?:In|On|From|At|Under|Open|Click|Find) )(?:Dr )?{_WORD}(?: {_WORD})+"
_NUMBERED = re.compile(r"\b(?:MRN|Rx No\.|Accession|Order)\s*(?P<number>\d{3,})")
_CODE = re.compile(r"\b(?:tile|bed|tile of|ward code|ward|room)\s+(?P<code>[A-Z0-9]{1,4}(?:-\d+)?)\b")
_BED = re.compile(r"\b(?P<bed>[Bb]ed \d+)\b")
_QUOTED = re.compile(r"“([^”]*)”")

_SIGNING = frozenset({"user id", "password", "sign in"})
_SIGN_IN = re.compile(r"\b(?:sign|log)(?:ed|ged)? (?:in|on)\b", re.IGNORECASE)
_ASKS = re.compile(r"\b(?:answer|report)\b", re.IGNORECASE)
_PRESS = "double-click|click|press|open|go to|go back to|back to|return to|finish with|end with|use"
_SET = "choose|select|set|mark|tick|pick|type|enter|fill in|write|put|search|correct|change|switch|label"
_TELL = "answer|report|give|tell|respond"
_OTHER = "stop|leave|do not|don't|look|check|compare|read|count|find|pass over|skip|mind|sign in|take|see|note|add|save"
_VERB = rf"(?:{_PRESS}|{_SET}|{_TELL}|{_OTHER})"
_STARTS = re.compile(rf"(?:then\s+|also\s+|again\s+)?(?P<verb>{_VERB})\b", re.IGNORECASE)
_WHERE = r"(?:under|on|in|from|at) (?:the )?(?:tab |page |panel |step |field )?‹\d+› "
_CUT = re.compile(
    rf"(?:[,;:]\s*|\s+)?(?:\b(?:and|then|and then)\s+|(?<=[,;:])\s*)(?=(?:{_WHERE})?{_VERB}\b|then\b)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.;])(?<!No\.)(?<!Dr\.)(?<!…;)\s+(?=[A-Z\d“‹])")
_NEVER = re.compile(r"\b(?:do not|don't|nothing|no note|without|leave|stop|you are done)\b", re.IGNORECASE)
_FORM = re.compile(r"\b(?:form|as|answer|report|it)\s*:\s+(?P<form>.*…[^“]*?)\.?$", re.IGNORECASE)
_NOT_ON_SCREEN = frozenset({"", "it", "both", "nothing", "nothing else", "everything", "the rest"})
_AREA = re.compile(r"\b(?:table|list|panel|row|rows|column|columns|box|line|sheet|chart|card|area|map)\b")


def read_goal(goal: str) -> Plan:
    """Return the plan of a goal in words."""
    user = password = None
    facts: list[tuple[str, str]] = []
    rest = goal
    if signing := _CREDENTIALS.search(goal):
        user, password, rest = signing["user"], signing["password"], goal[signing.end() :]
    while fact := _FACT.match(rest):
        facts.append((fact["what"], fact["value"]))
        rest = rest[fact.end() :]
    steps = tuple(_Reader().steps(rest))
    if _ASKS.search(rest) and not any(isinstance(step, CountEntries | ReadValues) for step in steps):
        steps += (ReadValues("…"),)  # an answer is requested, but not which
    return Plan(user, password, tuple(facts), steps, bool(steps) or _SIGN_IN.search(rest) is not None)


class _Reader:
    """Parses sentences in order; “the name” and “it” refer to the last subject."""

    def __init__(self) -> None:
        self._subject: Open | None = None
        self._label: str | None = None
        self._verb = ""
        self._counted: CountEntries | None = None
        self._row: str | None = None
        self._columns: tuple[str, ...] = ()
        self._without: str | None = None
        self._searched: str | None = None
        self._quoted_last: str | None = None

    def steps(self, text: str) -> Iterator[Instruction]:
        quotes = _Quotes(text)
        for sentence in _SENTENCE.split(quotes.text.strip()):
            self._label = None
            yield from self._sentence(sentence.strip(), quotes)

    def _sentence(self, sentence: str, quotes: _Quotes) -> Iterator[Instruction]:
        self._remember(quotes.restore(sentence))
        if form := _FORM.search(quotes.restore(sentence)):
            yield from self._before_form(sentence, quotes)
            yield ReadValues(form["form"].strip(), self._columns, self._row, self._without)
            return
        for clause in _CUT.split(sentence):
            yield from self._clause(clause.strip(" ,.;:"), quotes)

    def _before_form(self, sentence: str, quotes: _Quotes) -> Iterator[Instruction]:
        for clause in _CUT.split(sentence):
            verb = _STARTS.match(clause.strip())
            if not (verb and re.fullmatch(_TELL, verb["verb"].lower())) and "…" not in clause:
                yield from self._clause(clause.strip(" ,.;:"), quotes)

    # Clauses

    def _clause(self, clause: str, quotes: _Quotes) -> Iterator[Instruction]:
        if not clause or (_NEVER.match(clause)):
            self._verb = ""
            return
        start = _STARTS.match(clause)
        if start is None:
            yield from self._with_context(clause, quotes)
            return
        self._verb, rest = start["verb"].lower(), clause[start.end() :].strip()
        yield from self._parse_verb(rest, quotes)
        self._quoted_last = next(reversed(quotes.quoted(clause)), self._quoted_last)

    def _with_context(self, clause: str, quotes: _Quotes) -> Iterator[Instruction]:
        """Parse “On the tab X select Y”: the part before the verb is the context."""
        if re.match(r"(?:the|a|an|no|every|its|this|these) ", clause, re.IGNORECASE):
            return
        verb = re.search(
            rf"(?<![\w‹])(?P<verb>{_PRESS}|{_SET}|{_TELL}|{_OTHER})\b(?!\s+(?:page|window|pages)\b)", clause
        )
        if verb is not None:
            yield from self._context(clause[: verb.start()].strip(" ,"), quotes)
            self._verb = verb["verb"].lower()
            yield from self._parse_verb(clause[verb.end() :].strip(), quotes)
            return
        if re.match(r"(?:in|from|on) ", clause, re.IGNORECASE):
            yield from self._context(clause, quotes)
            return
        bare = re.sub(r"^(?:then|last|and)\b[,\s]*", "", clause, flags=re.IGNORECASE)
        if form := re.match(r"(‹\d+›):\s+(?=‹\d+› [\w‹])", bare):
            yield Press(quotes.quoted(form[1])[0])
            bare = bare[form.end() :]
        if re.match(r"‹\d+› (?!(?:on|at|in|under|above|below)\b)[\w‹]", bare):
            self._verb = "set"
            yield from self._parse_fill(bare, quotes)
            return
        if quoted := quotes.quoted(bare):
            if re.match(r"(?:the |on |under )?(?:tab |page |step |section )?‹", bare):
                yield from (Press(words) for words in quoted[:1] if not _is_sign_in(words))
        elif self._verb and re.fullmatch(_SET, self._verb):
            yield from self._parse_fill(bare, quotes)

    def _context(self, context: str, quotes: _Quotes) -> Iterator[Instruction]:
        quoted = quotes.quoted(context)
        if context.lower().startswith("under"):
            self._label = quoted[0] if quoted else context[5:].strip()
            return
        subject = self._parse_names(quotes.restore(context))
        if subject is not None and re.match(r"(?:in|from|on) ", context, re.IGNORECASE):
            self._subject = replace(subject, enter=True)
            yield self._subject
        where = re.match(r"(?:back )?(?:on|in|from) (?P<what>.*)", context, re.IGNORECASE)
        if quoted and where and not _AREA.search(where["what"].partition("‹")[0]):
            yield Press(quoted[0], place=True)

    def _parse_verb(self, rest: str, quotes: _Quotes) -> Iterator[Instruction]:
        if re.fullmatch(_PRESS, self._verb):
            yield from self._parse_press(rest, quotes)
        elif re.fullmatch(_SET, self._verb):
            yield from self._parse_fill(rest, quotes)
        elif self._verb == "find":
            self._subject = self._parse_names(quotes.restore(rest)) or self._subject
        elif re.fullmatch(_TELL, self._verb):
            if self._counted is not None:
                yield self._counted
            elif re.match(r"(?:with|the|that|it)\b", rest) and not quotes.quoted(rest) and self._columns:
                yield ReadValues("…", self._columns, self._row, self._without)

    def _parse_press(self, rest: str, quotes: _Quotes) -> Iterator[Instruction]:
        count = 2 if self._verb == "double-click" else 1
        rest = re.sub(r"^the (?:key|button) ", "", rest)
        plain = quotes.restore(rest)
        quoted = quotes.quoted(rest)
        if self._verb == "use" and re.search(
            r"\bto find\b", rest
        ):  # opening the subject searches for it anyway
            self._subject = self._parse_names(plain) or self._subject
            if quoted and not quoted[0].lower().startswith(("search", "find")):
                yield Press(quoted[0], place=True)
            return
        subject = self._parse_names(re.sub(_QUOTED, "", plain))
        if subject is not None and not re.match(r"(?:the tab |the step )?‹", rest):
            if (
                self._subject is not None
                and self._subject.names == (self._subject.near,)
                and subject.near is None
            ):
                self._searched = (
                    self._subject.near
                )  # the subject was searched by number and is now opened by name
            names = (*subject.names, *([self._searched] if self._searched else []))
            enter = self._verb == "open"
            self._subject, self._searched = Open(names, subject.near or self._searched, count, enter), None
            yield self._subject
            if page := re.search(r"\b(?:section|tab|page|step) (‹\d+›)", rest):
                yield Press(quotes.quoted(page[1])[0])
        elif (
            re.match(r"(?:on |the |that )?(?:name|person|patient|row|order|case)\b", rest)
            and self._subject is not None
        ):
            yield Open(self._subject.names, self._subject.near, count)
        else:
            behind = re.match(
                r"(?P<what>\S.*?) (?P<where>on|under|above|below|from|in) (?:the )?(?:\w+ )?‹\d+›", rest
            )
            if behind is not None:
                if behind["where"] in {"on", "in"}:
                    yield Press(quotes.quoted(behind[0])[-1], place=True)
                rest, plain = behind["what"], quotes.restore(behind["what"])
                quoted = quotes.quoted(rest)
            yield from (Press(words, count=count) for words in quoted if not _is_sign_in(words))
            if not quoted and rest[:1].isupper():
                yield Press(re.split(r" (?:under|on|at|in|once|twice)\b", plain)[0], count=count)

    def _parse_fill(self, rest: str, quotes: _Quotes) -> Iterator[Instruction]:
        quoted = quotes.quoted(rest)
        plain = quotes.restore(rest)
        if self._verb == "search":
            self._searched = plain.removeprefix("for ").strip(" “”") or None
            return
        if plain == "it" and self._quoted_last:
            yield Fill(self._quoted_last)
            return
        if self._verb == "tick" and re.search(r"\b(?:all|both|every|the four|the three)\b", rest):
            yield CheckAll(plain)
            return
        if self._verb == "select" and not quoted and _NUMBERED.search(plain):
            yield from self._parse_press(rest, quotes)
            return
        if bed := re.fullmatch(r"(?:the )?(?:available )?(?:bed|tile)(?: of)? (\S+)(?: on the map)?", plain):
            yield Open((bed[1],))
            return
        if fits := re.search(r"what fits (‹\d+›)", rest):
            yield from self._parse_value(fits[1], self._label, quotes)
            return
        yield from (
            self._parse_pairs(rest, quotes)
            if quoted or "," in rest or " and " in rest
            else self._parse_single(rest, quotes)
        )

    def _parse_pairs(self, rest: str, quotes: _Quotes) -> Iterator[Instruction]:
        """Parse a list such as “Heart rate 97, GCS 15 and Pain score 3”."""
        label = self._label
        rest = re.sub(r"\bfrom ‹\d+› to (?=‹)", "", rest)
        rest = re.sub(r"(?: (?:from|in) the list|(?<=›) (?:above|below|at|on) (?:the )?[a-z ]+)$", "", rest)
        if under := re.search(r"\b(?:under|in the row|from the list)\s+(?P<label>‹\d+›|[A-Z][\w ]*)$", rest):
            label, rest = quotes.restore(under["label"]).strip("“”"), rest[: under.start()].strip(" ,")
        for part in re.split(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", rest):
            yield from self._parse_part(part.strip(" .:"), label, quotes)

    def _parse_part(self, part: str, label: str | None, quotes: _Quotes) -> Iterator[Instruction]:
        part = re.sub(r"^[a-z ]*\b(?:on|in|under) ‹\d+›:\s*", "", part)
        part = re.sub(r"^(?:the )?field (?=‹)", "", part)
        if not part or part in {"once", "one time", "twice"}:
            return
        forms = (
            r"(?P<value>.+?) (?:into|as) (?:the )?(?P<label>[a-z][a-z ]*)$",
            r"(?P<value>.+?) (?:into|as|for|under|in the row|in|from the list) (?P<label>‹\d+›|[A-Z][\w ]+)$",
            r"(?P<label>‹\d+›|[A-Z][\w ]+?) (?:to|with|:) (?P<value>.+)$",
            r"(?P<label>‹\d+›)[ :]+(?!(?:above|below|on|in|at|under|from|of|together)\b)(?P<value>.*)$",
            r"(?P<label>[A-Z][\w ]*?) (?P<value>‹\d+›)$",
            r"(?:the )?(?P<label>(?!exactly|only|also)[a-z][a-z ]*?) (?P<value>‹\d+›)$",
        )
        for form in forms:
            if match := re.match(form, part):
                yield from self._parse_value(
                    match["value"], quotes.restore(match["label"]).strip("“” "), quotes
                )
                return
        yield from self._parse_value(part, label, quotes)

    def _parse_single(self, rest: str, quotes: _Quotes) -> Iterator[Instruction]:
        yield from self._parse_part(re.sub(r"^(?:the|level(?= \d))\s+", "", rest), self._label, quotes)

    def _parse_value(self, value: str, label: str | None, quotes: _Quotes) -> Iterator[Instruction]:
        value = re.sub(r"^(?:the|that|exactly|level)\s+(?!password|user)|\s+(?:once|one time)$", "", value)
        value = re.sub(r"\s+(?:of the|from the|on the|at the|above the|in the|in its)\s.*$", "", value)
        value = quotes.restore(value).strip("“” .:")
        if re.search(r"\b(?:fields|boxes|(?:in|of) each row)$", label or value):
            return
        if value.lower() not in _NOT_ON_SCREEN and not _is_sign_in(label or value):
            yield Fill(value, label)

    # Subjects, labels and context

    def _parse_names(self, plain: str) -> Open | None:
        """Return the subject that is named: a tile's code, a person, a number."""
        number = _NUMBERED.search(plain)
        near = number["number"] if number else None
        names = []
        code, bed = _CODE.search(plain), _BED.search(plain)
        if code and not code["code"].isdigit():
            names.append(code["code"])
        person = re.search(_NAME, re.sub(r"(?:MRN|Rx No\.) \d+", ",", re.sub(_QUOTED, "", plain)))
        if person:
            names.append(person[0])
        if bed:
            names.append(bed["bed"].capitalize())
        if near:
            names.append(near)
        return Open(tuple(names), near) if names else None

    def _remember(self, sentence: str) -> None:
        if counted := re.search(r"\b(?:count|how many)\b(?P<what>.*)", sentence, re.IGNORECASE):
            said = re.findall(r"\b(?:is|marked|reads?|says?|status) “([^”]*)”", counted["what"])
            words = said or _QUOTED.findall(counted["what"]) or _QUOTED.findall(sentence)
            words = [word for word in words if not re.search(rf"column “{re.escape(word)}”", sentence)]
            scope = re.search(r"\bward (?:code )?(\w+)", sentence)
            earlier = self._counted.scope if self._counted else None
            self._counted = CountEntries(
                words[0] if words else None, scope[1] if scope else earlier or self._row
            )
        if row := re.search(r"\bof (?:ward|bed|room) (\w+)|\bfor ([A-Z0-9]{2,5})\b(?=,)", sentence):
            self._row = row[1] or row[2]
        elif panel := re.search(r"\bward (?:code )?(\w+)", sentence):
            self._row = panel[1]
        if not_these := re.search(r"(?:not (?:marked )?|pass over .*?)(“[^”]+”)", sentence):
            self._without = not_these[1].strip("“”")
        if columns := re.search(r"\b(?:read|under|value of|take|shows)\b(?P<what>.*)", sentence):
            named = [word for word in _QUOTED.findall(columns["what"]) if word != self._without]
            self._columns = tuple(named) or self._columns


class _Quotes:
    """A text with its quotations replaced by placeholders, so that their commas and verbs are not parsed."""

    def __init__(self, text: str) -> None:
        self._quotations: list[str] = []
        self.text = re.sub(r"\s*\(([^()]*)\)", self._remark, _QUOTED.sub(self._keep, text))

    def restore(self, text: str) -> str:
        """Return a text with its quotations restored."""
        return re.sub(r"‹(\d+)›", lambda match: f"“{self._quotations[int(match[1])]}”", text)

    def quoted(self, text: str) -> list[str]:
        """Return the quotations of a text."""
        return [self._quotations[int(number)] for number in re.findall(r"‹(\d+)›", text)]

    def _remark(self, match: re.Match[str]) -> str:
        """Remove a remark in brackets, unless it names the subject or gives a value."""
        inside, before = match[1], match.string[: match.start()]
        name, number = re.search(_NAME, inside), _NUMBERED.search(inside)
        if number or (name and before[-1:].isdigit()):
            return " " + ", ".join(known[0] for known in (name, number) if known)
        if re.match(r"[A-Z](?!\d+$)", inside) and "‹" not in inside:
            return " " + self._keep(match)
        return ""

    def _keep(self, match: re.Match[str]) -> str:
        self._quotations.append(match[1])
        return f"‹{len(self._quotations) - 1}›"


def _is_sign_in(words: str) -> bool:
    return words.lower().removeprefix("the ") in _SIGNING
