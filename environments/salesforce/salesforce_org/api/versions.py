"""The versions of the interfaces that are spoken."""

from __future__ import annotations

import re

OLDEST, NEWEST = 30, 67
_SEASONS = ("Spring", "Summer", "Winter")
_VERSION = re.compile(r"(\d{1,3})\.0")


def known(text: str) -> bool:
    """Tell whether a version such as `62.0` is spoken."""
    found = _VERSION.fullmatch(text)
    return found is not None and OLDEST <= int(found[1]) <= NEWEST


def label(number: int) -> str:
    """Return the release that brought a version; 30 was Spring '14, and there are three a year."""
    years, season = divmod(number - OLDEST, 3)
    return f"{_SEASONS[season]} '{14 + years + (season == 2)}"


def listed() -> list[dict[str, str]]:
    """Return all versions as `/services/data` tells them."""
    return [
        {"label": label(number), "url": f"/services/data/v{number}.0", "version": f"{number}.0"}
        for number in range(OLDEST, NEWEST + 1)
    ]
