"""Applications that need no code: `NAME.toml` says how one is started, when it is ready, and where it keeps its state.

    packages = ["geany"]                     the Debian packages that it needs
    programs = ["/usr/bin/geany"]            files that must exist for it to run
    command = ["geany", "--new-instance"]    the program and its arguments; the files of `open` steps follow
    ready = 'frame[name$="Geany"]'           a selector that matches when a person could work

    [env]                                    variables beside those of the session (optional)

    [state.settings]                         a collection of the state, by its name
    files = [".config/geany/geany.conf"]     paths below HOME, or patterns such as ".config/geany/filedefs/*"
    format = "ini"                           a row for each section; "text": a row for each file;
                                             "tabs": a row for each file, a field for each line with a tab;
                                             "json": one for each entry at the top; "s-expressions": one for each list
    without = ["geany.conf/files:*"]         rows and fields that change by themselves, as patterns (optional)

Files of the first start lie in the folder `NAME/`, as they do below HOME. A setup may name the files to open:
`{"do": "open", "path": ...}`. A row is keyed by the file's name, and in `ini`, `json` and `s-expressions` by file and
section, entry or list. What lies deeper is a field by its path, such as `rules.min_clearance` or `classes.0.name`.
Files that are missing or broken have a row that says so, since programs may write anything there.
"""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import chain, count, islice
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from guest import steps
from guest.applications.base import Collections, Launch, Step

if TYPE_CHECKING:
    from guest.desktop import Desktop

_VERBS: dict[str, dict[str, Any]] = {"open": {"path": str}}
_LONGEST = 256 * 1024  # bytes of a file of the state
_MOST_FILES = 200  # that a pattern fits

Rows = Iterator[tuple[str, dict[str, Any]]]


@dataclass
class Declared:
    """An application as its TOML file declares it; the attributes are those of the file, and the folder beside it."""

    name: str
    packages: tuple[str, ...]
    programs: tuple[str, ...]
    command: tuple[str, ...]
    window: str
    collections: Mapping[str, Mapping[str, Any]]
    env: Mapping[str, str] = field(default_factory=dict)
    seed: Path | None = None

    async def prepare(self, desktop: Desktop, setup: Sequence[Step]) -> None:
        """Write the files of the first start.

        Raises:
            SetupError: A step is not understood.
        """
        steps.own(setup, _VERBS)
        for file in sorted(self.seed.rglob("*")) if self.seed else ():
            if file.is_file():
                desktop.write(str(file.relative_to(self.seed)), file.read_bytes())

    def launch(self, desktop: Desktop, setup: Sequence[Step]) -> Launch:
        """Return the command with the files to open."""
        files = [desktop.inside(step["path"]) for step in setup if step["do"] == "open"]
        return Launch((*self.command, *files), self.env)

    async def ready(self, desktop: Desktop) -> str | None:
        """Return what is missing: the window."""
        return None if await desktop.find(self.window) else f"there is no {self.window} yet"

    async def arrange(self, desktop: Desktop, setup: Sequence[Step]) -> None:
        """Do nothing: what is to be there is in files."""

    async def state(self, desktop: Desktop) -> Collections:
        """Return what the application has saved."""
        return {name: dict(_rows(desktop, table)) for name, table in self.collections.items()}


def read(file: Path) -> Declared:
    """Return the application that a file declares."""
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return Declared(
        file.stem,
        tuple(data["packages"]),
        tuple(data["programs"]),
        tuple(data["command"]),
        data["ready"],
        data["state"],
        data.get("env", {}),
        seed if (seed := file.with_suffix("")).is_dir() else None,
    )


def _rows(desktop: Desktop, table: Mapping[str, Any]) -> Rows:
    without = table.get("without", ())
    for path in _paths(desktop, table["files"]):
        for key, row in _read(desktop, path, table["format"]):
            kept = {name: value for name, value in row.items() if not _matches(f"{key}:{name}", without)}
            if kept or not row:
                yield key, kept


def _paths(desktop: Desktop, patterns: Sequence[str]) -> Iterator[str]:
    """Yield the paths that are named, whether they exist or not, and those that a pattern fits."""
    for pattern in patterns:
        if "*" in pattern:
            found = islice(desktop.home.glob(pattern), _MOST_FILES)
            yield from sorted(str(file.relative_to(desktop.home)) for file in found)
        else:
            yield pattern


