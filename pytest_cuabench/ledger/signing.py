"""Signatures of ledger lines, by a key from the environment (HMAC-SHA256).

    {"type":"attempt", ... ,"signed":{"by":"9f2c41d07a3b.gw0","n":7,"mac":"..."}}
    {"type":"closed","about":"...","writers":{"9f2c41d07a3b.main":2,"9f2c41d07a3b.gw0":7},"signed":{...}}

Several processes add lines at the same time, so each writer numbers its own lines from 1; the code covers the
writer, the number and the bytes of the line before `signed`, behind which nothing else may stand. A line that is
removed, moved or repeated breaks the numbers. The session's main process adds the line `closed` at its end: how many
lines each writer has added by then, and the hash of `run.json`; so lines cannot be removed at the end either.
"""

from __future__ import annotations

import ctypes
import hmac
import os
import secrets
import sys
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.jsonl import Line, line_of, numbered_lines
from pytest_cuabench.ledger.lines import ABOUT, LEDGER
from pytest_cuabench.settings import KEY_VARIABLE as VARIABLE

SIGNED, CLOSED = "signed", "closed"
MAIN = "main"
_SHORTEST = 16  # bytes
_FIELD = b',"signed":'


class Key:
    """The secret; it shows itself to nobody by accident."""

    __slots__ = ("_secret",)

    def __init__(self, secret: str) -> None:
        self._secret = secret

    def checked(self) -> Key:
        """Return the key itself.

        Raises:
            SettingError: It is too short, or no text.
        """
        how = "create one with: openssl rand -hex 32"
        try:
            length = len(self._secret.encode())
        except UnicodeEncodeError:
            raise SettingError(f"{VARIABLE} is not valid UTF-8; {how}") from None
        if length < _SHORTEST:
            raise SettingError(f"{VARIABLE} has {length} bytes, but needs at least {_SHORTEST}; {how}")
        return self

    def __repr__(self) -> str:
        return "Key(...)"

    def reveal(self) -> str:
        """Return the secret, for a worker of this session."""
        return self._secret

    def code(self, writer: str, number: int, payload: bytes) -> str:
        """Return the authentication code of a line."""
        text = b"\0".join((b"cuabench-ledger-1", writer.encode(), str(number).encode(), payload))
        return hmac.new(self._secret.encode(), text, sha256).hexdigest()


def take_key(environment: MutableMapping[str, str] = os.environ) -> Key | None:
    """Take the key out of the environment, so that no process started from here inherits it."""
    if environment is os.environ:
        _wipe(VARIABLE)
    secret = environment.pop(VARIABLE, None)
    return Key(secret) if secret else None


def _wipe(name: str) -> None:
    """Overwrite a variable where the system keeps the environment that this process was started with.

    Removing a variable does not change `/proc/PID/environ`, which other processes of the same user can read.
    """
    if not sys.platform.startswith("linux") or name not in os.environ:
        return
    libc = ctypes.CDLL(None)
    libc.getenv.restype, libc.getenv.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
    if place := libc.getenv(name.encode()):
        ctypes.memset(place, ord("*"), len(ctypes.string_at(place)))


