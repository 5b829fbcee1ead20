"""Leaves out the rules of the design system that no page can match: a browser parses all of them on its first page."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_NAMED = re.compile(r"\bslds-[\w-]*")
_CLASS = re.compile(r"\.(slds-[\w-]*)")
_NOT = re.compile(r":not\([^)]*\)")
_RULE = re.compile(r"([^{};]+)(\{[^{}]*\})")
_EMPTY = re.compile(r"@[^{};]+\{\s*\}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def classes(folder: Path) -> frozenset[str]:
    """Return the design system's classes in templates and scripts; of a variable one the constant beginning."""
    files = [*folder.rglob("*.html"), *folder.rglob("*.js")]
    return frozenset(name for path in files for name in _NAMED.findall(path.read_text(encoding="utf-8")))


def used_rules(css: str, classes: frozenset[str]) -> str:
    """Return a style sheet without the selectors that need other classes.

    Args:
        classes: The classes of all pages. One that ends with a hyphen or an underscore, such as `slds-button_`, stands
            for all that begin so.
    """
    beginnings = tuple(name for name in classes if name[-1] in "-_")

    @cache
    def used(name: str) -> bool:
        return name in classes or name.startswith(beginnings)

    def cut(rule: re.Match[str]) -> str:
        kept = [one for one in rule[1].split(",") if all(map(used, _CLASS.findall(_NOT.sub("", one))))]
        return ",".join(kept) + rule[2] if kept else ""

    return _EMPTY.sub("", _RULE.sub(cut, _COMMENT.sub("", css)))
