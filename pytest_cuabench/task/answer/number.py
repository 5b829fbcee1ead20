"""Answers that are one number, or the two of a blood pressure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.answer.goal import goal_words
from pytest_cuabench.task.answer.numerals import numeral, plain
from pytest_cuabench.task.answer.quantity import Quantity, Reader, Sign, check_end
from pytest_cuabench.task.answer.spec import Match, Rejected, Spec, check_strings
from pytest_cuabench.task.answer.text import Token, clean, clip, quantity_tokens
from pytest_cuabench.task.answer.units import Conversion, Unit, accepted_units
from pytest_cuabench.task.answer.vocabulary import HEDGE_MARKS, HEDGES, GoalWords, vocabulary

_NEGATIVE: Sign = -1
_POSITIVE: Sign = 1
_HEDGED = HEDGES | HEDGE_MARKS


@dataclass(frozen=True, slots=True)
class Number(Spec):
    """One number without any other meaningful content.

    Attributes:
        value: The right number, in `unit`.
        unit: Optional in the answer, in any usual form.
        tolerance: The accepted deviation in `unit`, for rounding. It does not allow hedging.
        words: Words of the question that the answer may repeat ("patients", "waiting").
        units: Further accepted units or spellings: a factor, or a factor and an offset, that converts the stated value
            to `unit` (`{"°F": (5 / 9, -160 / 9)}`, `{"L": 1000}`).
        negative_words: Words that make the number negative ("deficit").
        positive_words: Words that make the number positive ("surplus").
        either_sign: Whether the right number may be negative in another case, so that a dash before it is not a list
            mark.
        approximate: Whether to accept "about 38" and "~38"; needs a tolerance.
        needs_unit: Whether the answer must name the unit.
    """

    value: float | Decimal
    unit: str | None = None
    tolerance: float | Decimal = 0
    words: tuple[str, ...] = ()
    units: Mapping[str, Conversion] | None = None
    negative_words: tuple[str, ...] = ()
    positive_words: tuple[str, ...] = ()
    either_sign: bool = False
    approximate: bool = False
    needs_unit: bool = False

    def __post_init__(self) -> None:
        _check_value(self.value, self.tolerance)
        if (self.approximate and not self.tolerance) or (self.needs_unit and self.unit is None):
            raise CheckerFailure("approximate needs a tolerance above 0, and needs_unit a unit")
        senses = {"negative_words": self.negative_words, "positive_words": self.positive_words}
        check_strings(self, words=self.words, **senses)
        accepted_units(self.unit, self.units or {})

    @property
    def expected(self) -> str:
        """Return the number with its unit and tolerance."""
        unit = f" {self.unit}" if self.unit else ""
        tolerance = f" ± {plain(_decimal(self.tolerance))}" if self.tolerance else ""
        return f"{plain(_decimal(self.value))}{tolerance}{unit}"

    @property
    def signed(self) -> bool:
        """Whether the sign matters, so that a stray dash cannot be ignored."""
        return self.value < 0 or self.either_sign or bool(self.negative_words or self.positive_words)

    def _read(self, text: str, goal: str) -> Match:
        reader = self._reader(text, goal)
        reader.read()
        stated = [self._with_sense(quantity, reader) for quantity in reader.quantities]
        if not stated:
            raise Rejected(f"there is no number in {clip(text)}")
        shown = _one(stated)
        if reader.unexpected:
            raise reader.unexpected
        if self.needs_unit and not any(unit.name for _, unit in stated):
            raise Rejected(f"the answer does not say {self.unit}")
        ok = all(self._is_right(size, unit) for size, unit in stated)
        return Match(ok, shown if ok else shown + self._remark(reader.quantities))

    def _reader(self, text: str, goal: str) -> Reader:
        hedges = _HEDGED if self.approximate else frozenset()
        words = vocabulary(tuple(self.words), quantity_tokens, hedges, self._from_goal(goal))
        negative = dict.fromkeys(_keys(self.negative_words), _NEGATIVE)
        positive = dict.fromkeys(_keys(self.positive_words), _POSITIVE)
        units = accepted_units(self.unit, self.units or {})
        return Reader(quantity_tokens(text), words, units, negative | positive, self.signed)

    def _from_goal(self, goal: str) -> GoalWords:
        """Return the goal's words, without those that could be the answer itself."""
        from_goal = goal_words(goal)
        return from_goal._replace(
            phrases=frozenset(
                keys for keys in from_goal.phrases if not any(numeral(key) == self.value for key in keys)
            )
        )

    def _with_sense(self, quantity: Quantity, reader: Reader) -> tuple[Decimal, Unit]:
        unit = quantity.unit or reader.loose_unit or Unit("" if self.needs_unit else self.unit or "")
        sense = reader.sense
        if sense and quantity.sign and sense != quantity.sign and quantity.size:
            raise Rejected("the sign of the number and the words around it disagree")
        # Not a product, which would round a long number.
        return quantity.size.copy_negate() if (sense or quantity.sign) < 0 else quantity.size, unit

    def _is_right(self, stated: Decimal, unit: Unit) -> bool:
        value = _decimal(self.value)
        # A factor such as 5/9 is not exact, so converted values get a small extra tolerance.
        slack = max(Decimal(1), abs(value)) * Decimal("1e-9") if unit.converts else Decimal(0)
        return abs(unit.convert(stated) - value) <= _decimal(self.tolerance) + slack

    def _remark(self, quantities: Sequence[Quantity]) -> str:
        bare = all(
            not quantity.sign and quantity.size == _decimal(self.value).copy_negate()
            for quantity in quantities
        )
        return ", without a minus or a word for one" if bare and self.value < 0 else ""


