"""Rate limits per minute, shared by all workers and runs of this machine.

Every request books the first time slot that fits, after all earlier bookings, so requests stay in order and no minute
exceeds the profile's limits. Bookings are in a small file of times and counts, without secrets.
"""

from __future__ import annotations

import fcntl  # not filelock: this locks the book itself, and a waiting process is woken at once
import hashlib
import json
import math
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pytest_cuabench.errors import SettingError

MINUTE = 60.0
_Booked = list[float | str]  # when, tokens, who


@dataclass(frozen=True, slots=True)
class Booking:
    """A request's time slot.

    Attributes:
        wait: Seconds until it may be sent.
        name: Key of the booking.
    """

    wait: float
    name: str


class Rates:
    """Limits of requests and tokens per minute of one server, model and key; None for no limit."""

    def __init__(
        self,
        file: Path,
        requests: int | None,
        tokens: int | None,
        *,
        clock: Callable[[], float] = time.time,  # as other processes read the file
    ) -> None:
        self._file = file
        self._requests = requests
        self._tokens = tokens
        self._clock = clock

    def book(self, tokens: int, longest: float = math.inf) -> Booking | None:
        """Book a request of about `tokens` tokens; None if it would have to wait longer than `longest` seconds."""
        with self._book() as booked:
            now = self._clock()
            fits = self._first_fit(booked, now, tokens)
            if fits - now > longest:
                return None
            name = os.urandom(6).hex()
            booked.append([fits, tokens, name])
        return Booking(fits - now, name)

    def settle(self, booking: Booking, tokens: int) -> None:
        """Set the actual token count of a request; later requests are scheduled with it."""
        with self._book() as booked:
            for entry in booked:
                if entry[2] == booking.name:
                    entry[1] = tokens

    def _first_fit(self, booked: list[_Booked], now: float, tokens: int) -> float:
        """Return the first moment, not before the last that is booked, at which the minute before it has room."""
        places = sorted((float(when), float(count)) for when, count, _ in booked)
        at = max([now, *(when for when, _ in places)])
        while places and not self._room([place for place in places if place[0] > at - MINUTE], tokens):
            at = max(at, places.pop(0)[0] + MINUTE)
        return at

    def _room(self, minute: list[tuple[float, float]], tokens: int) -> bool:
        """Whether one more fits into a minute; a request that is larger than the limit goes alone."""
        taken = sum(count for _, count in minute)
        return (self._requests is None or len(minute) < self._requests) and (
            self._tokens is None or not taken or taken + tokens <= self._tokens
        )

    @contextmanager
    def _book(self) -> Iterator[list[_Booked]]:
        """Open the book for this process alone, without what is long past, and write it back."""
        descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "r+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            booked = _read(file, self._clock())
            yield booked
            file.seek(0)
            file.truncate()
            json.dump(booked, file)


def rates_file(server: str, model: str, key: str | None) -> Path:
    """Return the book of a server, a model and a key, in a folder that only this user may read.

    Raises:
        SettingError: Somebody else made that folder.
    """
    about = "\n".join((server, model, hashlib.sha256((key or "").encode()).hexdigest()))
    return _folder() / f"rates-{hashlib.sha256(about.encode()).hexdigest()[:24]}.json"


def _folder() -> Path:
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    base = Path(runtime) if runtime and Path(runtime).is_dir() else Path(tempfile.gettempdir())
    folder = base / f"pytest-cuabench-{os.getuid()}"
    folder.mkdir(exist_ok=True, mode=0o700)
    # In a temporary folder that all share, another user may have made it first.
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        raise SettingError(f"{folder} belongs to another user; set XDG_RUNTIME_DIR to a folder of your own")
    return folder


def _read(file: IO[str], now: float) -> list[_Booked]:
    """Return what counts for a minute that is not over; what a crash cut short, or a clock set back, counts no more."""
    try:
        found = json.load(file)
        return [
            [float(when), float(count), str(name)]
            for when, count, name in found
            if now - MINUTE < float(when) < now + 60 * MINUTE
        ]
    except (TypeError, ValueError):
        return []
