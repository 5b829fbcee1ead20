"""Kinds of values that VLC reads."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench.task.kinds import Choice, Fields, Items, Kind, Number, Path, Text, Url

_CODES = (
    ("pol", "pl"),
    ("gre", "ell", "el"),
    ("fin", "fi"),
    ("dut", "nld", "nl"),
    ("cze", "ces", "cs"),
    ("dan", "da"),
)


@dataclass(frozen=True)
class Language(Kind):
    """A language by one of its codes."""

    def meaning(self, value: Any) -> str:
        code = str(value).strip().lower()
        return next((codes[0] for codes in _CODES if code in codes), code)

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield "capital letters", value.upper()
        yield from (
            ("another code", code) for codes in _CODES if value in codes for code in codes if code != value
        )

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield f"{value}x"
        yield from (codes[0] for codes in _CODES if value not in codes)


@dataclass(frozen=True)
class Below(Path):
    """A folder below the one of the film: its path begins with a dot."""

    def meaning(self, value: Any) -> str:
        if not str(value).strip().startswith("./"):
            raise ValueError(f"{value!r:.40} is not below the film's folder")
        return Path.meaning(self, value)


@dataclass(frozen=True)
class Filter(Text):
    """A regular expression that is looked for in names, without regard to case."""

    def meaning(self, value: Any) -> str:
        return re.sub(r"^(\.\*)*|(\.\*)*$", "", Text.meaning(self, value))

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield from Text.spellings(self, value, random)
        yield "anything around it", f".*{value}.*"


@dataclass(frozen=True)
class Script(Kind):
    """Commands of the media manager, one a line: remarks, empty lines and quotes mean nothing."""

    def meaning(self, value: Any) -> list[list[str]]:
        lines = (line.strip() for line in str(value).splitlines())
        return [shlex.split(line) for line in lines if line and not line.startswith("#")]

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield "an empty line", f"{value}\n"
        yield "without remarks", "\n".join(line for line in value.splitlines() if not line.startswith("#"))
        yield "in quotes", re.sub(r"output (#\S+)", r'output "\1"', value)
        yield "without quotes", value.replace('"', "")

    def others(self, value: str, random: Random) -> Iterator[str]:
        lines = value.splitlines()
        yield "\n".join(lines[:-1])
        yield "\n".join([*lines, "control all play"])
        yield value.replace(" loop", "")
        yield value.replace("enabled", "disabled")
        yield value.replace(".ogg", ".oga")
        yield value.replace("mux=", "mux=x")


def _read(separator: str) -> Any:
    def read(text: str) -> Mapping[str, str]:
        pairs = [one.partition("=") for one in text.strip().strip('"').split(separator) if one]
        if not all(equals for _, equals, _ in pairs):
            raise ValueError(f"{text!r:.60} are no options")
        return {name: value for name, _, value in pairs}

    return read


def _write(separator: str, quote: str = "") -> Any:
    return lambda given: quote + separator.join(f"{name}={value}" for name, value in given.items()) + quote


FILE = Path(folder=False)
LANGUAGES = Items(item=Language())
FOLDERS = Items(item=Below())
MODULES = Items(separators=":,", item=Choice())
FEEDS = Items(separators="|", item=Url(), ordered=True)
FILTER = Filter(ignore_case=True)
SCRIPT = Script()
BANDS = Items(separators=" ", item=Number(), ordered=True)
OPTION = Fields(
    _read("\n"),
    _write("\n"),
    kinds={"network-caching": Number(), "start-time": Number()},
    called="option of a medium",
)
PROFILE = Fields(
    _read(";"),
    _write(";", '"'),
    kinds={name: Number() for name in ("acodec_bitrate", "acodec_channels", "acodec_samplerate")},
    called="conversion profile",
)
