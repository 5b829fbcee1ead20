"""Settings as GSettings' keyfile backend writes them, with the defaults of what was never set.

A program that tries a choice and takes it back writes the default; so a setting that is not in the file and one that
is there with its default are the same here. Defaults are those of the installed schemas of the same application, which
is told by the first three steps of a group's path: `org/gnucash/GnuCash`.
"""

from __future__ import annotations

import configparser
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

_SCHEMAS = Path("/usr/share/glib-2.0/schemas")


def rows(name: str, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a row for each group of settings, written or not."""
    parser = configparser.RawConfigParser(strict=False, interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    groups: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for application in sorted({"/".join(group.split("/")[:3]) for group in parser.sections()}):
        for group, defaults in _defaults(application).items():
            groups[group] |= defaults
    for group in parser.sections():
        groups[group] |= parser.items(group)
    for group, values in groups.items():
        yield f"{name}/{group}", values


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
