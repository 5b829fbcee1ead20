"""The formats in which declared applications save what they hold, each read into rows.

ini             a row for each section
text            a row for each file
xml             a row for each file, with a field for each attribute and each text
tabs            a row for each file, with a field for each line that has a tab
json            a row for each entry of the outermost object
s-expressions   a row for each list; lines that begin with # or ; are comments
gsettings       a row for each group of settings, with the defaults of what was never set (`gsettings.py`)
gnucash         rows for what a book of GnuCash holds (`gnucash_book.py`)
open-document   rows for the parts of a flat OpenDocument file (`open_document.py`)
registry        a row for each node of LibreOffice's settings, with a field for each property or item of one
shortcuts       a row for each action that has keys in GTK's accelerator map
unreadable      a row that says why there is no such file
vault           rows `COLLECTION/KEY` for what KeePassXC exported (`keepassxc_export.py`)
xcf             rows `COLLECTION/KEY` for a picture of GIMP (`gimp_xcf.py`)

They are read by a process that may be stopped (`reading.py`), since programs may write anything there.
"""

from __future__ import annotations

import configparser
import json
import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any
from xml.etree import ElementTree

from guest.applications import gnucash_book, gsettings, keepassxc_export, open_document

Rows = Iterator[tuple[str, dict[str, Any]]]

_LONGEST_WORDS = 300  # characters of a complaint
_WORDS = re.compile(r'("(?:[^"\\]|\\.)*+")|("(?:[^"\\]|\\.)*+\\?\Z)|([()])|([^\s()"]+)', re.S)
_COMMENT = re.compile(r"^[#;].*$", re.M)
_ESCAPE = re.compile(r"\\(.)", re.S)
_SHORTCUT = re.compile(r'^\(gtk_accel_path "<Actions>/([^"]*)" "([^"]*)"\)', re.M)


def read(name: str, form: str, content: bytes, without: Sequence[str] = ()) -> dict[str, dict[str, Any]]:
    """Return the rows of a file, whatever it holds; `without` are patterns of rows and fields to leave out."""
    try:
        found = list(
            _BINARY[form](name, content) if form in _BINARY else FORMATS[form](name, _decoded(content))
        )
    except Exception as error:  # of a file that a program broke
        found = [(name, {"unreadable": f"{type(error).__name__}: {error}"[:_LONGEST_WORDS]})]
    rows: dict[str, dict[str, Any]] = {}
    twice: Counter[str] = Counter()
    for key, row in found:
        kept = {field: value for field, value in row.items() if not _fits(f"{key}:{field}", without)}
        if kept or not row:
            if key in rows:  # the last one has the name, and hides none before it
                rows[_free(key, rows, twice, "#")] = rows[key]
            rows[key] = kept
    return rows


def _free(key: str, taken: Container[str], numbers: Counter[str], sign: str) -> str:
    """Return the next numbered name that is not taken."""
    name = key
    while name in taken:
        numbers[key] += 1
        name = f"{key}{sign}{numbers[key]}"
    return name


def _decoded(content: bytes) -> str:
    return content.decode("utf-8-sig", "replace")


def _fits(text: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)


def _ini(name: str, text: str) -> Rows:
    """Yield a row for each section, with its options as they are written."""
    parser = configparser.RawConfigParser(
        strict=False, interpolation=None, delimiters=("=",), default_section="\n"
    )  # no section has defaults for the others
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    for section in parser.sections():
        yield f"{name}/{section}", dict(parser.items(section))


def _text(name: str, text: str) -> Rows:
    """Yield one row with the text."""
    yield name, {"text": text}


def _xml(name: str, text: str) -> Rows:
    """Yield one row: a field for each attribute, and for the text of each element, named by its path.

    A step of the path is a tag without its namespace, with the element's key, id or name, and with a number from the
    second alike on.
    """
    fields: dict[str, str] = {}
    _flatten(ElementTree.fromstring(text), "", fields)  # noqa: S314 - files are cut to a length
    yield name, fields


def _flatten(element: ElementTree.Element, path: str, fields: dict[str, str]) -> None:
    seen: Counter[str] = Counter()
    for name, value in element.attrib.items():
        fields[f"{path}@{name}"] = value
    if (text := (element.text or "").strip()) or not len(element):
        fields[path] = text
    for child in element:
        named = next((f"[{child.get(key)}]" for key in ("key", "id", "name") if child.get(key)), "")
        seen[step := f"{child.tag.rpartition('}')[2]}{named}"] += 1
        _flatten(child, f"{path}/{step}" + (f"#{seen[step]}" if seen[step] > 1 else ""), fields)


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
    lists = _parsed(_COMMENT.sub("", text))
    seen: set[str] = set()
    numbers = Counter[str]()
    for one in lists[0] if len(lists) == 1 else lists:
        if isinstance(one, list) and one and isinstance(one[0], str):
            stamp = next((part[1] for part in one if isinstance(part, list) and part[:1] == ["tstamp"]), "")
            first = f"{name}/{one[0]}/{stamp}" if stamp else f"{name}/{one[0]}"
            numbers.setdefault(first, 1)
            seen.add(key := _free(first, seen, numbers, "."))
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
    for quoted, unclosed, sign, word in _WORDS.findall(text):
        if unclosed:
            raise ValueError("a text is not closed")
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


def _shortcuts(name: str, text: str) -> Rows:
    """Yield a row for each action whose keys are not those of the beginning."""
    yield from ((action, {"keys": keys}) for action, keys in _SHORTCUT.findall(text))


def _picture(name: str, content: bytes) -> Rows:
    """Yield the rows of a picture."""
    from guest.applications import gimp_xcf  # imports a library of pictures

    yield from gimp_xcf.rows(name, content)


def _registry(name: str, text: str) -> Rows:
    """Yield a row for each path of LibreOffice's registry that is set, with its properties."""
    rows: dict[str, dict[str, Any]] = {}
    oor = "{http://openoffice.org/2001/registry}"
    for item in ElementTree.fromstring(text):  # noqa: S314 - files are cut to a length
        path = (item.get(f"{oor}path") or "").removeprefix("/org.openoffice.").replace(":", "")
        row = rows.setdefault(f"{name}/{path}", {})
        for prop in item.iter("prop"):
            option = prop.get(f"{oor}name") or ""
            items = {f"{option}.{number}": one.text for number, one in enumerate(prop.iter("it"), 1)}
            row |= items or {option: "".join(prop.itertext())}
    yield from rows.items()


FORMATS: Mapping[str, Callable[[str, str], Rows]] = {
    "gnucash": gnucash_book.rows,
    "gsettings": lambda name, text: gsettings.with_defaults(_ini(name, text)),
    "ini": _ini,
    "json": _json,
    "open-document": open_document.rows,
    "registry": _registry,
    "s-expressions": _expressions,
    "shortcuts": _shortcuts,
    "tabs": _tabs,
    "text": _text,
    "unreadable": lambda name, text: iter([(name, {"unreadable": text})]),
    "xml": _xml,
}
_BINARY: Mapping[str, Callable[[str, bytes], Rows]] = {"vault": keepassxc_export.rows, "xcf": _picture}
