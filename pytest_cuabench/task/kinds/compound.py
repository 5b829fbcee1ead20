"""Values that are made of several: lists, texts with parts, and keys with their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pytest_cuabench.task.kinds.base import Kind, Spellings
from pytest_cuabench.task.kinds.measure import Number
from pytest_cuabench.task.kinds.text import Choice, Raw, Text


@dataclass(frozen=True)
class Items(Kind):
    """A list in one text, or a list: a last separator means nothing, nor do spaces around items of a kind that says so.

    Attributes:
        separators: Characters, each of which the program takes for the end of an item; the first is the usual one.
        item: The kind of each item.
        ordered: Whether their order means something.
        around: What stands before and behind the list.
    """

    separators: str = ","
    item: Kind = field(default_factory=Text)
    ordered: bool = False
    around: tuple[str, str] = ("", "")

    @property
    def name(self) -> str:
        return "list in order" if self.ordered else "list"

    def _split(self, value: Any) -> list[Any]:
        if isinstance(value, list | tuple):
            return list(value)
        text, (first, last) = str(value).strip(), self.around
        if not text.startswith(first) or not text.endswith(last):
            raise ValueError(f"{value!r:.60} is not within {first}{last}")
        inner = text[len(first) : len(text) - len(last)]
        return [part for part in re.split(f"[{re.escape(self.separators)}]", inner) if part.strip()]

    def meaning(self, value: Any) -> tuple[Any, ...]:
        items = [self.item.meaning(one) for one in self._split(value)]
        return tuple(items if self.ordered else sorted(items, key=repr))

    def _joined(self, items: list[Any], like: Any) -> Any:
        return self._within(self.separators[0].join(items)) if isinstance(like, str) else items

    def _within(self, text: str) -> str:
        return f"{self.around[0]}{text}{self.around[1]}"

    def spellings(self, value: Any, random: Random) -> Spellings:
        items = self._split(value)
        if len(items) > 1 and not self.ordered:
            yield "another order", self._joined([*items[1:], items[0]], value)
        if isinstance(value, str):
            first = self.separators[0]
            yield "separator at the end", self._within(first.join(items) + first)
            yield "no separator at the end", self._within(first.join(items))
            if len(items) > 1 and self.item.matches(f" {items[1]}", items[1]):
                yield "spaces behind separators", self._within(f"{first} ".join(items))
            for other in self.separators[1:] if len(items) > 1 else "":
                yield "another separator", self._within(other.join(items))
        for at, one in enumerate(items):
            for form, spelled in self.item.spellings(one, random):
                yield f"an item with {form}", self._joined([*items[:at], spelled, *items[at + 1 :]], value)

    def others(self, value: Any, random: Random) -> Iterator[Any]:
        items = self._split(value)
        yield self._joined([*items, "x" if isinstance(value, str) else items[0]], value)
        yield self._joined(items[:-1], value)
        if self.ordered and len(items) > 1 and items[0] != items[-1]:
            yield self._joined([*items[1:], items[0]], value)
        for other in self.item.others(items[-1], random):
            if not (isinstance(other, str) and not other.strip()):
                yield self._joined([*items[:-1], other], value)


class Parts(Kind):
    """A text with parts, each of its own kind, between words that have to be there.

    Args:
        pattern: The text with each part's name in braces, such as `start-time={seconds}`.
        kinds: The kind of each part.
    """

    def __init__(self, pattern: str, **kinds: Kind) -> None:
        self.pattern = pattern
        self.kinds = kinds
        self._name = re.compile(r"\{(" + "|".join(kinds) + r")\}")  # other braces are words
        pieces = self._name.split(pattern)
        groups = (self._group(one) if at % 2 else re.escape(one) for at, one in enumerate(pieces))
        self._expression = re.compile("".join(groups), re.DOTALL)

    @property
    def name(self) -> str:
        return " and ".join(dict.fromkeys(kind.name for kind in self.kinds.values())) + " in a text"

    def _group(self, name: str) -> str:
        """Return the expression of a part; a number or a choice is one word."""
        word = isinstance(self.kinds[name], Number | Choice)
        return rf"(?P<{name}>\S*?)" if word else f"(?P<{name}>.*?)"

    def _parts(self, value: Any) -> dict[str, str]:
        found = self._expression.fullmatch(str(value))
        if found is None:
            raise ValueError(f"{value!r:.60} is not {self.pattern}")
        return found.groupdict()

    def _filled(self, parts: Mapping[str, Any]) -> str:
        return self._name.sub(lambda found: str(parts[found[1]]), self.pattern)

    def meaning(self, value: Any) -> dict[str, Any]:
        return {name: self.kinds[name].meaning(part) for name, part in self._parts(value).items()}

    def equal(self, one: Any, other: Any) -> bool:
        return all(kind.equal(one[name], other[name]) for name, kind in self.kinds.items())

    def spellings(self, value: Any, random: Random) -> Spellings:
        parts = self._parts(value)
        for name, part in parts.items():
            for form, spelled in self.kinds[name].spellings(part, random):
                yield form, self._filled({**parts, name: spelled})

    def others(self, value: Any, random: Random) -> Iterator[Any]:
        parts = self._parts(value)
        for name, part in parts.items():
            for other in self.kinds[name].others(part, random):
                yield self._filled({**parts, name: other})


@dataclass(frozen=True)
class Fields(Kind):
    """Keys with values in one text: their order means nothing, and a default may be written or left out.

    Each key is compared: by its kind, or as it is written where none is given, or it is open, with a reason.

    Attributes:
        read: Returns the keys and values of a text; raises ValueError if it is not of this form.
        write: The other way round.
        kinds: The kinds of keys.
        defaults: What a key means that is missing.
        open: Keys that may have any value, and why.
        called: The name in reports.
    """

    read: Callable[[str], Mapping[str, Any]]
    write: Callable[[Mapping[str, Any]], str]
    kinds: Mapping[str, Kind] = field(default_factory=dict, hash=False)
    defaults: Mapping[str, Any] = field(default_factory=dict, hash=False)
    open: Mapping[str, str] = field(default_factory=dict, hash=False)
    called: str = "keys and values"

    @property
    def name(self) -> str:
        return self.called

    def _kind(self, key: str) -> Kind:
        return self.kinds.get(key) or _WRITTEN

    def meaning(self, value: Any) -> dict[str, Any]:
        given = {**self.defaults, **self.read(str(value))}
        return {key: self._kind(key).meaning(one) for key, one in given.items() if key not in self.open}

    def equal(self, one: Any, other: Any) -> bool:
        return not any(self._unlike(one, other))

    def _unlike(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
        for key in sorted({*one, *other}):
            if key not in one or key not in other or not self._kind(key).equal(one[key], other[key]):
                yield key

    def unlike(self, seen: Any, wanted: Any) -> list[str]:
        """Return the keys whose values mean something else, or that only one of both has.

        Raises:
            ValueError: A text is not of this form.
        """
        return list(self._unlike(self.meaning(seen), self.meaning(wanted)))

    def spellings(self, value: Any, random: Random) -> Spellings:
        given = dict(self.read(str(value)))
        if len(given) > 1:
            yield "keys in another order", self.write(dict(reversed(given.items())))
        for key, one in given.items():
            for form, spelled in self._kind(key).spellings(one, random):
                yield form, self.write({**given, key: spelled})
        for key, default in self.defaults.items():
            if key not in given:
                yield "a default that is written", self.write({**given, key: default})
            elif given[key] == default:
                yield "a default that is left out", self.write(_without(given, key))

    def others(self, value: Any, random: Random) -> Iterator[Any]:
        given = dict(self.read(str(value)))
        yield self.write({**given, "further": "1"})
        for key, one in {**self.defaults, **given}.items():
            if key in self.open:
                continue
            for other in self._kind(key).others(one, random):
                yield self.write({**given, key: other})
            if key not in self.defaults:
                yield self.write(_without(given, key))


def _without(given: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: one for name, one in given.items() if name != key}


class _Written(Kind):
    """The value of a key that has no kind of its own."""

    def meaning(self, value: Any) -> Any:
        return value

    def spellings(self, value: Any, random: Random) -> Spellings:
        return iter(())

    def others(self, value: Any, random: Random) -> Iterator[Any]:
        yield f"{value}x"


_WRITTEN = _Written()


@dataclass(frozen=True)
class Tree(Raw):
    """Keys and lists within each other that a program writes: an audit changes each of their values by itself."""

    why: str = "the program writes it for what was chosen"

    def others(self, value: Any, random: Random) -> Iterator[Any]:
        return iter(())
