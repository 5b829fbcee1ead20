"""Settings as GSettings' keyfile backend writes them, with the defaults of what was never set.

A program that tries a choice and takes it back writes the default; so a setting that is not in the file and one that
is there with its default are the same here. Defaults are those of the installed schemas of the same application, which
is told by the first three steps of a group's path: `org/gnucash/GnuCash`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

Row = tuple[str, dict[str, Any]]

_SCHEMAS = Path("/usr/share/glib-2.0/schemas")


def with_defaults(written: Iterable[Row]) -> Iterator[Row]:
    """Yield a row `FILE/GROUP` for each group of settings, written or not."""
    groups: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    rows = dict(written)
    for file, application in sorted({(key.split("/")[0], "/".join(key.split("/")[1:4])) for key in rows}):
        for group, defaults in _defaults(application).items():
            groups[f"{file}/{group}"] |= defaults
    for key, values in rows.items():
        groups[key] |= values
    yield from groups.items()


@cache
def _defaults(application: str) -> Mapping[str, Mapping[str, str]]:
    """Return the defaults below a path by their group; none where no schema is installed."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for file in sorted(_SCHEMAS.glob(f"{'.'.join(application.split('/')[:2])}.*.gschema.xml")):
        for schema in ElementTree.parse(file).iter("schema"):  # noqa: S314 - of an installed package
            group = schema.get("path", "").strip("/")
            if f"{group}/".startswith(f"{application}/"):
                found[group] |= {key.get("name", ""): _written(key) for key in schema.iter("key")}
    return found


def _written(key: ElementTree.Element) -> str:
    """Return a key's default as the backend would write it: a number with a fraction always has a point."""
    text = key.findtext("default", "").strip()
    if key.get("type") == "d":
        return str(float(text))
    return f"'{text[1:-1]}'" if text[:1] == '"' else text