@dataclass(frozen=True, slots=True)
class BloodPressure(Spec):
    """Two numbers as `118/78` or `118 over 78`, with or without mmHg."""

    systolic: float
    diastolic: float
    tolerance: float = 0
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_value(self.systolic, self.tolerance)
        _check_value(self.diastolic, self.tolerance)
        check_strings(self, words=self.words)

    @property
    def expected(self) -> str:
        """Return both numbers with their unit."""
        return f"{_pair((_decimal(self.systolic), _decimal(self.diastolic)))} mmHg"

    def _read(self, text: str, goal: str) -> Match:
        tokens = quantity_tokens(text)
        declared = (*self.words, "blood", "pressure", "bp")
        words = vocabulary(declared, quantity_tokens, frozenset(), goal_words(goal))
        units = accepted_units("mmHg", {})
        pairs: dict[tuple[Decimal, Decimal], None] = {}
        index = 0
        while index < len(tokens):
            pair = _pair_at(tokens, index)
            if pair is None:
                index = words.skip(tokens, index)
                continue
            pairs[pair] = None
            found = units.find(tokens, index + 3)
            index = found[1] if found else index + 3
            check_end(tokens, index)
        if len(pairs) != 1:
            raise Rejected(f"two blood pressures {_list(map(_pair, pairs))}" if pairs else _no_pair(text))
        return self._compared(next(iter(pairs)))

    def _compared(self, pair: tuple[Decimal, Decimal]) -> Match:
        wanted = (_decimal(self.systolic), _decimal(self.diastolic))
        room = _decimal(self.tolerance)
        return Match(all(abs(a - b) <= room for a, b in zip(pair, wanted, strict=True)), _pair(pair))


def _keys(words: tuple[str, ...]) -> list[str]:
    return [token.key for word in words for token in quantity_tokens(clean(word))]


def _one(stated: Sequence[tuple[Decimal, Unit]]) -> str:
    """Return the number that an answer states, formatted for reports."""
    values: dict[str, set[Decimal]] = {}
    for size, unit in stated:
        values.setdefault(unit.name, set()).add(size)
    shown = list(dict.fromkeys(_shown(size, unit) for size, unit in stated))
    if any(len(sizes) > 1 for sizes in values.values()):
        raise Rejected(f"{'two' if len(shown) == 2 else 'several'} numbers {_list(shown)}")
    return " = ".join(shown)


def _shown(size: Decimal, unit: Unit) -> str:
    digits = plain(size)
    digits = digits if len(digits) <= 30 else f"{digits[:27]}..."
    return f"{digits} {unit.name}".strip()


def _list(parts: Sequence[str] | map[str]) -> str:
    *first, last = list(parts)[:5]
    return f"({', '.join(first)} and {last})"


def _pair_at(tokens: Sequence[Token], index: int) -> tuple[Decimal, Decimal] | None:
    kinds = [token.kind for token in tokens[index : index + 3]]
    if kinds[:1] + kinds[2:] != ["number", "number"] or tokens[index + 1].key not in ("/", "over"):
        return None
    first, second = numeral(tokens[index].text), numeral(tokens[index + 2].text)
    return None if first is None or second is None else (first, second)


def _pair(pair: tuple[Decimal, Decimal]) -> str:
    return f"{plain(pair[0])}/{plain(pair[1])}"


def _no_pair(text: str) -> str:
    return f"there is no blood pressure in {clip(text)}"


def _decimal(value: float | Decimal) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(str(value))


def _check_value(value: float | Decimal, tolerance: float | Decimal) -> None:
    if not math.isfinite(value) or not math.isfinite(tolerance) or tolerance < 0:
        raise CheckerFailure(
            f"a number needs a finite value and a tolerance of at least 0: {value}, {tolerance}"
        )
