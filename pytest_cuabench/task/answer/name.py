"""Answers that are names: of a person or a bed, of one or several of many, or a given text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.answer.goal import goal_words
from pytest_cuabench.task.answer.spec import Match, Rejected, Spec, UnexpectedText, check_strings
from pytest_cuabench.task.answer.text import (
    Keys,
    Splitter,
    Token,
    clean,
    clip,
    lengths,
    longest,
    name_tokens,
    text_tokens,
    without_list_marks,
)
from pytest_cuabench.task.answer.vocabulary import Vocabulary, vocabulary

Options = tuple[str, ...] | Mapping[str, tuple[str, ...]]
_TURNED = 8  # words: longer names are not those of people, and have no comma form
_AND = frozenset({"and", "both", "&"})
_NOBODY = frozenset({"none", "nobody", "nothing", "nil"})


@dataclass(frozen=True, slots=True)
class Entity(Spec):
    """One named thing, such as a patient ("Maria Lopez", also "Lopez, Maria") or a bed."""

    name: str
    aliases: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_strings(self, aliases=self.aliases, words=self.words)
        _named_forms({self.name: self.aliases})

    @property
    def expected(self) -> str:
        """Return the name."""
        return self.name

    def _read(self, text: str, goal: str) -> Match:
        tokens = name_tokens(text)
        found, rest = _find(tokens, _named_forms({self.name: self.aliases}))
        return _alone(text, tokens, found, rest, _vocabulary(self.words, name_tokens, goal))


@dataclass(frozen=True, slots=True)
class Text(Spec):
    """A given text, up to case, spaces and punctuation."""

    value: str
    aliases: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_strings(self, aliases=self.aliases, words=self.words)
        _text_forms({self.value: self.aliases})

    @property
    def expected(self) -> str:
        """Return the text in quotes."""
        return f"'{self.value}'"

    def _read(self, text: str, goal: str) -> Match:
        tokens = text_tokens(text)
        found, rest = _find(tokens, _text_forms({self.value: self.aliases}))
        return _alone(text, tokens, found, rest, _vocabulary(self.words, text_tokens, goal))


@dataclass(frozen=True, slots=True)
class Choice(Spec):
    """Exactly one of several options; `options` are names, or names with their aliases."""

    value: str
    options: Options
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_strings(self, words=self.words, options=tuple(self.options))
        named = self._named()
        if self.value not in named:
            raise CheckerFailure(
                f"invalid value {self.value!r}; expected one of the options {', '.join(named)}"
            )
        _text_forms(named)

    @property
    def expected(self) -> str:
        """Return the right option."""
        return self.value

    def _named(self) -> Mapping[str, tuple[str, ...]]:
        return self.options if isinstance(self.options, Mapping) else dict.fromkeys(self.options, ())

    def _read(self, text: str, goal: str) -> Match:
        tokens = text_tokens(text)
        found, rest = _find(tokens, _text_forms(self._named()))
        _skip_all(tokens, rest, _vocabulary(self.words, text_tokens, goal, _text_forms(self._named())))
        if len(found) != 1:
            named = f"{len(found)} options ({' and '.join(found)})" if found else f"no option in {clip(text)}"
            raise Rejected(named)
        return Match(found == [self.value], found[0])


@dataclass(frozen=True, slots=True)
class EntitySet(Spec):
    """Several names in any order, as a list in any usual form; without names, the answer "none"."""

    names: tuple[str, ...]
    aliases: Mapping[str, tuple[str, ...]] | None = None
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_strings(self, names=self.names, words=self.words)
        if strangers := set(self.aliases or {}) - set(self.names):
            raise CheckerFailure(f"aliases of names that are not in the set: {', '.join(sorted(strangers))}")
        _named_forms(self._named())

    @property
    def expected(self) -> str:
        """Return the names, or `none`."""
        return ", ".join(self.names) or "none"

    def _named(self) -> dict[str, tuple[str, ...]]:
        return {name: (self.aliases or {}).get(name, ()) for name in self.names}

    def _read(self, text: str, goal: str) -> Match:
        listed = without_list_marks(text)
        tokens = name_tokens(listed)
        words = vocabulary(tuple(self.words), name_tokens, _AND)
        if not self.names:
            return _no_names(tokens, words, listed)
        found, rest = _find(tokens, _named_forms(self._named()))
        extra = _extras(listed, tokens, rest, words)
        missing = [name for name in self.names if name not in found]
        remarks = [f"extra: {', '.join(extra)}"] * bool(extra) + [f"missing: {', '.join(missing)}"] * bool(
            missing
        )
        return Match(not remarks, "; ".join(remarks) or ", ".join(found))


def _vocabulary(
    words: tuple[str, ...], split: Splitter, goal: str, options: Collection[Keys] = ()
) -> Vocabulary:
    """Return the words that may surround a name; goal words that are part of an option are excluded."""
    from_goal = goal_words(goal, names=True)
    parts = {key for keys in options for key in keys}
    return vocabulary(tuple(words), split, frozenset(), from_goal._replace(words=from_goal.words - parts))


def _named_forms(named: Mapping[str, tuple[str, ...]]) -> dict[Keys, str]:
    return _forms(named, name_tokens, _turned)


def _text_forms(named: Mapping[str, tuple[str, ...]]) -> dict[Keys, str]:
    return _forms(named, text_tokens, lambda keys: [keys])


def _forms(
    named: Mapping[str, tuple[str, ...]], split: Splitter, variants: Callable[[Keys], list[Keys]]
) -> dict[Keys, str]:
    """Return every form of the names, each with its name.

    Raises:
        CheckerFailure: A name has no letter or digit, or two names are written alike.
    """
    forms: dict[Keys, str] = {}
    for name, aliases in named.items():
        for written in (name, *aliases):
            keys = tuple(token.key for token in split(clean(written)))
            if not keys:
                raise CheckerFailure(f"{written!r} has nothing in it to recognise")
            if forms.setdefault(keys, name) != name:
                raise CheckerFailure(f"{written!r} stands for both {forms[keys]!r} and {name!r}")
    for keys, name in list(forms.items()):
        for variant in variants(keys):
            forms.setdefault(variant, name)
    return forms


def _turned(keys: Keys) -> list[Keys]:
    """Return the comma form of a name.

    `Maria Lopez` is also `Lopez, Maria` but never `Lopez Maria`, which may be another person. A place with a number
    ("Ward 3, Bed 2") may also be written without the comma.
    """
    if keys.count(",") == 1:
        at = keys.index(",")
        first, second = keys[:at], keys[at + 1 :]
        place = any(key.isdigit() for key in keys)
        return [(*second, *first), *([(*first, *second), (*second, ",", *first)] if place else [])]
    if "," in keys or len(keys) > _TURNED:
        return []
    return [(*keys[at:], ",", *keys[:at]) for at in range(1, len(keys))]


def _find(tokens: Sequence[Token], forms: Mapping[Keys, str]) -> tuple[list[str], list[int]]:
    """Find names from left to right, the longest first.

    Returns:
        The names found, each once, and the indices of the remaining tokens.
    """
    sizes = lengths(forms)
    found: dict[str, None] = {}
    rest = []
    index = 0
    while index < len(tokens):
        end = longest(tokens, index, forms, sizes)
        if end is None:
            rest.append(index)
        else:
            found[forms[tuple(token.key for token in tokens[index:end])]] = None
        index = end or index + 1
    return list(found), rest


def _alone(
    text: str, tokens: Sequence[Token], found: Sequence[str], rest: Iterable[int], words: Vocabulary
) -> Match:
    if not found:
        return Match(False, clip(text))
    _skip_all(tokens, rest, words)
    return Match(True, found[0])


def _skip_all(tokens: Sequence[Token], rest: Iterable[int], words: Vocabulary) -> None:
    done = 0
    for index in rest:
        if index >= done:
            done = words.skip(tokens, index)


def _extras(text: str, tokens: Sequence[Token], rest: Iterable[int], words: Vocabulary) -> list[str]:
    """Return the other listed items, with adjacent words joined."""
    spans: list[list[int]] = []
    done = last = -1
    for index in rest:
        if index < done:
            continue
        try:
            done = words.skip(tokens, index)
        except UnexpectedText:
            if spans and last == index - 1:
                spans[-1][1] = tokens[index].end
            else:
                spans.append([tokens[index].start, tokens[index].end])
            last = index
    return [clip(text[start:end]) for start, end in spans[:10]]


def _no_names(tokens: Sequence[Token], words: Vocabulary, text: str) -> Match:
    """Judge an answer if the right answer is "none"."""
    rest = []
    for index, token in enumerate(tokens):
        counted = index + 1 < len(tokens) and tokens[index + 1].key in words.declared
        if token.key not in _NOBODY and not (token.key == "no" and counted):
            rest.append(index)
    extra = _extras(text, tokens, rest, words)
    if extra:
        return Match(False, f"extra: {', '.join(extra)}")
    return Match(len(rest) < len(tokens), "none" if len(rest) < len(tokens) else clip(text))
