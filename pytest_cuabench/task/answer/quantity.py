"""Parses an answer that is one number: digits, sign, unit, and the words around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from pytest_cuabench.task.answer.numerals import numeral, spoken
from pytest_cuabench.task.answer.spec import Rejected, UnexpectedText
from pytest_cuabench.task.answer.text import DASHES, Token, clip, glued, glued_word
from pytest_cuabench.task.answer.units import Unit, UnitTable, known_units, sign_of
from pytest_cuabench.task.answer.vocabulary import Vocabulary

Sign = Literal[-1, 0, 1]
_SIGN_MARKS: dict[str, Sign] = {"-": -1, "–": -1, "+": 1}
_SIGN_WORDS: dict[str, Sign] = {"minus": -1, "negative": -1, "plus": 1, "positive": 1}
_OPEN = frozenset(
    {"to", "or", "and", "through", "until", "till", "versus", "vs", "but"}
)  # something must follow
_NOTHING = frozenset({"none", "nil", "nobody", "nothing"})


class Quantity(NamedTuple):
    """A number in the answer: its size, the sign it carries (0 for none), and its unit if one follows."""

    size: Decimal
    sign: Sign
    unit: Unit | None


class Reader:
    """Parses the tokens of an answer in one pass.

    Attributes:
        quantities: Every stated number, repetitions included.
        sense: The sign given by the words around them, 0 for none.
        loose_unit: The unit stated separately from a number.
        unexpected: The first word that the question does not ask for; several numbers are the better reason.
    """

    def __init__(
        self,
        tokens: list[Token],
        words: Vocabulary,
        units: UnitTable,
        senses: Mapping[str, Sign],
        signed: bool,
    ) -> None:
        self.quantities: list[Quantity] = []
        self.sense: Sign = 0
        self.loose_unit: Unit | None = None
        self.unexpected: UnexpectedText | None = None
        self._tokens = tokens
        self._words = words
        self._units = units
        self._senses = senses
        self._signed = signed

    def read(self) -> None:
        """Parse every token; reject what changes the meaning, and record unexpected words."""
        index = 0
        while index < len(self._tokens):
            try:
                index = self._part(index) or self._filler(index)
            except UnexpectedText as refusal:
                self.unexpected = self.unexpected or refusal
                index += 1

    def _part(self, index: int) -> int | None:
        return (
            self._words.phrase_end(self._tokens, index)
            or self._quantity(index)
            or self._nothing(index)
            or self._sense_word(index)
            or self._unit(index)
        )

    def _quantity(self, index: int) -> int | None:
        sign, start = self._sign(index)
        found = self._number(start)
        if found is None:
            return None
        size, end = found
        unit = self._units.find(self._tokens, end) or self._joined_unit(end) or self._sign_unit(end)
        if unit is None:
            self._check_foreign(end)
            check_end(self._tokens, end)
        self.quantities.append(Quantity(size, sign, unit[0] if unit else None))
        return unit[1] if unit else end

    def _joined_unit(self, index: int) -> tuple[Unit, int] | None:
        """Find the unit after a hyphen, as in `2-year`."""
        joined = glued(self._tokens, index) and glued(self._tokens, index + 1)
        if not joined or self._tokens[index].text != "-":
            return None
        return self._units.find(self._tokens, index + 1)

    def _sign_unit(self, index: int) -> tuple[Unit, int] | None:
        """Find the unit that a sign or a short word means, as in `6'` and `6 in`.

        Raises:
            Rejected: The question does not accept it.
        """
        meant = sign_of(self._tokens, index)
        if not meant:
            return None
        if found := self._units.named(meant):
            doubled = [token.text for token in self._tokens[index : index + 2]] == ["'", "'"]
            return found, index + 1 + doubled
        raise Rejected(f"stated in {meant[0]}")

    def _sign(self, index: int) -> tuple[Sign, int]:
        token = self._tokens[index]
        if token.key in _SIGN_WORDS:
            return _SIGN_WORDS[token.key], index + 1
        following = self._tokens[index + 1 : index + 2]
        numeric = bool(following) and following[0].kind == "number"
        direct = numeric and glued(self._tokens, index + 1)
        if (direct and token.text in _SIGN_MARKS) or (numeric and token.text == "+"):
            self._check_free(index)
            return _SIGN_MARKS[token.text], index + 1
        return 0, index

    def _check_free(self, index: int) -> None:
        """Reject a sign directly after a value, as in `3-5`, or after another sign."""
        if not glued(self._tokens, index):
            return
        before = self._tokens[index - 1]
        if before.kind != "mark" or before.text in ")%°+" or before.text in DASHES:
            raise Rejected(
                f"{clip(''.join(t.text for t in self._tokens[index - 1 : index + 2]))} is not one number"
            )

    def _number(self, index: int) -> tuple[Decimal, int] | None:
        if index >= len(self._tokens):
            return None
        token = self._tokens[index]
        if token.kind != "number":
            return spoken(self._tokens, index)
        value = numeral(token.text)
        if value is None or (glued(self._tokens, index) and self._tokens[index - 1].text == "."):
            raise Rejected(f"{clip(token.text)} cannot be read as one number")
        return value, index + 1

    def _nothing(self, index: int) -> int | None:
        """Parse `none`, or `no patients` if patients are counted."""
        token = self._tokens[index]
        following = self._tokens[index + 1 : index + 2]
        counted = bool(following) and following[0].key in self._words.declared
        if token.key not in _NOTHING and not (token.key == "no" and counted):
            return None
        self.quantities.append(Quantity(Decimal(0), 0, None))
        return index + 1

    def _sense_word(self, index: int) -> int | None:
        sign = self._senses.get(self._tokens[index].key)
        if sign is None:
            return None
        if self.sense not in (0, sign):
            raise Rejected("the answer says both that the number is negative and that it is positive")
        self.sense = sign
        return index + 1

    def _unit(self, index: int) -> int | None:
        found = self._units.find(self._tokens, index)
        if found is None or self._tokens[index].key in self._words.declared:
            return None
        if self.loose_unit not in (None, found[0]):
            raise Rejected("the answer names two units")
        self.loose_unit = found[0]
        return found[1]

    def _check_foreign(self, index: int) -> None:
        """Reject a unit that the question does not accept, unless it is also a word of the question."""
        found = known_units().find(self._tokens, index)
        if found is None or self._tokens[index].key in self._words.declared:
            return
        if self._words.phrase_end(self._tokens, index) is None:
            raise Rejected(f"stated in {found[0].name}")

    def _filler(self, index: int) -> int:
        if self._tokens[index].text in DASHES:
            self._check_dash(index)
        return self._words.skip(self._tokens, index)

    def _check_dash(self, index: int) -> None:
        """Reject a dash separate from the next number if it may be a minus sign.

        If the number cannot be negative, the dash is a list mark or a colon.
        """
        if index + 1 == len(self._tokens) or self._number(index + 1) is None:
            return
        before = self._tokens[index - 1] if index else None
        introduces = before is None or before.text == "\n" or before.kind == "word"
        if self._signed or not introduces:
            raise Rejected(f"the {clip(self._tokens[index].text)} before the number may be a minus")


def check_end(tokens: Sequence[Token], index: int) -> None:
    """Reject letters directly after a number that are not a unit, as in `3A` or `7th`."""
    if glued_word(tokens, index):
        raise Rejected(f"{clip(tokens[index - 1].text + tokens[index].text)} is not a number")
    if index < len(tokens) and tokens[index].key in _OPEN and not _goes_on(tokens, index + 1):
        raise Rejected(
            f"{clip(tokens[index - 1].text + ' ' + tokens[index].text)} is a part of a range or a list"
        )


def _goes_on(tokens: Sequence[Token], index: int) -> bool:
    """Whether anything but a mark follows."""
    return any(token.kind != "mark" for token in tokens[index:])
