"""Words: constants that a program writes, free text, key combinations, and what is compared as it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any
from unicodedata import normalize

from pytest_cuabench.task.kinds.base import Kind, Spellings


@dataclass(frozen=True)
class Raw(Kind):
    """A value that is compared as it is written.

    Attributes:
        why: Why nothing else means the same.
    """

    why: str

    def meaning(self, value: Any) -> Any:
        return value

    def spellings(self, value: Any, random: Random) -> Spellings:
        return iter(())

    def others(self, value: Any, random: Random) -> Iterator[Any]:
        match value:
            case bool():
                yield not value
            case int() | float():
                yield value + 1
            case str():
                yield f"{value}x"
                if value:
                    yield value[:-1]


@dataclass(frozen=True)
class Choice(Raw):
    """A constant that the program writes for a tick box or an item of a list: nobody types it."""

    why: str = "the program writes it for what was chosen"


@dataclass(frozen=True)
class Text(Kind):
    """Free text: spaces at its ends and at the ends of lines, line ends and Unicode's forms mean nothing.

    Attributes:
        ignore_case: Whether the program ignores case.
        begun: What the program has filled in, after which people may write.
        called: The name in reports.
    """

    ignore_case: bool = False
    begun: str = ""
    called: str = "text"

    @property
    def name(self) -> str:
        return self.called

    def meaning(self, value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError(f"{value!r:.40} is no text")
        text = normalize("NFC", value).replace("\r\n", "\n").replace("\u00a0", " ")
        text = "\n".join(line.rstrip() for line in text.split("\n")).strip()
        return text.casefold() if self.ignore_case else text

    def matches(self, seen: Any, wanted: Any) -> bool:
        if Kind.matches(self, seen, wanted):
            return True
        begun = self.meaning(self.begun)
        if not begun or not isinstance(seen, str) or not self.meaning(seen).startswith(begun):
            return False
        return Kind.matches(self, self.meaning(seen).removeprefix(begun), wanted)

    def spellings(self, value: str, random: Random) -> Spellings:
        yield "space before", f" {value}"
        yield "space behind", f"{value} "
        yield "line end behind", f"{value}\n"
        if "\n" in value:
            yield "line ends of Windows", value.replace("\n", "\r\n")
        if (apart := normalize("NFD", value)) != value:
            yield "decomposed letters", apart
        if self.ignore_case:
            yield "other case", value.swapcase()
        if self.begun:
            yield "after what was filled in", f"{self.begun}\n{value}"
            yield "after what was filled in, on its line", f"{self.begun} {value}"

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield f"{value} x"
        yield f"not {value}"
        yield ""
        if len(value) > 1:
            yield value[:-1]
        if not self.ignore_case and value.swapcase() != value:
            yield value.swapcase()


_MODIFIERS = {"primary": "ctrl", "control": "ctrl", "mod1": "alt"}


@dataclass(frozen=True)
class Keys(Kind):
    """A key combination, such as `Ctrl+Alt+N` or `<Primary><Alt>n`: the order of modifiers and case mean nothing."""

    def meaning(self, value: Any) -> tuple[frozenset[str], str]:
        parts = [part for part in re.split(r"[<>+]", str(value).strip().casefold()) if part]
        if not parts:
            raise ValueError(f"{value!r:.40} is no key combination")
        *modifiers, key = parts
        return frozenset(_MODIFIERS.get(one, one) for one in modifiers), key

    def spellings(self, value: str, random: Random) -> Spellings:
        modifiers = re.findall(r"<\w+>|\w+\+", value)
        key = value[len("".join(modifiers)) :]
        if len(modifiers) > 1:
            yield "modifiers in another order", "".join(reversed(modifiers)) + key
        if key.swapcase() != key:
            yield "key in other case", "".join(modifiers) + key.swapcase()

    def others(self, value: str, random: Random) -> Iterator[str]:
        modifiers = re.findall(r"<\w+>|\w+\+", value)
        key = value[len("".join(modifiers)) :]
        yield "".join(modifiers[1:]) + key if modifiers else f"Shift+{key}"
        yield "".join(modifiers) + ("q" if key.casefold() != "q" else "w")


@dataclass(frozen=True)
class Fits(Raw):
    """A value whose accepted forms are a regular expression for all of it, for what no kind knows.

    Attributes:
        pattern: The expression.
        forms: Values that fit, each of which an audit tries.
    """

    pattern: str = ""
    forms: tuple[str, ...] = ()

    def matches(self, seen: Any, wanted: Any) -> bool:
        return isinstance(seen, str) and re.fullmatch(self.pattern, seen) is not None

    def spellings(self, value: Any, random: Random) -> Spellings:
        for form in self.forms:
            yield "a listed form", form
