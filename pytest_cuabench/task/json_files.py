"""JSON files of other people, such as published task records: regular files only, within limits of size and depth."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any, NoReturn

from pytest_cuabench.errors import SettingError

MAX_BYTES = 1_000_000  # the largest published record has 110 kB
MAX_DEPTH = 60  # of lists and objects within each other


def json_of(file: Path) -> Any:
    """Return what a JSON file holds.

    Raises:
        SettingError: It is no regular file, cannot be read, is too large or too deep, or no JSON.
    """
    place = shown(file)
    try:
        data = json.loads(bytes_of(file, MAX_BYTES).decode("utf-8"), parse_constant=_no_number)
    except OSError as error:
        raise SettingError(f"{place} cannot be read: {error.strerror}") from None
    except RecursionError:
        raise SettingError(f"{place} is no record: it is nested more than {MAX_DEPTH} deep") from None
    except ValueError as error:
        raise SettingError(f"{place} is not valid JSON: {error}") from None
    if _deeper(data, MAX_DEPTH):
        raise SettingError(f"{place} is no record: it is nested more than {MAX_DEPTH} deep")
    return data


def shown(path: Path) -> str:
    """Return a path as one line that every terminal can show."""
    text = str(path).encode("utf-8", "backslashreplace").decode()
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def bytes_of(file: Path, most: int) -> bytes:
    """Return what a regular file holds, of `most` bytes at the most.

    Raises:
        SettingError: It is no regular file, or too large.
        OSError: It cannot be read.
    """
    # What is named could be a pipe or a device: it is opened without waiting, and read up to the limit only.
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as opened:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise SettingError(f"{shown(file)} is no regular file; name a .json file, or a folder of them")
        content = opened.read(most + 1)
    if len(content) > most:
        raise SettingError(f"{shown(file)} has more than {most} bytes, which no record has")
    return content


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


def _deeper(data: Any, depth: int) -> bool:
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return depth < 0 or any(_deeper(one, depth - 1) for one in inner)
