"""Where an evaluator's arguments come from: `result` and `expected` of a record, by the names that OSWorld gives them.

Each getter names the files of the desktop that it reads, before anything is played, and makes its value of their
content afterwards. Nothing is run in the desktop to judge it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from .downloads import Downloads
from .places import below_home
from .records import Unsupported

Contents = Mapping[str, bytes | None]  # by path below HOME; None for a file that is not there

_PROFILE = ".config/chromium/Default"
_PREFERENCES = f"{_PROFILE}/Preferences"
_MOST_ROWS = 10_000  # of a table of the browser
_LONGEST_VALUE = 1_000_000  # bytes
_EACH, _MOST_STEPS = 10_000, 1_000  # instructions of the database between two looks, and how many looks


@dataclass(frozen=True, slots=True)
class Getter:
    """One argument: the files that it is made of, and how; `is_file` if it is a file's content."""

    paths: tuple[str, ...]
    value: Callable[[Contents], Any]
    is_file: bool = False


def getter_of(spec: Any, downloads: Downloads) -> Getter:
    """Return the getter that a record names.

    Raises:
        Unsupported: It is unknown, or has options that are.
    """
    if not isinstance(spec, Mapping) or not isinstance(spec.get("type"), str):
        raise Unsupported("getters", f"{spec!r:.60}")
    name = spec["type"]
    if name == "rule":
        rules = spec.get("rules")
        return Getter((), lambda _: rules)
    if name in _FILES:
        return _file(_FILES[name](spec))
    if name == "cloud_file":
        url = str(_single(spec, "path"))
        downloads.find(url)
        return Getter((), lambda _: downloads.read(url), is_file=True)
    if name in _PREFERENCE:
        read = _PREFERENCE[name]
        return Getter((_PREFERENCES,), lambda contents: read(_json(contents[_PREFERENCES])))
    if name in _BROWSER:
        path, of = _BROWSER[name]
        return Getter((path,), lambda contents: of(contents[path]))
    raise Unsupported("getters", name)


def _file(path: str) -> Getter:
    return Getter((path,), lambda contents: contents[path], is_file=True)


def _single(spec: Mapping[str, Any], key: str) -> Any:
    """Return a path; of several, the one that the evaluator is given."""
    value = spec.get(key)
    if isinstance(value, list):
        if not value or spec.get("gives", [0]) != [0]:
            raise Unsupported("getters", f"{spec['type']} of several files")
        return value[0]
    return value


def _named(folder: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda spec: below_home(f"/home/user/{folder}/{spec.get('file_name') or spec.get('dest') or ''}")


def _json(content: bytes | None) -> Any:
    try:
        return json.loads(content or b"{}")
    except (ValueError, RecursionError):
        return {}


def _at(data: Any, *keys: str) -> Any:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _word(holds: object) -> str:
    return "true" if holds else "false"


def _rows(table: str, *columns: str) -> Callable[[bytes | None], list[tuple[Any, ...]] | None]:
    def rows(content: bytes | None) -> list[tuple[Any, ...]] | None:
        if not content:
            return None
        header = content[:18] + b"\1\1" + content[20:]  # without a write-ahead log, which is not there
        with closing(sqlite3.connect(":memory:")) as database:
            try:
                database.deserialize(header)
                return _read_table(database, table, columns)
            except sqlite3.Error:
                return None

    return rows


def _read_table(
    database: sqlite3.Connection, table: str, columns: Sequence[str]
) -> list[tuple[Any, ...]] | None:
    """Return the rows of a table; None if it is a view or computes something, which may say anything or never end.

    Raises:
        sqlite3.Error: There is no such table, it is damaged, or reading it takes too long.
    """
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
    database.execute("PRAGMA trusted_schema = OFF")
    steps = iter(range(_MOST_STEPS))
    database.set_progress_handler(lambda: next(steps, None) is None, _EACH)
    kinds = database.execute("SELECT type FROM sqlite_schema WHERE name = ? AND rootpage > 0", (table,))
    if kinds.fetchall() != [("table",)]:
        return None
    hidden = database.execute("SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden > 0", (table,))
    if hidden.fetchall():
        return None
    return database.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchmany(_MOST_ROWS)  # noqa: S608 - ours


_FILES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "vm_file": lambda spec: below_home(_single(spec, "path")),
    "gimp_config_file": _named(".config/GIMP/2.10"),
    "vlc_config": lambda _: ".config/vlc/vlcrc",
}
_PREFERENCE: Mapping[str, Callable[[Any], Any]] = {
    "chrome_font_size": lambda data: _at(data, "webkit", "webprefs") or {"default_font_size": 16},
    "data_delete_automacally": lambda data: _word(
        _at(data, "profile", "default_content_setting_values") is not None
    ),
    "default_search_engine": lambda data: (
        _at(data, "default_search_provider_data", "template_url_data", "short_name") or "Google"
    ),
    "enable_do_not_track": lambda data: _word(_at(data, "enable_do_not_track")),
    "enable_enhanced_safety_browsing": lambda data: _word(_at(data, "safebrowsing", "enhanced")),
    "enable_safe_browsing": lambda data: _word(
        _at(data, "safebrowsing", "enhanced") or _at(data, "safebrowsing", "enabled")
    ),
    "new_startup_page": lambda data: _word(
        "session" not in data or _at(data, "session", "restore_on_startup") == 5
    ),
    "profile_name": lambda data: _at(data, "profile", "name"),
}
_BROWSER: Mapping[str, tuple[str, Callable[[bytes | None], Any]]] = {
    "bookmarks": (f"{_PROFILE}/Bookmarks", lambda content: _at(_json(content), "roots") or {}),
    "cookie_data": (f"{_PROFILE}/Cookies", _rows("cookies", "host_key", "name")),
    "enabled_experiments": (
        ".config/chromium/Local State",
        lambda content: _at(_json(content), "browser", "enabled_labs_experiments") or [],
    ),
    "history": (f"{_PROFILE}/History", _rows("urls", "url", "title")),
}