@dataclass(slots=True)
class Signer:
    """One writer of a session, with its own numbers."""

    key: Key
    worker: str = MAIN
    session: str = field(default_factory=lambda: secrets.token_hex(6))
    _number: int = 0

    @property
    def writer(self) -> str:
        """Name of the writer; no other session has it."""
        return f"{self.session}.{self.worker}"

    def sign(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Return the record with its signature."""
        self._number += 1
        code = self.key.code(self.writer, self._number, line_of(record).rstrip(b"\n"))
        return {**record, SIGNED: _signature(self.writer, self._number, code)}

    def closing(self, lines: Iterable[Line], about: Path) -> dict[str, Any]:
        """Return the record that ends a session, by what the ledger holds."""
        writers = {**_writers(lines), self.writer: self._number}
        return {"type": CLOSED, "about": _hash(about), "writers": writers}


@dataclass(frozen=True, slots=True)
class Flaw:
    """A line whose signature does not hold, or what is missing between lines.

    Attributes:
        open: Nothing contradicts itself, but the ledger is not closed.
    """

    line: int
    words: str
    open: bool = False


def is_signed(lines: Iterable[Line]) -> bool:
    """Whether any line of a ledger claims to be signed."""
    return any(line.record is not None and SIGNED in line.record for line in lines)


def admit(folder: Path, key: Key | None, doing: str) -> bool:
    """Return whether a ledger is signed and closed; refuse to add to it what could not be verified with the rest.

    Args:
        folder: The run.
        key: The key of this session, if any.
        doing: What is about to be done, for the sentence.

    Raises:
        SettingError: One of both is signed and the other is not, or a signature does not hold.
    """
    file = folder / LEDGER
    lines = list(numbered_lines(file)) if file.is_file() else []
    if not lines:
        return False
    if not is_signed(lines):
        if key:
            raise SettingError(
                f"{doing}: {file} is not signed, so signing further lines would prove nothing; "
                f"unset {VARIABLE}, or start a new run"
            )
        return False
    if key is None:
        raise SettingError(
            f"{doing}: {file} is signed; type: export {VARIABLE}=... (the key it was signed with)"
        )
    found = list(flaws(lines, key, folder / ABOUT))
    if wrong := next((flaw for flaw in found if not flaw.open), None):
        raise SettingError(f"{doing}: {file}, line {wrong.line}: {wrong.words}")
    return not found


def flaws(lines: Iterable[Line], key: Key, about: Path) -> Iterator[Flaw]:
    """Yield what is wrong with the signatures of a ledger.

    Args:
        about: The run's `run.json`, whose hash the last closing line holds.
    """
    written: dict[str, int] = {}
    last: tuple[int, dict[str, Any]] | None = None
    number = 0
    for line in lines:
        number = line.number
        if line.record is None:
            continue
        writer, count, problem = _checked(line, key)
        if problem:
            yield Flaw(line.number, problem)
            continue
        if count != written.get(writer, 0) + 1:
            missing = f"line {written.get(writer, 0) + 1} of writer {writer}"
            yield Flaw(line.number, f"{missing} is missing before it: lines were removed or moved")
        written[writer] = count
        if line.record.get("type") == CLOSED:
            yield from _uncounted(line, written, writer)
            last = line.number, line.record
    yield from _open(last, number, about)


def _checked(line: Line, key: Key) -> tuple[str, int, str]:
    """Return the writer of a line, its number, and what is wrong with its signature."""
    assert line.record is not None
    signed = line.record.get(SIGNED)
    payload, found, end = line.raw.rpartition(_FIELD)  # the last one: a nested object may have such a key
    if not found or not isinstance(signed, dict):
        return "", 0, "it is not signed"
    writer, number, code = (signed.get(name) for name in ("by", "n", "mac"))
    # Not `isinstance`, for which `true` is an int, too.
    if not (isinstance(writer, str) and type(number) is int and isinstance(code, str) and writer.isascii()):
        return "", 0, "its signature is malformed"
    # As bytes, since a parser takes the last of two equal keys.
    if end + b"\n" != line_of(_signature(writer, number, code)).replace(b"\n", b"}\n"):
        return "", 0, "it holds fields that are not signed"
    if not hmac.compare_digest(
        key.code(writer, number, payload + b"}").encode(), code.encode(errors="replace")
    ):
        return "", 0, "its signature is invalid: the line was changed, or signed with another key"
    return writer, number, ""


def _signature(writer: str, number: int, code: str) -> dict[str, Any]:
    return {"by": writer, "n": number, "mac": code}


def _uncounted(line: Line, written: Mapping[str, int], writer: str) -> Iterator[Flaw]:
    """Yield whether a closing line counts other lines than there are before it."""
    assert line.record is not None
    told = line.record.get("writers")
    before = {**written, writer: written[writer] - 1}  # without the closing line itself
    # The writer that closes is listed even if it wrote no other line.
    if told != {name: count for name, count in before.items() if count or name == writer}:
        yield Flaw(
            line.number, "it closes a ledger with other lines than the preceding ones: lines were removed"
        )


def _open(last: tuple[int, dict[str, Any]] | None, end: int, about: Path) -> Iterator[Flaw]:
    if last is None or last[0] != end:
        yield Flaw(
            end,
            "the ledger is not closed after it: its session was interrupted, or lines were removed",
            open=True,
        )
    elif last[1].get("about") != _hash(about):
        yield Flaw(last[0], f"{about.name} was changed after it", open=True)


def _writers(lines: Iterable[Line]) -> dict[str, int]:
    found: dict[str, int] = {}
    for line in lines:
        signed = line.record.get(SIGNED) if line.record else None
        if isinstance(signed, dict):
            found[str(signed.get("by"))] = signed.get("n", 0)
    return found


def _hash(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest() if file.is_file() else ""
