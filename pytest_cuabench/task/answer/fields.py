"""Answers that give several labelled values at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.answer.goal import goal_words
from pytest_cuabench.task.answer.number import Number
from pytest_cuabench.task.answer.spec import Match, Rejected, Spec, check_strings
from pytest_cuabench.task.answer.speech import is_chatter
from pytest_cuabench.task.answer.text import (
    Keys,
    clean,
    lengths,
    longest,
    name_tokens,
    quantity_tokens,
    without_list_marks,
)
from pytest_cuabench.task.answer.vocabulary import vocabulary

Field = Spec | tuple[Spec, tuple[str, ...]]

_TABLE_RULE = re.compile(r"^[|: -]+$", re.MULTILINE)
_DASH = re.compile(r"^[ *_]*[-–—] ")
_JOINERS = frozenset({"and", "with", "&", "-", "–", "—", "•", "*", "**", "__", "the"})


class _Label(NamedTuple):
    """A label found in the answer, with its position."""

    field: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fields(Spec):
    """Labelled values in any order, each exactly once: `HR 102, BP 118/78, Temp 38.6 °C`.

    Attributes:
        fields: The specification for each label, or the specification with alternative labels.
        words: Words of the question that may precede the first label.
    """

    fields: Mapping[str, Field]
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_strings(self, words=self.words)
        if not self.fields:
            raise CheckerFailure("Fields needs at least one field")
        self._labels()

    @property
    def expected(self) -> str:
        """Return every label with its expected value."""
        return "; ".join(f"{label} {_spec(field).expected}" for label, field in self.fields.items())

    def _labels(self) -> dict[Keys, str]:
        labels: dict[Keys, str] = {}
        for name, field in self.fields.items():
            aliases = field[1] if isinstance(field, tuple) else ()
            check_strings(self, labels=aliases)
            for written in (name, *aliases):
                keys = tuple(token.key for token in name_tokens(clean(written)))
                if not keys or labels.setdefault(keys, name) != name:
                    raise CheckerFailure(f"the label {written!r} is empty, or belongs to two fields")
                if is_chatter(written):
                    raise CheckerFailure(f"the label {written!r} is also said before any answer")
        return labels

    def _read(self, text: str, goal: str) -> Match:
        listed = without_list_marks(_TABLE_RULE.sub("", text).replace("|", "\n"))
        labels = _merge(listed, _find_labels(listed, self._labels()))
        self._check_labels(labels)
        self._check_before(listed[: labels[0].start], goal)
        ends = [label.start for label in labels[1:]] + [len(listed)]
        matches = {
            label.field: _judge(_spec(self.fields[label.field]), listed[label.end : end], goal)
            for label, end in zip(labels, ends, strict=True)
        }
        seen = "; ".join(f"{name}: {matches[name].seen}" for name in self.fields)
        return Match(all(match.ok for match in matches.values()), seen)

    def _check_labels(self, labels: list[_Label]) -> None:
        named = [label.field for label in labels]
        if missing := [name for name in self.fields if name not in named]:
            raise Rejected(f"the answer does not name {', '.join(missing)}")
        if again := [name for name in self.fields if named.count(name) > 1]:
            raise Rejected(f"the answer names {', '.join(again)} more than once")

    def _check_before(self, text: str, goal: str) -> None:
        words = vocabulary(tuple(self.words), quantity_tokens, frozenset(), goal_words(goal))
        tokens = quantity_tokens(text)
        index = 0
        while index < len(tokens):
            index = words.skip(tokens, index)


def _judge(spec: Spec, text: str, goal: str) -> Match:
    """Judge the text between two labels; the dash of `HR - 102` is a colon unless the value is signed."""
    signed = isinstance(spec, Number) and spec.signed
    return spec.match(_trim(text if signed else _DASH.sub("", text)), goal, spoken=False)


def _spec(field: Field) -> Spec:
    return field[0] if isinstance(field, tuple) else field


def _find_labels(text: str, labels: Mapping[Keys, str]) -> list[_Label]:
    """Find labels as whole words, the longest first."""
    tokens = name_tokens(text)
    sizes = lengths(labels)
    found = []
    index = 0
    while index < len(tokens):
        end = longest(tokens, index, labels, sizes)
        if end is not None:
            keys = tuple(token.key for token in tokens[index:end])
            found.append(_Label(labels[keys], tokens[index].start, tokens[end - 1].end))
        index = end or index + 1
    return found


def _merge(text: str, labels: list[_Label]) -> list[_Label]:
    """Join a label and its abbreviation right after it, as in `Heart rate (HR): 102`."""
    merged: list[_Label] = []
    for label in labels:
        between = text[merged[-1].end : label.start] if merged else ""
        if merged and merged[-1].field == label.field and between.strip() in ("(", "[", "/"):
            merged[-1] = merged[-1]._replace(end=label.end)
        else:
            merged.append(label)
    return merged


def _trim(text: str) -> str:
    """Return a value without the separators at its end; a dash that belongs to a word stays."""
    while True:
        text = text.rstrip(" ,;\n")
        words = text.split()
        if not words or words[-1].casefold() not in _JOINERS:
            return text
        text = text[: -len(words[-1])]
