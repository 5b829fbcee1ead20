"""Crash-safe JSON Lines: one write per record, then fsync; readers skip a line cut short by a crash."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from pytest_cuabench.errors import RecordFailure
from pytest_cuabench.task.bounded import parse_json

_CUT_TAIL = 8  # a line cut within an escape, a literal or a character fails this many bytes before its end


class Line(NamedTuple):
    """One line of a JSON Lines file.

    Attributes:
        record: The record; None if the line is not a record.
        problem: Why it is not a record; empty if a crash cut it short.
    """

    number: int
    raw: bytes
    record: dict[str, Any] | None
    problem: str = ""


def add_line(file: Path, data: Mapping[str, Any]) -> None:
    """Append one record and fsync; safe with several processes.

    Raises:
        RecordFailure: The record could not be written completely; readers skip a partial line.
    """
    with recording(file):
        # With O_APPEND the system puts each write at the file's end, also with several processes.
        opened = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            _write_all(opened, _after_cut_line(opened) + line_of(data))
            os.fsync(opened)
        finally:
            os.close(opened)


def write_lines(file: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write a whole file of records and fsync.

    Raises:
        RecordFailure: The file could not be written.
    """
    with recording(file), file.open("wb") as opened:
        opened.writelines(map(line_of, records))
        opened.flush()
        os.fsync(opened.fileno())


def add_step(file: Path, data: Mapping[str, Any]) -> None:
    """Append one record without fsync, to a file that only this process writes.

    Raises:
        RecordFailure: The file could not be written.
    """
    with recording(file), file.open("ab") as opened:
        opened.write(line_of(data))


def read_lines(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a file, skipping lines cut short by a crash; only a newline ends a line."""
    for line in file.read_bytes().split(b"\n"):
        if (record := record_of(line)) is not None:
            yield record


def numbered_lines(file: Path) -> Iterator[Line]:
    """Yield the non-empty lines, strictly parsed and numbered from 1."""
    for number, raw in enumerate(file.read_bytes().split(b"\n"), 1):
        if raw.strip(b"\0"):  # a machine that lost power may have left zeros
            yield _read_line(number, raw)


def count_cut_lines(file: Path) -> int:
    """Count the lines of a file that a crash cut short."""
    lines = file.read_bytes().split(b"\n") if file.is_file() else ()
    return sum(1 for line in lines if line and record_of(line) is None)


def write_json(file: Path, data: Any, *, compact: bool = False) -> None:
    """Write plain data as JSON, atomically: readers see the old file or the complete new one.

    `compact` is for large data that nobody reads as text; it is written many times faster.

    Raises:
        RecordFailure: The file could not be written.
    """
    # Beside the file, as a rename is atomic only within one file system; the number keeps processes apart.
    part = file.with_name(f".{file.name}.{os.getpid()}")
    with recording(file):
        try:
            part.write_bytes(_bytes(json.dumps(data, ensure_ascii=False, indent=None if compact else 1)))
            part.replace(file)
        except BaseException:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise


@contextmanager
def recording(file: Path) -> Iterator[None]:
    """Turn an OSError of a write into a RecordFailure.

    Raises:
        RecordFailure: The file could not be written.
    """
    try:
        yield
    except OSError as error:
        raise RecordFailure(
            f"cannot write {error.filename or file}: {error.strerror or error}; earlier records are kept"
        ) from error


def record_of(line: bytes) -> dict[str, Any] | None:
    """Return the record of a line; None for a line that a crash cut short."""
    with suppress(ValueError):
        record = parse_json(line)
        return record if isinstance(record, dict) else None
    return None


def _read_line(number: int, raw: bytes) -> Line:
    try:
        record = parse_json(raw.decode(errors="strict"), strict=True)
    except ValueError as error:
        return Line(number, raw, None, "" if _cut_short(raw, error) else f"it is not a valid record: {error}")
    return (
        Line(number, raw, record)
        if isinstance(record, dict)
        else Line(number, raw, None, "it is not a valid record")
    )


def _cut_short(raw: bytes, error: ValueError) -> bool:
    """Whether a line is the beginning of a record: it is valid JSON up to its end."""
    if not raw.startswith(b"{"):
        return False
    if isinstance(error, UnicodeDecodeError):
        return error.end >= len(raw)
    if not isinstance(error, json.JSONDecodeError):
        return False
    # An unterminated string is reported where it begins, however far that is from the end.
    return error.msg.startswith("Unterminated string") or error.pos >= len(error.doc) - _CUT_TAIL


def _write_all(file: int, data: bytes) -> None:
    """Write all data; after a partial write, the next write raises the reason."""
    while data:
        data = data[os.write(file, data) :]


def _after_cut_line(file: int) -> bytes:
    """Return the newline missing after a line cut short; an extra one is harmless."""
    size = os.fstat(file).st_size
    return b"\n" if size and os.pread(file, 1, size - 1) != b"\n" else b""


def line_of(data: Mapping[str, Any]) -> bytes:
    return _bytes(json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str))


def _bytes(text: str) -> bytes:
    """Encode JSON; lone surrogates, which models do write, become JSON escapes."""
    return f"{text}\n".encode(errors="backslashreplace")
