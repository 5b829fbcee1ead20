"""Paths, addresses and commands."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from pytest_cuabench.task.kinds.base import Kind, Spellings

_PORTS = {"http": 80, "https": 443, "ftp": 21}


@dataclass(frozen=True)
class Path(Kind):
    """A path of files: a slash at its end, `.` and doubled slashes mean nothing; nor does how its start is written.

    Attributes:
        tilde: Whether the program takes `~` for the home folder.
        base: The folder that the program takes for the start of relative paths; empty where it takes none.
        folder: Whether it may be the path of a folder, with a slash at its end.
    """

    tilde: bool = False
    base: str = ""
    folder: bool = True
    home: str = "/home/user"

    def meaning(self, value: Any) -> str:
        path = str(value).strip()
        if not path:
            return ""  # there is none
        if "\0" in path or (not self.folder and path.endswith("/")):
            raise ValueError(f"{value!r:.40} is no path of what is asked for")
        if self.tilde and (path == "~" or path.startswith("~/")):
            path = self.home + path[1:]
        whole = posixpath.normpath(posixpath.join(self.base, path))
        # POSIX lets two slashes at the start mean something else, so `normpath` keeps them.
        return re.sub("^//", "/", whole)

    def spellings(self, value: str, random: Random) -> Spellings:
        head, _, last = value.rstrip("/").rpartition("/")
        if not last:
            return
        if self.folder:
            yield "slash at the end", value.rstrip("/") + "/"
            yield "no slash at the end", value.rstrip("/")
        yield "with a dot", f"{head}/./{last}" if head or value.startswith("/") else f"./{last}"
        if head:
            yield "doubled slash", f"{head}//{last}"
        whole = self.meaning(value)
        if self.tilde and whole.startswith(f"{self.home}/"):
            yield "from the home folder", f"~{whole.removeprefix(self.home)}"
            yield "whole", whole
        if self.base and whole.startswith(f"{self.base}/"):
            yield "relative", whole.removeprefix(f"{self.base}/")
            yield "whole", whole

    def others(self, value: str, random: Random) -> Iterator[str]:
        stripped = value.rstrip("/")
        yield f"{stripped}x"
        yield f"{stripped}/x"
        if head := posixpath.dirname(stripped):
            yield head
        head, _, last = stripped.rpartition("/")
        if last.swapcase() != last:
            yield f"{head}/{last.swapcase()}" if head else last.swapcase()


@dataclass(frozen=True)
class Url(Kind):
    """An address: case of scheme and host, the usual port, `/` for no path, and needless escapes mean nothing.

    Attributes:
        ordered: Whether the order of the query's keys means something.
    """

    ordered: bool = False

    def meaning(self, value: Any) -> tuple[Any, ...]:
        parts = urlsplit(str(value).strip())
        if not parts.scheme:
            raise ValueError(f"{value!r:.60} is no address")
        scheme, port = parts.scheme.lower(), parts.port
        query = parse_qsl(parts.query, keep_blank_values=True)
        user = parts.netloc.rpartition("@")[0]
        path = _unescaped(parts.path) or "/"
        return (
            scheme,
            user,
            (parts.hostname or "").rstrip("."),
            None if port == _PORTS.get(scheme) else port,
            path,
            tuple(query if self.ordered else sorted(query)),
            parts.fragment,
        )

    def spellings(self, value: str, random: Random) -> Spellings:
        parts = urlsplit(value)
        start = f"{parts.scheme}://{parts.netloc}"
        rest = value[len(start) :]
        yield "scheme and host in capitals", start.upper() + rest if "@" not in start else value
        if parts.port is None and parts.scheme in _PORTS and parts.netloc:
            yield "with the usual port", f"{start}:{_PORTS[parts.scheme]}{rest}"
        if parts.path in ("", "/"):
            yield "with or without the slash", start + ("" if parts.path else "/") + rest[len(parts.path) :]
        if (letter := re.search(r"[a-z]", parts.path)) is not None:
            escaped = parts.path.replace(letter[0], f"%{ord(letter[0]):02x}", 1)
            yield "needless escape", value.replace(parts.path, escaped, 1)
        keys = parts.query.split("&")
        if len(keys) > 1 and not self.ordered:
            yield "keys in another order", value.replace(parts.query, "&".join(reversed(keys)), 1)

    def others(self, value: str, random: Random) -> Iterator[str]:
        parts = urlsplit(value)
        yield parts._replace(netloc=f"x{parts.netloc}").geturl()
        yield parts._replace(path=f"{parts.path}x").geturl()
        yield parts._replace(query=f"{parts.query}&x=1".lstrip("&")).geturl()
        yield parts._replace(fragment="x").geturl()
        yield parts._replace(scheme="ftp" if parts.scheme != "ftp" else "http").geturl()


def _unescaped(path: str) -> str:
    """Return a path with the escapes that mean nothing taken away."""
    return quote(unquote(path), safe="/:@!$&'()*+,;=~|{}<>")


@dataclass(frozen=True)
class Command(Kind):
    """A command with its arguments: how they are quoted and spaced means nothing, nor the folder of usual programs.

    Attributes:
        program: Whether it begins with a program; otherwise it is the arguments alone.
    """

    program: bool = True

    def meaning(self, value: Any) -> tuple[str, ...]:
        words = shlex.split(str(value))
        if not words:
            raise ValueError("there is no command")
        if self.program:
            words[0] = re.sub("^/(?:usr/)?bin/", "", words[0])
        return tuple(words)

    def spellings(self, value: str, random: Random) -> Spellings:
        words = shlex.split(value)
        yield "spaces around", f" {value} "
        yield "doubled spaces", "  ".join(shlex.quote(word) if " " in word else word for word in words)
        if len(words) > 1:
            head = " ".join(shlex.quote(word) if " " in word else word for word in words[:-1])
            yield "last argument in double quotes", f'{head} "{words[-1]}"'
            yield "last argument in single quotes", f"{head} '{words[-1]}'"
            if " " not in words[-1]:
                yield "last argument without quotes", f"{head} {words[-1]}"
        if self.program and words[0].startswith("/usr/bin/"):
            yield "program without its folder", value.strip().removeprefix("/usr/bin/")
        elif self.program and "/" not in words[0]:
            yield "program with its folder", f"/usr/bin/{value.strip()}"

    def others(self, value: str, random: Random) -> Iterator[str]:
        words = shlex.split(value)
        yield f"{value} x"
        if len(words) > 1:
            yield shlex.join(words[:-1])
            yield shlex.join([words[0], *(f"{word}x" for word in words[1:])])
        if len(words) > 2:
            yield f'{words[0]} "{" ".join(words[1:])}"'
