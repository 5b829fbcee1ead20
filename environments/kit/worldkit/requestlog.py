"""The log of the browser's requests, for checks."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Fields = Iterable[tuple[str, str]]


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
    """All page requests of a session in order, without assets."""

    entries: list[dict[str, Any]] = field(default_factory=list)

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
