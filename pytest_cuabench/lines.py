"""Files that a crash may cut short: one JSON record a line, added in one write and seen to the disk."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import RecordFailure


def add_line(file: Path, data: Mapping[str, Any]) -> None:
    """Add one record and see it to the disk; safe from several processes.

    Raises:
        RecordFailure: It is not on the disk, or not as a whole; what is read later passes over a part of it.
    """
    with recording(file):
        opened = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            _write_all(opened, _after_cut_line(opened) + _line(data))
            os.fsync(opened)
        finally:
            os.close(opened)


def write_lines(file: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write a whole file of records and see it to the disk.

    Raises:
        RecordFailure: It could not be written.
    """
    with recording(file), file.open("wb") as opened:
        opened.writelines(map(_line, records))
        opened.flush()
        os.fsync(opened.fileno())


def add_step(file: Path, data: Mapping[str, Any]) -> None:
    """Add one record to a file that only this process writes, and that may lose its last lines with the machine.

    Raises:
        RecordFailure: It could not be written.
    """
    with recording(file), file.open("ab") as opened:
        opened.write(_line(data))


def read_lines(file: Path) -> Iterator[dict[str, Any]]:
    """Yield one record a line; only a newline ends a line, and what a crash cut short is passed over."""
    for line in file.read_bytes().split(b"\n"):
        if (record := _record(line)) is not None:
            yield record


def count_cut_lines(file: Path) -> int:
    """Return how many lines of a file are no records: a crash cut them short while they were written."""
    lines = file.read_bytes().split(b"\n") if file.is_file() else ()
    return sum(1 for line in lines if line and _record(line) is None)


def write_json(file: Path, data: Any) -> None:
    """Write plain data for people and programs to read; whoever reads the file finds all of it or what was before.

    Raises:
        RecordFailure: It could not be written.
    """
    part = file.with_name(f".{file.name}.{os.getpid()}")
    with recording(file):
        try:
            part.write_bytes(_bytes(json.dumps(data, ensure_ascii=False, indent=1)))
            part.replace(file)
        except BaseException:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise


@contextmanager
def recording(file: Path) -> Iterator[None]:
    """Say in one sentence that a file cannot be written.

    Raises:
        RecordFailure: The system refused.
    """
    try:
        yield
    except OSError as error:
        raise RecordFailure(
            f"{error.filename or file} cannot be written: {error.strerror or error}; what was recorded before is kept"
        ) from error


def _record(line: bytes) -> dict[str, Any] | None:
    with suppress(ValueError):
        record = json.loads(line)
        return record if isinstance(record, dict) else None
    return None


def _write_all(file: int, data: bytes) -> None:
    """Write in one go; where the system takes only a part, the next try says why."""
    while data:
        data = data[os.write(file, data) :]


def _after_cut_line(file: int) -> bytes:
    """Return the newline that a process which died while writing still owes; one too many does no harm."""
    size = os.fstat(file).st_size
    return b"\n" if size and os.pread(file, 1, size - 1) != b"\n" else b""


def _line(data: Mapping[str, Any]) -> bytes:
    return _bytes(json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str))


def _bytes(text: str) -> bytes:
    """Encode JSON; a lone surrogate, which models do write, becomes its JSON escape."""
    return f"{text}\n".encode(errors="backslashreplace")