def _matches(text: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)


def _read(desktop: Desktop, path: str, form: str) -> Rows:
    name = PurePosixPath(path).name
    try:
        yield from _FORMATS[form](name, desktop.read(path)[:_LONGEST].decode(errors="replace"))
    except OSError as error:
        yield name, {"unreadable": error.strerror or str(error)}
    except (configparser.Error, ValueError, RecursionError) as error:
        yield name, {"unreadable": f"{type(error).__name__}: {error}"}


def _ini(name: str, text: str) -> Rows:
    """Yield a row for each section, with its options as they are written."""
    parser = configparser.RawConfigParser(strict=False, interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    for section in parser.sections():
        yield f"{name}/{section}", dict(parser.items(section))


def _text(name: str, text: str) -> Rows:
    """Yield one row with the text."""
    yield name, {"text": text}


def _json(name: str, text: str) -> Rows:
    """Yield a row for each entry of the object, with the values within it."""
    data = json.loads(text)
    if not isinstance(data, dict):
        raise ValueError("it is no object")
    for key, value in data.items():
        yield f"{name}/{key}", dict(_values(value, ""))


def _values(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the values within objects and lists by their paths; nothing for an empty one."""
    if isinstance(value, list):
        value = dict(enumerate(value))
    if not isinstance(value, dict):
        yield (
            path or "value",
            round(value, 9) if isinstance(value, float) else value,
        )  # 0.15, not 0.15000000000000002
        return
    for key, one in value.items():
        yield from _values(one, f"{path}.{key}" if path else str(key))


def _expressions(name: str, text: str) -> Rows:
    """Yield a row for each list (within the outermost one, if there is one), by its word and `tstamp` or number."""
    lists = _parsed(text)
    seen: set[str] = set()
    for one in lists[0] if len(lists) == 1 else lists:
        if isinstance(one, list) and one and isinstance(one[0], str):
            stamp = next((part[1] for part in one if isinstance(part, list) and part[:1] == ["tstamp"]), "")
            first = f"{name}/{one[0]}/{stamp}" if stamp else f"{name}/{one[0]}"
            key = next(key for key in chain([first], (f"{first}.{n}" for n in count(2))) if key not in seen)
            seen.add(key)
            yield key, dict(_fields(one, ""))


def _fields(expression: list[Any], path: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a list and of those within it, by the path of their first words."""
    words = [part for part in expression[1:] if isinstance(part, str)]
    lists = [part for part in expression[1:] if isinstance(part, list) and part]
    if words or not lists:
        yield path or "value", " ".join(words)
    numbers: dict[str, int] = {}
    for one in lists:
        word = str(one[0])
        numbers[word] = numbers.get(word, 0) + 1
        label = word if numbers[word] == 1 else f"{word}.{numbers[word]}"
        yield from _fields(one, f"{path}.{label}" if path else label)


def _parsed(text: str) -> list[Any]:
    """Return the outermost lists of s-expressions, with strings for their words."""
    open_lists: list[list[Any]] = [[]]
    for quoted, sign, word in _WORDS.findall(text):
        if sign == "(":
            open_lists.append([])
        elif sign and len(open_lists) == 1:
            raise ValueError("a bracket is closed that was not opened")
        elif sign:
            done = open_lists.pop()
            open_lists[-1].append(done)
        else:
            open_lists[-1].append(_ESCAPE.sub(r"\1", quoted[1:-1]) if quoted else word)
    if len(open_lists) > 1:
        raise ValueError("a bracket is not closed")
    return open_lists[0]


def _tabs(name: str, text: str) -> Rows:
    """Yield one row with a field for each line, named by what stands before its first tab."""
    lines = (line.partition("\t") for line in text.splitlines())
    yield name, {key: value for key, tab, value in lines if tab}


_WORDS = re.compile(r'("(?:[^"\\]|\\.)*")|([()])|([^\s()"]+)', re.S)
_ESCAPE = re.compile(r"\\(.)", re.S)
_FORMATS: Mapping[str, Callable[[str, str], Rows]] = {
    "ini": _ini,
    "json": _json,
    "s-expressions": _expressions,
    "tabs": _tabs,
    "text": _text,
}
