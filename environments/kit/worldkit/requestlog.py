"""The log of the browser's requests, for checks."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Fields = Iterable[tuple[str, str]]
_AGAIN = 0.02  # seconds between looks


def _readable(fields: Fields) -> dict[str, Any]:
    readable: dict[str, Any] = {}
    for name, value in fields:
        shown = "***" if "pass" in name.lower() else value
        earlier = readable.get(name)
        if earlier is None:
            readable[name] = shown
        elif isinstance(earlier, list):
            earlier.append(shown)
        else:
            readable[name] = [earlier, shown]
    return readable


@dataclass
class RequestLog:
    """All page requests of a session in order, without assets.

    Attributes:
        in_flight: Method and path of the requests that are being answered, assets included.
    """

    entries: list[dict[str, Any]] = field(default_factory=list)
    in_flight: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def answering(self, method: str, path: str) -> Iterator[None]:
        """Count a request while it is answered, also if its client has gone."""
        name = f"{method} {path[:200]}"
        self.in_flight[name] += 1
        try:
            yield
        finally:
            self.in_flight[name] -= 1
            self.in_flight += Counter()  # without those that are over

    def begin(self, method: str, path: str, query: Fields, form: Fields) -> dict[str, Any]:
        """Add an entry; the caller sets its status later."""
        entry = {
            "n": len(self.entries) + 1,
            "method": method,
            "path": path,
            "query": _readable(query),
            "form": _readable(form),
            "status": None,
        }
        self.entries.append(entry)
        return entry

    async def settle(self, seconds: float) -> None:
        """Wait until all requests so far are answered, or `seconds` are over."""
        end = time.monotonic() + seconds
        asked = len(self.entries)
        while any(entry["status"] is None for entry in self.entries[:asked]) and time.monotonic() < end:
            await asyncio.sleep(_AGAIN)
