"""Messages for unknown names of a closed set, with the nearest known name as a suggestion."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def unknown_name(what: str, name: str, known: Iterable[str]) -> str:
    """Return the message for an unknown name, such as `no suite named 'x'; known: y, z`, with a suggestion."""
    names = sorted(known)
    return f"no {what} named {name!r}; known: {', '.join(names) or 'none'}{did_you_mean(name, names)}"


def did_you_mean(name: str, known: Iterable[str], shown: str = "{!r}", likeness: float = 0.6) -> str:
    """Return `; did you mean 'y'?` for the known name nearest to `name`; empty if none is near."""
    folded = {each.casefold(): each for each in known}
    close = difflib.get_close_matches(name.casefold(), folded, 1, likeness)
    return f"; did you mean {shown.format(folded[close[0]])}?" if close else ""
